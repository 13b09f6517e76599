"""How far proofs in tiles reach within a time: docs/strength/tiles-reach.md.

    python scripts/champions/tiles_reach.py --seconds 1 --nodes 1000000

Boards from the start, and positions with so many tiles left from games of a middling player with itself. For each: how
many were proven (won, drawn or lost for the player to move) with all moves that do not win settled, and the middle of
the times of those. Seconds are those of the processor, so a busy machine does not matter; the limit of nodes ends what
takes longer. Takes about five minutes of an idle core.
"""

import argparse
import time
from statistics import median

import numpy as np

import harena
from harena.champions.tiles import weights
from harena.champions.tiles_master import tiles_of
from harena.champions.tiles_proof import settle_moves
from harena.search.workspace import NODES, new_workspace

STARTS = ((4, 20), (5, 20), (6, 10))
LATER = ((6, (28, 32)), (7, (36, 40)), (8, (32, 36, 40)), (10, (32, 36, 40)))
BOARDS, MEGABYTES = 10, 64.0
PLAYER = "champion(level=7, nodes=500)"
NAMES = {1: "won", 0: "drawn", -1: "lost"}


def prove(state: harena.State, seconds: float, nodes: int) -> tuple[int | None, float, int]:
    """The value for the player to move or None, the time and the positions that it took."""
    root = np.array([int(move) for move in state.moves()], np.int64)
    low, high = np.full(len(root), -1, np.int64), np.full(len(root), 1, np.int64)
    work, begin = new_workspace(60, nodes=nodes, megabytes=MEGABYTES), time.process_time()
    is_proven = settle_moves(state.value, weights(), root, low, high, work)
    taken = time.process_time() - begin
    return int(low.max()) if is_proven and taken <= seconds else None, taken, int(work.counters[NODES])


def later(game: harena.Game, seed: int, tiles: int) -> harena.State:
    """A position of a game with at most so many tiles left."""
    state, player = game.initial(seed), harena.player(PLAYER, game)
    while tiles_of(state.value) > tiles:
        state = state.play(player.think(state, seed=seed).move)
    return state


def row(name: str, states: list[harena.State], seconds: float, nodes: int) -> str:
    """One line of the table."""
    found = [prove(state, seconds, nodes) for state in states]
    values = [value for value, _, _ in found if value is not None]
    split = ", ".join(f"{values.count(value)} {NAMES[value]}" for value in NAMES if value in values)
    done = [one for one in found if one[0] is not None]
    times = f"{median(one[1] for one in done):.3f} | {median(one[2] for one in done):,.0f}" if done else "- | -"
    return f"| {name} | {len(values)} of {len(states)} | {split or '-'} | {times} |"


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=1.0)
    options.add_argument("--nodes", type=int, default=1_000_000)
    given = options.parse_args()
    seconds, nodes = given.seconds, given.nodes
    for size in (8, 10):
        prove(harena.game("tiles", size=size).initial(), 1.0, 10)  # compiled before any clock runs
    print(f"| position | proven in {seconds:g} s | values | median s | median positions |\n|---|---|---|---:|---:|")
    for size, boards in STARTS:
        checkerboard = harena.game("tiles", size=size).initial()
        print(row(f"{size}x{size}, checkerboard", [checkerboard], seconds, nodes), flush=True)
        game = harena.game("tiles", size=size, setup="random")
        starts = [game.initial(seed) for seed in range(boards)]
        print(row(f"{size}x{size}, random boards", starts, seconds, nodes), flush=True)
    for size, counts in LATER:
        game = harena.game("tiles", size=size, setup="random")
        for tiles in counts:
            states = [later(game, seed, tiles) for seed in range(BOARDS)]
            print(row(f"{size}x{size}, at most {tiles} tiles left", states, seconds, nodes), flush=True)


if __name__ == "__main__":
    main()
