"""Fair matches, tournaments, honest statistics, nothing lost."""
