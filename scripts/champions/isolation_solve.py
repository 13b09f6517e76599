"""Prove who wins after every pair of placements: `python scripts/champions/isolation_solve.py 5x5 6x6 7x7`.

One line for each opening up to symmetry: the cell of the player who placed first and moves first, the cell of the
other, 1 if the first wins and -1 if not, the positions searched, and how to win: a move of the first, or for each of
them a reply (move>reply). Lines are added to `src/harena/champions/data/isolation-solved-SIZE.csv` as they are proven,
and those that are there are not proven again, so it can be stopped at any time. Openings that take more than `--nodes`
are left out. One core takes a second for 5x5, half a minute for 6x6 and about half an hour for 7x7.
"""

import argparse
import time
from pathlib import Path

from harena import calls
from harena.champions.isolation_openings import cells, hunts, name, opening, reduced
from harena.champions.isolation_proof import new_notes, proof_of, winning_move
from harena.champions.isolation_symmetry import mirroring_move
from harena.errors import BadOption
from harena.games.catalogue import CATALOGUE
from harena.games.isolation import Isolation
from harena.kernel.values import coerce
from harena.search.greedy import legal_moves
from harena.search.workspace import NODES, new_workspace

FOLDER = Path(__file__).resolve().parents[2] / "src/harena/champions/data"
MOST_MOVES = 64


def openings(rows: int, columns: int) -> list[tuple[int, int]]:
    """Every pair of placements, one of each class of symmetric ones.

    First those in which the second hunts, in turn for each first placement: they tell who wins from the empty board.
    """
    board = cells(rows, columns)
    pairs = [(first, second) for first in board for second in board if first != second]
    distinct = [pair for pair in pairs if reduced(*pair, rows, columns) == pair]

    def turn(pair: tuple[int, int]) -> tuple[bool, int]:
        before = [one for one in distinct if one[0] == pair[0] and hunts(*one) == hunts(*pair)]
        return hunts(*pair), before.index(pair)

    return sorted(distinct, key=turn)


class Prover:
    """A table, and the positions that may be searched for one opening."""

    def __init__(self, megabytes: float, nodes: int) -> None:
        self.notes = new_notes(megabytes)
        self.nodes = nodes

    def value(self, state: Isolation) -> tuple[int, int]:
        """1 or -1 (0: not proven), and the positions searched; by symmetry one look is enough."""
        if mirroring_move(state) is not None:
            return 1, 1
        work = new_workspace(MOST_MOVES, nodes=self.nodes)
        return int(proof_of(state, self.notes, work)), int(work.counters[NODES])

    def winning(self, state: Isolation) -> int:
        """A winning move of a position that is proven to be won, proven again where the table has forgotten it."""
        if (answer := mirroring_move(state)) is not None:
            return answer
        move = int(winning_move(state, self.notes))
        for other in legal_moves(state).tolist() if move < 0 else []:
            self.value(coerce(calls.step(state, other)))
            move = int(winning_move(state, self.notes))
            if move >= 0:
                break
        if move < 0:
            raise BadOption("a win that was proven could not be found again: give it more megabytes or nodes")
        return move

    def how(self, state: Isolation, value: int) -> str:
        """The winning move, or a reply to each move."""
        if value > 0:
            return name(self.winning(state))
        after = {move: coerce(calls.step(state, move)) for move in legal_moves(state).tolist()}
        return " ".join(f"{name(move)}>{name(self.winning(other))}" for move, other in after.items())


def board(text: str) -> tuple[int, int]:
    """Rows and columns of an option."""
    try:
        return CATALOGUE["isolation"].rows_and_columns(text)
    except BadOption as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def main() -> None:
    """Prove what is not proven yet."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("boards", nargs="+", type=board, metavar="SIZE")
    options.add_argument("--nodes", type=int, default=30_000_000, help="positions for one opening at most")
    options.add_argument("--memory", type=float, default=256.0, help="megabytes of the table")
    given = options.parse_args()
    prover = Prover(given.memory, given.nodes)
    for rows, columns in given.boards:
        size = f"{rows}x{columns}"
        target = FOLDER / f"isolation-solved-{size}.csv"
        lines = target.read_text().splitlines() if target.exists() else []
        known = {tuple(line.split(",")[:2]) for line in lines}
        for first, second in openings(rows, columns):
            if (name(first), name(second)) in known:
                continue
            begin = time.perf_counter()
            state = opening(rows, columns, first, second)
            prover.notes.words[:] = 0  # what other openings left would only be in the way
            value, nodes = prover.value(state)
            seconds = time.perf_counter() - begin
            print(f"{size} {name(first)} {name(second)}: {value}, {nodes:,} positions, {seconds:.1f} s", flush=True)
            if value:
                with target.open("a") as file:
                    file.write(f"{name(first)},{name(second)},{value},{nodes},{prover.how(state, value)}\n")


if __name__ == "__main__":
    main()
