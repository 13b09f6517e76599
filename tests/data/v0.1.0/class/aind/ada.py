"""Takes the first legal move."""


class CustomPlayer:
    def __init__(self, search_depth=3, score_fn=None, timeout=10.0):
        pass

    def get_move(self, game, time_left):
        moves = game.get_legal_moves()
        return moves[0] if moves else (-1, -1)
