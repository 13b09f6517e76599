"""How fast the searches are: nodes or iterations a second, one thread, and how well they keep their time.

Every figure of one game is taken in one run, in rounds that take turns, so that a noisy machine is noisy for all.
"""

import statistics
import time
from dataclasses import dataclass, fields

from harena.agents.player import Player
from harena.agents.spec import player
from harena.api import State
from harena.bench.playouts import Case
from harena.kernel.rng import generator
from harena.search import alphabeta
from harena.search.playout import playouts
from harena.search.result import Limits, Turn

ROUNDS = 3
PARTS = 5  # of a round, in which two searches that are compared take turns
SHORT = 0.01  # seconds a move, for the overrun
HEURISTICS = {"isolation": "improved", "colosseum": "territory", "trap": "improved", "tiles": "left"}
DEPTHS = {"isolation": 12, "colosseum": 4, "trap": 4, "tiles": 10}  # of plain alpha-beta; the clock stops it
MCTS = "mcts(c=0.5, reuse=false)"


@dataclass(frozen=True, kw_only=True)
class Speed:
    """Medians over the rounds."""

    game: str
    size: int
    alphabeta: float  # plain, nodes a second
    own: float  # the same text loaded as a user's file, nodes a second
    own_share: float  # of the rate of ours
    deepening: float  # with table, ordering and limits, nodes a second
    mcts: float  # iterations a second, full random playouts
    playouts: float  # a second, of the bare loop
    mcts_share: float  # of the bare loop's rate


@dataclass(frozen=True, kw_only=True)
class Overrun:
    """Milliseconds beyond a limit of 10 ms a move."""

    game: str
    search: str
    moves: int
    median: float
    p99: float
    p999: float
    worst: float


@dataclass(frozen=True, kw_only=True)
class Sustained:
    """One long Monte Carlo search, in slices of a second."""

    game: str
    seconds: int
    megabytes: float
    first: float  # iterations in the first second
    last: float  # and in the last, on average of three
    share: float
    nodes: int


def measure(case: Case, seconds: float) -> Speed:
    """Run one case; each search gets about this many seconds."""
    state = case.start()
    heuristic = HEURISTICS[case.game]
    plain = player(f"alphabeta(heuristic={heuristic})", state.game)
    own = player(f"{alphabeta.__file__}:AlphaBeta(heuristic={heuristic}, deepen=false)", state.game)
    deep = player(f"id(heuristic={heuristic})", state.game)
    tree = player(MCTS, state.game)
    for one in (plain, own, deep, tree):
        one.ready()
    playouts(state.value, generator(0), 1)
    slice_of = seconds / ROUNDS
    rates: dict[str, list[float]] = {field.name: [] for field in fields(Speed) if field.name not in ("game", "size")}
    for number in range(ROUNDS):
        limits = Limits(seconds=slice_of)
        ours, theirs = _by_turns(plain, own, state, Limits(seconds=slice_of / PARTS, depth=DEPTHS[case.game]))
        rates["alphabeta"].append(ours)
        rates["own"].append(theirs)
        rates["own_share"].append(theirs / ours)
        found = deep.think(state, limits)
        rates["deepening"].append(found.nodes / found.seconds)
        found = tree.think(state, limits, seed=number)
        iterations = found.iterations or 0
        begin = time.perf_counter()
        playouts(state.value, generator(number), iterations)
        bare = iterations / (time.perf_counter() - begin)
        rates["mcts"].append(iterations / found.seconds)
        rates["playouts"].append(bare)
        rates["mcts_share"].append(rates["mcts"][-1] / bare)
    medians = {name: round(statistics.median(values), 3) for name, values in rates.items()}
    return Speed(game=case.game, size=case.size, **medians)


def _by_turns(one: Player, other: Player, state: State, limits: Limits) -> tuple[float, float]:
    """The median nodes a second of two searches that take turns, so that the machine is as busy for both."""
    found = [(one.think(state, limits), other.think(state, limits)) for _ in range(PARTS)]
    first, second = ([result.nodes / result.seconds for result in results] for results in zip(*found, strict=True))
    return statistics.median(first), statistics.median(second)


def overrun(case: Case, search: str, moves: int) -> Overrun:
    """Think so many times, over the positions of random games, and see how late the answers come."""
    start = case.start()
    thinker = player(search, start.game)
    thinker.ready()
    state, rng = start, generator(1)
    late: list[float] = []
    while len(late) < moves:
        if state.is_over:
            state = start
        if state.mover in (0, 1):
            begin = time.perf_counter()
            thinker.think(state, Limits(seconds=SHORT))
            late.append(1000 * max(0.0, time.perf_counter() - begin - SHORT))
        state = state.play(state.random_move(rng))
    late.sort()
    return Overrun(
        game=case.game,
        search=search,
        moves=moves,
        median=round(late[moves // 2], 3),
        p99=round(late[moves * 99 // 100], 3),
        p999=round(late[moves * 999 // 1000], 3),
        worst=round(late[-1], 3),
    )


def sustained(case: Case, seconds: int, megabytes: float) -> Sustained:
    """Let one tree grow for so long."""
    state: State = case.start()
    thinker = player(f"mcts(c=0.5, memory={megabytes:g}, solver=false)", state.game)
    thinker.ready()
    counts = []
    nodes = 0
    for _ in range(seconds):
        found = thinker.search.run(state.value, Limits(seconds=1.0), Turn(path=()))
        counts.append((found.iterations or 0) / found.seconds)
        nodes = found.nodes
    last = statistics.mean(counts[-3:])
    return Sustained(
        game=case.game,
        seconds=seconds,
        megabytes=megabytes,
        first=round(counts[0], 1),
        last=round(last, 1),
        share=round(last / counts[0], 3),
        nodes=nodes,
    )
