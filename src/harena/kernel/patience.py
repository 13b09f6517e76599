"""Waiting for a long kernel so that Ctrl-C is heard: compiled code does not return to Python until it is done."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

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
