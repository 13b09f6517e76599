"""Champions with a second thread: what both prove is true, they share a table alone, and who stops leaves nothing."""

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest

import harena
from harena import calls
from harena.champions import colosseum, isolation, tiles, trap
from harena.champions.isolation_master import Master
from harena.champions.trap_endgame import solved
from harena.games.trap import SQUARES, WALK, Trap
from harena.kernel.values import coerce
from harena.search.deepening import search_root
from harena.search.mastery import Mastery
from harena.search.result import Limits, Result, Search, Turn
from harena.search.workspace import NEVER, STOPPED, WIN, Workspace, new_workspace


class Case(NamedTuple):
    """A game that can be solved after some plies, and a depth within which much is decided."""

    champion: Callable[..., Search]
    game: harena.Game
    plies: int
    depth: int


CASES = {
    "colosseum": Case(colosseum.champion, harena.game("colosseum", size=4), 2, 12),
    "isolation": Case(isolation.champion, harena.game("isolation", size=6, setup="random-placements"), 6, 20),
    "tiles": Case(tiles.champion, harena.game("tiles", size=5, setup="random"), 3, 14),
    "trap": Case(trap.champion, harena.game("trap", size=5), 0, 6),
}


def deepening(name: str, *, threads: int = 2) -> Mastery:
    """The champion's search, without proofs and end games: they have one thread."""
    made = CASES[name].champion(name, memory=2, threads=threads)
    if isinstance(made, Master):
        return made.search
    assert isinstance(made, Mastery)
    return replace(made, solves=False) if name == "trap" else made


def start(name: str) -> harena.State:
    """A position in which nothing is decided yet; in trap one in which a throw is due."""
    state = CASES[name].game.initial(1)
    return state.play(state.moves()[0]) if name == "trap" else state


@cache
def solutions(name: str) -> list[tuple[Any, dict[int, float]]]:
    """Positions of random games with the values of their moves: 1 won, 0 drawn, -1 lost."""
    case, found = CASES[name], []
    for seed in range(12):
        state, draws = case.game.initial(seed), np.random.default_rng(seed)
        for _ in range(case.plies):
            later = state.play(draws.choice(state.moves()))
            state = state if later.is_over else later
        found.append((state.value, {one.move: one.value or 0.0 for one in harena.solve(state).root}))
    return [(state, values) for state, values in found if len(values) > 1]


@cache
def endings() -> list[tuple[Trap, dict[int, float]]]:
    """End games of trap in which a player has a choice, with the expected scores of his moves."""
    draws, found = np.random.default_rng(5), []
    while len(found) < 30:
        cells = [8 * (int(cell) // 5) + int(cell) % 5 for cell in draws.permutation(25)[:11]]
        blocked = np.uint64(2**64 - 1 - sum(1 << cell for cell in cells))
        state = coerce(Trap(blocked, cells[0], cells[1], 0, WALK, 0, 0, 5))
        if calls.list_moves(state, np.empty(64, np.int64), 0) > 1:
            ending = solved(int(SQUARES[5]), int(blocked), cells[0], cells[1], NEVER)
            assert ending is not None
            values = {one.move: (one.value or 0.0) / WIN for one in trap._exact(ending, state, 0.0).root}
            found.append((state, values))
    return found


def is_proven_rightly(found: Result, values: dict[int, float]) -> bool:
    """Whether all that is called proven is so."""
    best = found.proven in (None, max(values.values()))
    return best and all(one.proven in (None, values[one.move]) for one in found.root)


@pytest.mark.parametrize("name", CASES)
def test_what_two_threads_prove_is_true(name: str) -> None:
    proven = 0
    for state, values in endings() if name == "trap" else solutions(name):
        champion = deepening(name)
        for path in (None, (), ()):  # then with what the second thread left when it was stopped
            found = champion.run(state, Limits(depth=CASES[name].depth), Turn(path=path))
            assert is_proven_rightly(found, values)
            proven += found.proven is not None
    assert proven >= 6


@pytest.mark.parametrize("name", ["isolation", "tiles"])
def test_what_a_champion_proves_besides_with_two_threads_is_true(name: str) -> None:
    proven = 0
    for state, values in solutions(name):
        champion = CASES[name].champion(name, memory=2, threads=2)
        for path in (None, ()):
            found = champion.run(state, Limits(nodes=5_000), Turn(path=path))
            assert is_proven_rightly(found, values)
            proven += found.proven is not None
    assert proven >= 6


def test_two_threads_know_which_end_games_of_trap_are_all_but_decided() -> None:
    decided = [(state, best) for state, values in endings() if abs(best := max(values.values())) > 0.9]
    assert len(decided) >= 5
    for state, best in decided:
        champion = deepening("trap")
        for path in (None, (), ()):
            found = champion.run(state, Limits(depth=6), Turn(path=path))
            assert found.value == pytest.approx(WIN * best, abs=0.2 * WIN)


@pytest.mark.parametrize("name", CASES)
def test_two_threads_share_a_table_and_nothing_else(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, Workspace] = {}
    deepen, has_come = Mastery._deepen, threading.Event()

    def wait_and_deepen(self: Mastery, state: Any, root: Any, work: Workspace, *others: Any) -> Any:
        seen["first"] = work
        assert has_come.wait(60)
        return deepen(self, state, root, work, *others)

    def accompany(self: Mastery, state: Any, root: Any, work: Workspace) -> None:
        seen["second"] = work
        has_come.set()

    monkeypatch.setattr(Mastery, "_deepen", wait_and_deepen)
    monkeypatch.setattr(Mastery, "_accompany", accompany)
    deepening(name).run(start(name).value, Limits(depth=2))
    one, other = seen["first"], seen["second"]
    assert one.table.keys is other.table.keys
    for mine, theirs in zip((*one, *one.order), (*other, *other.order), strict=True):
        if isinstance(mine, np.ndarray):
            assert not np.shares_memory(mine, theirs)
    assert (one.flag[0], other.flag[0]) == (0, 1)  # only the second is told to stop


@pytest.mark.parametrize(
    ("name", "depth", "nodes"),
    [
        ("colosseum", 8, 1),
        ("colosseum", 8, 45),  # many moves are judged before the first is tried
        ("colosseum", 8, 90),
        ("isolation", 8, 1),
        ("isolation", 8, 6),
        ("tiles", 8, 1),
        ("tiles", 8, 6),
        ("trap", 2, 6),
        ("trap", 8, 6),
        ("trap", 8, 60),
    ],
)
def test_who_has_to_stop_on_the_way_down_writes_nothing_into_the_table(name: str, depth: int, nodes: int) -> None:
    champion, state = deepening(name, threads=1), start(name).value
    look, root = calls.look(state), np.array([int(move) for move in start(name).moves()])
    values, exact = np.zeros(len(root)), np.zeros(len(root), np.bool_)
    work = new_workspace(look.max_moves, nodes=nodes, megabytes=1.0)
    search_root(champion.algorithm, state, look.mover, champion.heuristic, depth, work, root, values, exact, False)
    assert work.counters[STOPPED] and not work.table.keys.any()
