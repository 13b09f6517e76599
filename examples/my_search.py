"""A search of one's own in plain Python: `--agent "examples/my_search.py:Flat(c=2, seconds=1)"`.

Every move gets random games to the end; the next game goes to the move of the highest upper confidence bound (UCB1).
What the constructor takes are the options of the player's text. See docs/search/own.md.
"""

from dataclasses import dataclass
from math import inf, log, sqrt

import harena


@dataclass
class Flat:
    """Flat Monte Carlo: MCTS with a tree of one level. It plays every game, and sees no answer coming."""

    c: float = 1.0  # how much more often seldom tried moves are tried

    def run(self, state, limits, turn):
        """The move that was tried most; `state` is a harena.State in which a player decides."""
        moves, rng = state.moves(), harena.generator(turn.seed)
        tries, wins = dict.fromkeys(moves, 0), dict.fromkeys(moves, 0.0)
        for number in turn.rounds(limits):  # until a limit, or Ctrl-C
            bounds = {move: self.bound(wins[move], tries[move], number) for move in moves}
            move = max(moves, key=bounds.__getitem__)
            tries[move] += 1
            wins[move] += reward(state.play(move), state.mover, rng)
        found = [
            harena.RootMove(move=move, value=wins[move] / tries[move], visits=tries[move])
            for move in moves
            if tries[move]
        ]
        found.sort(key=lambda one: -one.visits)
        return harena.Result(move=found[0].move, value=found[0].value, iterations=number + 1, root=tuple(found))

    def bound(self, won, tried, number):
        """How good a move may be, after so many tries of it and of all."""
        return won / tried + self.c * sqrt(log(number) / tried) if tried else inf


def reward(state, me, rng):
    """1, 0.5 or 0: how a random game from here ends for me."""
    while not state.is_over:
        state = state.play(state.random_move(rng))
    winner = state.outcome.winner
    return 0.5 if winner is None else float(winner == me)
