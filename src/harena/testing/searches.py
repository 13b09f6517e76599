"""What a search of one's own must keep, tried in random positions: legal answers, its limits, the value of minimax.

from harena.testing import check_search

def test_my_search():
    check_search("mine.py:MySearch(width=4)", "isolation")
"""

import time
from dataclasses import replace
from typing import Any

import numpy as np

from harena import calls
from harena.agents.player import Player
from harena.agents.spec import player
from harena.agents.user_search import PlainSearch
from harena.api import Game, State
from harena.contract import CHANCE
from harena.errors import HarenaError
from harena.find import game as find_game
from harena.kernel.compile import kernel
from harena.kernel.rng import generator
from harena.search.deepening import Deepening
from harena.search.minimax import Minimax
from harena.search.result import Limits, Result, Turn
from harena.search.workspace import ROUNDING, WIN, new_workspace, search

BUDGET: dict[str, int] = {"nodes": 400, "iterations": 40}
BACKSTOP = 20.0  # seconds for what other limits should end long before
SLACK = 1.05  # of a budget of nodes: not every node is counted at once
SHORT, LATE, TRIES = 0.2, 0.15, 3  # seconds, how much later an answer may come, how often it may because of the machine
STOPPED = 2.0  # seconds after which a search that is told to stop has done so, where it has STOPPABLE
STOPPABLE = 6.0
MOST_NODES = 2_000_000  # of minimax: depths that take more are not compared
WINDOWS = ((-1, 1), (0, 1), (-1, 0), (1, 2), (-2, -1))  # around, above and below the value
WHOLE = ("exhausted", "decided")  # why a search may end before its depth and have its value all the same


class SearchBroken(AssertionError):
    """A search that does not keep its contract; the message is a sentence with the position in question."""


class Watched:
    """A user's own object, of which the last answer is kept as it was given."""

    def __init__(self, made: Any) -> None:
        self.made, self.answer = made, None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.made, name)

    def run(self, state: State, limits: Limits, turn: Turn) -> Any:
        """As the object does."""
        self.answer = self.made.run(state, limits, turn)
        return self.answer


@kernel
def value_of(
    algorithm: Any, state: Any, me: int, heuristic: Any, depth: int, alpha: float, beta: float, work: Any
) -> float:
    """What the algorithm says of a state."""
    return search(algorithm, state, me, heuristic, depth, alpha, beta, work, 0)


def check_search(
    text: str, game: Game | str, *, like: str | None = None, positions: int = 6, depth: int = 3, seed: int = 0
) -> int:
    """Try the search of a player's text in random positions; return in how many.

    `like` is a player whose value it must find at depth 1, 2 ... `depth`. An algorithm of the kind that is compiled is
    held against minimax with its own heuristic, and its windows against its value; `like=""` is for one that means to
    search another tree. Everything else holds for every search.
    """
    found = find_game(game) if isinstance(game, str) else game
    states = [_position(found, seed + number, number / positions) for number in range(positions)]
    one, other = _asked(text, found), _asked(text, found)
    results = [_answer(one, state, _budget(one, depth), seed) for state in states]
    again = [_answer(other, state, _budget(other, depth), seed) for state in reversed(states)]
    if one.search.bounded_by != ("seconds",):
        for state, first, second in zip(states, results, reversed(again), strict=True):
            _require(_told(first) == _told(second), f"two results: {_told(first)} and {_told(second)}", state)
    for name in one.search.bounded_by:
        _check_limit(one, states[0], name, depth, seed)
    reference = _reference(one, like)
    for state in states:
        if reference is not None:
            _check_value(one, reference, state, depth)
        if type(one.search) is Deepening:
            _check_windows(one.search, state, min(depth, 2))
    return len(states)


def _position(game: Game, seed: int, part: float) -> State:
    """The position in which a player decides after this part of a random game."""
    state, rng, found = game.initial(seed), generator(seed), list[State]()
    while not state.is_over:
        if state.mover != CHANCE:
            found.append(state)
        state = state.play(state.random_move(rng))
    return found[int(part * len(found))]


def _asked(text: str, game: Game) -> Player:
    """The player, ready, without limits of its own."""
    made = player(text, game)
    made.limits = made.usual = Limits()
    if isinstance(made.search, PlainSearch):
        made.search = replace(made.search, made=Watched(made.search.made))
    try:
        made.ready()
    except HarenaError as error:
        raise SearchBroken(str(error)) from error
    return made


def _budget(asked: Player, depth: int) -> Limits:
    """What ends it at the same place every time, if it heeds any of these at all."""
    if asked.search.bounded_by == ("seconds",):
        return Limits(seconds=SHORT)
    return Limits(seconds=BACKSTOP, depth=depth, **BUDGET)


def _answer(asked: Player, state: State, limits: Limits, seed: int, **more: Any) -> Result:
    """What it found in a position that it knows nothing of, with moves that are legal."""
    asked.forget()
    try:
        found = asked.think(state, limits, seed=seed, **more)
    except HarenaError as error:
        raise SearchBroken(f"{error} (in {state.text})") from error
    legal = [int(move) for move in state.moves()]
    _require(found.move in legal, f"the move {found.move} is not legal", state)
    root = [one.move for one in found.root]
    _require(set(root) <= set(legal), f"the root has {sorted(set(root) - set(legal))}, which are no legal moves", state)
    _require(len(set(root)) == len(root), "the root has a move twice", state)
    _check_line(asked, found, state)
    return found


def _check_line(asked: Player, found: Result, state: State) -> None:
    """The line as it was given: what we are told of a search of one's own is already cut where it cannot be played."""
    given = asked.search.made.answer if isinstance(asked.search, PlainSearch) else found
    line = tuple(given.line or ()) if isinstance(given, Result) else ()
    after = state
    for number, move in enumerate(line):
        try:
            after = after.play(move)
        except HarenaError as error:
            raise SearchBroken(f"move {number + 1} of the line cannot be played: {error} (in {state.text})") from error
        is_first = number > 0 or (after.last_move is not None and int(after.last_move) == found.move)
        _require(is_first, "the line does not begin with the move that is chosen", state)


def _told(found: Result) -> tuple[str, float | None]:
    return f"move {found.move}", found.value


def _check_limit(asked: Player, state: State, name: str, depth: int, seed: int) -> None:
    """Whether a limit that the search says it heeds ends it, alone."""
    if name == "seconds":
        _check_clock(asked, state, seed)
        return
    given = {"depth": depth, **BUDGET}[name]
    found = _answer(asked, state, Limits(seconds=BACKSTOP, **{name: given}), seed)
    used = getattr(found, name) or 0
    most = SLACK * given if name == "nodes" else given
    is_kept = used <= most or (name == "depth" and found.proven is not None)  # a proof may say how deep it goes
    _require(is_kept, f"with the limit {name}={given} it says that it used {used}", state)
    _require(found.seconds < BACKSTOP, f"the limit {name}={given} does not end it within {BACKSTOP:g} s", state)


def _check_clock(asked: Player, state: State, seed: int) -> None:
    """Whether it answers in time, and when it is told to stop."""
    taken = []
    for _ in range(TRIES):
        begin = time.perf_counter()
        _answer(asked, state, Limits(seconds=SHORT), seed)
        taken.append(time.perf_counter() - begin)
        if taken[-1] <= SHORT + LATE:
            break
    _require(min(taken) <= SHORT + LATE, f"with a limit of {SHORT:g} s it took {min(taken):.2f} s", state)
    begin = time.perf_counter()
    _answer(asked, state, Limits(seconds=STOPPABLE), seed, flag=np.ones(1, np.int64))
    spent = time.perf_counter() - begin
    _require(spent < STOPPED, f"told to stop by turn.flag it went on for {spent:.1f} s", state)


def _reference(asked: Player, like: str | None) -> Player | None:
    """Whose values it must have; None for nobody's."""
    if like:
        return _asked(like, asked.game)
    if like is None and type(asked.search) is Deepening:
        truth = Deepening(algorithm=Minimax(), heuristic=asked.search.heuristic, fixed=True)
        return Player("minimax", asked.game, truth, Limits())
    return None


def _check_value(asked: Player, reference: Player, state: State, deepest: int) -> None:
    """Whether it finds the value of the other at every small depth, and a move that has it."""
    for depth in range(1, deepest + 1):
        truth = reference.think(state, Limits(depth=depth, nodes=MOST_NODES))
        if truth.stopped == "nodes":
            return
        found = _answer(asked, state, Limits(depth=depth, seconds=BACKSTOP), 0)
        if found.depth not in (None, depth) and found.stopped not in WHOLE:
            continue  # it was content before
        at = f"at depth {depth} it is worth {found.value}, and {truth.value} by {reference.text}"
        is_equal = found.value is not None and truth.value is not None and abs(found.value - truth.value) < ROUNDING
        _require(is_equal, at, state)
        worth = {one.move: one.value for one in truth.root if one.bound == "="}.get(found.move, truth.value)
        said = f"at depth {depth} its move {state.named(found.move)} is worth {worth}, and the best {truth.value}"
        _require(worth is not None and truth.value is not None and abs(worth - truth.value) < ROUNDING, said, state)


def _check_windows(asked: Deepening, state: State, depth: int) -> None:
    """The contract of `search`: the value inside a window, a bound on it outside; always the value without windows."""
    value = _within(asked, state, depth, -2 * WIN, 2 * WIN)
    for low, high in WINDOWS:
        alpha, beta = value + low, value + high
        found = _within(asked, state, depth, alpha, beta)
        least, most = (min(value, beta), max(value, alpha)) if asked.algorithm.windows else (value, value)
        said = f"at depth {depth} its value is {value:g}, and with the window {alpha:g} to {beta:g} it says {found:g}"
        _require(least - ROUNDING <= found <= most + ROUNDING, said, state)


def _within(asked: Deepening, state: State, depth: int, alpha: float, beta: float) -> float:
    work = new_workspace(calls.look(state.value).max_moves, megabytes=1.0 if asked.algorithm.narrows else 0.0)
    return float(value_of(asked.algorithm, state.value, state.mover, asked.heuristic, depth, alpha, beta, work))


def _require(holds: bool, sentence: str, state: State) -> None:
    if not holds:
        raise SearchBroken(f"{sentence} (in {state.text})")
