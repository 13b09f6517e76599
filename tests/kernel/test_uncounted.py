"""Kernels count references to arrays only where their code allocates: none of ours, and some of a user's.

Both must give right results, in either order in one process, and leave the arrays of their callers alone.
"""

import sys
from pathlib import Path
from textwrap import dedent
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


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["Arrays", "Lists"])
def test_a_users_method_may_allocate(user: Any, kind: str) -> None:
    out = np.full(10, 3)
    before = sys.getrefcount(out)
    for size in (0, 1, 100):
        for _ in range(200):
            assert user.add_up(getattr(user, kind)(size), STATE, out) == size * (size - 1) // 2 + 30
    assert sys.getrefcount(out) == before


@pytest.mark.slow
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


@pytest.mark.process
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


@pytest.mark.slow
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


@pytest.mark.slow
@compiled_only
def test_a_users_own_kernel_may_allocate_too(user: Any) -> None:
    assert user.rows_twice(STATE) == 10


TRICKY = """
    import numpy as np

    from harena.kernel.compile import kernel
    from harena.kernel.generic import helper

    {scratch}


    @helper
    def tail(out):
        return out[1:]


    @kernel
    def sum_of_slices(out, size):
        total = 0
        for start in range(len(out)):
            part = out[start:]
            total += part[0] * size
        return total


    @kernel
    def sum_of_tail(out, size):
        return tail(out).sum() * size


    @kernel
    def middle(out, size):
        return out[1:-1]


    @kernel
    def halves(out, size):
        return out[:size], out[size:]


    @kernel
    def sum_of_scratch(out, size):
        return scratch(size).sum() + out.sum()


    @kernel
    def sum_with_exception(out, size):
        if size < 0:
            raise ValueError("below 0")
        return out.sum() + size
"""
SCRATCH = {
    "kernel": "@kernel\n    def scratch(size):\n        return np.ones(size)",
    "njit": "from numba import njit\n\n    @njit\n    def scratch(size):\n        return np.ones(size)",
    "njit in a tuple": "from numba import njit\n\n    @njit\n"
    "    def both(size):\n        return np.ones(size), size\n\n"
    "    @helper\n    def scratch(size):\n        return both(size)[0]",
    "helper": "@helper\n    def scratch(size):\n        return np.ones(size)",
}


def tricky(folder: Path, scratch: str = "kernel") -> Any:
    return load_file(write(folder / "tricky.py", TRICKY.replace("{scratch}", SCRATCH[scratch])))


def counts_references(one: Any) -> bool:
    """Whether the machine code of a kernel, compiled just now, counts references anywhere."""
    return any("NRT_incref" in text for text in one.inspect_llvm().values())


@pytest.mark.slow
@compiled_only
def test_a_users_search_that_allocates_nothing_counts_no_references(tmp_path: Path) -> None:
    """Nor does our loop over the root's moves, when it is compiled for the user's classes."""
    text = (Path(__file__).parents[2] / "examples" / "my_algorithm.py").read_text("utf-8")
    file = write(tmp_path / "fresh.py", text)
    game = harena.game("isolation", size=5)
    found = player(f"{file}:Forced(free=0, heuristic=improved)", game).think(game.initial(), Limits(depth=2))
    assert found.nodes > 10
    assert load_file(file).forced.inspect_llvm() and not counts_references(load_file(file).forced)


@compiled_only
def test_slices_are_no_allocation_and_neither_is_an_exception(tmp_path: Path) -> None:
    own, out = tricky(tmp_path), np.arange(4)
    assert own.sum_of_slices(out, 2) == 12
    assert not counts_references(own.sum_of_slices)
    assert own.sum_with_exception(out, 2) == 8
    assert not counts_references(own.sum_with_exception)
    with pytest.raises(ValueError, match="below 0"):
        own.sum_with_exception(out, -1)


@pytest.mark.slow
@compiled_only
def test_parts_of_an_array_that_a_users_kernel_gives_back_are_these_parts_and_stay_alive(tmp_path: Path) -> None:
    own = tricky(tmp_path)
    kept = own.middle(np.arange(1000, 2000), 0), *own.halves(np.arange(1000), 400)
    crowd = [np.full(1000, -1) for _ in range(200)]  # would take the place of an array that was let go
    assert crowd and [(len(one), one[0], one[-1]) for one in kept] == [
        (998, 1001, 1998),
        (400, 0, 399),
        (600, 400, 999),
    ]
    out = np.arange(4)
    before = sys.getrefcount(out)
    for _ in range(50):
        assert own.sum_of_tail(out, 2) == 12 and len(own.halves(out, 1)[1]) == 3
    assert sys.getrefcount(out) == before


@pytest.mark.slow
@compiled_only
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads the process's memory as Linux shows it")
@pytest.mark.parametrize("kind", SCRATCH)
def test_what_a_function_hands_to_a_users_kernel_is_freed(tmp_path: Path, kind: str) -> None:
    """Also where it was compiled earlier, so that compiling its caller does not show that it allocates."""
    own, out = tricky(tmp_path, kind), np.zeros(1, np.int64)
    first = own.both if kind == "njit in a tuple" else own.scratch
    first(3)
    own.sum_of_scratch(out, 100_000)
    before = memory_kb()
    for _ in range(200):
        assert own.sum_of_scratch(out, 100_000) == 100_000
    assert memory_kb() - before < 40_000  # 200 times 0.8 MB, were it kept


# Each has a `view` that returns its argument. Numba is not imported by name, so that only what is reached can tell.
VIEWS = {
    "njit in a tuple": """
        VIEWS = (__import__("numba").njit(lambda array: array),)

        @helper
        def view(array):
            return VIEWS[0](array)
    """,
    "njit behind two closures": """
        def make():
            identity = __import__("numba").njit(lambda array: array)

            @helper
            def inner(array):
                return identity(array)

            @helper
            def outer(array):
                return inner(array)

            return outer

        view = make()
    """,
    "njit behind a method": """
        class Thing(NamedTuple):
            size: int

        @generic
        def view_of(thing, array):
            "The array."

        def register(cls):
            identity = __import__("numba").njit(lambda array: array)

            @view_of.method(cls)
            def _(thing, array):
                return identity(array)

        register(Thing)

        @helper
        def view(array):
            return view_of(Thing(1), array)
    """,
    "njit of an installed package": """
        import fastviews

        @helper
        def view(array):
            return fastviews.fast.identity(array)
    """,
    "njit that allocates": """
        COPIES = (__import__("numba").njit(lambda array: array.copy()),)

        @helper
        def view(array):
            return COPIES[0](array)
    """,
    "kernel": """
        @kernel
        def view(array):
            return array
    """,
    "helper": """
        @helper
        def view(array):
            return array
    """,
    "routine that returns a part": """
        @routine
        def view(array):
            return array[0:]
    """,
}
VIEWERS = """
from typing import NamedTuple
import numpy as np
from harena.kernel.compile import kernel
from harena.kernel.generic import generic, helper, routine
{view}

@kernel
def borrow(array, size):
    return view(array)[0] * size

@kernel
def own(array, size):
    made = np.zeros(1000, np.int64)
    seen = view(made)
    first = borrow(made, size)
    more = np.ones(1000, np.int64)
    return seen.sum() + more.sum() + first
"""
COUNT_ALLOCATIONS = """
import sys
from pathlib import Path
import numpy as np
from numba.core.runtime import rtsys
from harena.kernel.modules import load_file

sys.path.append(sys.argv[1])
for file in sys.argv[2:]:
    module, array = load_file(Path(file)), np.arange(1000)
    for call in (module.borrow, module.own):
        result = call(array, 3)
        before, held = rtsys.get_allocation_stats(), sys.getrefcount(array)
        assert all(call(array, 3) == result for _ in range(50))
        after = rtsys.get_allocation_stats()
        is_kept = after.alloc - before.alloc != after.free - before.free or sys.getrefcount(array) != held
        print(Path(file).stem, result, "keeps memory" if is_kept else "ok", flush=True)
"""


@pytest.mark.process
@compiled_only
def test_functions_that_return_their_argument_neither_free_it_twice_nor_keep_it(tmp_path: Path) -> None:
    """In a process of its own, since to free an array twice ends the process."""
    installed = tmp_path / "site-packages"
    write(installed / "fastviews" / "__init__.py", "from fastviews import fast")
    identity = "from numba import njit\n\n@njit\ndef identity(array):\n    return array"
    write(installed / "fastviews" / "fast.py", identity)
    names = [name.replace(" ", "_") for name in VIEWS]
    files = [
        write(tmp_path / f"{name}.py", VIEWERS.replace("{view}", dedent(view)))
        for name, view in zip(names, VIEWS.values(), strict=True)
    ]
    options = {"NUMBA_NRT_STATS": "1", "PYTHONWARNINGS": "ignore"}  # Numba warns of functions in a tuple
    answer = run_well(COUNT_ALLOCATIONS, installed, *files, cache=tmp_path / "cache", **options)
    assert answer.lines == [f"{name} {result} ok" for name in names for result in (0, 1000)]


PLAIN = """
    {imports}
    from harena.kernel.compile import kernel

    @kernel
    def add(array, size):
        return array.sum() + size
"""


@compiled_only
@pytest.mark.parametrize(
    ("imports", "counts"),
    [
        ("import numpy as np", False),
        ("import simple_beside", False),
        ("import numba", True),
        ("import numba_beside", True),
    ],
)
def test_only_files_with_plain_imports_are_compiled_without_counts(tmp_path: Path, imports: str, counts: bool) -> None:
    write(tmp_path / "simple_beside.py", "import math\nHALF = math.pi / 2")
    write(tmp_path / "numba_beside.py", "from numba import njit")
    own = load_file(write(tmp_path / "user.py", PLAIN.replace("{imports}", imports)))
    assert own.add(np.arange(4), 2) == 8
    assert counts_references(own.add) is counts
