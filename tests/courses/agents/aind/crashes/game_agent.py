class AlphaBetaPlayer:
    def get_move(self, game, time_left):
        if game.move_count > 4:
            return game.get_legal_moves()[0 // (game.move_count - game.move_count)]
        return game.get_legal_moves()[0]
