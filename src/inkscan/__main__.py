"""`python -m inkscan`."""

from inkscan.cli.main import main

main()
