"""An agent that knows the rules: it wins if one move does, in any game, also in one of your own (docs/own-game.md)."""

import os

os.environ["HARENA_JIT"] = "0"  # behind walls nothing compiled is kept; for one move ahead plain Python will do

import harena
from harena.agents.bot import Turn, run


def begin(turn: Turn) -> None:
    """Load the game before the clock runs: a name of ours, or the path at which your file can be read."""
    turn.memory["game"] = harena.game(turn.game, **turn.options)


def choose(turn: Turn) -> str:
    """A move that wins at once, else the first."""
    state = turn.memory["game"].position(turn.position)
    outcomes = {str(move): state.play(move).outcome for move in state.moves()}
    wins = [move for move, end in outcomes.items() if end is not None and end.winner == turn.seat]
    return (wins or turn.legal)[0]


run(choose, name="winner", begin=begin)
