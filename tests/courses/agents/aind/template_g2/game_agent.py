"""An agent as the later template has it: two players and three evaluations in one file."""
import random


class SearchTimeout(Exception):
    """Raised inside the search when the clock has nearly run down."""
    pass


def custom_score(game, player):
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    mine = len(game.get_legal_moves(player))
    theirs = len(game.get_legal_moves(game.get_opponent(player)))
    return float(mine - 2 * theirs)


def custom_score_2(game, player):
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    row, col = game.get_player_location(player)
    return -float(abs(row - game.height // 2) + abs(col - game.width // 2))


def custom_score_3(game, player):
    return game.utility(player)


class IsolationPlayer:
    def __init__(self, search_depth=3, score_fn=custom_score, timeout=10.):
        self.search_depth = search_depth
        self.score = score_fn
        self.time_left = None
        self.TIMER_THRESHOLD = timeout


class MinimaxPlayer(IsolationPlayer):
    def get_move(self, game, time_left):
        self.time_left = time_left
        best_move = (-1, -1)
        try:
            return self.minimax(game, self.search_depth)
        except SearchTimeout:
            pass
        return best_move

    def minimax(self, game, depth):
        if self.time_left() < self.TIMER_THRESHOLD:
            raise SearchTimeout()
        moves = game.get_legal_moves()
        if not moves:
            return (-1, -1)
        return max(moves, key=lambda m: self.value(game.forecast_move(m), depth - 1))

    def value(self, game, depth):
        if self.time_left() < self.TIMER_THRESHOLD:
            raise SearchTimeout()
        moves = game.get_legal_moves()
        if depth == 0 or not moves:
            return self.score(game, self)
        choose = max if game.active_player == self else min
        return choose(self.value(game.forecast_move(m), depth - 1) for m in moves)


class AlphaBetaPlayer(IsolationPlayer):
    def get_move(self, game, time_left):
        self.time_left = time_left
        moves = game.get_legal_moves()
        if not moves:
            return (-1, -1)
        best_move = moves[0]
        depth = 1
        try:
            while depth < game.width * game.height:
                best_move = self.alphabeta(game, depth)
                depth += 1
        except SearchTimeout:
            pass
        return best_move

    def alphabeta(self, game, depth, alpha=float("-inf"), beta=float("inf")):
        if self.time_left() < self.TIMER_THRESHOLD:
            raise SearchTimeout()
        moves = game.get_legal_moves()
        best, best_move = float("-inf"), moves[0]
        for move in moves:
            value = self.lowest(game.forecast_move(move), depth - 1, alpha, beta)
            if value > best:
                best, best_move = value, move
            alpha = max(alpha, best)
        return best_move

    def lowest(self, game, depth, alpha, beta):
        if self.time_left() < self.TIMER_THRESHOLD:
            raise SearchTimeout()
        moves = game.get_legal_moves()
        if depth == 0 or not moves:
            return self.score(game, self)
        value = float("inf")
        for move in moves:
            value = min(value, self.highest(game.forecast_move(move), depth - 1, alpha, beta))
            if value <= alpha:
                return value
            beta = min(beta, value)
        return value

    def highest(self, game, depth, alpha, beta):
        if self.time_left() < self.TIMER_THRESHOLD:
            raise SearchTimeout()
        moves = game.get_legal_moves()
        if depth == 0 or not moves:
            return self.score(game, self)
        value = float("-inf")
        for move in moves:
            value = max(value, self.lowest(game.forecast_move(move), depth - 1, alpha, beta))
            if value >= beta:
                return value
            alpha = max(alpha, value)
        return value
