"""How fast it is: measured beside C in one run."""
