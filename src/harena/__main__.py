"""`python -m harena` is `harena`."""

from harena.cli.main import main

main()
