"""How long exact end games of Trap! take, by how many cells are alive: docs/strength/trap-endgame.md.

    python scripts/champions/trap_reach.py [--boards 10] [--most 14]

End games on random cells of a 7x7 board that hang together, both players on two of them. Seconds are those of the
processor, so a busy machine does not matter. Takes half a minute.
"""

import argparse
import time
from statistics import median

import numpy as np

from harena.champions.trap import POSITIONS_A_SECOND, SHARE
from harena.champions.trap_endgame import MOST_ALIVE, living, positions, room, solved
from harena.games.trap import NEIGHBOURS, SQUARES
from harena.search.workspace import NEVER

FEWEST, SIZE, SEED = 6, 7, 1


def connected(cells: int, rng: np.random.Generator) -> list[int]:
    """So many random cells that hang together."""
    board = int(SQUARES[SIZE])
    found = [int(rng.choice([cell for cell in range(64) if board >> cell & 1]))]
    while len(found) < cells:
        near = {cell for one in found for cell in range(64) if int(NEIGHBOURS[one]) & board & ~_word(found) & 1 << cell}
        found.append(int(rng.choice(sorted(near))))
    return found


def _word(cells: list[int]) -> int:
    return sum(1 << cell for cell in cells)


def seconds_for(cells: int, rng: np.random.Generator) -> float:
    """What one end game takes."""
    board = int(SQUARES[SIZE])
    while True:
        free = connected(cells, rng)
        mine, theirs = free[0], free[-1]
        blocked = 2**64 - 1 - _word(free)
        if int(living(np.uint64(blocked), mine, theirs)) == _word(free):
            break
    begin = time.process_time()
    assert solved(board, blocked, mine, theirs, NEVER) is not None
    return time.process_time() - begin


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--boards", type=int, default=10)
    options.add_argument("--most", type=int, choices=range(FEWEST, MOST_ALIVE + 1), default=MOST_ALIVE)
    given = options.parse_args()
    rng = np.random.default_rng(SEED)
    seconds_for(FEWEST, rng)  # compiled before any clock runs
    print(
        "| cells alive | positions | median s | longest s | MB | tried with at least |\n|---:|---:|---:|---:|---:|---:|"
    )
    for cells in range(FEWEST, given.most + 1):
        taken = [seconds_for(cells, rng) for _ in range(given.boards)]
        least = 1000 * positions(cells) / (SHARE * POSITIONS_A_SECOND)
        memory = room(cells) / 2**20
        figures = f"{median(taken):.4f} | {max(taken):.4f} | {memory:.1f} | {least:,.0f} ms"
        print(f"| {cells} | {positions(cells):,} | {figures} |", flush=True)


if __name__ == "__main__":
    main()
