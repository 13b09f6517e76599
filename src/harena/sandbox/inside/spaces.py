"""A world of its own: namespaces of processes, mounts, network, messages and names, made without any helper."""

import ctypes
import os

from . import calls
from .mounts import Mount, build

NAME = b"harena"  # of the machine
NEW_MOUNTS, NEW_NAME, NEW_IPC, NEW_USER, NEW_PROCESSES, NEW_NET = 1 << 17, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30


def die_with_parent(parent: int) -> None:
    """Be killed when the thread that started us ends; at once, if that has happened already."""
    calls.prctl(calls.PDEATHSIG, calls.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def separate(root: str, mounts: list[Mount], user: bool) -> int:
    """Go on as the first process of a new world, which ends with it; the process we were waits for it.

    A descriptor for `die_with_outside`.
    """
    name, group = os.getuid(), os.getgid()
    flags = NEW_MOUNTS | NEW_NAME | NEW_IPC | NEW_PROCESSES | NEW_NET | (NEW_USER if user else 0)
    calls.checked("unshare", calls.libc.unshare(ctypes.c_int(flags)))
    if user:
        calls.write("/proc/self/setgroups", "deny")
        calls.write("/proc/self/uid_map", f"{name} {name} 1")
        calls.write("/proc/self/gid_map", f"{group} {group} 1")
    calls.checked("sethostname", calls.libc.sethostname(NAME, ctypes.c_size_t(len(NAME))))
    alive, held = os.pipe()  # held open by the process outside as long as it lives
    if first := os.fork():
        os.close(alive)
        end_as(first)
    os.close(held)
    die_with_outside(alive)
    build(root, mounts)
    return alive


def die_with_outside(alive: int) -> None:
    """Be killed when the process that holds the other end of this pipe, our parent outside, ends; or at once."""
    calls.prctl(calls.PDEATHSIG, calls.SIGKILL)
    if has_ended(alive):
        os._exit(1)


def has_ended(alive: int) -> bool:
    """Whether nobody holds the other end of this pipe, into which nobody writes, any more."""
    os.set_blocking(alive, False)
    try:
        os.read(alive, 1)
    except BlockingIOError:
        return False
    return True


def end_as(child: int) -> None:
    """Wait for this child, reap any other, and end as it did; a signal's number counts from 128."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):  # the pipes are the agent's alone: their end is its end
        os.dup2(nothing, descriptor)
    while True:
        process, status = os.wait()
        if process == child:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)
