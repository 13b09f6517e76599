"""Whole games written down ply by ply, from seeds alone: for golden files, and to compare compiled with plain rules.

Run as a program it prints the transcripts of every variant, then whether Numba was loaded.
"""

import sys
from itertools import pairwise

import harena
from games.support import VARIANTS, Options, label
from harena import CHANCE, State
from harena.search.playout import playouts

SEEDS = (11, 12)
PLAYOUTS = 20


def play_out(name: str, options: Options, seed: int) -> State:
    """The end of the game that a seed gives: the start and all moves are drawn by Harena's own generator."""
    state, rng = harena.game(name, **options).initial(seed), harena.generator(seed)
    while not state.is_over:
        state = state.play(state.random_move(rng))
    return state


def transcript(end: State) -> str:
    """A game ply by ply: the position, who decides between how many moves (or how likely each is), and the move."""
    states = list(end.history())[::-1]
    lines = [f"{end.game!r}"]
    for before, after in pairwise(states):
        moves = f"{len(before.moves())} moves"
        if before.mover == CHANCE:
            moves = ", ".join(f"{move} {chance:.12g}" for move, chance in before.chances())
        lines += [before.text, f"    {before.caption}: {moves}: {after.last_move}"]
    return "\n".join([*lines, end.text, f"    {end.outcome}"]) + "\n"


def everything(name: str, options: Options) -> str:
    """Transcripts of some games with the keys of their positions, and the tally of many more."""
    parts = [label((name, options))]
    for seed in SEEDS:
        end = play_out(name, options, seed)
        parts += [transcript(end), " ".join(str(state.key) for state in end.history())]
        start = harena.game(name, **options).initial(seed)
        parts.append(f"playouts: {playouts(start.value, harena.generator(seed), PLAYOUTS)}")
    return "\n".join(parts)


if __name__ == "__main__":
    for variant in VARIANTS:
        print(everything(*variant))
    print(f"numba: {'numba' in sys.modules}")
