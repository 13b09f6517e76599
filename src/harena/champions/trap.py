"""The champion of trap: the search of whole half-turns, and the exact end game where few cells are alive."""

import time
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from harena import calls
from harena.champions.options import FULL_LEVEL, handicap_of
from harena.champions.trap_endgame import (
    MOST_ALIVE,
    PATIENCE,
    Ending,
    living,
    positions,
    room,
    solved,
    throw_worth,
    walk_worth,
)
from harena.champions.trap_evaluation import fitted
from harena.champions.trap_search import Turns
from harena.games.trap import AIM, AIM_AT, HALF_TURNS, SQUARES, WALK, Trap
from harena.kernel.values import coerce
from harena.search.mastery import NO_HANDICAP, Handicap, Mastery
from harena.search.result import NO_TURN, Limits, Result, RootMove, Search, Turn
from harena.search.workspace import NEVER, WIN

POSITIONS_A_SECOND = 1_000_000  # of the end game, about
SHARE = 0.4  # of a limit that solving an end game may take
NODES_A_POSITION = 2
MOST_MEGABYTES = 1000
FAR_OFF = 60  # half-turns to the draw: then it does not matter yet
SURE = FAR_OFF * (1.0 - PATIENCE)  # what is as close to a certain result is one, before the draw
LADDER = {  # nodes, and noise as a share of a win, of the levels below the champion itself; none throws just anywhere
    1: Handicap(1, 0.5 * WIN, width=8),
    2: Handicap(1, 0.29 * WIN, width=8),
    3: Handicap(1, 0.19 * WIN, width=8),
    4: Handicap(600, 0.165 * WIN, width=6),
    5: Handicap(600, 0.098 * WIN, width=6),
    6: Handicap(900, 0.07 * WIN, width=6),
    7: Handicap(1_900, 0.043 * WIN, width=6),
    8: Handicap(4_600, 0.026 * WIN, width=6),
    9: Handicap(10_000, 0.012 * WIN, width=6),
}


TINY = coerce(Trap(~SQUARES[2], 0, 9, 0, WALK, 0, 0, 2))  # two rows of two cells


@dataclass
class Solved:
    """The end game that was solved last, on a board of which size, and whether all that it takes is compiled."""

    ending: Ending | None = None
    size: int = 0
    too_many: int = MOST_ALIVE + 1  # cells alive: an end game of this game with so many could not be solved in time
    is_ready: bool = False

    def covers(self, word: int, size: int) -> bool:
        """Whether all these cells (a bit each) of a board of this size are among those of the end game."""
        if self.ending is None or self.size != size:
            return False
        return all(self.ending.numbers[cell] >= 0 for cell in range(64) if word >> cell & 1)


@dataclass(frozen=True, kw_only=True)
class TrapChampion(Mastery):
    """The deepening search, or the exact values where the end game can be solved within the limits."""

    solves: bool = True
    last: Solved = field(default_factory=Solved, init=False, compare=False, repr=False)

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Search a running state in which a player decides."""
        begin, limits = time.perf_counter(), self._own(limits)
        if self.solves and not self.last.is_ready:  # never while a clock runs: players are asked once before a game
            _exact(_tiny_ending(), TINY, 0.0)
            _exact(_tiny_ending(), TINY._replace(stage=AIM), 0.0)
            self.last.is_ready = True
        if turn.path is None:
            self.last.too_many = MOST_ALIVE + 1
        ending = self._ending(state, limits, turn) if self.solves else None
        if ending is not None:
            self.kept.last = _exact(ending, state, time.perf_counter() - begin)
            return self.kept.last
        self.last.ending = None  # its memory is what the table takes
        if limits.seconds is not None:
            limits = replace(limits, seconds=max(limits.seconds - (time.perf_counter() - begin), 1e-4))
        return self._search(state, limits, turn)

    def forget(self) -> None:
        """Give back what was kept for a game."""
        super().forget()
        self.last.ending = None

    def _ending(self, state: Any, limits: Limits, turn: Turn) -> Ending | None:
        """The solved end game that this position belongs to, if the limits allow it."""
        if state.half_turns > HALF_TURNS - FAR_OFF:
            return None
        word = int(living(state.blocked, state.mine, state.theirs))
        size, seconds = int(state.size), limits.seconds or 1.0
        if self.last.covers(word, size):
            return self.last.ending
        if not self._is_worth_solving(word.bit_count(), seconds, limits.nodes or NEVER):
            return None
        self.last.ending = self.kept.table = None  # their memory is what this one takes
        deadline = NEVER if limits.seconds is None else calls.clock() + int(2 * SHARE * seconds * 1e9)
        self.last.ending = solved(int(SQUARES[size]), int(state.blocked), state.mine, state.theirs, deadline, turn.flag)
        self.last.size = size
        if self.last.ending is None:
            self.last.too_many = word.bit_count()
        return self.last.ending

    def _is_worth_solving(self, cells: int, seconds: float, nodes: int) -> bool:
        """Whether an end game with so many cells alive fits into the memory and into its share of the limits."""
        cost = positions(cells)
        in_time = cost <= SHARE * seconds * POSITIONS_A_SECOND and NODES_A_POSITION * cost <= nodes
        return in_time and cells < self.last.too_many and room(cells) <= self.megabytes * 2**20


def _tiny_ending() -> Ending:
    ending = solved(int(SQUARES[2]), int(TINY.blocked), TINY.mine, TINY.theirs, NEVER)
    assert ending is not None
    return ending


def _exact(ending: Ending, state: Any, seconds: float) -> Result:
    """The moves of a position with their exact values."""
    board, blocked, out = SQUARES[state.size], state.blocked, np.empty(64, np.int64)
    moves = out[: calls.list_moves(state, out, 0)].tolist()
    if state.stage == WALK:
        worth = [walk_worth(ending, board, blocked, move, state.theirs) for move in moves]
    else:
        worth = [throw_worth(ending, board, blocked, state.mine, state.theirs, move - AIM_AT) for move in moves]
    order = sorted(range(len(moves)), key=lambda index: -worth[index])
    root = tuple(
        RootMove(move=moves[index], value=WIN * _snapped(worth[index]), proven=_proven(worth[index])) for index in order
    )
    best = root[0]
    return Result(
        move=best.move,
        value=best.value,
        nodes=len(ending.values),
        seconds=seconds,
        line=(best.move,),
        root=root,
        proven=best.proven,
        stopped="exhausted",
    )


def _snapped(value: float) -> float:
    nearest = round(value)
    return float(nearest) if abs(value - nearest) <= SURE else value


def _proven(value: float) -> int | None:
    return int(_snapped(value)) if abs(_snapped(value)) == 1.0 else None


def champion(game: str, *, level: int = FULL_LEVEL, memory: float = 32.0, threads: int = 1) -> Search:
    """The strongest player that we have; levels 1 to 9 are weaker. Memory in MB; a second thread fills the table."""
    handicap = handicap_of(LADDER, level, threads, memory, MOST_MEGABYTES)
    return TrapChampion(
        algorithm=Turns(),
        heuristic=fitted(),
        megabytes=memory,
        threads=threads,
        handicap=handicap,
        solves=handicap is NO_HANDICAP,
    )
