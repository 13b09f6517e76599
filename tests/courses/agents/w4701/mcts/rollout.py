import random

from Grid import Grid
from Utils import manhattan_distance


def land(grid, thrower, cell):
    p = 1 - 0.05 * (manhattan_distance(grid.find(thrower), cell) - 1)
    if random.random() < p:
        return cell
    return random.choice([c for c in grid.get_neighbors(cell) if grid.getCellValue(c) <= 0])


def rollout(grid: Grid, player, length=4):
    """The winner of a random game, or whoever has more neighbours after some turns."""
    for _ in range(length):
        moves = grid.get_neighbors(grid.find(player), only_available=True)
        if not moves:
            return 3 - player
        grid.move(random.choice(moves), player)
        around = grid.get_neighbors(grid.find(3 - player), only_available=True)
        if not around:
            return player
        grid.trap(land(grid, player, random.choice(around)))
        player = 3 - player
    one, two = (len(grid.get_neighbors(grid.find(k), only_available=True)) for k in (1, 2))
    return 1 if one >= two else 2
