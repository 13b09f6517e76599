"""Second generation: the board's own members, its sample players and names of its modules, by keyword."""
from isolation.isolation import *
from isolation import *
from sample_players import *


class CustomPlayer(GreedyPlayer):
    def get_move(self, game, time_left):
        assert TIME_LIMIT_MILLIS == 150 and Board.BLANK == 0 and type(game) is Board
        assert game._active_player is self and self in (game._player_1, game._player_2)
        here = game.get_player_location(player=self)
        moves = game.get_legal_moves(player=self)
        assert sorted(game._Board__get_moves(loc=here)) == sorted(moves)
        if here is not None:
            place = -1 if game._player_1 is self else -2
            assert game._board_state[place] == here[0] + here[1] * game.height
        after = game.forecast_move(move=moves[0])
        assert after.hash() == game.forecast_move(moves[0]).hash() != game.hash()
        assert not after.move_is_legal(move=moves[0]) and "X" in after.to_string(symbols=["X", "X"])
        mine, other = (RandomPlayer(), GreedyPlayer(score_fn=center_score))
        winner, history, reason = Board(player_1=mine, player_2=other, width=3, height=3).play(time_limit=100000)
        assert winner in (mine, other) and reason == "illegal move"
        assert random.choice([1]) == copy(1) and timeit.default_timer() and randint(0, 1) < 2
        assert RandomPlayer().get_move(game=game, time_left=time_left) in moves
        return super().get_move(game=game, time_left=time_left)
