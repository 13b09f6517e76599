"""The names in a Python source: what it imports, and what the code in it reads.

`fingerprint` asks this of every module that machine code can come from. Parsing them takes a third of a second, so the
answer is kept on disk, in a file named by the hash of the source: it can never be out of date.
"""

import ast
import contextlib
import functools
import hashlib
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from harena.files import PRIVATE, atomic_write
from harena.kernel.cache_files import is_private, make_private
from harena.kernel.upkeep import names_folder

TYPE_CHECKERS_ONLY = ("TYPE_CHECKING", "typing.TYPE_CHECKING")
VERSION = 1  # of what is kept


class Import(NamedTuple):
    """One import statement; a plain `import a, b` has no base."""

    level: int  # dots before the base
    base: str
    names: tuple[str, ...]


class SourceNames(NamedTuple):
    """The names in one source."""

    imports: tuple[Import, ...]
    read: frozenset[str]  # names and attributes inside functions and classes


def imported_modules(source: bytes, package: str) -> tuple[str, ...]:
    """The full names of whatever a module of this package imports, with the packages around each."""
    found = [name for one in source_names(source).imports for name in _full_names(one, package)]
    parents = [name.rsplit(".", depth)[0] for name in found for depth in range(name.count(".") + 1)]
    return tuple(dict.fromkeys(parents))


def names_in_code(source: bytes) -> frozenset[str]:
    """All names and attributes that are read inside functions and classes."""
    return source_names(source).read


def _full_names(one: Import, package: str) -> Iterator[str]:
    if not one.level and not one.base:
        yield from one.names
        return
    parents = package.split(".")[: len(package.split(".")) - one.level + 1] if one.level else []
    base = ".".join([*parents, one.base] if one.base else parents)
    yield base
    for name in one.names:
        yield f"{base}.{name}"


@functools.cache
def source_names(source: bytes) -> SourceNames:
    """From the disk, or parsed and kept there where that is possible."""
    path = names_folder() / f"{hashlib.sha256(source).hexdigest()[:32]}.json"
    with contextlib.suppress(OSError, ValueError, LookupError, TypeError):
        if is_private(path.parent):
            return _from_json(json.loads(path.read_bytes()))
    found = parse_names(source)
    with contextlib.suppress(OSError):  # a cache that cannot be written to: parsed again next time
        make_private(path.parent)
        atomic_write(path, json.dumps(_as_json(found)).encode(), PRIVATE)
    return found


def _as_json(names: SourceNames) -> dict[str, Any]:
    return {"version": VERSION, "imports": names.imports, "read": sorted(names.read)}


def _from_json(kept: dict[str, Any]) -> SourceNames:
    if kept["version"] != VERSION:
        raise ValueError
    imports = tuple(Import(level, base, tuple(names)) for level, base, names in kept["imports"])
    return SourceNames(imports=imports, read=frozenset(kept["read"]))


def parse_names(source: bytes) -> SourceNames:
    """The names in a source, by parsing it."""
    tree = ast.parse(source)
    return SourceNames(imports=tuple(_imports_in(tree)), read=_read_in(tree))


def _imports_in(tree: ast.AST) -> Iterator[Import]:
    for node in _executed(tree):
        if isinstance(node, ast.Import):
            yield Import(0, "", tuple(alias.name for alias in node.names))
        elif isinstance(node, ast.ImportFrom):
            yield Import(node.level, node.module or "", tuple(alias.name for alias in node.names))


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes, but for what only a type checker reads; without recursion: a chain of elif may be long."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        unread = found.body if isinstance(found, ast.If) and _is_for_type_checkers(found.test) else []
        waiting += reversed([child for child in ast.iter_child_nodes(found) if child not in unread])


def _is_for_type_checkers(test: ast.expr) -> bool:
    """Only names are written out: `ast.unparse` recurses."""
    base = test.value if isinstance(test, ast.Attribute) else test
    return isinstance(base, ast.Name) and ast.unparse(test) in TYPE_CHECKERS_ONLY


def _read_in(tree: ast.AST) -> frozenset[str]:
    inside = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda))]
    parts = [part for node in inside for part in ast.walk(node)]
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    names |= {part.attr for part in parts if isinstance(part, ast.Attribute)}
    return frozenset(names | {node.name for node in inside if not isinstance(node, ast.Lambda)})
