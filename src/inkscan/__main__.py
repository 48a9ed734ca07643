"""`python -m inkscan`."""

from inkscan.cli.start import main

main()
