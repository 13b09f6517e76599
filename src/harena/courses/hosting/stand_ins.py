"""Stands in for libraries that only draw, print or look at the machine, where they are not installed.

The real library is used wherever it can be imported. Every name of a stand-in is there and does nothing harmful; what
agents use the result of (`termcolor.colored`, `tqdm.tqdm`) does what its caller expects.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import os
import sys
import types
import typing
from collections import namedtuple
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

OPTIONAL = frozenset(
    (
        *("IPython", "alive_progress", "click", "colorama", "coloredlogs", "colorlog", "dotenv", "graphviz"),
        *("icecream", "imageio", "line_profiler", "loguru", "matplotlib", "memory_profiler", "overrides", "plotly"),
        *("prettytable", "progressbar", "psutil", "pyautogui", "pygame", "pyinstrument", "pympler", "rich"),
        *("seaborn", "snakeviz", "tabulate", "tensorboardX", "termcolor", "tqdm", "typing_extensions", "wandb"),
    )
)
# Python 3.9 does not name its modules; there the files of its library do.
STANDARD_MODULES = frozenset(
    getattr(sys, "stdlib_module_names", ())
    or (*sys.builtin_module_names, *(name.partition(".")[0] for name in os.listdir(os.path.dirname(os.__file__))))
)
# What to do about a module that is not there and has no stand-in; {package} is what holds it.
MISSING = "install it ({way}) or leave the import out; hand in modules of your own with the agent"
MISSING_BEGINS = "; install it ("
PACKAGES = {"PIL": "pillow", "cv2": "opencv-python", "sklearn": "scikit-learn", "yaml": "pyyaml"}
PARTS = {"hist": 3, "plot": 1}  # how many values a call returns, where it is not two: `line, = plt.plot(...)`
PARTS_USUAL = 2  # figure, axes = plt.subplots()
ENOUGH = 4 << 30  # bytes of memory that a machine is said to have


_course = ["COURSE"]  # of the agent that this process hosts


def remember_course(course: str) -> None:
    """Name the course in what is said of modules that are not there."""
    _course[0] = course


def advise_missing(error: BaseException) -> str:
    """What to do about an error, if it is that a library is not installed; else nothing."""
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return ""
    module = error.name.partition(".")[0]
    if module in STANDARD_MODULES or module in sys.modules:
        return ""
    return "; " + MISSING.format(way=_way_to_install(PACKAGES.get(module, module)))


def _way_to_install(package: str) -> str:
    """How a package gets into the Python that hosts the agent; of its path only the last name is told."""
    command = f"harena course env {_course[0]} --with {package}"
    ours = Path(__file__).resolve().parents[3]  # the folder from which the Python that runs Harena imports it
    if str(ours) in map(os.path.realpath, sys.path):
        return f"{command}, or with pip where harena runs"
    name = os.path.basename(sys.prefix)
    if name == _course[0].removesuffix("-reused"):  # as the environment of the course is called
        return command
    where = f"the environment {name}" if sys.prefix != sys.base_prefix else "the Python"
    return f"pip install {package} in {where} that --python names"


def part_missing(said: str) -> tuple[str, str]:
    """What is wrong and what to do, of a line that ends with `advise_missing`; of any other nothing is to be done."""
    what, found, rest = said.partition(MISSING_BEGINS)
    return what, f"{MISSING_BEGINS}{rest}".removeprefix("; ") if found else ""


class StandIns(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds a stand-in for a library; asked only where there is no module of that name."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        """A spec for a library of `OPTIONAL` or a module of it."""
        if fullname.split(".", maxsplit=1)[0] not in OPTIONAL:
            return None
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType:
        """A module in which every name is there."""
        return StandIn(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Add the names of the library that do something."""
        library = module.__name__.partition(".")[0]
        vars(module).update(BEHAVIOUR.get(library, {}))
        if library == "typing_extensions":
            vars(module).update({name: value for name, value in vars(typing).items() if not name.startswith("_")})


class StandIn(types.ModuleType):
    """A module in which every name is there."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "error" or name.endswith(("Error", "Exception")):
            vars(self)[name] = type(name, (Exception,), {})  # so that `except pygame.error` works
            return vars(self)[name]
        return Nothing(PARTS.get(name, PARTS_USUAL))


class Nothing:
    """Does nothing, whatever is done with it; where a number is wanted it is 0."""

    def __init__(self, parts: int = PARTS_USUAL) -> None:
        self._parts = parts

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Itself, or as a decorator the function."""
        first = arguments[0] if len(arguments) == 1 and not keywords else None
        return first if callable(first) else self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing(PARTS.get(name, PARTS_USUAL))

    def __getitem__(self, key: Any) -> Any:
        return self

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __iter__(self) -> Iterator[Any]:
        return iter([Nothing() for _ in range(self._parts)])

    def __len__(self) -> int:
        return self._parts

    def __contains__(self, value: Any) -> bool:
        return False

    def __instancecheck__(self, value: Any) -> bool:
        return False

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def __mro_entries__(self, bases: Any) -> tuple[type, ...]:
        return ()  # a class may be derived from it

    def __float__(self) -> float:
        return 0.0

    def __index__(self) -> int:
        return 0

    __int__ = __round__ = __index__

    def __format__(self, specification: str) -> str:
        try:
            return format(0.0, specification) if specification else ""
        except ValueError:  # it is one for text
            return format("", specification)

    def __str__(self) -> str:
        return ""

    def __lt__(self, other: Any) -> bool:
        return float(other) > 0

    def __gt__(self, other: Any) -> bool:
        return float(other) < 0

    def __le__(self, other: Any) -> bool:
        return float(other) >= 0

    def __ge__(self, other: Any) -> bool:
        return float(other) <= 0

    def __truediv__(self, other: Any) -> float:
        return 0.0

    __mul__ = __rmul__ = __floordiv__ = __mod__ = __truediv__

    def __add__(self, other: Any) -> Any:
        return other

    __radd__ = __rsub__ = __add__

    def __sub__(self, other: Any) -> Any:
        return -other


# What does something


class Bar:
    """A progress bar that lets its items through and shows nothing."""

    def __init__(self, iterable: Any = None, *arguments: Any, **keywords: Any) -> None:
        self.iterable, self.n, self.total = iterable, 0, keywords.get("total")

    def __iter__(self) -> Iterator[Any]:
        for one in () if self.iterable is None else self.iterable:
            self.n += 1
            yield one

    def __len__(self) -> int:
        return self.total or (0 if self.iterable is None else len(self.iterable))

    def __bool__(self) -> bool:
        return True

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def update(self, n: float = 1) -> bool:
        """Count."""
        self.n += int(n)
        return True

    @staticmethod
    def write(text: Any, *arguments: Any, **keywords: Any) -> None:
        """Print a line."""
        print(text)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing()


class _Blank:
    """Colours: every name is an empty text."""

    def __getattr__(self, name: str) -> str:
        if name.startswith("__"):
            raise AttributeError(name)
        return ""


def _count_to(*arguments: int, **keywords: Any) -> Bar:
    return Bar(range(*arguments))


def _to_text(value: Any = "", *arguments: Any, **keywords: Any) -> str:
    return str(value)


def _print(*values: Any, **keywords: Any) -> None:
    print(*values, **{key: value for key, value in keywords.items() if key in ("sep", "end", "file", "flush")})


def _print_first(value: Any = "", *arguments: Any, **keywords: Any) -> None:
    _print(value, **keywords)


def _pass_first(*values: Any, **keywords: Any) -> Any:
    return values[0] if len(values) == 1 else values or None


def _pass_items(iterable: Any, *arguments: Any, **keywords: Any) -> Any:
    return iterable


def _text_table(rows: Any = (), headers: Any = (), *arguments: Any, **keywords: Any) -> str:
    lines = [[headers] if isinstance(headers, str) else list(headers), *map(list, rows)]
    return "\n".join("  ".join(map(str, line)) for line in lines if line)


class _Console(Nothing):
    print = log = staticmethod(_print)


Memory = namedtuple("Memory", ("total", "available", "percent", "used", "free"))


def _memory() -> Memory:
    return Memory(ENOUGH, ENOUGH, 0.0, 0, ENOUGH)


def _cores(*arguments: Any, **keywords: Any) -> int:
    return os.cpu_count() or 1


def _zero(*arguments: Any, **keywords: Any) -> float:
    return 0.0


BEHAVIOUR: dict[str, dict[str, Callable[..., Any] | Any]] = {
    "termcolor": {"colored": _to_text, "cprint": _print_first},
    "colorama": {"Fore": _Blank(), "Back": _Blank(), "Style": _Blank(), "Cursor": Nothing()},
    "tqdm": {"tqdm": Bar, "trange": _count_to, "tqdm_notebook": Bar, "tnrange": _count_to},
    "alive_progress": {"alive_it": _pass_items},
    "progressbar": {"progressbar": _pass_items},
    "icecream": {"ic": _pass_first},
    "rich": {"print": _print, "pprint": _print_first, "Console": _Console, "track": _pass_items},
    "tabulate": {"tabulate": _text_table},
    "psutil": {"cpu_count": _cores, "cpu_percent": _zero, "virtual_memory": _memory},
    "click": {"echo": _print_first, "secho": _print_first, "style": _to_text},
}
