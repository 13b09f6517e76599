"""Files that are written whole or not at all."""

import os
from pathlib import Path

from harena.errors import UsageError


def save(file: str | os.PathLike[str], data: bytes) -> None:
    """Write a file, all of it or nothing."""
    unfinished = Path(f"{os.fspath(file)}.part")
    try:
        unfinished.write_bytes(data)
        os.replace(unfinished, file)
    except OSError as error:
        raise UsageError(f"{os.fspath(file)!r} cannot be written: {error.strerror or error}") from None
    finally:
        unfinished.unlink(missing_ok=True)
