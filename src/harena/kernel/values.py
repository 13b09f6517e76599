"""Values: immutable named tuples of numbers, and their one gate between Python and compiled code.

A kernel hands a `uint64` field back as a Python int, which would re-enter as `int64`: a second compiled variant, and an
overflow for bit 63. So every value that comes from outside, or out of a kernel, passes `coerce` once.
"""

from functools import cache
from typing import Any, TypeVar, get_type_hints

import numpy as np

from harena.errors import KernelError

Value = TypeVar("Value", bound=tuple[Any, ...])

CONVERSIONS = {np.uint64: np.uint64, int: int, float: float, bool: bool}


def is_value(thing: Any) -> bool:
    """Whether this is an instance of a NamedTuple class."""
    return isinstance(thing, tuple) and hasattr(thing, "_fields")


def coerce(value: Value) -> Value:
    """The same value with each field of its annotated type (`np.uint64`, `int`, `float`, `bool`, or another value)."""
    fields = (_field(value, name, kind, field) for (name, kind), field in zip(_kinds(type(value)), value, strict=True))
    return type(value)(*fields)


@cache
def _kinds(cls: type) -> tuple[tuple[str, Any], ...]:
    return tuple(get_type_hints(cls).items())


def _field(value: Any, name: str, kind: Any, field: Any) -> Any:
    if is_value(field):
        return coerce(field)
    if kind not in CONVERSIONS:
        raise KernelError(
            f"{type(value).__name__}.{name}: {field!r} cannot be a field of a value: "
            "use np.uint64, int, float, bool or another NamedTuple (and a sentinel in place of None)"
        )
    try:
        return CONVERSIONS[kind](field)
    except (TypeError, ValueError, OverflowError):
        raise KernelError(f"{type(value).__name__}.{name}: {field!r} is no {kind.__name__}") from None
