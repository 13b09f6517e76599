"""Takes the move that leaves the opponent the fewest."""


class CustomPlayer:
    def __init__(self, search_depth=3, score_fn=None, timeout=10.0):
        pass

    def get_move(self, game, time_left):
        def left(move):
            after = game.forecast_move(move)
            return len(after.get_legal_moves(after.active_player))

        return min(game.get_legal_moves(), key=left, default=(-1, -1))
