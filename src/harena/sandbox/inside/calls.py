"""Calls to the kernel that Python has no word for; OSError if one fails."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
NOTHING = ctypes.c_void_p(None)
SIGKILL, SIGPIPE, SIGCHLD, SIGXFSZ = 9, 13, 17, 25

PDEATHSIG, DUMPABLE, CAP_AMBIENT, NO_NEW_PRIVS = 1, 4, 47, 38  # options of prctl
CAP_AMBIENT_CLEAR_ALL = 4
MOUNT_SETATTR = 442  # numbers of syscalls that are the same on every processor
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446


def checked(what: str, result: int) -> int:
    """The result of a call of this name, unless it failed."""
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def prctl(option: int, value: int = 0, *more: int) -> None:
    """One of the many settings of this process."""
    given = [ctypes.c_ulong(one) for one in (value, *more, 0, 0, 0)][:4]
    checked(f"prctl {option}", libc.prctl(option, *given))


def syscall(what: str, number: int, *arguments: object) -> int:
    """A call by its number."""
    whole = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    return checked(what, libc.syscall(ctypes.c_long(number), *whole))


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Mount something, or change a mount; as the kernel has it."""
    given = [os.fsencode(one) if one else None for one in (source, target, kind)]
    checked(f"mount {target}", libc.mount(*given, ctypes.c_ulong(flags), options.encode() or None))


def write(path: str, text: str) -> None:
    """Into a file of /proc: all at once."""
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
