"""Runs in the process of a course agent, and only there: standard library, and numpy where the course has it.

Nothing here imports harena: the agent behind the walls does not even see it.
"""
