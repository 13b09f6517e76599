"""The most common bug of all: who sees that the game is lost gives it up."""


class AlphaBetaPlayer:
    def __init__(self, search_depth=3, score_fn=None, timeout=10.):
        self.nothing = (-1, -1)

    def get_move(self, game, time_left):
        best_score, best_move = float("-inf"), self.nothing
        for move in game.get_legal_moves():
            score = self.lowest(game.forecast_move(move))
            if score > best_score:
                best_score, best_move = score, move
        return best_move

    def lowest(self, game):
        if game.is_winner(self):
            return float("inf")
        return min(self.after(game.forecast_move(move)) for move in game.get_legal_moves())

    def after(self, game):
        return game.utility(self)
