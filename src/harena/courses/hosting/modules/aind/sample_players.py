"""The Isolation course's evaluation functions and its three simple players.

The players answer to both forms, get_move(game, legal_moves, time_left) and get_move(game, time_left).
"""

import random
from random import randint


def _finished(score):
    """An evaluation that is infinite, with its sign, where the game is lost or won."""

    def value(game, player):
        if game.is_loser(player):
            return float("-inf")
        if game.is_winner(player):
            return float("inf")
        return score(game, player)

    value.__name__, value.__doc__ = score.__name__, score.__doc__
    return value


@_finished
def null_score(game, player):
    """Nothing but winning and losing."""
    return 0.0


@_finished
def open_move_score(game, player):
    """My moves."""
    return float(len(game.get_legal_moves(player)))


@_finished
def improved_score(game, player):
    """My moves less the opponent's."""
    return float(len(game.get_legal_moves(player)) - len(game.get_legal_moves(game.get_opponent(player))))


@_finished
def center_score(game, player):
    """The squared distance from (height / 2, width / 2): half a cell off the centre, and far is good, as it was."""
    if game.get_player_location(player) is None:
        return 0.0
    row, column = game.get_player_location(player)
    return float((game.height / 2.0 - row) ** 2 + (game.width / 2.0 - column) ** 2)


def _told(game, legal_moves):
    """The legal moves, whichever form of the question it was."""
    return list(legal_moves) if isinstance(legal_moves, (list, tuple)) else game.get_legal_moves()


class RandomPlayer:
    """Any legal move; (-1, -1) if there is none."""

    def get_move(self, game, legal_moves=None, time_left=None):
        moves = _told(game, legal_moves)
        return random.choice(moves) if moves else (-1, -1)


class GreedyPlayer:
    """The best move by an evaluation of the next position; of equals the one with the larger row, then column."""

    def __init__(self, score_fn=open_move_score):
        self.score = score_fn

    def get_move(self, game, legal_moves=None, time_left=None):
        moves = _told(game, legal_moves)
        return max((self.score(game.forecast_move(move), self), move) for move in moves)[1] if moves else (-1, -1)


class HumanPlayer:
    """Asks at the terminal for the number of a move."""

    def get_move(self, game, legal_moves=None, time_left=None):
        moves = sorted(_told(game, legal_moves))
        if not moves:
            print("there is no move left")
            return (-1, -1)
        print(game.to_string())
        print("\t".join(f"[{number}] {move}" for number, move in enumerate(moves)))
        while True:
            try:
                text = input(f"your move, 0 to {len(moves) - 1}: ").strip()
            except EOFError:
                message = "HumanPlayer asks at a terminal, and nobody is there: `harena play isolation` is for people"
                raise RuntimeError(message) from None
            if text.isdecimal() and int(text) < len(moves):
                return moves[int(text)]
            print(f"{text!r} is none of these numbers")
