"""Compiles kernels without counting references to arrays, wherever the code allocates nothing.

Counting costs a search two thirds of its speed: every call hands on a workspace of arrays, and each of them is counted
up and down. It is needed only where something is allocated, since all other arrays belong to the Python caller, who
outlives the call. No kernel of Harena allocates. A user's kernel, or a class of a user's with its methods, may, so the
machine code is looked at: it is compiled without counting first, and again with counting where

* the compiler refuses: most of what allocates (a new array, a list, a string) cannot be compiled without;
* the code calls a function that allocates, which was compiled earlier, or goes back to Python;
* what is returned holds an array, whose next owner may count;
* an argument is a list or another container that counts what is stored in it;
* the code reaches a function that Numba's own `njit` made, or a kernel that returns an array. The first takes over the
  setting of its first caller and keeps it for all others, so that a caller that counts would free its arrays twice. The
  attempt ends before such a function is compiled, whatever way leads to it: see `_Attempt`;
* a module of the user's imports more than Harena, NumPy and Python's own modules, which have no compiled functions.
"""

import gc
import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import types
from numba.core.dispatcher import Dispatcher, _DispatcherBase
from numba.core.errors import ForceLiteralArg
from numba.core.registry import cpu_target
from numba.core.typing.templates import _OverloadFunctionTemplate

from harena.kernel.fingerprint import classes_in, closure, is_own, top

Compile = Callable[[Any, Any], Any]
FUNCTION = re.compile(r'^define [^@]*@"?(?P<name>[^"(]+)', re.MULTILINE)
WRAPPERS = ("_ZN7cpython", "cfunc.")  # the ways in for Python and for C, which every kernel has
NEEDS_COUNTS = re.compile(r"@NRT_(?:MemInfo_(?:new|alloc|varsize)|Allocate|Reallocate)|@numba_gil_ensure")
PLAIN = frozenset({"harena", "numpy", *sys.stdlib_module_names})
WITH_COUNTS: dict[Any, Any] = cpu_target.target_context.cached_internal_func
WITHOUT_COUNTS: dict[Any, Any] = {}


def compile_by_need(dispatcher: Any, function: Callable[..., Any]) -> Compile:
    """The dispatcher's own way to compile for argument types, which counts references only where that is needed."""
    compiler = dispatcher._compiler
    compile_types: Compile = compiler.compile

    def compile_with_counts(arguments: Any, returned: Any) -> Any:
        dispatcher.targetoptions["_nrt"] = True
        with ATTEMPT.suspend():
            return compile_types(arguments, returned)

    def compile_without_counts(arguments: Any, returned: Any) -> Any:
        dispatcher.targetoptions["_nrt"] = False
        with ATTEMPT.run(dispatcher):
            return compile_types(arguments, returned)

    def compile_either(arguments: Any, returned: Any) -> Any:
        modules = {function.__module__, *(cls.__module__ for one in arguments for cls in classes_in(one))}
        is_ours = all(map(_is_ours, modules))
        if is_ours or (not function.__closure__ and all(map(_is_borrowed, arguments)) and _are_plain(modules)):
            try:
                result = compile_without_counts(arguments, returned)
                if is_ours or not _needs_counts(result):
                    return result
            except ForceLiteralArg:  # asks to be called again with other types
                raise
            except CountsNeeded:
                pass
            except Exception:  # whatever it is, with counts it compiles or fails for good
                if is_ours:
                    raise
            compiler._failed_cache.clear()  # failing without counts is no verdict
            gc.collect()  # the exception and its frames, which hold the caller's arrays, are a cycle
        return compile_with_counts(arguments, returned)

    return compile_either


class CountsNeeded(BaseException):
    """The code reaches a function that must not be called without counts. No handler of Numba's may swallow this."""


class _Attempt(threading.local):
    """Watches which functions a compilation without counts reaches, and ends it at the first that needs counts.

    Allowed are kernels that return numbers, since each decides for itself, and what Numba makes of `overload` (helpers
    and methods too), which it keeps apart by its settings. Every other dispatcher keeps what it compiled first for
    good. The methods by which Numba asks a dispatcher for code are replaced while an attempt runs; other threads pass
    through them. What Numba compiles for its own use, and what it failed to type, it keeps without regard to counts, so
    there are two stores of the first, and each compilation begins without failures.
    """

    dispatcher: Any = None  # the kernel that this thread compiles without counts, if any
    is_failed = False

    @contextmanager
    def run(self, dispatcher: Any) -> Iterator[None]:
        """Watch the compilation in this block. Raises CountsNeeded where it reached a function that needs counts."""
        with self._switch(dispatcher, WITHOUT_COUNTS), _replace_methods():
            yield
            if self.is_failed:
                raise CountsNeeded

    @contextmanager
    def suspend(self) -> Iterator[None]:
        """Watch nothing in this block, which compiles with counts what a running attempt calls."""
        with self._switch(None, WITH_COUNTS):
            yield

    @contextmanager
    def _switch(self, dispatcher: Any, store: dict[Any, Any]) -> Iterator[None]:
        context, calls = cpu_target.target_context, cpu_target.typing_context.callstack
        before = self.dispatcher, self.is_failed, context.cached_internal_func, calls._fail_cache
        self.dispatcher, self.is_failed, context.cached_internal_func, calls._fail_cache = dispatcher, False, store, {}
        try:
            yield
        finally:
            self.dispatcher, self.is_failed, context.cached_internal_func, calls._fail_cache = before

    def check(self, is_allowed: bool) -> None:
        """End a running attempt unless what it reached is allowed."""
        if self.dispatcher is not None and not is_allowed:
            self.is_failed = True
            raise CountsNeeded


ATTEMPT = _Attempt()


@contextmanager
def _replace_methods() -> Iterator[None]:
    """In this block, dispatchers tell the attempt of their thread before they are compiled or called."""
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in WATCHED]
    for (owner, name, wrap), (_, _, method) in zip(WATCHED, before, strict=True):
        setattr(owner, name, wrap(method))
    try:
        yield
    finally:
        for owner, name, method in before:
            setattr(owner, name, method)


def _check_dispatcher(method: Any) -> Any:
    def call(dispatcher: Any, *arguments: Any) -> Any:
        ATTEMPT.check(is_kernel(dispatcher) or hasattr(dispatcher, "is_overload"))
        return method(dispatcher, *arguments)

    return call


def _check_recursion(method: Any) -> Any:
    """Recursion through a foreign function that is being compiled."""

    def call(dispatcher: Any, *arguments: Any) -> Any:
        ATTEMPT.check(is_kernel(dispatcher))
        return method(dispatcher, *arguments)

    return call


def _check_value(method: Any) -> Any:
    """Functions that are used as values are left to counts."""

    def call(dispatcher: Any, *arguments: Any) -> Any:
        ATTEMPT.check(is_allowed=False)
        return method(dispatcher, *arguments)

    return call


def _check_returned(method: Any) -> Any:
    def call(numba_type: Any, *arguments: Any) -> Any:
        signature = method(numba_type, *arguments)
        if signature is not None and is_kernel(numba_type.dispatcher):
            ATTEMPT.check(_is_number(signature.return_type))
        return signature

    return call


def _mark_made(method: Any) -> Any:
    def call(template: Any) -> Any:
        decorator = method(template)
        return lambda **options: lambda function: _mark(decorator(**options)(function))

    return call


def _mark_kept(method: Any) -> Any:
    def call(template: Any, *arguments: Any) -> Any:
        dispatcher, folded = method(template, *arguments)
        return _mark(dispatcher), folded

    return call


def _mark(dispatcher: Any) -> Any:
    """Say of a dispatcher that Numba made it for an overload."""
    if dispatcher is not None:
        dispatcher.is_overload = True
    return dispatcher


WATCHED = (
    (Dispatcher, "compile", _check_dispatcher),
    (_DispatcherBase, "get_call_template", _check_dispatcher),
    (Dispatcher, "get_compile_result", _check_value),
    (_DispatcherBase, "fold_argument_types", _check_recursion),
    (types.Dispatcher, "get_call_type", _check_returned),
    (_OverloadFunctionTemplate, "_get_jit_decorator", _mark_made),
    (_OverloadFunctionTemplate, "_get_impl", _mark_kept),
)


def _is_ours(module: str) -> bool:
    return top(module) == "harena"


def _is_borrowed(numba_type: Any) -> bool:
    """Whether a type is made of numbers and arrays, which stay the caller's."""
    if isinstance(numba_type, types.BaseTuple):
        return all(map(_is_borrowed, _parts(numba_type)))
    return isinstance(numba_type, (types.Number, types.Boolean, types.Array, types.NoneType, types.Omitted))


def _parts(numba_type: Any) -> tuple[Any, ...]:
    """The types of a tuple's elements."""
    return tuple(numba_type.types)


def _are_plain(modules: set[str]) -> bool:
    """Whether modules of the user's, and the files that they import, import nothing but these and PLAIN."""
    packages = frozenset(map(top, modules))
    return all(top(name) in PLAIN or is_own(sys.modules[name], packages) for name in closure(modules, PLAIN))


def is_kernel(dispatcher: Any) -> bool:
    """Whether a compiled function was made by `kernel`."""
    return hasattr(dispatcher, "is_kernel")


def _needs_counts(result: Any) -> bool:
    """Whether code that was compiled without counts hands out arrays, allocates, or goes back to Python."""
    if not _is_number(result.signature.return_type) or result.lifted:
        return True
    text = result.library.get_llvm_str()
    starts = list(FUNCTION.finditer(text))
    ends = [one.start() for one in starts[1:]] + [len(text)]
    return any(
        NEEDS_COUNTS.search(text, start.start(), end)
        for start, end in zip(starts, ends, strict=True)
        if not start["name"].startswith(WRAPPERS)
    )


def _is_number(numba_type: Any) -> bool:
    """Whether a type is made of numbers only."""
    if isinstance(numba_type, types.BaseTuple):
        return all(map(_is_number, _parts(numba_type)))
    return isinstance(numba_type, (types.Number, types.Boolean, types.NoneType))
