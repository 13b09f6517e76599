"""Generic functions: the same method in compiled code and in plain Python, and no method that could be missed."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from harena import contract
from harena.errors import CompileError, MethodError
from harena.games.isolation import Isolation
from harena.kernel.compile import kernel
from harena.kernel.generic import generic, helper
from kernel.support import run_well


class Circle(NamedTuple):
    radius: int


class Square(NamedTuple):
    side: int


class Dot(NamedTuple):
    place: int


class Pair(NamedTuple):
    first: Any
    second: Any


@generic
def area(shape: Any, scale: int) -> int:
    """Declared only: this body is never run."""
    raise AssertionError("a declaration was called")


@generic
def meet(one: Any, other: Any) -> int:
    """Which method was chosen."""


@area.method(Circle)
def _(shape: Circle, scale: int) -> int:
    return 3 * shape.radius * shape.radius * scale


@area.method(Square)
def _(shape: Square, scale: int) -> int:
    return shape.side * shape.side * scale


@area.method(Pair)
def _(shape: Pair, scale: int) -> int:
    return area(shape.first, scale) + twice(area(shape.second, scale))


@helper
def twice(number: int) -> int:
    return 2 * number


@meet.method()
def _(one: Any, other: Any) -> int:
    return 0


@meet.method(Circle)
def _(one: Circle, other: Any) -> int:
    return 1


@meet.method(Circle, Square)
def _(one: Circle, other: Square) -> int:
    return 2


@meet.method(None, Square)
def _(one: Any, other: Square) -> int:
    return 3


@kernel
def compiled_area(shape: Any, scale: int) -> int:
    return area(shape, scale)


@kernel
def compiled_meet(one: Any, other: Any) -> int:
    return meet(one, other)


@kernel
def compiled_twice(number: Any) -> Any:
    return twice(number)


SHAPES = [
    (Circle(2), 12),
    (Square(5), 25),
    (Pair(Circle(1), Square(2)), 3 + 2 * 4),
    (Pair(Pair(Square(1), Square(2)), Circle(1)), 1 + 2 * 4 + 2 * 3),
]
MEETINGS = [
    (Circle(1), Square(1), 2),
    (Circle(1), Circle(1), 1),
    (Circle(1), 7, 1),
    (Square(1), Square(1), 3),
    (1.5, Square(1), 3),
    (Square(1), Circle(1), 0),
    (1, 2, 0),
]


@pytest.mark.parametrize(("shape", "expected"), SHAPES)
def test_the_class_of_a_value_chooses_the_method(shape: Any, expected: int) -> None:
    assert area(shape, 1) == expected
    assert compiled_area(shape, 1) == expected


@pytest.mark.parametrize(("one", "other", "expected"), MEETINGS)
def test_the_most_specific_method_wins(one: Any, other: Any, expected: int) -> None:
    assert meet(one, other) == expected
    assert compiled_meet(one, other) == expected


def test_every_method_is_in_the_table() -> None:
    assert set(meet.methods) == {(None, None), (Circle, None), (Circle, Square), (None, Square)}
    assert (area.__name__, area.__doc__) == ("area", "Declared only: this body is never run.")


def test_a_method_that_comes_later_is_found_though_another_served_before() -> None:
    @generic
    def size(shape: Any) -> int:
        """The size."""

    @size.method()
    def _(shape: Any) -> int:
        return 0

    assert size(Dot(1)) == 0

    @size.method(Dot)
    def _(shape: Dot) -> int:
        return 1

    assert size(Dot(1)) == 1


def test_no_method_is_an_error_in_plain_python() -> None:
    with pytest.raises(MethodError, match=r"^area has no method for \(Dot, int\)$"):
        area(Dot(1), 1)


def test_no_method_is_an_error_in_compiled_code() -> None:
    with pytest.raises(
        CompileError, match=r"test_generic\.py:\d+: cannot be compiled: area has no method for \(Dot, any\)$"
    ):
        compiled_area(Dot(1), 1)


def test_no_method_for_a_part_of_a_value() -> None:
    with pytest.raises(CompileError, match=r"area has no method for \(Dot, any\)$"):
        compiled_area(Pair(Circle(1), Dot(1)), 1)


@pytest.mark.parametrize("number", [3, 2.5, np.uint64(2**63)])
def test_a_helper_is_itself_in_python_and_inside_kernels(number: Any) -> None:
    with np.errstate(over="ignore"):
        expected = twice(number)
    assert compiled_twice(number) == expected


def fresh() -> Any:
    """A generic function with a method for (Circle, None)."""

    @generic
    def touch(one: Any, other: Any) -> int:
        """Touch."""

    @touch.method(Circle)
    def _(one: Circle, other: Any) -> int:
        return 1

    return touch


def method(one: Any, other: Any) -> int:
    return 2


def misnamed(first: Any, other: Any) -> int:
    return 2


@pytest.mark.parametrize(
    ("classes", "function", "message"),
    [
        ((Circle,), method, r"touch.method(Circle, None): there is such a method already"),
        ((Square,), misnamed, r"touch.method(Square, None): the parameters must be named (one, other)"),
        ((Square, Square, Square), method, r"touch.method(Square, Square, Square): touch has 2 parameters"),
        (
            (None, Square),
            method,
            r"touch.method(None, Square): ambiguous beside touch.method(Circle, None): first add (Circle, Square)",
        ),
        (
            (Square, int),
            method,
            r"touch.method(Square, int): int is no NamedTuple: compiled code cannot choose a method by it",
        ),
    ],
    ids=["twice", "parameters", "too many", "ambiguous", "no value"],
)
def test_a_method_that_cannot_be_registered(classes: Any, function: Any, message: str) -> None:
    touch = fresh()
    with pytest.raises(MethodError) as error:
        touch.method(*classes)(function)
    assert str(error.value) == message
    assert list(touch.methods) == [(Circle, None)]


def test_an_ambiguity_is_resolved_by_adding_the_method_for_both_first() -> None:
    touch = fresh()
    touch.method(Circle, Square)(lambda one, other: 2)
    touch.method(None, Square)(lambda one, other: 3)
    assert [touch(Circle(1), Square(1)), touch(Circle(1), 0), touch(0, Square(1))] == [2, 1, 3]


def test_a_stranger_may_not_add_a_method() -> None:
    """Neither the function nor the class is ours: the cache could not know that the code came from this file."""
    before = dict(contract.play.methods)
    with pytest.raises(MethodError) as error:
        contract.play.method(Isolation)(lambda state, move: state)
    owners = "harena.contract or harena.games.isolation"
    assert str(error.value) == f"play.method(Isolation, None): only {owners} may add this method, not {__name__}"
    with pytest.raises(MethodError, match=r"^moves\.method\(None, None, None\): only harena\.contract may add"):
        contract.moves.method()(lambda state, out, at: 0)
    assert contract.play.methods == before


def test_the_owner_of_a_class_may_add_a_method_for_it() -> None:
    contract.mover.method(Dot)(lambda state: state.place)
    assert contract.mover(Dot(1)) == 1


@pytest.mark.process
def test_without_the_compiler_the_same_code_runs_as_plain_python() -> None:
    script = """
    import sys
    from kernel.test_generic import MEETINGS, SHAPES, compiled_area, compiled_meet
    assert all(compiled_area(shape, 1) == expected for shape, expected in SHAPES)
    assert all(compiled_meet(one, other) == expected for one, other, expected in MEETINGS)
    from harena.errors import MethodError
    from kernel.test_generic import Dot
    try:
        compiled_area(Dot(1), 1)
    except MethodError as error:
        print(error)
    print("numba" in sys.modules)
    """
    assert run_well(script, cache=None, HARENA_JIT="0").lines == ["area has no method for (Dot, int)", "False"]


@pytest.mark.process
def test_without_the_compiler_words_wrap_round_in_silence() -> None:
    script = """
    import warnings, numpy as np
    from harena.kernel.compile import kernel
    @kernel
    def wrap(word):
        return word * np.uint64(3) + np.uint64(1)
    warnings.simplefilter("error")
    print(wrap(np.uint64(2**63)), wrap.__name__)
    """
    assert run_well(script, cache=None, HARENA_JIT="0").lines == [f"{(3 * 2**63 + 1) % 2**64} wrap"]
