"""A user's own heuristic: a function of a state and a player in a file, `mine.py:my_score`.

    from harena.heuristics.features import mobility

    def my_score(state, me, weight=2.0):
        return mobility(state, me) - weight * mobility(state, 1 - me)

What it takes besides are numbers with defaults, which the text may set: `mine.py:my_score(weight=3)`. They are fields
of its value, so other numbers need no other compiled search.

It is compiled into the search like ours. What cannot be compiled runs as plain Python from inside the compiled search:
the same values, many times slower, and said so once.
"""

import inspect
import sys
import warnings
from collections.abc import Callable, Mapping
from inspect import Parameter
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from harena.errors import BadFile, BadOption, UnknownName
from harena.kernel.generic import helper
from harena.kernel.modules import OTHER_FILES, load_file
from harena.kernel.switch import JIT
from harena.kernel.values import coerce
from harena.search.reading import kind_of, read
from harena.search.workspace import evaluate

COMPILED = """
class {name}(_NamedTuple):
    games: int = 0
{fields}
@_evaluate.method({name})
def _{name}_method(heuristic, state, me):
    return float(_{name}_function({arguments}))
"""
NUMBERS = (bool, int, float)
FIELD = "given_{}".format  # of a parameter


def own_heuristic(text: str, given: Mapping[str, str] | None = None) -> Any:
    """The value of `file.py:function`, with these of its parameters and the defaults of the others."""
    path, _, name = text.rpartition(":")
    module = load_file(Path(path))
    function = getattr(module, name, None)
    if not isinstance(function, FunctionType):
        own = [key for key, thing in vars(module).items() if _is_own(module, thing) and not key.startswith("_")]
        raise BadFile(f"{path}: there is no function {name!r}; there are: {', '.join(own) or 'none'}")
    parameters = list(inspect.signature(function).parameters.values())
    if len(parameters) < 2 or not all(map(_is_number, parameters[2:])):
        raise BadFile(
            f"{path}: {name} must take a state and a player, as in: def {name}(state, me); "
            f"besides these only numbers with defaults, as in: def {name}(state, me, weight=1.0)"
        )
    OTHER_FILES.add(module.__file__)
    for thing in list(vars(module).values()):
        if _is_own(module, thing):
            helper(thing)
    return _value_class(module, name, function)(0, *_numbers(name, parameters[2:], given or {}))


def is_own(value: Any) -> bool:
    """Whether this is the value of a user's own function."""
    return hasattr(type(value), "own_function")


def asked(value: Any, state: Any, me: int) -> Any:
    """What the user's own function says, in plain Python."""
    return type(value).own_function(state, me, *value[1:])


def in_python(value: Any) -> Any:
    """The same own heuristic, run as plain Python from compiled code."""
    kind: Any = type(value)
    name = f"{kind.__qualname__.removesuffix('Heuristic')}InPython"
    return _value_class(sys.modules[kind.__module__], name, kind.own_function, plain=True)(*value)


def _is_own(module: ModuleType, thing: Any) -> bool:
    return isinstance(thing, FunctionType) and thing.__module__ == module.__name__


def _is_number(parameter: Parameter) -> bool:
    """Whether a parameter is a number with a default; Numba knows none that must be named."""
    fits = parameter.kind is Parameter.POSITIONAL_OR_KEYWORD and isinstance(parameter.default, NUMBERS)
    return fits and kind_of(parameter) in NUMBERS


def _numbers(name: str, parameters: list[Parameter], given: Mapping[str, str]) -> list[Any]:
    """The parameters as they are given, or by default."""
    for key in given:
        if key not in [parameter.name for parameter in parameters]:
            raise UnknownName(f"parameter of {name}", key, [one.name for one in parameters] or ["none"], guesses=False)
    return [_number(one, given[one.name]) if one.name in given else _default(one) for one in parameters]


def _number(parameter: Parameter, text: str) -> Any:
    try:
        return read(parameter.name, kind_of(parameter), text)
    except BadOption as error:
        if kind_of(parameter) is not int:
            raise
        default = parameter.default
        raise BadOption(f"{error}: its default is {default}; write {float(default)} there for any number") from None


def _default(parameter: Parameter) -> Any:
    kind: Any = kind_of(parameter)
    return kind(parameter.default)


def _value_class(module: ModuleType, name: str, function: Callable[..., Any], *, plain: bool = False) -> type:
    """A value class in the user's module whose `evaluate` is this function; `plain`: asked in Python."""
    kind = f"{name}Heuristic"
    space = vars(module)
    if kind not in space:
        from typing import NamedTuple

        called = _asking(function) if plain else function
        space |= {"_NamedTuple": NamedTuple, "_evaluate": evaluate, f"_{kind}_function": called}
        numbers = list(inspect.signature(function).parameters.values())[2:]
        fields = "".join(f"    {FIELD(one.name)}: {_kind_name(one)} = {_default(one)!r}\n" for one in numbers)
        each = ", ".join(["state", "me", *(f"heuristic.{FIELD(one.name)}" for one in numbers)])
        arguments = "state, me, heuristic" if plain else each
        exec(COMPILED.format(name=kind, fields=fields, arguments=arguments), space)
        space[kind].own_function = staticmethod(function)
    found: type = space[kind]
    return found


def _kind_name(parameter: Parameter) -> str:
    kind: Any = kind_of(parameter)
    return str(kind.__name__)


def _asking(function: Callable[..., Any]) -> Callable[..., Any]:
    """A compiled function that hands a state and the value of a heuristic back to Python, and asks this one."""

    def answer(state: Any, me: int, heuristic: Any) -> float:
        return float(function(coerce(state), me, *heuristic[1:]))

    if not JIT:
        return answer
    from numba import njit, objmode
    from numba.core.errors import NumbaWarning

    warnings.filterwarnings("ignore", "Code running in object mode", NumbaWarning)

    @njit(nogil=True)
    def ask(state: Any, me: int, heuristic: Any) -> float:
        with objmode(value="float64"):
            value = answer(state, me, heuristic)
        return value  # noqa: RET504 (Numba allows no return inside)

    found: Callable[..., Any] = ask
    return found
