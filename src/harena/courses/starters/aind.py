"""A starter for Isolation: minimax, and alpha-beta with iterative deepening, with a simple score; beats random players.

The course plays this file, game_agent.py. What to try next: scores of your own (`custom_score`); good moves first, so
that alpha-beta cuts more; what was found at one depth as the order of the next.
"""


class SearchTimeout(Exception):
    """Raised inside a search when the time is nearly over; `get_move` catches it and answers with the best so far."""


def custom_score(game, player):
    """How good a position is for a player: his moves minus those of the opponent."""
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    opponent = game.get_opponent(player)
    return float(len(game.get_legal_moves(player)) - len(game.get_legal_moves(opponent)))


def custom_score_2(game, player):
    """The same, more aggressive: the opponent's moves count twice."""
    if game.is_loser(player):
        return float("-inf")
    if game.is_winner(player):
        return float("inf")
    opponent = game.get_opponent(player)
    return float(len(game.get_legal_moves(player)) - 2 * len(game.get_legal_moves(opponent)))


def custom_score_3(game, player):
    """The same, and a little for being near the middle."""
    score = custom_score(game, player)
    place = game.get_player_location(player)
    if place is None or score in (float("-inf"), float("inf")):
        return score
    row, column = place
    return score - 0.1 * (abs(row - (game.height - 1) / 2) + abs(column - (game.width - 1) / 2))


class IsolationPlayer:
    """What both players below have in common. `timeout`: with so few milliseconds left a search is given up."""

    def __init__(self, search_depth=3, score_fn=custom_score, timeout=20.0):
        self.search_depth = search_depth
        self.score = score_fn
        self.time_left = None
        self.TIMER_THRESHOLD = timeout

    def get_move(self, game, time_left):
        """Answer (row, column); (-1, -1) only if there is no legal move."""
        self.time_left = time_left
        legal = sorted(game.get_legal_moves())  # the board shuffles them: sorted, the same position has one answer
        if not legal:
            return (-1, -1)
        self.best = legal[0]  # stands even if all moves are lost, or the time is too short: never give up
        try:
            self.search(game)
        except SearchTimeout:
            return self.best  # what was found so far
        return self.best

    def search(self, game):
        """Put the best move into `self.best`: first one for safety, then what the whole depth finds."""
        self.best = self.minimax(game, 1)
        self.best = self.minimax(game, self.search_depth)

    def check_time(self):
        """Give the search up when the time is nearly over."""
        if self.time_left() < self.TIMER_THRESHOLD:
            raise SearchTimeout()

    def minimax(self, game, depth):
        """The best move when looking so many moves ahead."""
        moves = sorted(game.get_legal_moves())
        if not moves:
            return (-1, -1)
        return max(moves, key=lambda move: self.minimax_value(game.forecast_move(move), depth - 1, False))

    def minimax_value(self, game, depth, mine):
        """The value of a position for me; `mine`: whether I am to move."""
        self.check_time()
        moves = game.get_legal_moves()
        if depth <= 0 or not moves:
            return self.score(game, game.active_player if mine else game.inactive_player)
        values = [self.minimax_value(game.forecast_move(move), depth - 1, not mine) for move in moves]
        return max(values) if mine else min(values)


class MinimaxPlayer(IsolationPlayer):
    """Looks `search_depth` moves ahead."""


class AlphaBetaPlayer(IsolationPlayer):
    """Looks one move ahead, then two, then three ..., as long as there is time."""

    def search(self, game):
        """Deeper and deeper; each depth that is finished overrules the one before, until the game is decided."""
        for depth in range(1, len(game.get_blank_spaces()) + 1):
            value, move = self.best_of(game, depth)
            if value == float("-inf"):
                return  # lost if the opponent sees it: the move of the depth before holds out longer
            self.best = move
            if value == float("inf"):
                return

    def alphabeta(self, game, depth):
        """The best move when looking so many moves ahead; the same as minimax, sooner."""
        return self.best_of(game, depth)[1]

    def best_of(self, game, depth):
        """The value of the best move, and the move."""
        best_value, best = float("-inf"), (-1, -1)
        for move in sorted(game.get_legal_moves()):
            found = self.alphabeta_value(game.forecast_move(move), depth - 1, best_value, float("inf"), False)
            if found > best_value or best == (-1, -1):
                best_value, best = found, move
        return best_value, best

    def alphabeta_value(self, game, depth, alpha, beta, mine):
        """The value of a position for me if it lies between alpha and beta, else on which side it lies."""
        self.check_time()
        moves = sorted(game.get_legal_moves())
        if depth <= 0 or not moves:
            return self.score(game, game.active_player if mine else game.inactive_player)
        best = float("-inf") if mine else float("inf")
        for move in moves:
            found = self.alphabeta_value(game.forecast_move(move), depth - 1, alpha, beta, not mine)
            if mine:
                best, alpha = max(best, found), max(alpha, found)
            else:
                best, beta = min(best, found), min(beta, found)
            if alpha >= beta:
                break  # the other side would not let it come to this
        return best
