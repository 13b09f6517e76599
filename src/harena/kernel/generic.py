"""Functions whose method is chosen by the classes of their value arguments, in compiled code and in plain Python.

    @generic
    def play(state, move):
        "The state after a legal move."

    @play.method(Isolation)
    def _(state, move): ...

A method names one class for each leading parameter that it cares about; `None`, or leaving the rest out, means any. The
most specific method wins. Two methods of which neither is more specific are refused when the second is registered, and
so is a method from a module that owns neither the function nor one of the classes: the disk cache knows by the classes
of a signature which sources the machine code came from, and a stranger's method would escape it.
"""

import inspect
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, Protocol, TypeVar, cast

from harena.errors import MethodError
from harena.kernel.modules import source_of
from harena.kernel.switch import DEBUG, JIT
from harena.kernel.values import class_name, is_value_class, tell_apart

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result", covariant=True)
Function = TypeVar("Function", bound=Callable[..., Any])
Key = tuple[type | None, ...]

OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": DEBUG}
# Rules inside a search: left to LLVM's own judgement, trap plays half as fast.
INLINED: Any = OPTIONS | {"forceinline": True}


class GenericFunction(Protocol, Generic[Parameters, Result]):
    """A callable with a `method(*classes)` decorator and the table of its methods."""

    __name__: str
    methods: dict[Key, Callable[..., Any]]

    def __call__(self, *args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        """Call the method for these arguments."""

    def method(self, *classes: type | None) -> Callable[[Function], Function]:
        """Register the decorated function as the method for these classes."""


def generic(declaration: Callable[Parameters, Result]) -> GenericFunction[Parameters, Result]:
    """Turn a declaration (name, parameters, docstring; its body is never run) into a generic function."""
    source_of(declaration.__module__)
    methods: dict[Key, Callable[..., Any]] = {}
    found: dict[Key, Callable[..., Any]] = {}
    parameters = list(inspect.signature(declaration).parameters)
    name = declaration.__name__

    def find(classes: Key) -> Callable[..., Any]:
        if classes not in found:
            fitting = [key for key in methods if _covers(key, classes)]
            if not fitting:
                shown = ", ".join("any" if cls is None else class_name(cls) for cls in classes)
                raise MethodError(f"{name} has no method for ({shown})")
            found[classes] = methods[max(fitting, key=_specificity)]
        return found[classes]

    def method(*classes: type | None) -> Callable[[Function], Function]:
        key = classes + (None,) * (len(parameters) - len(classes))

        def register(function: Function) -> Function:
            source_of(function.__module__)
            _check_method(name, declaration.__module__, parameters, methods, key, function)
            methods[key] = function
            found.clear()
            return function

        return register

    plain = _with_parameters(parameters, "find_by_value", lambda *values: find(tuple(map(type, values))), call=True)
    plain.__name__ = plain.__qualname__ = name
    plain.__doc__, plain.__module__ = declaration.__doc__, declaration.__module__
    if JIT:
        _compile_calls_of(plain, parameters, find)
    result = cast(GenericFunction[Parameters, Result], plain)
    result.methods = methods
    setattr(result, "method", method)  # noqa: B010  (a Protocol's method cannot be assigned by name)
    return result


def helper(function: Function) -> Function:
    """A plain function that kernels may call; compiled into each of them, and itself again when called from Python."""
    source_of(function.__module__)
    if JIT:
        from numba.extending import register_jitable

        register_jitable(**INLINED)(function)
    return function


def routine(function: Function) -> Function:
    """As `helper`, but called rather than inlined: for what is long and used in several places of one kernel."""
    source_of(function.__module__)
    if JIT:
        from numba.extending import register_jitable

        register_jitable(**OPTIONS)(function)
    return function


def _compile_calls_of(plain: Callable[..., Any], parameters: list[str], find: Callable[[Key], Any]) -> None:
    """Tell Numba that a call of `plain` in compiled code is a call of the method found by the arguments' types."""
    from numba.core.errors import TypingError
    from numba.extending import overload

    def find_by_type(*types: Any) -> Callable[..., Any]:
        try:
            return cast(
                Callable[..., Any], find(tuple(getattr(numba_type, "instance_class", None) for numba_type in types))
            )
        except MethodError as error:
            raise TypingError(str(error)) from error

    chooser = _with_parameters(parameters, "find_by_type", find_by_type, call=False)
    overload(plain, strict=False, jit_options=INLINED)(chooser)


def _with_parameters(names: list[str], finder: str, find: Callable[..., Any], *, call: bool) -> Callable[..., Any]:
    """A function with exactly these parameter names (Numba matches them) that finds a method and may call it."""
    listed = ", ".join(names)
    scope: dict[str, Any] = {finder: find}
    exec(f"def made({listed}):\n    return {finder}({listed})" + (f"({listed})" if call else ""), scope)
    return cast(Callable[..., Any], scope["made"])


def _covers(key: Key, classes: Key) -> bool:
    return all(want is None or want is have for want, have in zip(key, classes, strict=True))


def _specificity(key: Key) -> int:
    return sum(cls is not None for cls in key)


def _check_method(
    name: str,
    home: str,
    parameters: list[str],
    methods: dict[Key, Callable[..., Any]],
    key: Key,
    function: Callable[..., Any],
) -> None:
    shown = f"{name}.method({_shown(key)})"
    if len(key) != len(parameters):
        raise MethodError(f"{shown}: {name} has {len(parameters)} parameters")
    for cls in key:
        if cls is not None and not is_value_class(cls):
            raise MethodError(
                f"{shown}: {class_name(cls)} is no NamedTuple: compiled code cannot choose a method by it"
            )
        if cls is not None:
            tell_apart(cls)
    if list(inspect.signature(function).parameters) != parameters:
        raise MethodError(f"{shown}: the parameters must be named ({', '.join(parameters)})")
    owners = {home} | {cls.__module__ for cls in key if cls is not None}
    if function.__module__ not in owners:
        raise MethodError(f"{shown}: only {' or '.join(sorted(owners))} may add this method, not {function.__module__}")
    if key in methods:
        raise MethodError(f"{shown}: there is such a method already")
    for other in methods:
        meet = all(a is None or b is None or a is b for a, b in zip(key, other, strict=True))
        both = tuple(a or b for a, b in zip(key, other, strict=True))
        if meet and both not in (key, other, *methods):
            raise MethodError(f"{shown}: ambiguous beside {name}.method({_shown(other)}): first add ({_shown(both)})")


def _shown(key: Key) -> str:
    return ", ".join(class_name(cls) if cls else "None" for cls in key)
