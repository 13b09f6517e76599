"""A new root: an empty file system into which only what the agent may see is mounted.

A mount is (kind, path, value):

| kind | at the path is |
|---|---|
| `see` | the file or folder `value`, read-only |
| `device` | the device `value` |
| `link` | a symbolic link to `value` |
| `folder` | an empty folder |
| `tmp` | an empty folder for so many megabytes, which anybody may write to |
| `hide` | an empty folder: what was there is not seen |
| `proc` | the processes of this namespace |
"""

import ctypes
import os

from . import calls

Mount = tuple[str, str, str]

NOSUID, NODEV, NOEXEC, REMOUNT, BIND, RECURSIVE, PRIVATE = 2, 4, 8, 32, 4096, 16384, 1 << 18
READ_ONLY = 1
DETACH = 2  # of umount2
AT_CURRENT, AT_RECURSIVE = -100, 0x8000
MOST_FILES = 20_000


def build(root: str, mounts: list[Mount]) -> None:
    """Mount all this on the folder `root`, and make it the root."""
    os.umask(0o022)
    calls.mount("", "/", "", RECURSIVE | PRIVATE)
    calls.mount("harena", root, "tmpfs", NOSUID | NODEV, "mode=0755,size=4m")
    for kind, path, value in mounts:
        _put(kind, root + path, value)
    os.chdir(root)
    calls.checked("pivot_root", calls.libc.pivot_root(b".", b"."))  # the old root then lies over ours
    calls.checked("umount", calls.libc.umount2(b".", DETACH))
    _read_only("/", recursive=False)
    for kind, path, _ in mounts:
        if kind == "hide":
            _read_only(path, recursive=False)
    os.chdir("/")


def _put(kind: str, path: str, value: str) -> None:
    if kind == "link":
        os.symlink(value, path)
        return
    if kind in ("see", "device") and not os.path.isdir(value):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "ab"):
            pass
    else:
        os.makedirs(path, exist_ok=True)
    if kind in ("see", "device"):
        calls.mount(value, path, "", BIND | RECURSIVE)
        if kind == "see":
            _read_only(path, recursive=True)
    elif kind == "tmp":
        calls.mount("tmp", path, "tmpfs", NOSUID | NODEV, f"mode=1777,size={value}m,nr_inodes={MOST_FILES}")
    elif kind == "hide":
        calls.mount("nothing", path, "tmpfs", NOSUID | NODEV, "mode=0755,size=1m")
    elif kind == "proc":
        calls.mount("proc", path, "proc", NOSUID | NODEV | NOEXEC)


def _read_only(path: str, *, recursive: bool) -> None:
    """No writing, no devices, no set-user-id here; what is closed already stays closed."""
    attributes = (ctypes.c_uint64 * 4)(READ_ONLY | NOSUID | NODEV, 0, 0, 0)
    flags = AT_RECURSIVE if recursive else 0
    calls.syscall(
        f"mount {path}",
        calls.MOUNT_SETATTR,
        AT_CURRENT,
        os.fsencode(path),
        flags,
        attributes,
        ctypes.sizeof(attributes),
    )


def limit_files(path: str, most: int) -> None:
    """Set the number of files that a tmpfs may hold."""
    calls.mount("", path, "", REMOUNT | NOSUID | NODEV, f"nr_inodes={most}")
