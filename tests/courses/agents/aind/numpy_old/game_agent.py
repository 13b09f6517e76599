"""Uses what numpy 2 no longer has, and answers with numpy's integers."""
import numpy as np
import time
from collections import Iterable


class AlphaBetaPlayer:
    def __init__(self, search_depth=3, score_fn=None, timeout=10.):
        self.blank = np.zeros((8, 8), dtype=np.bool)
        self.weights = np.ones(3, dtype=np.float)

    def get_move(self, game, time_left):
        begin = time.clock()
        moves = np.array(game.get_legal_moves(), dtype=np.int)
        assert isinstance(moves, Iterable) and time.clock() >= begin
        best = moves[np.argmin(np.abs(moves - [game.height // 2, game.width // 2]).sum(axis=1))]
        return (best[0], best[1]) if game.move_count % 4 else best
