def best(board, pos)
    return pos, 0
