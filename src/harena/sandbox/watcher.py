"""A process beside the arena that watches the machine, and cleans up when the arena has ended, however it ended.

    python -I -S watcher.py LIFELINE SHARED FOLDER LEAF GROUP...

The arena holds the other end of the pipe LIFELINE: when that closes, the arena is gone. Then every process in the
groups is ended, and the groups and the folder are removed. LEAF is the group into which the arena moved itself, if it
had to; the watcher is in it too. Meanwhile a thread for each core sleeps for a moment at a
time and notes in the shared memory when it was woken late: the machine's own stalls, which no agent can forge by
keeping the referee's interpreter busy. Standard library only.
"""

import contextlib
import os
import select
import shutil
import signal
import struct
import sys
import threading
import time
from mmap import mmap

GOODBYE = b"."  # what an arena that ends by itself writes into the lifeline
SECOND_LOOK = 0.3  # seconds after the first
MARK = "HARENA_AGENT"  # the variable of the environment that marks an agent's processes
NAP = 0.002  # seconds
IDLE_NAP = 0.05  # while nothing is played
WORTH_NOTING = 0.004  # seconds
MOST_CORES = 4
KEPT = 1000  # stalls of each core
HEADER, CORE_HEADER = 2, 4  # numbers before the cores, and of each core before its stalls
ACTIVE, CORES = 0, 1  # the header: how many contests are played, how many cores are watched
ASLEEP, COUNT, WORST, IS_EXACT = 0, 1, 2, 3  # of a core; exact: no program delays this thread by being busy
BLOCK = CORE_HEADER + 2 * KEPT
NUMBER = struct.Struct("=d")
SIZE = NUMBER.size * (HEADER + MOST_CORES * BLOCK)


def watched_cores() -> list[int]:
    """The cores that are watched: the first of those that this process may use."""
    return sorted(os.sched_getaffinity(0))[:MOST_CORES]


def note_stalls(memory: mmap, number: int, core: int) -> None:
    """Watch one core for ever."""
    base = HEADER + number * BLOCK

    def put(place: int, value: float) -> None:
        NUMBER.pack_into(memory, NUMBER.size * place, value)

    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, {core})
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        put(base + IS_EXACT, 1.0)
    count, worst = 0, 0.0
    while True:
        if not NUMBER.unpack_from(memory, NUMBER.size * ACTIVE)[0]:
            put(base + ASLEEP, float("inf"))
            time.sleep(IDLE_NAP)
            continue
        begin = time.perf_counter()
        put(base + ASLEEP, begin)
        time.sleep(NAP)
        late = time.perf_counter() - begin - NAP
        if late > WORTH_NOTING:
            entry = base + CORE_HEADER + 2 * (count % KEPT)
            put(entry, begin)
            put(entry + 1, late)
            count, worst = count + 1, max(worst, late)
            put(base + COUNT, count)
            put(base + WORST, worst)


def clean_up(folder: str, leaf: str, groups: list[str], *, was_killed: bool) -> None:
    """End every process of the groups, and remove them and the folder; look twice for what a killed arena left."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from groups import kill_members, leave_leaf, remove_group  # type: ignore[import-not-found]

    for group in groups:
        kill_members(group)
    mark = f"{MARK}={os.path.basename(folder)}/".encode()
    kill_marked(mark)
    if was_killed:
        time.sleep(SECOND_LOOK)  # one that was being started had not got its mark yet
        kill_marked(mark)
    for group in groups:
        remove_group(group)
    leave_leaf(leaf)
    shutil.rmtree(folder, ignore_errors=True)


def kill_marked(mark: bytes) -> None:
    """End the processes that have this in their environment: agents that are in no group."""
    for name in os.listdir("/proc") if os.path.isdir("/proc") else []:
        if name.isdecimal():
            with contextlib.suppress(OSError):
                with open(f"/proc/{name}/environ", "rb") as file:
                    is_marked = any(one.startswith(mark) for one in file.read().split(b"\0"))
                if is_marked and int(name) != os.getpid():
                    os.kill(int(name), signal.SIGKILL)


def main() -> None:
    """Watch until the arena has ended, then clean up."""
    lifeline, shared = int(sys.argv[1]), int(sys.argv[2])
    folder, leaf, groups = sys.argv[3], sys.argv[4], sys.argv[5:]
    memory = mmap(shared, SIZE)
    cores = watched_cores()
    NUMBER.pack_into(memory, NUMBER.size * CORES, len(cores))
    for number, core in enumerate(cores):
        threading.Thread(target=note_stalls, args=(memory, number, core), daemon=True).start()
    end = select.poll()
    end.register(lifeline, select.POLLIN)
    end.poll()
    clean_up(folder, leaf, groups, was_killed=os.read(lifeline, 1) != GOODBYE)
    os._exit(0)  # the threads sleep on


if __name__ == "__main__":
    main()
