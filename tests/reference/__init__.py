"""Slow reference rules, written from the rules texts alone; the fast kernels are compared with them move for move."""
