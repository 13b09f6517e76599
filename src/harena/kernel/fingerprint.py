"""What a piece of machine code was made from: the sources, and the constants, of every module it can have come from.

Those are the modules of the kernel and of the classes in its signature, and what these import, and so on; `generic`
makes sure that no method comes from elsewhere. Numba freezes global numbers and arrays into the code, so they count
too: a table read from a data file at import is covered without being declared. Installed packages count by version.
"""

import ast
import functools
import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CellType, FunctionType, ModuleType
from typing import Any

import numpy as np

from harena.kernel.generic import INLINED
from harena.kernel.intrinsics import HAS_DEPOSIT
from harena.kernel.modules import source_of
from harena.kernel.values import is_value_class

EMPTY_CELL = CellType()
TYPE_CHECKERS_ONLY = ("TYPE_CHECKING", "typing.TYPE_CHECKING")
FROZEN = (bool, int, float, complex, str, bytes, np.generic)


def fingerprint(function: Callable[..., Any], argument_types: Iterable[Any]) -> tuple[str, dict[str, str]] | None:
    """A short hash that changes when any source, constant or compiler option behind this signature does.

    With it the source files and the hash of each, so that `harena cache` can tell later which code is out of date. None
    where that cannot be told: for a closure, for code typed at a prompt, for a function passed as an argument.
    """
    types = tuple(argument_types)
    if function.__closure__ or not _is_of_its_file(function) or any(" at 0x" in type_text(one) for one in types):
        return None
    roots = {function.__module__, *(cls.__module__ for numba_type in types for cls in _classes(numba_type))}
    digest = hashlib.sha256(repr((INLINED, HAS_DEPOSIT)).encode())
    files: dict[str, str] = {}
    for name in sorted(closure(roots)):
        module = sys.modules[name]
        if name in roots or _is_own(module):
            source = source_of(name)
            if source is None:
                return None
            files[str(module.__file__)] = hashlib.sha256(source).hexdigest()
            digest.update(name.encode() + source)
            for part in _constants(module):
                digest.update(part)
        else:
            digest.update(f"{name} {getattr(module, '__version__', '')}".encode())
    return digest.hexdigest()[:16], files


def type_text(numba_type: Any) -> str:
    """The text of a Numba type in which classes are told apart by their modules too."""
    cls = getattr(numba_type, "instance_class", None)
    if cls is None:
        return str(numba_type)
    return f"{cls.__module__}.{cls.__qualname__}({', '.join(type_text(part) for part in numba_type.types)})"


def _classes(numba_type: Any) -> Iterator[type]:
    cls = getattr(numba_type, "instance_class", None)
    if cls is not None:
        yield cls
    for part in getattr(numba_type, "types", ()):
        yield from _classes(part)


def closure(roots: set[str]) -> set[str]:
    """The modules reached by imports from these; those of installed packages are reached but not opened."""
    reached: set[str] = set()
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            if name in roots or _is_own(sys.modules[name]):
                waiting.extend(_imports_of(name))
    return reached


def _is_of_its_file(function: Callable[..., Any]) -> bool:
    file = getattr(sys.modules.get(function.__module__), "__file__", None)
    return file is not None and os.path.realpath(file) == os.path.realpath(function.__code__.co_filename)


def _imports_of(name: str) -> list[str]:
    """The loaded modules that this one's text imports, with the packages around them."""
    module = sys.modules[name]
    if not str(getattr(module, "__file__", "")).endswith(".py"):
        return []
    named = _names_in(source_of(name) or b"", getattr(module, "__package__", None) or "")
    return [imported for imported in named if imported in sys.modules]


@functools.cache
def _names_in(source: bytes, package: str) -> tuple[str, ...]:
    found = [name for node in _executed(ast.parse(source)) for name in _imported(node, package)]
    parents = [name.rsplit(".", depth)[0] for name in found for depth in range(name.count(".") + 1)]
    return tuple(dict.fromkeys(parents))


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes, but for what only a type checker reads."""
    yield node
    unread = node.body if isinstance(node, ast.If) and ast.unparse(node.test) in TYPE_CHECKERS_ONLY else []
    for child in ast.iter_child_nodes(node):
        if child not in unread:
            yield from _executed(child)


def _imported(node: ast.AST, package: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name
    elif isinstance(node, ast.ImportFrom):
        parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
        base = ".".join([*parents, node.module] if node.module else parents)
        yield base
        for alias in node.names:
            yield f"{base}.{alias.name}"


def _is_own(module: ModuleType) -> bool:
    """Harena's modules and the user's own; what else is installed counts by its version."""
    if module.__name__.split(".")[0] == "harena":
        return True
    file = getattr(module, "__file__", None)
    if not file or module.__name__.split(".")[0] in sys.stdlib_module_names:
        return False
    return not any(part in ("site-packages", "dist-packages") for part in Path(file).parts)


def _constants(module: ModuleType) -> Iterator[bytes]:
    seen: set[int] = set()
    for name, thing in sorted(vars(module).items()):
        if not name.startswith("__"):
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
        cells = tuple(cell.cell_contents for cell in thing.__closure__ or () if cell != EMPTY_CELL)
        yield from _frozen(f"{name}()", (cells, thing.__defaults__ or ()), seen)
