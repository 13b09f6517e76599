"""Relies on the oldest board: the fixed order of moves, and its private state."""
from isolation import Board


def custom_score(game, player):
    return game.utility(player)


class CustomPlayer:
    def __init__(self, search_depth=3, score_fn=custom_score, iterative=True, method='minimax', timeout=10.):
        self.score = score_fn

    def get_move(self, game, legal_moves, time_left):
        assert game.get_legal_moves() == legal_moves
        assert game.__board_state__[0][0] in (0, 1, 2)
        assert len(game.__board_state__) == game.height and len(game.__board_state__[0]) == game.width
        visited = sum(cell != Board.BLANK for row in game.__board_state__ for cell in row)
        assert visited == game.move_count
        me = 1 if game.__player_1__ is self else 2
        here = game.__last_player_move__[self]
        if here != Board.NOT_MOVED:
            assert game.__board_state__[here[0]][here[1]] == me
            assert game.__get_moves__(here) == legal_moves
        fresh = Board(self, "other", game.width, game.height)
        assert fresh.__board_state__ == [[0] * game.width for _ in range(game.height)]
        return legal_moves[0]
