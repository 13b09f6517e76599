"""Does with the board and the list whatever comes to mind; its answers are legal all the same."""
import copy
import sys


class CustomPlayer:
    calls = 0

    def __init__(self, search_depth=3, score_fn=None, iterative=True, method='minimax', timeout=10.):
        self.moves_made = 0
        CustomPlayer.calls += 1

    def get_move(self, game, legal_moves, time_left):
        expected = self.moves_made
        self.moves_made += 1
        mine = [cell for row in game.__board_state__ for cell in row].count(1 if game.__player_1__ is self else 2)
        assert mine in (expected, expected + 1), "another game's instance"
        deep = copy.deepcopy(game)
        move = legal_moves.pop()
        sys.stdout.write("spoiling\n" * 10)
        sys.stderr.write("spoiling\n")
        legal_moves.clear()
        while deep.get_legal_moves():
            deep.apply_move(deep.get_legal_moves()[0])
        while game.get_legal_moves():
            game.apply_move(game.get_legal_moves()[0])
        game.__board_state__[0][0] = 7
        game.__board_state__.pop()
        game.width = 1
        return list(move)
