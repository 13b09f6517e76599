"""Values: immutable named tuples of numbers, and their one gate between Python and compiled code.

A kernel hands a `uint64` field back as a Python int, which would re-enter as `int64`: a second compiled variant, and an
overflow for bit 63. So every value that comes from outside, or out of a kernel, passes `coerce` once.
"""

import hashlib
from collections.abc import Callable
from functools import cache
from operator import index
from typing import Any, TypeVar, get_type_hints

import numpy as np

from harena.errors import KernelError
from harena.kernel.modules import source_of

Value = TypeVar("Value", bound=tuple[Any, ...])
_names: dict[str, type] = {}


def is_value_class(thing: Any) -> bool:
    """Whether this is a NamedTuple class."""
    return isinstance(thing, type) and issubclass(thing, tuple) and hasattr(thing, "_fields")


def tell_apart(cls: type) -> None:
    """Give a value class a name that no other has: Numba knows classes with equal fields by their names only.

    Without it the kernels of one user's `State` would be run on another's, or on that of an edited file. The names of
    machine code on disk are made from it, so it has to be the same in every process, and another for another source.
    """
    if cls.__module__.split(".")[0] != "harena" and cls not in _names.values():
        made_from = repr((cls.__module__, cls.__qualname__, source_of(cls.__module__)))
        cls.__name__ += f"_{hashlib.sha256(made_from.encode()).hexdigest()[:8]}"
        written: Any = cls.__repr__
        setattr(cls, "__repr__", lambda value: written(value).replace(cls.__name__, class_name(cls), 1))  # noqa: B010
    name, number = cls.__name__, 1
    while _names.setdefault(cls.__name__, cls) is not cls:
        number += 1
        cls.__name__ = f"{name}_{number}"


def class_name(cls: type) -> str:
    """The name that a class has in its source."""
    return cls.__qualname__.rpartition(".")[2]


def is_value(thing: Any) -> bool:
    """Whether this is an instance of a NamedTuple class."""
    return is_value_class(type(thing))


def _word(field: Any) -> np.uint64:
    return np.uint64(index(field))


def _integer(field: Any) -> int:
    return int(np.int64(index(field)))  # beyond 63 bits Numba would take it for a word, or for nothing at all


def _number(field: Any) -> float:
    if isinstance(field, (str, bytes)):
        raise TypeError
    return float(field)


def _truth(field: Any) -> bool:
    if field not in (0, 1):
        raise ValueError
    return bool(field)


CONVERSIONS: dict[Any, Callable[[Any], Any]] = {np.uint64: _word, int: _integer, float: _number, bool: _truth}


def coerce(value: Value) -> Value:
    """The same value with each field of its annotated type (`np.uint64`, `int`, `float`, `bool`, or another value)."""
    if not is_value(value):
        raise KernelError(f"{value!r} is no value: an instance of a NamedTuple class is needed")
    cls = type(value)
    conversions = _conversions(cls)
    if conversions is not None:  # numbers only: most values are, and this is done at every move
        try:
            return cls(*[convert(field) for convert, field in zip(conversions, value, strict=True)])
        except (TypeError, ValueError, OverflowError):
            pass  # the long way says what is wrong
    fields = (_field(value, name, kind, field) for (name, kind), field in zip(_kinds(cls), value, strict=True))
    return cls(*fields)


@cache
def _conversions(cls: type) -> tuple[Callable[[Any], Any], ...] | None:
    """How each field becomes one of its annotated type; None if a field is another value, or of no type that may be."""
    kinds = [kind for _, kind in _kinds(cls)]
    return tuple(CONVERSIONS[kind] for kind in kinds) if all(kind in CONVERSIONS for kind in kinds) else None


@cache
def _kinds(cls: type) -> tuple[tuple[str, Any], ...]:
    tell_apart(cls)
    return tuple(get_type_hints(cls).items())


def _field(value: Any, name: str, kind: Any, field: Any) -> Any:
    if is_value(field):
        return coerce(field)
    if kind not in CONVERSIONS:
        raise KernelError(
            f"{class_name(type(value))}.{name}: {field!r} cannot be a field of a value: "
            "use np.uint64, int, float, bool or another NamedTuple (and a sentinel in place of None)"
        )
    try:
        return CONVERSIONS[kind](field)
    except (TypeError, ValueError, OverflowError):
        raise KernelError(f"{class_name(type(value))}.{name}: {field!r} is no {kind.__name__}") from None
