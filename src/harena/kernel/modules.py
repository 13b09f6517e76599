"""A user's own file as a module, under a name that contains the hash of its content.

So an edited file is another module, its classes are other classes, and nothing compiled for the old ones can be found.
"""

import hashlib
import sys
import traceback
from pathlib import Path
from types import ModuleType

from harena.errors import BadFile

SOURCES: dict[str, bytes] = {}  # module name: the very bytes it was made from


def load_file(path: Path) -> ModuleType:
    """Import a Python file; files beside it can be imported by it, as when Python runs it."""
    try:
        source = path.read_bytes()
    except OSError as error:
        raise BadFile(f"{path}: cannot be read: {error.strerror}") from None
    name = f"harena_user_{path.stem}_{hashlib.sha256(source).hexdigest()[:12]}"
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


def _where(file: str, error: Exception) -> str:
    """`file:line: what went wrong`, with the last line of that file that was reached."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}:{error.lineno}: {error.msg}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    return f"{file}:{lines[-1] if lines else 1}: {type(error).__name__}: {error}"
