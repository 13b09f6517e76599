"""Distances on the grid."""

import numpy as np  # noqa: F401  agents get it by `from Utils import *`


def manhattan_distance(position, target):
    """Rows plus columns between two cells."""
    return abs(target[0] - position[0]) + abs(target[1] - position[1])
