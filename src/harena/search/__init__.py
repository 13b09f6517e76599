"""Searches, each written once for every game."""
