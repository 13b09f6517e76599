"""What a piece of machine code was made from: the sources, and the constants, of every module it can have come from.

Those are the modules of the kernel and of the classes in its signature, and what these import or hold (a module, a
function or a class that came in by any other way), and so on; `generic` makes sure that no method comes from elsewhere.
Numba freezes the global numbers and arrays that code names into it, so they count too: a table read from a data file at
import is covered without being declared. Installed packages that define none of it count by their version.
"""

import contextlib
import hashlib
import importlib.metadata
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CellType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np

from harena.kernel.generic import INLINED
from harena.kernel.intrinsics import HAS_DEPOSIT
from harena.kernel.modules import source_of
from harena.kernel.source_names import imported_modules, names_in_code
from harena.kernel.values import is_value_class

EMPTY_CELL = CellType()
HOLDERS = (ModuleType, FunctionType)
COMPILER = tuple(
    repr(getattr(numba.config, name)) for name in ("OPT", "BOUNDSCHECK", "LOOP_VECTORIZE", "SLP_VECTORIZE")
)
FROZEN = (bool, int, float, complex, str, bytes, np.generic)


def fingerprint(function: Callable[..., Any], argument_types: Iterable[Any]) -> tuple[str, dict[str, str]] | None:
    """A short hash that changes when any source, constant or compiler option behind this signature does.

    With it the source files and the hash of each, so that `harena cache` can tell later which code is out of date. None
    where that cannot be told: for a closure, for code typed at a prompt, for a function passed as an argument.
    """
    types = tuple(argument_types)
    if function.__closure__ or not _is_of_its_file(function) or any(" at 0x" in type_text(one) for one in types):
        return None
    roots = {function.__module__, *(cls.__module__ for numba_type in types for cls in classes_in(numba_type))}
    packages = frozenset(top(name) for name in roots)
    digest = hashlib.sha256(repr((INLINED, HAS_DEPOSIT, COMPILER)).encode())
    files: dict[str, str] = {}
    reached = sorted(closure(roots))
    named = {
        one for name in reached if is_own(sys.modules[name], packages) for one in names_in_code(source_of(name) or b"")
    }
    for name in reached:
        module = sys.modules[name]
        if is_own(module, packages):
            source = source_of(name)
            if source is None:
                return None
            files[str(module.__file__)] = hashlib.sha256(source).hexdigest()
            digest.update(name.encode() + source)
            for part in _constants(module, named):
                digest.update(part)
        else:
            digest.update(f"{top(name)} {_version(top(name))}".encode())
    return digest.hexdigest()[:16], files


def type_text(numba_type: Any) -> str:
    """The text of a Numba type in which classes are told apart by their modules too."""
    cls = getattr(numba_type, "instance_class", None)
    if cls is None:
        return str(numba_type)
    return f"{cls.__module__}.{cls.__qualname__}({', '.join(type_text(part) for part in numba_type.types)})"


def classes_in(numba_type: Any) -> Iterator[type]:
    """The classes of the values in a Numba type."""
    cls = getattr(numba_type, "instance_class", None)
    if cls is not None:
        yield cls
    for part in getattr(numba_type, "types", ()):
        yield from classes_in(part)


def is_ours(function: Callable[..., Any], argument_types: Iterable[Any]) -> bool:
    """Whether machine code comes from modules of Harena alone, and no user's class or kernel is in it."""
    modules = [function.__module__, *(cls.__module__ for one in argument_types for cls in classes_in(one))]
    return all(top(name) == "harena" for name in modules)


def closure(roots: set[str], ends: frozenset[str] = frozenset()) -> set[str]:
    """The modules reached by imports from these; those of installed packages, and of `ends`, are not opened."""
    packages = frozenset(top(name) for name in roots)
    reached: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            if top(name) not in ends and is_own(sys.modules[name], packages):
                waiting.extend(_imports_of(name))
                waiting.extend(_held_by(sys.modules[name]))
    return reached


def _is_of_its_file(function: Callable[..., Any]) -> bool:
    file = getattr(sys.modules.get(function.__module__), "__file__", None)
    return file is not None and os.path.realpath(file) == os.path.realpath(function.__code__.co_filename)


def _imports_of(name: str) -> list[str]:
    """The loaded modules that this one's text imports, with the packages around them."""
    module = sys.modules[name]
    if not str(getattr(module, "__file__", "")).endswith(".py"):
        return []
    named = imported_modules(source_of(name) or b"", getattr(module, "__package__", None) or "")
    return [imported for imported in named if imported in sys.modules]


def _held_by(module: ModuleType) -> Iterator[str]:
    """The modules of what its globals hold, however it got there."""
    for thing in vars(module).values():
        home = thing.__name__ if isinstance(thing, ModuleType) else getattr(thing, "__module__", None)
        is_code = isinstance(thing, HOLDERS) or is_value_class(thing) or hasattr(thing, "py_func")
        is_part = isinstance(thing, ModuleType) and str(home).startswith(
            f"{module.__name__}."
        )  # a package's own modules
        if is_code and not is_part and isinstance(home, str) and home in sys.modules:
            yield home


def top(name: str) -> str:
    """The package that a module belongs to."""
    return name.split(".", maxsplit=1)[0]


def _version(package: str) -> str:
    """Of an installed package, as it says itself or as it was installed; the standard library comes with Python."""
    told = getattr(sys.modules.get(package), "__version__", None)
    if told is None and package not in sys.stdlib_module_names:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            told = importlib.metadata.version(package)
    return str(told)


def is_own(module: ModuleType, packages: frozenset[str]) -> bool:
    """Harena's modules, those of these packages, and the user's own; what else is installed counts by its version."""
    if top(module.__name__) in packages | {"harena"}:
        return True
    file = getattr(module, "__file__", None)
    if not file or top(module.__name__) in sys.stdlib_module_names:
        return False
    return not any(part in ("site-packages", "dist-packages") for part in Path(file).parts)


def _constants(module: ModuleType, named: set[str]) -> Iterator[bytes]:
    """The globals that some code names (others, like the time of an import, are nobody's constants)."""
    seen: set[int] = set()
    for name, thing in sorted(vars(module).items()):
        if name in named and not name.startswith("__"):
            yield from _frozen(name, thing, seen)
            for method in getattr(thing, "methods", {}).values():
                if getattr(method, "__module__", "") == module.__name__:  # and not those of whoever else is loaded
                    yield from _frozen(name, method, seen)


def _frozen(name: str, thing: Any, seen: set[int]) -> Iterator[bytes]:
    """What Numba takes as a constant: numbers, text, arrays, tuples of them, and what functions carry along."""
    if isinstance(thing, np.ndarray) and not thing.dtype.hasobject:
        yield f"{name}{thing.dtype}{thing.shape}".encode() + np.ascontiguousarray(thing).tobytes()
    elif isinstance(thing, FROZEN):
        yield f"{name}={thing!r}".encode()
    elif isinstance(thing, tuple):
        yield f"{name}:{len(thing)}".encode()
        for number, part in enumerate(thing):
            yield from _frozen(f"{name}.{number}", part, seen)
    elif is_value_class(thing):
        yield f"{name}{thing._fields}{thing._field_defaults}".encode()
    elif isinstance(thing, FunctionType) and id(thing) not in seen:
        seen.add(id(thing))
        yield f"{name} {thing.__module__} {thing.__qualname__} {thing.__code__.co_firstlineno}".encode()
        yield thing.__code__.co_code
        cells = tuple(cell.cell_contents for cell in thing.__closure__ or () if cell != EMPTY_CELL)
        yield from _frozen(f"{name}()", (cells, thing.__defaults__ or ()), seen)
