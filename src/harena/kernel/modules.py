"""A user's own file as a module, under a name that contains the hash of its content; and what modules were made from.

So an edited file is another module, its classes are other classes, and nothing compiled for the old ones can be found.
"""

import builtins
import contextlib
import hashlib
import re
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

from harena.errors import BadFile, nearest
from harena.kernel import trusted

PREFIX = "harena_user_"
USER_FILES: set[str | None] = set()  # of users' modules that were imported by name
OTHER_FILES: set[str | None] = set()  # of users' heuristics and searches, not of games
_sources: dict[str, tuple[Any, bytes | None]] = {}  # module name: its spec (another one after a reload), its source


def source_of(name: str) -> bytes | None:
    """The bytes that a loaded module was made from, or None where there is no file.

    Whatever compiled code can come from asks at import, through a decorator: later an editor may have changed the file,
    and the old code would be taken for that of the new text.
    """
    module = sys.modules.get(name)
    spec = getattr(module, "__spec__", None)
    if name not in _sources or _sources[name][0] is not spec:
        file = getattr(module, "__file__", None)
        source = None
        with contextlib.suppress(OSError):  # a file inside an archive
            source = Path(file).read_bytes() if file else None
        _sources[name] = (spec, source)
    return _sources[name][1]


def load_file(path: Path) -> ModuleType:
    """Import a Python file; files beside it can be imported by it, as when Python runs it."""
    trusted.check_file(path)
    try:
        source = path.read_bytes()
    except OSError as error:
        raise BadFile(f"{path}: cannot be read: {error.strerror}") from None
    file = str(path.resolve())
    stem = re.sub(r"\W", "_", path.stem)
    name = f"{PREFIX}{stem}_{hashlib.sha256(file.encode() + source).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    module = ModuleType(name)
    module.__file__ = file
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    _sources[name] = (None, source)
    sys.modules[name] = module
    try:
        exec(compile(source, file, "exec"), vars(module))
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, (Exception, SystemExit)):
            raise BadFile(_where(file, error)) from error
        raise
    return module


def user_files() -> list[str]:
    """The users' own files that are loaded."""
    own = [module.__file__ for name, module in sys.modules.items() if name.startswith(PREFIX)]
    return [file for file in (*USER_FILES, *own) if file]


def user_line(error: BaseException) -> str | None:
    """`file:line: what went wrong` for an exception that a user's own file let through; None for any other."""
    reached = _reached(error)
    return _where(reached[-1], error) if reached else None


def is_of_rules(error: BaseException) -> bool:
    """Whether it was a user's game that let an exception through, and not the search or heuristic that asked it."""
    reached = _reached(error)
    return bool(reached) and reached[-1] not in OTHER_FILES


def _reached(error: BaseException) -> list[str]:
    """The users' own files that an exception went through, the one that raised it last."""
    own = user_files()
    return [frame.filename for frame in traceback.extract_tb(error.__traceback__) if frame.filename in own]


def _where(file: str, error: BaseException) -> str:
    """`file:line: what went wrong`, with the last line of that file that was reached; all in one line."""
    if isinstance(error, SyntaxError):
        return f"{error.filename or file}:{error.lineno or 1}: {error.msg}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    if isinstance(error, (RecursionError, MemoryError)) and not lines:
        return f"{file}:1: it is nested too deeply for Python to read it"
    said = f"{file}:{lines[-1] if lines else 1}: {type(error).__name__}: {error}{_did_you_mean(error)}"
    return " ".join(said.split())


def _did_you_mean(error: BaseException) -> str:
    """The nearest name to one that is misspelt, such as a decorator's; empty where it is something else."""
    names: Iterable[str] = ()
    name = getattr(error, "name", None)
    if isinstance(error, NameError):
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
        names = [*frames[-1].f_globals, *frames[-1].f_locals, *dir(builtins)] if frames else ()
    elif isinstance(error, AttributeError):
        names = dir(error.obj)
    elif isinstance(error, ImportError) and (
        missing := re.match(r"cannot import name '(\w+)' from '([\w.]+)'", str(error))
    ):
        name, names = missing[1], dir(sys.modules.get(missing[2]))
    near = nearest(name, names) if isinstance(name, str) and names else None
    return f"; did you mean {near!r}?" if near else ""
