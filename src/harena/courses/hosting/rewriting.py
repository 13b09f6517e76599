"""Loads the files of a submission, and rewrites uses of numpy's lost methods and arguments on the way.

`X.tostring` becomes `__harena_attribute__(X, "tostring")`, which is `X.tostring` wherever X has that attribute.
Lines and columns stay, so tracebacks read as before. A file without such names is compiled unchanged. Functions that
numba compiles are left alone, because numba does not know the helpers.
"""

from __future__ import annotations

import ast
import builtins
import importlib.machinery
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .older_numpy import ARGUMENTS, METHODS, PROPERTIES, call, find_attribute

ATTRIBUTE, CALL = "__harena_attribute__", "__harena_call__"
LOST = frozenset((*METHODS, *PROPERTIES))
CALLED = frozenset((*ARGUMENTS, "sum", "fromstring"))
WORDS = re.compile(rb"\b(?:" + "|".join(sorted(LOST | CALLED)).encode() + rb")\b")
COMPILERS = ("jit", "vectorize")  # in the name of a decorator of numba's
PATTERNS: Any = getattr(ast, "pattern", ())  # Python 3.9 has none
INSTALLED = "site-packages"  # a folder of other people's packages, even within a submission


class AgentLoader(importlib.machinery.SourceFileLoader):
    """Loads a file of a submission; never from bytecode, which may be older than these rules."""

    def path_stats(self, path: Any) -> Any:
        """None, so that no cached bytecode is looked for."""
        raise OSError

    def source_to_code(self, data: Any, path: Any, *, _optimization: int = -1) -> Any:  # type: ignore[override]
        """The code of a file, with the helpers where it uses names that numpy has lost."""
        if isinstance(data, bytes) and WORDS.search(data):
            try:
                tree = compile(data, path, "exec", ast.PyCF_ONLY_AST, dont_inherit=True, optimize=_optimization)
                assert isinstance(tree, ast.Module)
                if rewrite(tree):
                    return compile(tree, path, "exec", dont_inherit=True, optimize=_optimization)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                pass  # the error is raised below, as Python words it
        return super().source_to_code(data, path)


def install_loader(folder: Path) -> None:
    """Load every module below the folder of a submission with `AgentLoader`."""
    vars(builtins)[ATTRIBUTE], vars(builtins)[CALL] = find_attribute, call
    sys.path_hooks.insert(0, _hook(folder))
    for place in [one for one in sys.path_importer_cache if Path(one).is_relative_to(folder)]:
        del sys.path_importer_cache[place]


def _hook(folder: Path) -> Callable[[str], Any]:
    loaders: list[tuple[Any, list[str]]] = [
        (importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES),
        (AgentLoader, importlib.machinery.SOURCE_SUFFIXES),
        (importlib.machinery.SourcelessFileLoader, importlib.machinery.BYTECODE_SUFFIXES),
    ]

    def find_in(place: str) -> importlib.machinery.FileFinder:
        path = Path(os.path.abspath(place))
        is_theirs = path.is_relative_to(folder) and INSTALLED not in path.parts
        if not is_theirs or not path.is_dir():
            raise ImportError("not a folder of the submission", path=place)
        return importlib.machinery.FileFinder(place, *loaders)

    return find_in


def rewrite(tree: ast.Module) -> bool:
    """Put the helpers into a tree; False if there was nothing to do."""
    changed = False
    for parent in reversed(list(_walk(tree))):  # children before their parents
        if isinstance(parent, PATTERNS):
            continue  # a pattern holds names and no calls
        for field, value in ast.iter_fields(parent):
            if isinstance(value, ast.AST):
                if (new := _replacement(value)) is not None:
                    setattr(parent, field, new)
                    changed = True
            elif isinstance(value, list):
                for number, one in enumerate(value):
                    if (new := _replacement(one)) is not None:
                        value[number] = new
                        changed = True
    return changed


def _walk(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node, parents first, without recursion and without the functions that numba compiles."""
    todo = [tree]
    for node in todo:
        yield node
        todo += [one for one in ast.iter_child_nodes(node) if not _is_compiled(one)]


def _is_compiled(node: ast.AST) -> bool:
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    decorators = [one.func if isinstance(one, ast.Call) else one for one in node.decorator_list]
    return any(word in _last_name(one) for one in decorators for word in COMPILERS)


def _last_name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _replacement(node: Any) -> ast.Call | None:
    """The call that stands in for a node; None if it stays."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and node.attr in LOST:
        return _call(ATTRIBUTE, [node.value, ast.copy_location(ast.Constant(node.attr), node)], [], node)
    if not isinstance(node, ast.Call):
        return None
    if _is_getattr(node):
        return _call(ATTRIBUTE, node.args, [], node)
    return _call(CALL, [node.func, *node.args], node.keywords, node) if _has_lost_arguments(node) else None


def _is_getattr(node: ast.Call) -> bool:
    """Whether it is `getattr(X, "tostring")`; with a default the author has thought of its absence."""
    if not (isinstance(node.func, ast.Name) and node.func.id == "getattr" and len(node.args) == 2):
        return False
    name = node.args[1]
    return not node.keywords and isinstance(name, ast.Constant) and name.value in LOST


def _has_lost_arguments(node: ast.Call) -> bool:
    name = _last_name(node.func)
    given = {one.arg for one in node.keywords}
    if name == "sum":
        return bool(node.args) and isinstance(node.args[0], ast.GeneratorExp) and isinstance(node.func, ast.Attribute)
    if name == "fromstring":
        return True
    return bool(given & ARGUMENTS.get(name, {}).keys())


def _call(helper: str, arguments: list[ast.expr], keywords: list[ast.keyword], node: ast.expr) -> ast.Call:
    function = ast.copy_location(ast.Name(helper, ast.Load()), node)
    return ast.copy_location(ast.Call(function, arguments, keywords), node)
