"""First generation: the board's own members, its sample players and names of its modules, by keyword."""
from isolation.isolation import *
from isolation import *
from sample_players import *


class CustomPlayer(GreedyPlayer):
    def get_move(self, game, legal_moves, time_left):
        assert TIME_LIMIT_MILLIS == 200 and Board.NOT_MOVED is None and type(game) is Board
        symbols = game.__player_symbols__
        assert symbols[self] in (1, 2) and symbols[game.get_opponent(player=self)] == 3 - symbols[self]
        assert game.__active_player__ is self and game.__inactive_player__ is game.get_opponent(self)
        here = game.get_player_location(player=self)
        assert game.__get_moves__(move=here) == legal_moves == game.get_legal_moves(player=self)
        mine, other = (RandomPlayer(), GreedyPlayer(score_fn=improved_score))
        board = Board(player_1=mine, player_2=other, width=3, height=3)
        winner, history, reason = board.play(time_limit=100000)
        assert winner in (mine, other) and reason == "illegal move" and io.StringIO()
        assert "winner" in game_as_text(winner="1", move_history=history, termination=reason, board=Board(1, 2, 3, 3))
        deepcopy([here]), copy([here]), timeit.default_timer(), randint(0, 1)
        first = RandomPlayer().get_move(game=game, legal_moves=legal_moves, time_left=time_left)
        assert first in legal_moves
        return super().get_move(game=game, legal_moves=legal_moves, time_left=time_left)
