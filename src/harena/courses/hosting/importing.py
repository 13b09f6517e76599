"""Imports a course agent as its course would: its own files, the course's modules, and libraries as they once were.

* The course's modules are ours, under `modules/COURSE`. A submission that brings a copy of one which defines more than
  ours does (a student added a method to `Grid`) gets its own.
* Helper files lie beside the agent or in its folder; the working folder is the submission's.
* What numpy has removed is served (`older_numpy`, `rewriting`), and libraries that only draw or look at the machine
  may be missing (`stand_ins`).
"""

from __future__ import annotations

import ast
import errno
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import traceback
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .encoding import NULL_BYTE, misread
from .older_numpy import serve_names
from .parsing import TOO_DEEP, Unparsable, is_too_deep, parse_file
from .rewriting import AgentLoader
from .stand_ins import StandIns, advise_missing

MODULES = Path(__file__).parent / "modules"
OPPONENTS = ("test_players",)  # packages of players that students change: a submission's own copies are used
NULL_BYTES = "null bytes"  # how Python complains about a file in UTF-16: without its name
COMPILING = "during compilation"  # how Python complains about a file that is nested too deeply: without its name
EXITED = "it called exit("
OUTSIDE = "files outside of the submission are not visible behind the walls"
INVISIBLE = (errno.ENOENT, errno.EACCES, errno.EPERM, errno.EROFS)  # how the system says so


class CannotLoad(Exception):
    """Why an agent cannot be loaded, in one line."""


def prepare(course: str, folder: Path, home: Path) -> None:
    """Make imports work as in the course: `home` is the folder of the agent's file, `folder` the submission's."""
    os.chdir(folder)
    sys.path[:0] = list(dict.fromkeys([str(home), str(folder)]))
    sys.meta_path.insert(0, CourseModules(MODULES / course, [home, folder]))
    if "numpy" not in sys.modules:
        sys.meta_path.insert(0, OlderNumpy())
    sys.meta_path.append(StandIns())
    sys.dont_write_bytecode = True


def import_numpy() -> None:
    """Import numpy, with what numpy 2 took away, before the submission's folder is searched for modules."""
    if "numpy" not in sys.modules:
        sys.meta_path.insert(0, OlderNumpy())
    importlib.import_module("numpy.random")


class CourseModules(importlib.abc.MetaPathFinder):
    """Serves the modules of a course, and lets a package of theirs continue in the submission's folder of that name."""

    def __init__(self, ours: Path, theirs: Sequence[Path]) -> None:
        self.ours, self.theirs = ours, theirs

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        """Ours, unless the submission's own defines more or is an opponent; None for a module of no course."""
        parts = fullname.split(".")
        module, package = self.ours.joinpath(*parts).with_suffix(".py"), self.ours.joinpath(*parts, "__init__.py")
        if package.is_file():
            spec = importlib.util.spec_from_file_location(fullname, package, submodule_search_locations=[])
            assert spec is not None
            folders = [self.ours.joinpath(*parts), *(one.joinpath(*parts) for one in self.theirs)]
            if parts == ["agents"]:
                folders += self.theirs  # helper files of an agent that lies alone
            spec.submodule_search_locations = [str(one) for one in folders if one.is_dir()]
            return spec
        if not module.is_file():
            return None
        for folder in self.theirs:
            own = folder.joinpath(*parts).with_suffix(".py")
            if own.is_file() and (parts[0] in OPPONENTS or definitions(own) - definitions(module)):
                return importlib.util.spec_from_file_location(fullname, own, loader=AgentLoader(fullname, str(own)))
        return importlib.util.spec_from_file_location(fullname, module)


def definitions(file: Path) -> frozenset[str]:
    """The functions, classes and methods (after their class) of a file; the constants of one that has only constants.

    Nothing if it cannot be read.
    """
    try:
        tree = parse_file(file)
    except (OSError, Unparsable):
        return frozenset()
    return frozenset(_defined(tree.body, "")) or frozenset(_constants(tree.body))


def _constants(body: Sequence[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.Assign):
            yield from (one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name))


def _defined(body: Sequence[ast.stmt], within: str) -> Iterator[str]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield within + node.name
        if isinstance(node, ast.ClassDef):
            yield from _defined(node.body, f"{node.name}.")


class OlderNumpy(importlib.abc.MetaPathFinder):
    """Puts back what numpy 2 took away, the moment numpy is imported."""

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        """The ordinary spec, with a loader that adds the old names afterwards."""
        if fullname != "numpy":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec("numpy")
        if spec is not None and spec.loader is not None:
            spec.loader = _Adding(spec.loader)
        return spec


class _Adding(importlib.abc.Loader):
    def __init__(self, loader: Any) -> None:
        self.loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        made = self.loader.create_module(spec)
        assert made is None or isinstance(made, types.ModuleType)
        return made

    def exec_module(self, module: types.ModuleType) -> None:
        self.loader.exec_module(module)
        serve_names(module)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.loader, name)


def load(file: Path, name: str) -> types.ModuleType:
    """Import an agent's file under a module name; CannotLoad says in one line why that fails."""
    spec = importlib.util.spec_from_file_location(name, file, loader=AgentLoader(name, str(file)))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        said = (_too_deep(error, file.parent, [file]) or explained(error, file.parent)).removeprefix(f"{file.name}: ")
        raise CannotLoad(f"{file.name} cannot be imported: {said}") from None
    return module


def explained(error: BaseException, folder: Path) -> str:
    """An exception as one line: what it is, and the last line of the submission's own that it went through."""
    text = " ".join(str(error).split())[:160]
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    if isinstance(error, EOFError):
        said += "; input() has nobody to ask: an agent returns its move"
    if isinstance(error, SystemExit):
        said = f"{EXITED}{'' if error.code is None else repr(error.code)[:160]})"
    if trouble := _misread(error, folder):
        return trouble
    if trouble := _too_deep(error, folder):
        return trouble
    if isinstance(error, SyntaxError) and error.filename:
        text = " ".join(error.msg.split())[:160]
        return f"{type(error).__name__}: {text} ({os.path.basename(error.filename)}, line {error.lineno})"
    here = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith(str(folder)) or frame.filename.startswith(os.getcwd())
    ]
    place = f" ({os.path.basename(here[-1].filename)}, line {here[-1].lineno})" if here else ""
    return f"{said}{place}{f'; {OUTSIDE}' if _is_outside(error, folder) else advise_missing(error)}"


def _misread(error: BaseException, folder: Path) -> str:
    """What is wrong with the letters of the file of an error, if that is it; Python may not say which one."""
    if isinstance(error, SyntaxError) and error.filename:
        return misread(Path(error.filename))
    files = sorted(folder.rglob("*.py")) if NULL_BYTES in str(error) else []
    return next((said for file in files if NULL_BYTE in (said := misread(file))), "")


def _too_deep(error: BaseException, folder: Path, first: Sequence[Path] = ()) -> str:
    """The file that Python could not compile because of its nesting, if that is the error: Python does not name it."""
    is_likely = isinstance(error, MemoryError) or (isinstance(error, RecursionError) and COMPILING in str(error))
    files = [*first, *sorted(folder.rglob("*.py"))] if is_likely else []
    return next((f"{file.name}: {TOO_DEEP} for Python to read it" for file in files if is_too_deep(file)), "")


def _is_outside(error: BaseException, folder: Path) -> bool:
    """Whether a file that could not be opened was named by an absolute path that is not within the submission."""
    if not isinstance(error, OSError) or error.errno not in INVISIBLE or not isinstance(error.filename, (str, bytes)):
        return False
    path = Path(os.fsdecode(error.filename))
    return path.is_absolute() and not any(path.is_relative_to(one) for one in (folder, os.getcwd()))
