"""Nothing here is called as in the template."""
from sample_players import GreedyPlayer, RandomPlayer


class Base:
    def __init__(self, heuristic, max_depth, time_threshold, *, verbose=True):
        self.heuristic, self.max_depth, self.time_threshold = heuristic, max_depth, time_threshold
        assert verbose and max_depth == 3 and time_threshold == 10.0

    def get_move(self, board, clock):
        raise NotImplementedError


class Sleeper(Base):
    def get_move(self, board, clock):
        return board.get_blank_spaces()[0]


class KnightMaster(Base):
    def get_move(self, board, clock):
        assert clock() > 0
        return max(board.get_legal_moves(), key=lambda m: self.heuristic(board.forecast_move(m), self))


def custom_score(board, me):
    return -len(board.get_legal_moves())
