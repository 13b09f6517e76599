"""A world of its own: namespaces of processes, mounts, network, messages and names, made without any helper."""

import ctypes
import os
import select
import signal
import socket
from pathlib import Path
from typing import NoReturn

from . import calls
from .mounts import Mount, build

NEW_MOUNTS, NEW_NAME, NEW_IPC, NEW_USER, NEW_PROCESSES, NEW_NET = 1 << 17, 1 << 26, 1 << 27, 1 << 28, 1 << 29, 1 << 30


def die_with_parent(parent: int) -> None:
    """Be killed when the thread that started us ends; at once, if that has happened already."""
    calls.prctl(calls.PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def separate(root: str, mounts: list[Mount], user: bool) -> None:
    """Go on as a process in a new world, of which nothing is left when it ends.

    Three processes: the one we were waits for the second, the first of the new world, which ends that world with the
    third: us.
    """
    name, group = os.getuid(), os.getgid()
    flags = NEW_MOUNTS | NEW_NAME | NEW_IPC | NEW_PROCESSES | NEW_NET | (NEW_USER if user else 0)
    calls.checked("unshare", calls.libc.unshare(ctypes.c_int(flags)))
    if user:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{name} {name} 1")
        Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
    socket.sethostname("harena")
    alive, held = os.pipe()  # held open by the first process as long as it lives
    if first := os.fork():
        os.close(alive)
        _end_as(first)
    os.close(held)
    calls.prctl(calls.PDEATHSIG, signal.SIGKILL)
    if select.select([alive], [], [], 0)[0]:
        os._exit(1)
    os.close(alive)
    build(root, mounts)
    if agent := os.fork():
        _end_as(agent)


def _end_as(child: int) -> NoReturn:
    """Wait for this child, reap any other, and end as it did; a signal's number counts from 128."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):  # the pipes are the agent's alone: their end is its end
        os.dup2(nothing, descriptor)
    while True:
        process, status = os.wait()
        if process == child:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)
