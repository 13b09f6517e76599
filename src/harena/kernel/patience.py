"""Waiting for a long kernel so that Ctrl-C is heard: compiled code does not return to Python until it is done."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

Result = TypeVar("Result")


def run(function: Callable[..., Result], *arguments: Any) -> Result:
    """The function's result; Ctrl-C raises KeyboardInterrupt at once and leaves the kernel to the process's end."""
    results: list[Result] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def work() -> None:
        try:
            results.append(function(*arguments))
        except BaseException as error:
            errors.append(error)
        done.set()

    threading.Thread(target=work, daemon=True).start()
    while not done.wait(0.1):
        pass
    if errors:
        raise errors[0]
    return results[0]


def run_until_stopped(function: Callable[[Any], Result]) -> Result:
    """The result of a search that is given a flag: Ctrl-C sets it, and the search returns with what it has so far."""
    flag = np.zeros(1, np.int64)
    results: list[Result] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def work() -> None:
        try:
            results.append(function(flag))
        except BaseException as error:
            errors.append(error)
        done.set()

    thread = threading.Thread(target=work, daemon=True)
    while not done.is_set():
        try:
            if thread.ident is None:
                thread.start()
            while not done.wait(0.1):
                pass
        except KeyboardInterrupt:
            if flag[0]:  # a second one: whatever it is, it does not listen
                raise
            flag[0] = 1
    if errors:
        raise errors[0]
    return results[0]
