"""The token of a server whose user needs it: the same from start to start, or every browser would be shut out.

It is taken from HARENA_TOKEN, else from a file beside the store that nobody but its owner can read, and made if there
is none yet.
"""

import os
import re
import secrets
import stat
from pathlib import Path

from harena.errors import BadFile, UsageError
from harena.files import PRIVATE, atomic_write

VARIABLE = "HARENA_TOKEN"
FORM = re.compile(r"[A-Za-z0-9._~-]{16,200}")  # what an address and a cookie hold as it is
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def file_of(store: Path) -> Path:
    """Where the token is kept."""
    return store.with_name(f"{store.name}.token")


def kept_token(store: Path, *, new: bool = False) -> str:
    """The token of the server on this store; `new` makes another, and with it every browser has to be let in again.

    UsageError says what is wrong with the one that is there. Agents of ours do not inherit the variable.
    """
    given = os.environ.pop(VARIABLE, None)
    if given is not None:
        if new:
            raise UsageError(f"--new-token makes another token, but {VARIABLE} says which: leave one of them out")
        if not FORM.fullmatch(given):
            raise UsageError(f"{VARIABLE} has 16 to 200 letters, digits and any of . _ ~ -")
        return given
    path = file_of(store)
    found = None if new else _read(path)
    return _made(path) if found is None else found


def _read(path: Path) -> str | None:
    """The token in a file; None if there is no file."""
    try:
        file = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadFile(f"{path}: the token cannot be read: {error.strerror}; --new-token makes another") from None
    try:
        stands = os.fstat(file)
        if not stat.S_ISREG(stands.st_mode):
            raise BadFile(f"{path} is no file")
        if hasattr(os, "getuid") and (stands.st_uid != os.getuid() or stands.st_mode & OTHERS):
            raise BadFile(f"{path}: others may know this token, the file is not yours alone; --new-token makes another")
        text = os.read(file, 1000).decode("ascii", "replace").strip()
    finally:
        os.close(file)
    if not FORM.fullmatch(text):
        raise BadFile(f"{path} holds no token; --new-token makes another")
    return text


def _made(path: Path) -> str:
    """A new token, in its file: never readable by others, not even for a moment."""
    token = secrets.token_urlsafe(24)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        atomic_write(path, f"{token}\n".encode(), PRIVATE)
    except OSError as error:
        raise BadFile(f"{path}: the token cannot be kept: {error.strerror}; {VARIABLE} may say one") from None
    return token
