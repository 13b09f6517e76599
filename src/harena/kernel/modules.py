"""A user's own file as a module, under a name that contains the hash of its content.

So an edited file is another module, its classes are other classes, and nothing compiled for the old ones can be found.
"""

import hashlib
import sys
import traceback
from pathlib import Path
from types import ModuleType

from harena.errors import BadFile

PREFIX = "harena_user_"
SOURCES: dict[str, bytes] = {}  # module name: the very bytes it was made from


def load_file(path: Path) -> ModuleType:
    """Import a Python file; files beside it can be imported by it, as when Python runs it."""
    try:
        source = path.read_bytes()
    except OSError as error:
        raise BadFile(f"{path}: cannot be read: {error.strerror}") from None
    name = f"{PREFIX}{path.stem}_{hashlib.sha256(source).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    module = ModuleType(name)
    module.__file__ = str(path.resolve())
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.append(folder)
    SOURCES[name] = source
    sys.modules[name] = module
    try:
        exec(compile(source, module.__file__, "exec"), vars(module))
    except Exception as error:
        del sys.modules[name]
        raise BadFile(_where(module.__file__, error)) from error
    return module


def user_line(error: Exception) -> str | None:
    """`file:line: what went wrong` for an exception that a user's own file let through; None for any other."""
    own = {sys.modules[name].__file__ for name in SOURCES if name.startswith(PREFIX) and name in sys.modules}
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in own]
    return f"{frames[-1].filename}:{frames[-1].lineno}: {type(error).__name__}: {error}" if frames else None


def _where(file: str, error: Exception) -> str:
    """`file:line: what went wrong`, with the last line of that file that was reached."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}: {error.msg}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f"{file}:{lines[-1] if lines else 1}: {type(error).__name__}: {error}"
