"""A file named as a program that is none: it has a search, and the class was forgotten. Told by its text alone."""

import ast
import re

SPEAKS = re.compile(r"""harena\.agents\.bot\b|\bimport bot\b|["']ready["']|\bstdin\b|\binput\(""")  # docs/protocol.md
RUN = ("self", "state", "limits", "turn")


def forgotten(source: str) -> list[str]:
    """The searches in a Python file that speaks no protocol; none if it may speak it, or cannot be read.

    They are the classes with `run(self, state, limits, turn)` and those with a method of `search`, as in
    docs/search/own.md.
    """
    if SPEAKS.search(source):
        return []
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    classes = [one for one in tree.body if isinstance(one, ast.ClassDef)]
    compiled = _with_methods(tree)
    return [one.name for one in classes if one.name in compiled or any(map(_is_run, one.body))]


def _is_run(node: ast.stmt) -> bool:
    if not isinstance(node, ast.FunctionDef) or node.name != "run":
        return False
    taken = node.args
    return len(taken.posonlyargs) + len(taken.args) >= len(RUN) or taken.vararg is not None


def _with_methods(tree: ast.Module) -> set[str]:
    """The first classes named in `@search.method(...)`."""
    found = set()
    for function in tree.body:
        for one in function.decorator_list if isinstance(function, ast.FunctionDef) else ():
            if isinstance(one, ast.Call) and _dotted(one.func).endswith("search.method") and one.args:
                found.add(_dotted(one.args[0]))
    return found


def _dotted(node: ast.expr) -> str:
    """A name with its dots, `""` for any other expression; without recursion, which a stranger's file could exhaust."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""
