"""Keeps a table by game.hash() from move to move, and counts with numpy."""
import numpy as np
from isolation.isolation import Board


class AlphaBetaPlayer(object):
    def __init__(self, search_depth=2, timeout=10.):
        self.table = {}
        self.last = None

    def get_move(self, game, time_left):
        assert isinstance(game, Board)
        assert game.hash() == game.copy().hash() != game.forecast_move(game.get_legal_moves()[0]).hash()
        cells = np.array(game._board_state[:-3]).reshape(game.width, game.height).T
        assert cells.sum() == game.move_count == game.width * game.height - len(game.get_blank_spaces())
        assert game.get_blank_spaces_count() == len(game.get_blank_spaces())
        assert self.last in (None, game.move_count - 2), "an instance of another game"
        self.last = game.move_count
        moves = game.get_legal_moves()
        values = [self.value(game.forecast_move(move)) for move in moves]
        return moves[int(np.argmax(values))]

    def value(self, game):
        key = game.hash()
        if key not in self.table:
            self.table[key] = -len(game.get_legal_moves())
        return self.table[key]
