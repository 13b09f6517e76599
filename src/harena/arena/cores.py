"""Cores of their own for the referee, and for the agents of each game that is played at once."""

import os
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import NamedTuple

from harena.agents.spec import AgentSpec
from harena.agents.tree import usable_cores
from harena.files import lock

LOOKS, BETWEEN_LOOKS = 5, 0.005  # seconds
UNKNOWN = 2  # cores for an agent whose threads are not known: it may have several, and processes


class Cores(NamedTuple):
    """Whose cores are whose."""

    referee: frozenset[int]
    workers: tuple[frozenset[int], ...]  # for the agents of each game


def assign_cores(cores: Sequence[int], workers: int, needed: int) -> Cores | None:
    """The same number of cores for each game, at least as many as are needed; None where there are not enough."""
    each = (len(cores) - 1) // workers
    if each < needed:
        return None
    shares = tuple(frozenset(cores[number * each : (number + 1) * each]) for number in range(workers))
    return Cores(referee=frozenset(cores[workers * each :]), workers=shares)


def cores_needed(agents: Iterable[AgentSpec]) -> int:
    """The most that one of these agents uses at a time."""
    return max((UNKNOWN if agent.threads is None else agent.threads for agent in agents), default=1)


@contextmanager
def free_cores() -> Iterator[list[int]]:
    """The cores that no other program uses, claimed for this process; none where that cannot be told.

    A core is claimed by a lock on a file of its number, so that two runs of one user never share one.
    """
    with ExitStack() as claims:
        found = [core for core in sorted(usable_cores()) if claims.enter_context(_claimed(core))]
        yield found if found and is_quiet() else []


def is_quiet() -> bool:
    """Whether next to nothing runs on this machine: then no core is shared with another program."""
    counts = []
    for _ in range(LOOKS):
        with open("/proc/loadavg", encoding="ascii") as file:
            counts.append(int(file.read().split()[3].partition("/")[0]))  # threads that run, this one included
        time.sleep(BETWEEN_LOOKS)
    return statistics.median(counts) <= 1


@contextmanager
def _claimed(core: int) -> Iterator[bool]:
    """Whether a core could be claimed; until the end of the block."""
    path = os.path.join(tempfile.gettempdir(), f"harena-core-{os.getuid()}-{core}")
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError:  # somebody else has taken the name
        yield False
        return
    try:
        yield lock(descriptor)
    finally:
        os.close(descriptor)


def keep_to(cores: Iterable[int]) -> None:
    """Run the calling thread, and what it starts, on these cores only."""
    os.sched_setaffinity(0, cores)
