"""Starts the processes of agents, and finds those that carry an agent's mark."""

import contextlib
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

import psutil

from harena.errors import UsageError
from harena.sandbox.watcher import MARK

# What the referee needs to ask agents in processes and to stop them out of their turn: Linux and macOS have all of it.
NEEDED = ((os, "killpg"), (os, "set_blocking"), (select, "poll"), (signal, "SIGSTOP"), (signal, "SIGCONT"))
REFUSAL = (
    "agents in processes of their own need Linux or macOS: use WSL here; "
    "match and tournament --local, play and the page work with our own players"
)

LOW = 19  # the lowest priority: what a processor has left

Result = TypeVar("Result")
_spawners: dict[int, ThreadPoolExecutor] = {}  # by process: a fork has no threads


def has_processes() -> bool:
    """Whether this system can run agents in processes of their own; Windows cannot."""
    return all(hasattr(module, name) for module, name in NEEDED)


def check_processes() -> None:
    """UsageError on a system that cannot run agents in processes of their own."""
    if not has_processes():
        raise UsageError(REFUSAL)


def start_process(
    command: Sequence[str], cwd: str | None, environment: Mapping[str, str], cores: Collection[int] = ()
) -> "subprocess.Popen[bytes]":
    """Start a process, on these cores only if some are named: it has them from the thread that starts it."""

    def start() -> "subprocess.Popen[bytes]":
        if not cores:
            return popen()
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, cores)
        try:
            return popen()
        finally:
            os.sched_setaffinity(0, before)

    def popen() -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=environment,
            process_group=0,  # of our session: if we die, the kernel wakes stopped groups with SIGHUP
        )

    return in_spawner(start)


def in_spawner(start: Callable[[], Result]) -> Result:
    """Start something from a thread that lives as long as we do: what ends with its parent means its thread."""
    spawner = _spawners.setdefault(os.getpid(), ThreadPoolExecutor(1, "spawner"))
    return spawner.submit(start).result()


@cache
def can_restore_priority() -> bool:
    """Whether this process may give back the priority that it has taken from another one: root may, most users not."""

    def restore() -> bool:
        own = os.getpriority(os.PRIO_PROCESS, 0)
        try:
            os.setpriority(os.PRIO_PROCESS, 0, LOW)  # of this thread, which ends at once
            os.setpriority(os.PRIO_PROCESS, 0, own)
        except OSError:
            return False
        return True

    if sys.platform != "linux":  # elsewhere a thread has the priority of its process
        return False
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(restore).result()


def marked_processes(mark: str) -> list[psutil.Process]:
    """Processes that carry the mark, wherever they have gone."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(MARK) == mark:
                found.append(process)
    return found
