def mobility(grid, player):
    return len(grid.get_neighbors(grid.find(player), only_available=True))
