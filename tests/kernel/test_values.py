"""The gate between Python and compiled code: every field of its annotated type, or a KernelError that says which."""

import importlib
import pkgutil
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import harena
from harena import calls, contract
from harena.errors import KernelError
from harena.games.isolation import Isolation
from harena.kernel.compile import kernel
from harena.kernel.values import coerce, is_value, is_value_class

WORD_BITS = np.uint64(63)


class Inner(NamedTuple):
    word: np.uint64


class Mixed(NamedTuple):
    word: np.uint64
    count: int
    share: float
    flag: bool
    inner: Any


class Anything(NamedTuple):
    field: Any


@kernel
def rotate(value: Mixed) -> Mixed:
    word = value.word << np.uint64(1) | value.word >> WORD_BITS
    return Mixed(word, value.count + 1, value.share / 2, not value.flag, Inner(~value.inner.word))


@kernel
def bound(state: Any) -> int:
    return contract.max_moves(state)


@kernel
def same(word: Any) -> Any:
    return word


def types_of(value: Any) -> list[type]:
    return [type(field) for field in value]


def test_every_field_gets_its_annotated_type() -> None:
    value = coerce(Mixed(5, np.int32(-7), 2, np.bool_(True), Inner(np.int64(9))))  # type: ignore[arg-type]
    assert value == Mixed(np.uint64(5), -7, 2.0, True, Inner(np.uint64(9)))
    assert types_of(value) == [np.uint64, int, float, bool, Inner]
    assert types_of(value.inner) == [np.uint64]


@given(st.integers(0, 2**64 - 1), st.integers(-(2**63), 2**63 - 1), st.floats(allow_nan=False), st.booleans())
def test_what_fits_is_kept_exactly_and_coercing_twice_changes_nothing(w: int, i: int, f: float, b: bool) -> None:
    value = coerce(Mixed(np.uint64(w), i, f, b, Inner(np.uint64(w))))
    assert (int(value.word), value.count, value.share, value.flag, int(value.inner.word)) == (w, i, f, b, w)
    again = coerce(value)
    assert again == value
    assert types_of(again) == types_of(value)


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("word", -1),
        ("word", np.int64(-1)),
        ("word", 2**64),
        ("word", 1.0),
        ("word", "7"),
        ("word", None),
        ("count", 2**63),
        ("count", -(2**63) - 1),
        ("count", 3.5),
        ("count", "7"),
        ("count", None),
        ("share", "0.5"),
        ("share", None),
        ("share", 2j),
        ("flag", 2),
        ("flag", "yes"),
        ("flag", None),
    ],
)
def test_what_does_not_fit_is_refused_by_name(field: str, wrong: object) -> None:
    value = Mixed(np.uint64(1), 1, 1.0, True, Inner(np.uint64(1)))._replace(**{field: wrong})
    kind = Mixed.__annotations__[field].__name__
    with pytest.raises(KernelError) as error:
        coerce(value)
    assert str(error.value) == f"Mixed.{field}: {wrong!r} is no {kind}"


@pytest.mark.parametrize("wrong", [None, 3, "text", (1, 2), [1]])
def test_a_field_of_no_known_kind_must_be_a_value(wrong: object) -> None:
    with pytest.raises(KernelError, match=r"^Anything\.field: .* cannot be a field of a value: use np\.uint64, int, "):
        coerce(Anything(wrong))


def test_the_error_of_a_nested_value_names_the_inner_field() -> None:
    with pytest.raises(KernelError, match=r"^Inner\.word: -1 is no uint64$"):
        coerce(Anything(Inner(-1)))  # type: ignore[arg-type]


def test_only_named_tuples_are_values() -> None:
    assert is_value(Inner(np.uint64(1)))
    assert is_value_class(Inner)
    assert not any(map(is_value, (Inner, (1, 2), 3, None)))
    assert not any(map(is_value_class, (tuple, int, Inner(np.uint64(1)))))


def twins() -> tuple[Any, Any]:
    """Two classes of one name and with the same fields, as two users write them."""

    def make(added: int) -> Any:
        class Twin(NamedTuple):
            number: int

        contract.max_moves.method(Twin)(lambda state: state.number + added)
        return Twin

    return make(1), make(2)


def test_classes_of_the_same_name_are_told_apart() -> None:
    """Numba would take the second for the first, whose kernel is there already."""
    first, second = twins()
    assert [bound(cls(10)) for cls in (first, second)] == [11, 12]
    assert [repr(cls(10)) for cls in (first, second)] == ["Twin(number=10)"] * 2


def test_no_two_value_classes_of_harena_have_the_same_name() -> None:
    """They keep their names; a name that depends on what was loaded first would let kernels on disk be mixed up."""
    modules = [
        info.name for info in pkgutil.walk_packages(harena.__path__, "harena.") if info.name != "harena.__main__"
    ]
    things = [thing for name in modules for thing in vars(importlib.import_module(name)).values()]
    names = [cls.__qualname__ for cls in set(filter(is_value_class, things)) if cls.__module__.startswith("harena.")]
    assert "Isolation" in names
    assert len(set(names)) == len(names)
    assert Isolation.__name__ == "Isolation"


def test_a_coerced_result_re_enters_its_kernel_without_a_second_variant() -> None:
    value = coerce(Mixed(np.uint64(1), 0, 1.0, False, Inner(np.uint64(0))))
    seen = 0
    for _ in range(64):
        value = coerce(rotate(value))
        seen |= int(value.word)
    assert seen == 2**64 - 1  # every bit was set once, bit 63 too
    assert (int(value.word), value.count, value.share, value.flag) == (1, 64, 2.0**-64, False)
    assert len(rotate.signatures) == 1  # type: ignore[attr-defined]


def test_without_the_gate_a_word_would_come_back_as_another_type() -> None:
    result = same(np.uint64(5))
    assert type(result) is int
    same(result)
    assert len(same.signatures) == 2  # type: ignore[attr-defined]


def test_the_api_compiles_each_door_once_for_a_game() -> None:
    state = harena.game("isolation", size=8).initial()
    before = len(calls.step.signatures)  # type: ignore[attr-defined]
    for move in ("h8", "a1", "g6", "b3"):
        state = state.play(move)
    assert int(state.value.blocked) >= 2**63
    assert len(calls.step.signatures) <= before + 1  # type: ignore[attr-defined]
    assert {type(field) for field in state.value} == {np.uint64, int}
