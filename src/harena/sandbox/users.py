"""Who an agent is: root can make it a user that nobody else is; anybody else stays who he is."""

import os
import random

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
