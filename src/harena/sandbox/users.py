"""Who an agent is, and whose processes count as its own.

Root can make it a user that nobody else is; anybody else stays who he is. The kernel limits the processes of a user:
since Linux 5.14 those of a user namespace count by themselves, before that all that run under his name.
"""

import os
import random
import re

SPARE = 8  # times an agent's share: what others under the same name may start meanwhile
RANGES = (range(1 << 30, (1 << 30) + (1 << 24)), range(61184, 65520))  # of ids that no person and no service has


def stranger() -> int | None:
    """The id of a user that owns nothing, another at every call; None if we cannot become one."""
    if os.geteuid() != 0:
        return None
    with open("/proc/self/uid_map", encoding="ascii") as table:
        mapped = [(int(first), int(count)) for first, _, count in map(str.split, table)]
    for ids in RANGES:
        if any(first <= ids.start and ids.stop <= first + count for first, count in mapped):
            return random.SystemRandom().choice(ids)
    return None


def counts_by_namespace(release: str | None = None) -> bool:
    """Whether a kernel of this release, else ours, counts the processes of a user namespace by themselves."""
    release = os.uname().release if release is None else release
    numbers = [int(number) for number in re.findall(r"\d+", release)[:2]]
    return numbers >= [5, 14]


def most_processes(wanted: int, *, has_own_count: bool) -> int:
    """The limit that leaves an agent so many; roughly, if all processes under our name count with it."""
    return wanted if has_own_count else processes_of_mine() + SPARE * wanted


def processes_of_mine() -> int:
    """How many processes and threads run under our own user: the kernel counts them all."""
    count = 0
    for name in os.listdir("/proc"):
        if name.isdecimal():
            try:
                if os.stat(f"/proc/{name}").st_uid == os.getuid():
                    count += len(os.listdir(f"/proc/{name}/task"))
            except OSError:  # it has ended meanwhile
                continue
    return count
