"""What a piece of machine code was made from: the sources, and the constants, of every module it can have come from.

Those are the modules of the kernel and of the classes in its signature, and what these import, and so on; `generic`
makes sure that no method comes from elsewhere. Numba freezes global numbers and arrays into the code, so they count
too: a table read from a data file at import is covered without being declared. Installed packages count by version.
"""

import ast
import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from harena.kernel.generic import INLINED
from harena.kernel.intrinsics import HAS_DEPOSIT
from harena.kernel.modules import SOURCES

_imports: dict[str, tuple[str, ...]] = {}
FROZEN = (bool, int, float, complex, str, bytes, np.generic)


def fingerprint(function: Callable[..., Any], argument_types: Iterable[Any]) -> tuple[str, dict[str, str]]:
    """A short hash that changes when any source, constant or compiler option behind this signature does.

    With it the source files and the hash of each, so that `harena cache` can tell later which code is out of date.
    """
    roots = {function.__module__, *(cls.__module__ for numba_type in argument_types for cls in _classes(numba_type))}
    digest = hashlib.sha256(repr((INLINED, HAS_DEPOSIT)).encode())
    files: dict[str, str] = {}
    for name in sorted(_closure(roots)):
        module = sys.modules[name]
        if name in roots or _is_own(module):
            source = _source(name)
            files[str(getattr(module, "__file__", name))] = hashlib.sha256(source).hexdigest()
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


def _closure(roots: set[str]) -> set[str]:
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


def _source(name: str) -> bytes:
    if name not in SOURCES:
        file = getattr(sys.modules[name], "__file__", None)
        SOURCES[name] = Path(file).read_bytes() if file and file.endswith(".py") else b""
    return SOURCES[name]


def _imports_of(name: str) -> tuple[str, ...]:
    """The loaded modules that this one's text imports."""
    if name not in _imports:
        package = getattr(sys.modules[name], "__package__", None) or ""
        found = [imported for node in ast.walk(ast.parse(_source(name))) for imported in _imported(node, package)]
        _imports[name] = tuple(one for one in dict.fromkeys(found) if one in sys.modules)
    return _imports[name]


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
    for name, thing in sorted(vars(module).items()):
        if name.startswith("__"):
            continue
        if isinstance(thing, np.ndarray) and not thing.dtype.hasobject:
            yield f"{name}{thing.dtype}{thing.shape}".encode() + np.ascontiguousarray(thing).tobytes()
        elif _is_frozen(thing):
            yield f"{name}={thing!r}".encode()


def _is_frozen(thing: Any) -> bool:
    """Numbers, text, and tuples of them (values included): what Numba takes as a constant."""
    return isinstance(thing, FROZEN) or (isinstance(thing, tuple) and all(map(_is_frozen, thing)))
