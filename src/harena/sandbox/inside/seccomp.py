"""The kernel's filter of system calls: an allow list, as a program for the kernel that is assembled here.

* A call that is not allowed does not run and returns ENOSYS, as on a kernel that does not have it. With a listener
  (`supervise.py`) its name is written to the agent's log.
* No call makes the kernel send SIGCONT: a stopped process could wake itself. That rules out `timer_create`, message
  queues, signals of descriptors (F_SETSIG, O_ASYNC), and SIGCONT by `kill`, at a parent's death or a child's exit.
* New namespaces, mounts, other processes' memory, keys, programs in the kernel: a player needs none of them.
* Memory that belongs to no process (memfd, System V) would not be counted.
* Sockets are local ones only. Processors are chosen by the referee, not by `sched_setaffinity`.
* Where no control group counts CPU time, SIGCHLD keeps what it does by default: of children that end without their
  parent's notice, which it may ask for, nobody would know what they used.
* `setsid` and `setpgid` do nothing and report success: a process that stays in its group is stopped and ended with it.
"""

import ctypes
import errno
import os
import struct

from . import calls, syscalls

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# Arguments that are allowed, by the names that the kernel's headers give them.
SIGCHLD, SIGCONT = 17, 18
AF_UNIX = 1
NEW_NAMESPACES, EXIT_SIGNAL = 0x7E020000, 0xFF  # flags of clone
F_SETFL, O_ASYNC = 4, 0x2000
PR_SET_PDEATHSIG = 1
FCNTL_COMMANDS = (
    *(0, 1, 2, 3),  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL
    *(5, 6, 7, 36, 37, 38),  # F_GETLK, F_SETLK, F_SETLKW; the same for open file descriptions (F_OFD_...)
    *(1025, 1027, 1030, 1031, 1032, 1033, 1034),  # F_GETLEASE, F_DUPFD_QUERY, F_DUPFD_CLOEXEC, pipe sizes, seals
)
RECEIVE, SEND = 0xC0502100, 0xC0182101  # SECCOMP_IOCTL_NOTIF_RECV and ..._SEND, on a listener
IOCTL_COMMANDS = (
    *(0x5401, 0x802C542A, 0x540F, 0x5413),  # TCGETS, TCGETS2, TIOCGPGRP, TIOCGWINSZ: is it a terminal?
    *(0x541B, 0x5421, 0x5450, 0x5451, 0x5460),  # FIONREAD, FIONBIO, FIONCLEX, FIOCLEX, FIOQSIZE
    *(0x40049409, 0x4020940D),  # FICLONE, FICLONERANGE: what cp tries first
    *(RECEIVE, SEND),  # of `supervise.py`, which is behind this filter too
)
PRCTL_OPTIONS = (
    *(2, 3, 7, 13, 19, 21, 23, 25, 27, 30, 37, 39, 40, 42, 52, 66),  # what only asks: PR_GET_..., PR_CAPBSET_READ
    *(15, 16, 29, 38, 41),  # PR_SET_NAME, PR_GET_NAME, PR_SET_TIMERSLACK, PR_SET_NO_NEW_PRIVS, PR_SET_THP_DISABLE
    *(50, 51, 54, 55, 56, 63, 64),  # of ARM: lengths of vectors, pointer authentication, tagged addresses
    *(0x53564D41, 0x41555856),  # PR_SET_VMA (names of mappings), PR_GET_AUXV
)
PERSONALITIES = (0, 0xFFFFFFFF)  # the usual one, and the question which one it is

LOAD, AND, JUMP, EQUAL, AT_LEAST, HAS, RETURN = 0x20, 0x54, 0x05, 0x15, 0x35, 0x45, 0x06  # instructions
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # where they lie in what the filter reads; an argument has 8 bytes
ALLOW, NOTIFY, ERROR, KILL = 0x7FFF0000, 0x7FC00000, 0x00050000, 0x80000000  # an error number is added to ERROR
WITHOUT_LISTENER = ERROR | errno.ENOSYS
FARTHEST = 255  # instructions that a comparison can skip
SET_FILTER, NEW_LISTENER = 1, 8
KEEP_SPEED = 4  # the filter shall not turn speculation off: a third of the speed on some machines


def step(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    """One instruction; how many to skip if a comparison holds, and if not."""
    return struct.pack("=HBBI", code, then, otherwise, value)


def load(argument: int) -> bytes:
    """The low half of an argument: the kernel reads no more of those that are looked at."""
    return step(LOAD, ARGUMENTS + 8 * argument)


def only(values: tuple[int, ...], refuse: int) -> bytes:
    """Allow these values of what was loaded, refuse others."""
    tests = (step(EQUAL, value, len(values) - place, 0) for place, value in enumerate(values))
    return b"".join(tests) + step(RETURN, refuse) + step(RETURN, ALLOW)


def all_but(value: int, refuse: int) -> bytes:
    """Refuse this value of what was loaded, allow others."""
    return step(EQUAL, value, 0, 1) + step(RETURN, refuse) + step(RETURN, ALLOW)


def checks(refuse: int) -> dict[str, bytes]:
    """What is done with a call whose arguments count; `refuse` is what the filter returns for one that is refused."""
    signal_first, signal_second = (load(place) + all_but(SIGCONT, refuse) for place in (1, 2))
    local = load(0) + only((AF_UNIX,), refuse)
    flags = load(2) + step(HAS, O_ASYNC, 0, 1) + step(RETURN, refuse) + step(RETURN, ALLOW)
    clone = step(HAS, NEW_NAMESPACES, 0, 1) + step(RETURN, refuse) + step(AND, EXIT_SIGNAL) + only((0, SIGCHLD), refuse)
    return {
        "clone": load(0) + clone,
        "socket": local,
        "socketpair": local,
        "fcntl": load(1) + step(EQUAL, F_SETFL, 0, len(flags) // 8) + flags + only(FCNTL_COMMANDS, refuse),
        "ioctl": load(1) + only(IOCTL_COMMANDS, refuse),
        "prctl": load(0)
        + step(EQUAL, PR_SET_PDEATHSIG, 0, len(signal_first) // 8)
        + signal_first
        + only(PRCTL_OPTIONS, refuse),
        "personality": load(0) + only(PERSONALITIES, refuse),
        **dict.fromkeys(("kill", "tkill", "rt_sigqueueinfo", "pidfd_send_signal"), signal_first),
        **dict.fromkeys(("tgkill", "rt_tgsigqueueinfo"), signal_second),
    }


def default_for_children() -> bytes:
    """Of `rt_sigaction`: what SIGCHLD does can be asked; changing it does nothing and reports success."""
    asked = load(1) + step(EQUAL, 0, 0, 3) + step(LOAD, ARGUMENTS + 8 + 4) + step(EQUAL, 0, 0, 1) + step(RETURN, ALLOW)
    return load(0) + step(EQUAL, SIGCHLD, 1, 0) + step(RETURN, ALLOW) + asked + step(RETURN, ERROR)


def search(ranges: list[tuple[int, bytes]]) -> bytes:
    """A binary search for the range that a number is in: each has its first number, and what is done with it."""
    if len(ranges) == 1:
        return ranges[0][1]
    middle = len(ranges) // 2
    below, above = search(ranges[:middle]), search(ranges[middle:])
    skipped, first = len(below) // 8, ranges[middle][0]
    if skipped <= FARTHEST:
        return step(AT_LEAST, first, skipped, 0) + below + above
    return step(AT_LEAST, first, 0, 1) + step(JUMP, skipped) + below + above


def program(machine: str, refuse: int = NOTIFY, *, counts_children: bool = False) -> bytes:
    """The filter for this kind of processor; OSError if its numbers are not known.

    `counts_children` keeps parents from ignoring the end of their children.
    """
    if machine not in ARCHITECTURES:
        raise OSError(errno.ENOSYS, f"no filter of system calls is known for {machine}")
    which = list(ARCHITECTURES).index(machine)
    refused, checked = step(RETURN, refuse), checks(refuse)
    blocks = dict.fromkeys(syscalls.numbers(syscalls.ALLOWED, which).values(), step(RETURN, ALLOW))
    blocks |= dict.fromkeys(syscalls.numbers(syscalls.PRETENDED, which).values(), step(RETURN, ERROR))
    blocks |= dict.fromkeys(syscalls.numbers(syscalls.UNSEEN, which).values(), step(RETURN, WITHOUT_LISTENER))
    blocks |= {number: checked[name] for name, number in syscalls.numbers(syscalls.CHECKED, which).items()}
    if counts_children:
        blocks[syscalls.numbers(syscalls.ALLOWED, which)["rt_sigaction"]] = default_for_children()
    ranges = [(0, blocks.get(0, refused))]
    for number in range(1, max(blocks) + 2):
        block = blocks.get(number, refused)
        if block != ranges[-1][1]:
            ranges.append((number, block))
    return b"".join(
        [
            step(LOAD, ARCHITECTURE),
            step(EQUAL, ARCHITECTURES[machine], 1, 0),
            step(RETURN, KILL),
            step(LOAD, NUMBER),
            search(ranges),  # numbers above all others are refused too, and with them those of x32
        ]
    )


class Program(ctypes.Structure):
    """As the kernel takes it."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def restrict(*, has_listener: bool = False, counts_children: bool = False) -> int | None:
    """Put this process and all its children behind the filter.

    The listener, if one is wanted and can be had: a descriptor from which refused calls are read.
    """
    machine = os.uname().machine
    if has_listener:
        try:
            return _install(program(machine, counts_children=counts_children), machine, NEW_LISTENER)
        except OSError:  # an older kernel, or a filter with a listener is in place already: refused without a name
            pass
    _install(program(machine, WITHOUT_LISTENER, counts_children=counts_children), machine, 0)
    return None


def _install(steps: bytes, machine: str, flags: int) -> int:
    number = syscalls.numbers(syscalls.REFUSED, list(ARCHITECTURES).index(machine))["seccomp"]
    given = Program(len(steps) // 8, steps)
    return calls.syscall("seccomp", number, SET_FILTER, KEEP_SPEED | flags, ctypes.byref(given))
