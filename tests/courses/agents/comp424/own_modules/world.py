class World:
    LABEL = "ours"


def distance(a, b):
    return abs(a[0] - b[0]) + abs(a[1] - b[1])
