"""An agent as the first template has it: one player, told its legal moves, made by the tournament's arguments."""
import random


class Timeout(Exception):
    pass


def custom_score(game, player):
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    return float(len(game.get_legal_moves(player)) - len(game.get_legal_moves(game.get_opponent(player))))


def another_score(game, player):
    raise RuntimeError("nobody asked for this one")


class CustomPlayer:
    def __init__(self, search_depth=3, score_fn=another_score, iterative=False, method='minimax', timeout=10.):
        self.search_depth = search_depth
        self.iterative = iterative
        self.score = score_fn
        self.method = method
        self.time_left = None
        self.TIMER_THRESHOLD = timeout

    def get_move(self, game, legal_moves, time_left):
        self.time_left = time_left
        if not legal_moves:
            return (-1, -1)
        assert self.iterative and self.method == 'alphabeta'
        assert game.active_player is self and game.inactive_player is not self
        assert 0 < time_left() <= 2000
        best = random.choice(legal_moves)
        search = {'minimax': self.minimax, 'alphabeta': self.alphabeta}[self.method]
        try:
            for depth in range(1, game.height * game.width):
                _, best = search(game, depth)
                if depth > 4:
                    break
        except Timeout:
            pass
        return best

    def minimax(self, game, depth, maximizing_player=True):
        if self.time_left() < self.TIMER_THRESHOLD:
            raise Timeout()
        moves = game.get_legal_moves()
        if depth == 0 or not moves:
            return self.score(game, self), (-1, -1)
        results = [(self.minimax(game.forecast_move(m), depth - 1, not maximizing_player)[0], m) for m in moves]
        return max(results) if maximizing_player else min(results)

    def alphabeta(self, game, depth, alpha=float("-inf"), beta=float("inf"), maximizing_player=True):
        if self.time_left() < self.TIMER_THRESHOLD:
            raise Timeout()
        moves = game.get_legal_moves()
        if depth == 0 or not moves:
            return self.score(game, self), (-1, -1)
        best = (float("-inf"), moves[0]) if maximizing_player else (float("inf"), moves[0])
        for move in moves:
            value, _ = self.alphabeta(game.forecast_move(move), depth - 1, alpha, beta, not maximizing_player)
            if maximizing_player and value > best[0]:
                best = value, move
                alpha = max(alpha, value)
            elif not maximizing_player and value < best[0]:
                best = value, move
                beta = min(beta, value)
            if alpha >= beta:
                break
        return best
