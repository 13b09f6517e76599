"""Numba's page-long error, boiled down to one line that names the file and the line of the code at fault.

The page is a nest: a heading for each call that failed, inside it the heading of why, and after these, from the inside
out, the place of each. So the first place in the user's own files is the innermost one, and the last heading before it
is the reason. Where only Harena's files are named, the mistake is in what a method of the user's returned, or in a
method that is missing: then the method, or the class it is missing for, is the place.
"""

import ast
import linecache
import os
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numba
from numba.core.ir import Loc

from harena.errors import CompileError
from harena.kernel.fingerprint import closure
from harena.kernel.values import class_name, is_value
from harena.kernel.wording import plain, reworded

NOT_THE_USERS = (Path(__file__).parents[1], Path(numba.__file__).parent)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
PLACE = re.compile(
    r'File "(?P<file>[^"\n]+)", line (?P<line>\d+):'
    r"|(?:During: [^\n]* at|Raised from) (?P<file2>[^\n]+) \((?P<line2>\d+)\)$",
    re.MULTILINE,
)
HEADING = re.compile(
    r"(?:\A|raised a specific error:)\s*(?:\w+Error: )?(?:Failed in nopython mode pipeline \(step: [^)]*\)\s*)*"
    r"(?P<text>[^\n]+)(?:\s*>>> (?P<call>[^\n]+))?"
)
UNDEFINED = re.compile(r"name '(\w+)' is not defined")
BAD_ARGUMENT = re.compile(r"^- argument (\d+): (.+)$", re.MULTILINE)
TWO_TYPES = re.compile(r"Cannot unify (?P<one>.+) and (?P<other>.+) for '(?P<name>\w+)")
UNKNOWN_ATTRIBUTE = re.compile(r"Unknown attribute '(?P<attribute>\w+)' of type")


class Place(NamedTuple):
    """A line of a source file, and where in Numba's text it is named."""

    file: str
    line: int
    at: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def complaint(function: Callable[..., Any], arguments: tuple[Any, ...], error: Exception) -> CompileError:
    """The exception to raise when a kernel cannot be compiled for these arguments."""
    text = COLOUR.sub("", str(error)).strip()
    text = (
        text if " " in text else f"{type(error).__name__} {text}"
    )  # a bare assert, a key: an accident in the compiler
    home = Place(function.__code__.co_filename, function.__code__.co_firstlineno)
    if bad := BAD_ARGUMENT.search(text.rpartition("may have been caused by")[2]):  # each attempt appends to the last
        return CompileError(f"{home}: {function.__name__} cannot take argument {int(bad[1]) + 1}: {plain(bad[2])}")
    classes = list(dict.fromkeys(cls for argument in arguments for cls in _classes(argument)))
    places = [*_places_in(text), *_places_behind(error, len(text))]
    innermost = next((place for place in places if _is_users(place.file)), places[0] if places else home)
    heading = list(HEADING.finditer(text[: innermost.at] or text))[-1]
    reason = reworded(heading["text"], heading["call"], classes)
    if undefined := UNDEFINED.search(reason):
        place = _where_used(undefined[1], {function.__module__, *(cls.__module__ for cls in classes)}) or innermost
    elif _is_users(innermost.file):
        place = max(_returns(text, places), key=lambda one: one.line) if "return type" in heading["text"] else innermost
    else:
        place = _behind_the_scenes(innermost, heading["text"], classes)
        reason += "" if place == innermost or " has no method " in reason else f" (found at {innermost})"
    return CompileError(f"{place}: cannot be compiled: {reason}{_appendix(place, heading['text'])}")


def _classes(argument: Any) -> Iterator[type]:
    if is_value(argument):
        yield type(argument)
        for field in argument:
            yield from _classes(field)


def _is_users(file: str) -> bool:
    return not any(Path(file).is_relative_to(folder) for folder in NOT_THE_USERS)


def _places_in(text: str) -> Iterator[Place]:
    for found in PLACE.finditer(text):
        file = os.path.abspath(found["file"] or found["file2"])
        if os.path.exists(file):
            yield Place(file, int(found["line"] or found["line2"]), found.start())


def _places_behind(error: Exception, at: int) -> Iterator[Place]:
    """What the compiler was looking at when it failed, the innermost first: some of its errors do not say."""
    for frame, _ in reversed(list(traceback.walk_tb(error.__traceback__))):
        for name in ("loc", "inst", "constraint", "self"):
            thing = frame.f_locals.get(name)
            spot = thing if isinstance(thing, Loc) else getattr(thing, "loc", None)
            if isinstance(spot, Loc) and os.path.exists(spot.filename):
                yield Place(os.path.abspath(spot.filename), spot.line, at)


def _returns(text: str, places: list[Place]) -> list[Place]:
    """The user's places that are said to return different types, in no order that could be relied on."""
    return [one for one in places if text[: one.at].rstrip().endswith("location:") and _is_users(one.file)]


def _where_used(name: str, modules: set[str]) -> Place | None:
    """The first line in these modules of the user's, and in those they import, that reads an undefined name."""
    for module in sorted(closure(modules)):
        file = getattr(sys.modules[module], "__file__", None) or ""
        if file.endswith(".py") and _is_users(file) and name not in vars(sys.modules[module]):
            for function in _functions(file):
                uses = [node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == name]
                if uses and all(isinstance(node.ctx, ast.Load) for node in uses):
                    return Place(file, uses[0].lineno)
    return None


def _behind_the_scenes(place: Place, heading: str, classes: list[type]) -> Place:
    """The user's method whose result Harena's line at this place stumbled over, or else the user's class."""
    users = {cls: home for cls in classes if (home := _home(cls)) and _is_users(home.file)}
    module = next((one for one in list(sys.modules.values()) if getattr(one, "__file__", None) == place.file), None)
    for call in _calls_behind(place, heading):
        for key, method in getattr(_found(module, call.func), "methods", {}).items():
            if any(cls in users for cls in key):
                return Place(method.__code__.co_filename, method.__code__.co_firstlineno)
    return next(iter(users.values()), place)


def _home(cls: type) -> Place | None:
    """Where a class is written; None for one that was typed at a prompt."""
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    nodes = ast.walk(_tree(file)) if file else ()
    lines = [node.lineno for node in nodes if isinstance(node, ast.ClassDef) and node.name == class_name(cls)]
    return Place(file, lines[0] if lines else 1) if file else None


def _calls_behind(place: Place, heading: str) -> Iterator[ast.Call]:
    """The calls from which the variable that the heading is about got its value, near this place."""
    for name in _variables(place, heading):
        for assignment in _assignments(place, name):
            yield from (node for node in ast.walk(assignment.value) if isinstance(node, ast.Call))


def _variables(place: Place, heading: str) -> set[str]:
    if unify := TWO_TYPES.search(heading):
        return {unify["name"]}
    if unknown := UNKNOWN_ATTRIBUTE.search(heading):
        nodes = [node for node in ast.walk(_tree(place.file)) if isinstance(node, ast.Attribute)]
        here = [node for node in nodes if node.lineno == place.line and node.attr == unknown["attribute"]]
        return {node.value.id for node in here if isinstance(node.value, ast.Name)}
    return set()


def _assignments(place: Place, name: str) -> list[ast.Assign]:
    """The assignments to a variable in the function around a place."""
    around = [node for node in _functions(place.file) if node.lineno <= place.line <= (node.end_lineno or 0)]
    nodes = [node for function in around[-1:] for node in ast.walk(function) if isinstance(node, ast.Assign)]
    return [
        node
        for node in nodes
        if any(isinstance(part, ast.Name) and part.id == name for target in node.targets for part in ast.walk(target))
    ]


def _found(module: ModuleType | None, function: ast.expr) -> Any:
    """What `function` or `module.function` means in a module."""
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return getattr(getattr(module, function.value.id, None), function.attr, None)
    return getattr(module, function.id, None) if isinstance(function, ast.Name) else None


def _appendix(place: Place, heading: str) -> str:
    """The line itself where Numba only names an opcode; the lines that give a variable two types."""
    if "opcode" in heading:
        return f": {linecache.getline(place.file, place.line).strip()}"
    unify = TWO_TYPES.search(heading)
    lines = sorted({node.lineno for node in _assignments(place, unify["name"])}) if unify else []
    return f" (assigned in lines {', '.join(map(str, lines))})" if len(lines) > 1 and _is_users(place.file) else ""


def _functions(file: str) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(_tree(file)) if isinstance(node, ast.FunctionDef)]


def _tree(file: str) -> ast.Module:
    """The code of a file; nothing when it has been edited, meanwhile, into something that is none."""
    try:
        return ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])
