"""The four games as people give, type and see them."""
