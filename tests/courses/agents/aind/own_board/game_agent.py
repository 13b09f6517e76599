from isolation import Board


class AlphaBetaPlayer:
    def get_move(self, game, time_left):
        assert type(game) is Board and game.how_crowded() == game.move_count
        return min(game.get_legal_moves(), key=lambda m: len(game.forecast_move(m).get_legal_moves()))
