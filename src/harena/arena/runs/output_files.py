"""Files that a run writes at its end: looked at before anything is played."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from harena.errors import UsageError
from harena.render import plot


def check_output(file: str | None, option: str) -> str | None:
    """The whole path of a file to write when all is played; UsageError about its folder, format or matplotlib."""
    if file is None:
        return None
    path = os.path.abspath(os.path.expanduser(file))
    if not os.path.isdir(os.path.dirname(path)) or os.path.isdir(path):
        raise UsageError(f"{option}: {file!r} cannot be written: there is no such folder, or it is one")
    if option == "--plot":
        plot_format(path)
        with plotting():
            plot.require()
    return path


def plot_format(file: str) -> str:
    """The format of a plot, by the file's name."""
    form = os.path.splitext(file)[1].lower().removeprefix(".")
    if form not in plot.FORMATS:
        raise UsageError(f"--plot: a file that ends in .png or .svg, not {os.path.basename(file)!r}")
    return form


@contextmanager
def plotting() -> Iterator[None]:
    """Turn a missing matplotlib into a UsageError."""
    try:
        yield
    except ImportError as error:
        raise UsageError(str(error)) from None
