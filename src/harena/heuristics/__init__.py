"""Values that score a state, and their names."""
