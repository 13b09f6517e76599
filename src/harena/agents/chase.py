"""Trap! as its course prescribes it to be searched: one player only walks, the other stands where he is and throws.

    walk tree:  my walk (max), the opponent's throw (min, then chance), my walk ...
    aim tree:   my throw (max, then chance), the opponent's walk (min), my throw ...

A `Chase` is such a half of the game, with the words of the contract, so that the ordinary searches search it. What may
be aimed at and where a miss goes are fields: `near` are the free neighbours of the walker, a radius the free cells
around him, `all` whatever the rules allow; misses are `exact`, or `ignored` (a throw hits or has no effect: only the
probability of a hit counts), or there are `none`.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from harena.contract import (
    CHANCE,
    RUNNING,
    Moves,
    Outcome,
    Probabilities,
    chances,
    key,
    max_moves,
    mover,
    moves,
    outcome,
    play,
    without_points,
)
from harena.games.trap import AIM, AIM_AT, HITS, LAND_AT, LANDING, NEIGHBOURS, SQUARES, WALK, Trap, listed
from harena.kernel.bits import ZERO, bit, entry, integer, mix
from harena.kernel.generic import helper
from harena.kernel.values import coerce
from harena.search.deepening import Deepening
from harena.search.expectiminimax import Expectiminimax
from harena.search.result import NO_TURN, Limits, Result, Turn
from harena.search.workspace import evaluate

NEAR, ALL = 0, -1
EXACT, IGNORED, NO_MISSES = 0, 1, 2
NOTHING = LAND_AT + 64  # the throw had no effect
RADII = {"near": NEAR, "all": ALL}
MISSES = {"exact": EXACT, "ignored": IGNORED, "none": NO_MISSES}


class Chase(NamedTuple):
    """Half of a game: the walker and the thrower, who stays."""

    blocked: np.uint64
    walker: int  # cells
    thrower: int
    player: int  # who walks, 0 or 1
    stage: int
    target: int
    size: int
    radius: int  # NEAR, ALL, or how far from the walker a target may be
    misses: int


class OnBoard(NamedTuple):
    """A heuristic of Trap!'s, for half of a game."""

    heuristic: Any


@helper
def whole(state: Chase) -> Trap:
    """The position of the game that this is half of."""
    if state.stage == WALK:
        return Trap(state.blocked, state.walker, state.thrower, state.player, WALK, 0, 0, state.size)
    return Trap(state.blocked, state.thrower, state.walker, 1 - state.player, AIM, 0, 0, state.size)


@helper
def free_around(state: Chase, cell: int) -> np.uint64:
    """The free neighbours of a cell."""
    return entry(NEIGHBOURS, cell) & ~(state.blocked | bit(state.walker) | bit(state.thrower))


@helper
def targets(state: Chase) -> np.uint64:
    """The cells that the thrower considers."""
    players = bit(state.walker) | bit(state.thrower)
    if state.radius == ALL:
        return entry(SQUARES, state.size) & ~players
    if state.radius <= 1:
        return free_around(state, state.walker)
    cells = bit(state.walker)
    row, column = state.walker >> 3, state.walker & 7
    for other in range(64):
        if max(abs((other >> 3) - row), abs((other & 7) - column)) <= state.radius:
            cells |= bit(other)
    return cells & ~(state.blocked | players)


@helper
def hits_in_twenty(state: Chase) -> int:
    """How many of twenty throws at the target hit."""
    return 20 if state.misses == NO_MISSES else integer(entry(HITS, state.thrower << 6 | state.target))


@evaluate.method(OnBoard, Chase)
def _(heuristic: OnBoard, state: Chase, me: int) -> float:
    return evaluate(heuristic.heuristic, whole(state), me)


@mover.method(Chase)
def _(state: Chase) -> int:
    if state.stage == LANDING:
        return CHANCE
    return state.player if state.stage == WALK else 1 - state.player


@max_moves.method(Chase)
def _(state: Chase) -> int:
    return state.size * state.size


@moves.method(Chase)
def _(state: Chase, out: Moves, at: int) -> int:
    if state.stage == WALK:
        return listed(free_around(state, state.walker), 0, out, at)
    if state.stage == AIM:
        return listed(targets(state), AIM_AT, out, at)
    if hits_in_twenty(state) == 20:
        return listed(bit(state.target), LAND_AT, out, at)
    if state.misses == IGNORED:
        out[at], out[at + 1] = LAND_AT + state.target, NOTHING
        return 2
    players = bit(state.walker) | bit(state.thrower)
    around = entry(NEIGHBOURS, state.target) & entry(SQUARES, state.size) & ~players
    return listed(around | bit(state.target), LAND_AT, out, at)


@chances.method(Chase)
def _(state: Chase, out: Moves, probabilities: Probabilities, at: int) -> int:
    number = moves(state, out, at)
    hits = hits_in_twenty(state)
    for index in range(at, at + number):
        if out[index] == LAND_AT + state.target:
            probabilities[index] = hits / 20
        else:
            probabilities[index] = (20 - hits) / (20 * (number - 1))
    return number


@play.method(Chase)
def _(state: Chase, move: int) -> Chase:
    blocked, walker, target, stage = state.blocked, state.walker, state.target, AIM
    if state.stage == WALK:
        walker = move
    elif state.stage == AIM:
        target, stage = move - AIM_AT, LANDING
    else:
        stage = WALK
        if move != NOTHING:
            blocked |= bit(move - LAND_AT)
    return Chase(blocked, walker, state.thrower, state.player, stage, target, state.size, state.radius, state.misses)


@outcome.method(Chase)
def _(state: Chase) -> Outcome:
    if state.stage == AIM and free_around(state, state.thrower) == ZERO:
        return without_points(state.player)
    if state.stage == WALK and free_around(state, state.walker) == ZERO:
        return without_points(1 - state.player)
    return without_points(RUNNING)


@key.method(Chase)
def _(state: Chase) -> np.uint64:
    where = state.walker | state.thrower << 8 | state.player << 16 | state.stage << 20 | state.target << 24
    return mix(state.blocked ^ mix(np.uint64(where)))


@dataclass(frozen=True, kw_only=True)
class Trees:
    """The course's expectiminimax: a tree for the walk, another for the aim."""

    bounded_by: ClassVar[tuple[str, ...]] = Deepening.bounded_by
    walk: Any  # heuristics
    aim: Any
    candidates: str = "near"
    misses: str = "exact"
    split: float = 0.5  # the walk's share of a turn's time
    deepen: bool = True

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Search the half that is to be decided; limits of time are those of a whole turn."""
        half, search = self.half_of(state)
        found = search.run(half, self.share(limits, turn, state.stage == WALK), turn)
        root = tuple(replace(one, proven=None) for one in found.root)  # a proof of the half is none of the whole
        stopped = "depth" if found.stopped in ("decided", "exhausted") else found.stopped
        return replace(found, proven=None, root=root, stopped=stopped)

    def share(self, limits: Limits, turn: Turn, is_walk: bool) -> Limits:
        """The limits of one half. Where the turn has a clock, the aim gets all that the walk left of it."""
        left = turn.turn_seconds
        if left is not None:
            return replace(limits, seconds=self.split * left if is_walk else left)
        if limits.seconds is None:
            return limits
        return replace(limits, seconds=(self.split if is_walk else 1 - self.split) * limits.seconds)

    def half_of(self, state: Any) -> tuple[Chase, Deepening]:
        """The half of the game that a position asks for, and its search."""
        is_walk = state.stage == WALK
        half = Chase(
            blocked=state.blocked,
            walker=state.mine if is_walk else state.theirs,
            thrower=state.theirs if is_walk else state.mine,
            player=state.player if is_walk else 1 - state.player,
            stage=state.stage,
            target=0,
            size=state.size,
            radius=RADII[self.candidates] if self.candidates in RADII else int(self.candidates),
            misses=MISSES[self.misses],
        )
        heuristic = OnBoard(self.walk if is_walk else self.aim)
        return coerce(half), Deepening(algorithm=Expectiminimax(), heuristic=heuristic, fixed=not self.deepen)
