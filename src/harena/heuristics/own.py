"""A user's own heuristic: a function of a state and a player in a file, `mine.py:my_score`.

    from harena.heuristics.features import mobility

    def my_score(state, me):
        return mobility(state, me) - 2 * mobility(state, 1 - me)

It is compiled into the search like ours. What cannot be compiled runs as plain Python from inside the compiled search:
the same values, many times slower, and said so once.
"""

import inspect
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from harena.errors import BadFile
from harena.kernel.generic import helper
from harena.kernel.modules import HEURISTIC_FILES, load_file
from harena.kernel.switch import JIT
from harena.kernel.values import coerce
from harena.search.workspace import evaluate

COMPILED = """
class {name}(_NamedTuple):
    games: int = 0

@_evaluate.method({name})
def _{name}_method(heuristic, state, me):
    return float(_{name}_function(state, me))
"""


def own_heuristic(text: str) -> Any:
    """The value of `file.py:function`."""
    path, _, name = text.rpartition(":")
    module = load_file(Path(path))
    function = getattr(module, name, None)
    if not isinstance(function, FunctionType):
        own = [key for key, thing in vars(module).items() if _is_own(module, thing) and not key.startswith("_")]
        raise BadFile(f"{path}: there is no function {name!r}; there are: {', '.join(own) or 'none'}")
    if len(inspect.signature(function).parameters) != 2:
        raise BadFile(f"{path}: {name} must take a state and a player, as in: def {name}(state, me)")
    HEURISTIC_FILES.add(module.__file__)
    for thing in list(vars(module).values()):
        if _is_own(module, thing):
            helper(thing)
    return _value_class(module, name, function)()


def is_own(value: Any) -> bool:
    """Whether this is the value of a user's own function."""
    return hasattr(type(value), "own_function")


def in_python(value: Any) -> Any:
    """The same own heuristic, run as plain Python from compiled code."""
    kind: Any = type(value)
    name = kind.__qualname__.removesuffix("Heuristic")
    return _value_class(sys.modules[kind.__module__], f"{name}InPython", _asking(kind.own_function))()


def _is_own(module: ModuleType, thing: Any) -> bool:
    return isinstance(thing, FunctionType) and thing.__module__ == module.__name__


def _value_class(module: ModuleType, name: str, function: Callable[..., Any]) -> type:
    """A value class in the user's module whose `evaluate` is this function."""
    kind = f"{name}Heuristic"
    space = vars(module)
    if kind not in space:
        from typing import NamedTuple

        space |= {"_NamedTuple": NamedTuple, "_evaluate": evaluate, f"_{kind}_function": function}
        exec(COMPILED.format(name=kind), space)
        space[kind].own_function = staticmethod(function)
    found: type = space[kind]
    return found


def _asking(function: Callable[..., Any]) -> Callable[..., Any]:
    """A compiled function that hands a state back to Python and asks this one."""
    if not JIT:
        return function
    from numba import njit, objmode
    from numba.core.errors import NumbaWarning

    warnings.filterwarnings("ignore", "Code running in object mode", NumbaWarning)

    def answer(state: Any, me: int) -> float:
        return float(function(coerce(state), me))

    @njit(nogil=True)
    def ask(state: Any, me: int) -> float:
        with objmode(value="float64"):
            value = answer(state, me)
        return value  # noqa: RET504 (Numba allows no return inside)

    found: Callable[..., Any] = ask
    return found
