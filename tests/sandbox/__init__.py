"""Walls, and programs that try to get through."""
