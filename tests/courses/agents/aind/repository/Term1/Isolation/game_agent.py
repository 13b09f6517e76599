"""Lies deep in a repository, beside the course's own files and its data."""
import sample_players
from sample_players import improved_score, open_move_score
from isolation import Board

LETTERS = open("images/letters.txt").read().split()


def custom_score(game, player):
    return improved_score(game, player) + open_move_score(game, player)


class IsolationPlayer:
    def __init__(self, search_depth=3, score_fn=None, timeout=10.):
        assert score_fn is custom_score
        self.score = score_fn


class AlphaBetaPlayer(IsolationPlayer):
    def get_move(self, game, time_left):
        assert LETTERS == ["a", "b"] and isinstance(game, Board)
        return max((self.score(game.forecast_move(m), self), m) for m in game.get_legal_moves())[1]
