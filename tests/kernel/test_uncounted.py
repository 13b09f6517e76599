"""Kernels of our own classes do not count references to arrays; a user's class, whose methods may allocate, does.

Both must give right results, in either order in one process, and leave the arrays of their callers alone.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import harena
from harena import calls
from harena.agents.player import player
from harena.kernel.compile import kernel
from harena.kernel.modules import load_file
from harena.kernel.switch import JIT
from harena.search.playout import playouts
from harena.search.result import Limits
from kernel.support import run_well, write

compiled_only = pytest.mark.skipif(not JIT, reason="compiled code only")
STATE = harena.game("isolation", size=5).position("1..../...../..x../...../....2 1").value
USER = """
    from typing import NamedTuple

    import numpy as np

    from harena.games.isolation import Isolation
    from harena.kernel.compile import kernel
    from harena.kernel.generic import generic


    class Arrays(NamedTuple):
        size: int


    class Lists(NamedTuple):
        size: int


    @generic
    def total(thing, state, out):
        "The sum of the numbers below size, and of the array."


    @total.method(Arrays)
    def _(thing, state, out):
        numbers = np.zeros(thing.size, np.int64)
        for index in range(thing.size):
            numbers[index] = index
        return numbers.sum() + out.sum()


    @total.method(Lists)
    def _(thing, state, out):
        numbers = [0]
        for index in range(thing.size):
            numbers.append(index)
        result = out.sum()
        for number in numbers:
            result += number
        return result


    @total.method(Isolation)
    def _(thing, state, out):
        return out.sum()


    @kernel
    def add_up(thing, state, out):
        return total(thing, state, out)


    @kernel
    def rows_twice(state):
        numbers = np.zeros(2, np.int64)
        numbers[:] = state.rows
        return numbers.sum()
"""


@kernel
def fill(state: Any, out: Any, value: int) -> int:
    """An array handed in, sliced, aliased and written to."""
    part, same = out[1:], out
    for index in range(len(part)):
        part[index] = value + state.rows
    same[0] = value
    return len(part)


@kernel
def given_back(state: Any, out: Any) -> Any:
    return out


def memory_kb() -> int:
    """What this process has resident."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * 4


def test_an_array_has_as_many_references_after_many_calls_as_before() -> None:
    out = np.zeros(64, np.int64)
    before = sys.getrefcount(out)
    for value in range(2000):
        assert fill(STATE, out, value) == 63
        calls.list_moves(STATE, out, 0)
    assert sys.getrefcount(out) == before
    fill(STATE, out, 7)
    assert out[0] == 7 and (out[1:] == 12).all()


def test_an_array_that_a_kernel_gives_back_is_the_same_memory_and_stays_alive() -> None:
    out = np.arange(5)
    before = sys.getrefcount(out)
    again = [given_back(STATE, out) for _ in range(50)]
    out[0] = 99
    assert all(one[0] == 99 for one in again)
    del again
    assert sys.getrefcount(out) == before
    kept = given_back(STATE, np.arange(1000, 2000))
    crowd = [np.full(1000, -1) for _ in range(200)]  # would take the place of an array that was let go
    assert crowd and (kept == np.arange(1000, 2000)).all()


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads the process's memory as Linux shows it")
def test_memory_does_not_grow_with_searches() -> None:
    """With players that other tests of this suite compile too."""
    knights = harena.game("isolation", size=5).position("1..../...../..x../...../....2 1")
    tiles = harena.game("tiles", size=4).initial()
    pairs = [
        (player("champion(memory=8)", knights.game), knights),
        (player("uct1000(memory=8, iterations=300)", tiles.game), tiles),
    ]
    rng = harena.generator(1)

    def work(times: int) -> None:
        for _ in range(times):
            for one, state in pairs:
                one.think(state, Limits(nodes=300))
                playouts(state.value, rng, 100)
                state.moves()

    work(20)
    before = memory_kb()
    work(60)
    assert memory_kb() - before < 40_000  # of 120 tables and trees of 8 MB, were they not given back


@pytest.fixture
def user(tmp_path: Path) -> Any:
    return load_file(write(tmp_path / "user.py", USER))


@pytest.mark.parametrize("kind", ["Arrays", "Lists"])
def test_a_users_method_may_allocate(user: Any, kind: str) -> None:
    out = np.full(10, 3)
    before = sys.getrefcount(out)
    for size in (0, 1, 100):
        for _ in range(200):
            assert user.add_up(getattr(user, kind)(size), STATE, out) == size * (size - 1) // 2 + 30
    assert sys.getrefcount(out) == before


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads the process's memory as Linux shows it")
@pytest.mark.parametrize("kind", ["Arrays", "Lists"])
def test_what_a_users_method_allocates_is_freed(user: Any, kind: str) -> None:
    out, thing = np.zeros(1, np.int64), getattr(user, kind)(100_000)
    user.add_up(thing, STATE, out)
    before = memory_kb()
    for _ in range(200):
        user.add_up(thing, STATE, out)
    assert memory_kb() - before < 40_000  # 200 times 0.8 MB, were it kept


OWN = """
    import numpy as np
    from harena.heuristics.features import mobility

    def with_an_array(state, me):
        counts = np.zeros(2, np.int64)
        for player in range(2):
            counts[player] = mobility(state, player)
        return counts[me] - counts[1 - me]

    def with_a_list(state, me):
        counts = [mobility(state, player) for player in range(2)]
        return counts[me] - counts[1 - me]
"""
BOTH_ORDERS = """
    import json, sys
    import harena
    from harena.agents.player import player
    from harena.search.result import Limits

    game = harena.game("isolation", size=5)
    state = game.position("1..../...../..x../...../....2 1")
    found = []
    for name in sys.argv[1:]:
        result = player(f"greedy(heuristic={name})", game).think(state, Limits(nodes=1000))
        found.append([result.move, result.value, result.nodes])
    print(json.dumps(found))
"""


@pytest.mark.parametrize("ours_first", [True, False])
def test_a_search_with_a_heuristic_that_allocates_before_and_after_one_of_ours(
    tmp_path: Path, ours_first: bool
) -> None:
    """In a process of its own, and once more with the machine code from the disk."""
    own = write(tmp_path / "own.py", OWN)
    names = [f"{own}:with_an_array", "improved", f"{own}:with_a_list", "improved"]
    names = names[1:] if ours_first else names[:3]
    for _ in range(2):
        found = run_well(BOTH_ORDERS, *names, cache=None).json
        assert len(found) == 3 and found[0] == found[1] == found[2]


@pytest.mark.parametrize("kinds", [("ours", "Arrays", "Lists"), ("Lists", "ours", "Arrays")])
def test_one_kernel_for_our_classes_and_for_a_users_whichever_comes_first(user: Any, kinds: tuple[str, ...]) -> None:
    """The setting belongs to the kernel, so each compilation has to make it anew."""
    out = np.full(4, 5)
    before = sys.getrefcount(out)
    things = {"ours": STATE, "Arrays": user.Arrays(10), "Lists": user.Lists(10)}
    for _ in range(50):
        found = {kind: user.add_up(things[kind], STATE, out) for kind in kinds}
        assert found == {"ours": 20, "Arrays": 65, "Lists": 65}
    assert sys.getrefcount(out) == before


@compiled_only
def test_a_users_own_kernel_may_allocate_too(user: Any) -> None:
    assert user.rows_twice(STATE) == 10
