"""The `kernel` decorator: a function that Python calls and Numba compiles, kept on disk between processes."""

import functools
import threading
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from harena.kernel.generic import OPTIONS
from harena.kernel.modules import source_of
from harena.kernel.switch import JIT

LOCK = threading.RLock()  # one compilation at a time: the options of a dispatcher are set for each
Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile a function for each combination of argument types it is called with.

    Write each search as one self-recursive function (or a loop): mutually recursive kernels, and recursive ones that
    pass a literal to themselves, cannot be kept on disk.
    """
    source_of(function.__module__)
    return _compiled(function) if JIT else _interpreted(function)


def _compiled(function: Function) -> Function:
    from numba import njit

    from harena.kernel.cache import KernelCache
    from harena.kernel.complaint import complaint
    from harena.kernel.references import compile_by_need

    dispatcher = njit(**OPTIONS)(function)
    dispatcher._cache = KernelCache(function)
    compile_for_arguments = dispatcher._compile_for_args

    def compile_or_explain(*arguments: Any, **keywords: Any) -> Any:
        try:
            return compile_for_arguments(*arguments, **keywords)
        except Exception as error:  # not only Numba's own: its passes fall over some code with a TypeError and the like
            raise complaint(function, arguments, error) from None

    dispatcher._compile_for_args = compile_or_explain  # called only for a new combination of types: costs nothing later
    compile_signature = dispatcher.compile

    def compile_alone(signature: Any) -> Any:
        with LOCK:
            return compile_signature(signature)

    dispatcher.compile = compile_alone
    dispatcher._compiler.compile = compile_by_need(dispatcher, function)
    dispatcher.is_kernel = True
    return cast(Function, dispatcher)


def _interpreted(function: Function) -> Function:
    """The plain function; words wrap around silently, as they do in machine code."""

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*arguments, **keywords)

    return cast(Function, call)
