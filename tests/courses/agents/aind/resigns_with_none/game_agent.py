class MinimaxPlayer:
    def get_move(self, game, time_left):
        if game.move_count > 4:
            return None
        return game.get_legal_moves()[0]
