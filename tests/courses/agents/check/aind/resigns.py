class CustomPlayer:
    def get_move(self, game, legal_moves, time_left):
        best, best_score = (-1, -1), float("-inf")
        for move in legal_moves:
            score = self.value(game.forecast_move(move), 5, False)
            if score > best_score:
                best, best_score = move, score
        return best

    def value(self, game, depth, mine):
        moves = game.get_legal_moves()
        if not moves:
            return float("-inf") if mine else float("inf")
        if depth == 0 or len(moves) > 8:
            return 0
        values = [self.value(game.forecast_move(move), depth - 1, not mine) for move in moves[:4]]
        return max(values) if mine else min(values)
