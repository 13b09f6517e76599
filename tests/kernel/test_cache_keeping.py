"""What may be kept on disk and what may not, and that everything works in the processes that come after."""

from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from harena.kernel import fingerprint as fingerprint_module
from harena.kernel.cache import KernelCache
from harena.kernel.compile import kernel
from harena.kernel.fingerprint import fingerprint
from harena.kernel.source_names import imported_modules
from kernel.support import RUN_FILE, kernel_files, run_well, write


@kernel
def nothing(number: int) -> int:
    return number


AT_A_PROMPT = """
from harena.kernel.compile import kernel
@kernel
def run(x):
    return x + {}
print(run(1))
"""
CLASS_AT_A_PROMPT = """
from typing import NamedTuple
from harena.contract import max_moves
from kernel.twins import deep
class Typed(NamedTuple):
    number: int
@max_moves.method(Typed)
def _(state):
    return state.number + {}
print(deep(Typed(1), 1))
"""
MADE_OF_TEXT = """
import sys
from pathlib import Path
from harena.kernel.modules import load_file
file = Path(sys.argv[1], "number.txt")
file.write_text("{}")
print(load_file(file.with_name("mine.py")).run(1))
"""


@pytest.mark.process
@pytest.mark.parametrize("script", [AT_A_PROMPT, CLASS_AT_A_PROMPT, MADE_OF_TEXT])
def test_code_without_a_file_is_not_kept(tmp_path: Path, script: str) -> None:
    text = """
    from pathlib import Path
    from harena.kernel.compile import kernel
    number = str(Path(__file__).with_name("number.txt").read_text())
    exec("@kernel\\ndef run(x):\\n    return x + " + number)
    del number
    """
    write(tmp_path / "mine.py", text)
    for added in (1, 10):
        assert run_well(script.format(added), tmp_path, cache=tmp_path / "cache").lines == [str(1 + added)]
    assert not kernel_files(tmp_path / "cache")


@pytest.mark.process
def test_closures_and_functions_as_arguments_and_local_classes_work_but_are_not_kept(tmp_path: Path) -> None:
    text = """
    from typing import NamedTuple
    from harena.kernel.compile import kernel

    def make(number):
        @kernel
        def add(x):
            return x + number
        return add

    @kernel
    def apply(function, x):
        return function(x)

    @kernel
    def get(value):
        return value.number

    @kernel
    def count(x):
        for number in range(x):
            yield number

    def run(x):
        class Local(NamedTuple):
            number: int
        return [make(1)(x), make(5)(x), apply(make(2), x), apply(make(3), x), get(Local(x)), list(count(x))]
    """
    mine = write(tmp_path / "mine.py", text)
    for _ in range(2):
        assert run_well(RUN_FILE, mine, 3, cache=tmp_path / "cache").json[0] == [4, 8, 5, 6, 3, [0, 1, 2]]
    assert not kernel_files(tmp_path / "cache")


RECURSIVE = """
from harena.kernel.compile import kernel

@kernel
def alone(n):
    if n < 2:
        return n
    return alone(n - 1) + alone(n - 2)

@kernel
def with_literals(n, flag, depth):
    if n < 2:
        return n + depth
    return with_literals(n - 1, True, 0) + with_literals(n - 2, False, 1)

@kernel
def even(n):
    if n == 0:
        return 1
    return odd(n - 1)

@kernel
def odd(n):
    if n == 0:
        return 0
    return even(n - 1)

@kernel
def halves(n):
    if n < 2:
        return 1.0 * n
    return halves(n / 2) + 1.0

@kernel
def calling(n):
    return alone(7) + with_literals(n, False, 0)

def run(n):
    return [alone(n), with_literals(n, True, 1), even(n), odd(n), halves(n), calling(n)]
"""


@pytest.mark.process
def test_recursion_of_every_kind_survives_the_next_processes(tmp_path: Path) -> None:
    """Loaded from Numba's own cache, mutual recursion and literals passed to oneself end in a segmentation fault."""
    mine = write(tmp_path / "mine.py", RECURSIVE)
    truth = run_well(RUN_FILE, mine, 10, cache=None, HARENA_JIT="0").json[0]
    compiled = [run_well(RUN_FILE, mine, 10, cache=tmp_path / "cache").json for _ in range(3)]
    assert [results for results, _ in compiled] == [truth] * 3
    kept = {file.name.partition("-")[0] for file in kernel_files(tmp_path / "cache")}
    assert "alone" in kept
    assert not {"even", "odd"} & kept


TWIN = """
from typing import NamedTuple
from harena.contract import max_moves
from kernel.twins import deep

class Twin(NamedTuple):
    number: int

@max_moves.method(Twin)
def _(state):
    return {factor} * state.number

def run(x):
    return deep(Twin(x), 3)
"""


@pytest.mark.process
def test_classes_of_the_same_name_in_two_files_never_get_each_others_code(tmp_path: Path) -> None:
    """Each was compiled in a process of its own, in which its machine code got the same name as the other's."""
    for factor in (10, 100):
        mine = write(tmp_path / str(factor) / "mine.py", TWIN.format(factor=factor))
        assert run_well(RUN_FILE, mine, 1, cache=tmp_path / "cache").json == [3 * factor, {"deep": 1, "deeper": 1}]
    together = """
    import sys
    from pathlib import Path
    from harena.kernel.modules import load_file
    from kernel.support import compiled
    print([load_file(Path(sys.argv[1], folder, "mine.py")).run(1) for folder in sys.argv[2:]], compiled())
    """
    assert run_well(together, tmp_path, 10, 100, cache=tmp_path / "cache").lines == ["[30, 300] {}"]
    assert run_well(together, tmp_path, 100, 10, cache=tmp_path / "cache").lines == ["[300, 30] {}"]


def place(signature: tuple[Any, ...]) -> Path:
    codegen = nothing.targetctx.codegen()  # type: ignore[attr-defined]
    found = KernelCache(nothing.py_func)._place(signature, codegen)  # type: ignore[attr-defined]
    assert found is not None
    return found[0]


def test_versions_flags_and_the_processor_are_in_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    integer = (numba.int64,)
    paths = [place(integer), place((numba.float64,))]
    for thing, name, value in (
        (np, "__version__", "1.0"),
        (numba, "__version__", "0.0"),
        (fingerprint_module, "INLINED", {"boundscheck": True}),
        (fingerprint_module, "HAS_DEPOSIT", None),
        (type(nothing.targetctx.codegen()), "magic_tuple", lambda self: ("another", "processor", "")),  # type: ignore[attr-defined]
    ):
        with monkeypatch.context() as patch:
            patch.setattr(thing, name, value)
            paths.append(place(integer))
    assert len(set(paths)) == 7
    assert place(integer) == paths[0]


def test_the_fingerprint_lists_the_sources() -> None:
    found = fingerprint(nothing.py_func, ())  # type: ignore[attr-defined]
    assert found is not None
    names = {Path(file).name for file in found[1]}
    assert {"test_cache_keeping.py", "support.py", "compile.py", "generic.py"} <= names


def test_imports_count_with_their_packages_and_without_what_is_for_type_checkers() -> None:
    source = b"""
import a.b
from c.d import e
from . import f
from ..g import h
if TYPE_CHECKING:
    import unread
else:
    import i
def later():
    import j
"""
    expected = {"a", "a.b", "c", "c.d", "c.d.e", "p", "p.q", "p.q.f", "p.g", "p.g.h", "i", "j"}
    assert set(imported_modules(source, "p.q")) == expected


def test_a_cache_can_be_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HARENA_CACHE", str(tmp_path))
    cache, context = KernelCache(nothing.py_func), nothing.targetctx  # type: ignore[attr-defined]
    signature, fresh = (numba.int64,), numba.njit(nothing.py_func)  # type: ignore[attr-defined]
    fresh(1)
    (result,) = fresh.overloads.values()
    assert cache.cache_path == str(tmp_path / "kernels")
    cache.disable()
    cache.save_overload(signature, result)
    assert not kernel_files(tmp_path)
    cache.enable()
    cache.save_overload(signature, result)
    cache.flush()
    assert len(kernel_files(tmp_path)) == 1
    assert cache.load_overload(signature, context) is not None
    cache.disable()
    assert cache.load_overload(signature, context) is None


@pytest.mark.process
def test_debug_mode_has_a_folder_of_its_own_and_checks_bounds(tmp_path: Path) -> None:
    text = """
    import numpy as np
    from harena.kernel.compile import kernel

    @kernel
    def look_up(table, index):
        return table[index]

    def run(index):
        try:
            return int(look_up(np.zeros(3, np.int64), index))
        except IndexError as error:
            return str(error)
    """
    mine = write(tmp_path / "mine.py", text)
    assert run_well(RUN_FILE, mine, 1, cache=tmp_path / "cache").json == [0, {"look_up": 1}]
    said, compiled = run_well(RUN_FILE, mine, 9, cache=tmp_path / "cache", HARENA_DEBUG="1").json
    assert (said, compiled) == ("index is out of bounds", {"look_up": 1})
    assert len({file.parent for file in kernel_files(tmp_path / "cache")}) == 2
