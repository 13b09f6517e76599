class AlphaBetaPlayer:
    def get_move(self, game, time_left):
        while game.move_count > 3:
            pass
        return game.get_legal_moves()[0]
