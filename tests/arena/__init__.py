"""The arena: statistics, schedules, and what is kept of a game."""
