"""Configured players: a search, its heuristic and its limits, by name or text."""
