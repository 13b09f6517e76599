"""Gives every game up at once."""


class CustomPlayer:
    def __init__(self, search_depth=3, score_fn=None, timeout=10.0):
        pass

    def get_move(self, game, time_left):
        return (-1, -1)
