"""Walls around a process that runs code nobody has read."""
