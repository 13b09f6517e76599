def first_free(walls):
    return next(side for side in range(4) if not walls[side])
