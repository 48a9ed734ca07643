"""`python -m inkscan`."""

from inkscan.cli.entry import main

main()
