"""Distances on the grid; agents also take `np` from here, by `from Utils import *`."""

import numpy as np


def manhattan_distance(position, target):
    """Rows plus columns between two cells."""
    return abs(target[0] - position[0]) + abs(target[1] - position[1])
