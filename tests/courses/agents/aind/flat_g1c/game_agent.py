"""Told its legal moves, and reads the flat state of the boards of spring 2017."""


def custom_score(game, player):
    return float(len(game.get_legal_moves(player)))


class CustomPlayer:
    def __init__(self, search_depth=3, score_fn=custom_score, iterative=True, method='minimax', timeout=10.):
        self.score = score_fn

    def get_move(self, game, legal_moves, time_left):
        mine = -1 if game._player_1 is self else -2
        cell = game._board_state[mine]
        if cell is not None:
            where = (cell % game.height, cell // game.height)
            assert where == game.get_player_location(self)
            assert sorted(game._Board__get_moves(where)) == sorted(legal_moves)
        assert game._board_state[-3] == (0 if game._player_1 is self else 1)
        assert sum(game._board_state[:-3]) == game.move_count
        return max(legal_moves, key=lambda move: self.score(game.forecast_move(move), self))
