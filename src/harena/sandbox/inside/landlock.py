"""A second lock on files, ports and signals, by the kernel's Landlock, as far as this kernel has it."""

import ctypes
import os

from . import calls

EXECUTE, WRITE, READ, READ_FOLDER = 1 << 0, 1 << 1, 1 << 2, 1 << 3
FILES_BY_VERSION = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}  # rights that each version added
ON_FILES = EXECUTE | WRITE | READ | 1 << 14 | 1 << 15  # those that a file can have, not only a folder
PORTS_SINCE, SCOPES_SINCE = 4, 6
ALL_PORTS = ALL_SCOPES = 3  # bind and connect; abstract sockets and signals
ASK_VERSION, PATH_BENEATH = 1, 1


class Beneath(ctypes.Structure):
    """What is allowed below an open path."""

    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("path", ctypes.c_int32))


def version() -> int:
    """Which Landlock this kernel has; 0: none."""
    found = calls.libc.syscall(calls.LANDLOCK_CREATE_RULESET, calls.NOTHING, 0, ASK_VERSION)
    return max(0, int(found))


def restrict(writable: list[str]) -> bool:
    """From now on: read and execute everywhere, write only below these paths, no ports, no signals to anybody outside.

    False if this kernel knows no Landlock.
    """
    abi = version()
    if not abi:
        return False
    files = sum(rights for since, rights in FILES_BY_VERSION.items() if since <= abi)
    handled = [files, ALL_PORTS if abi >= PORTS_SINCE else 0, ALL_SCOPES if abi >= SCOPES_SINCE else 0]
    size = 24 if abi >= SCOPES_SINCE else 16 if abi >= PORTS_SINCE else 8
    attributes = (ctypes.c_uint64 * 3)(*handled)
    rules = calls.syscall("landlock", calls.LANDLOCK_CREATE_RULESET, attributes, size, 0)
    _allow(rules, "/", EXECUTE | READ | READ_FOLDER)
    for path in writable:
        _allow(rules, path, files if os.path.isdir(path) else files & ON_FILES)
    calls.syscall("landlock", calls.LANDLOCK_RESTRICT_SELF, rules, 0)
    os.close(rules)
    return True


def _allow(rules: int, path: str, rights: int) -> None:
    beneath = Beneath(rights, os.open(path, os.O_PATH | os.O_CLOEXEC))
    calls.syscall(f"landlock {path}", calls.LANDLOCK_ADD_RULE, rules, PATH_BENEATH, ctypes.byref(beneath), 0)
    os.close(beneath.path)
