"""Calls that an agent has no use for are refused by the kernel: a program for its filter, written by hand.

* New namespaces, mounts, other processes' memory, keys, kernel programs: none of a player's business.
* Memory that belongs to no process (memfd, System V) would escape the referee's count.
* Sockets of any family but the local one: there is no network anyway.
* `setsid` and `setpgid` do nothing, and say that all went well: who stays in its group is stopped and ended with it.
"""

import ctypes
import errno
import os
import struct

from . import calls

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
NUMBERS = {  # of the calls, on x86_64 and on aarch64
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "semget": (64, 190),
    "msgget": (68, 186),
}
SETSID, SETPGID, CLONE, CLONE3, SOCKET, SECCOMP = (112, 157), (109, 154), (56, 220), (435, 435), (41, 198), (317, 277)
NEW_NAMESPACES = 0x7E020000  # the flags of clone that make some
LOCAL = 1  # AF_UNIX
OTHER_CALLS = 0x40000000  # numbers from here on are another set of calls (x32)

LOAD, EQUAL, AT_LEAST, HAS, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06  # instructions
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16  # where they lie in what the filter is given
ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050000, 0x80000000  # to REFUSE an error number is added; 0: as if all went well
SET_FILTER, KEEP_SPEED = 1, 4  # the filter shall not turn speculation off: a third of the speed on some machines


def step(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    """One instruction; how many to skip if a comparison holds, and if not."""
    return struct.pack("=HBBI", code, then, otherwise, value)


def refused(number: int, error: int) -> bytes:
    """A call that ends with an error."""
    return step(EQUAL, number, 0, 1) + step(RETURN, REFUSE | error)


def program(machine: str) -> bytes:
    """The filter for this kind of processor; OSError if we do not know its numbers."""
    if machine not in ARCHITECTURES:
        raise OSError(errno.ENOSYS, f"no filter of system calls is known for {machine}")
    mine = list(ARCHITECTURES).index(machine)
    return b"".join(
        [
            step(LOAD, ARCHITECTURE),
            step(EQUAL, ARCHITECTURES[machine], 1, 0),
            step(RETURN, KILL),
            step(LOAD, NUMBER),
            step(AT_LEAST, OTHER_CALLS, 0, 1),
            step(RETURN, REFUSE | errno.ENOSYS),
            *(refused(numbers[mine], errno.EPERM) for numbers in NUMBERS.values()),
            *(refused(numbers[mine], 0) for numbers in (SETSID, SETPGID)),
            refused(CLONE3[mine], errno.ENOSYS),  # its flags cannot be seen from here; programs then use clone
            step(EQUAL, CLONE[mine], 0, 4),
            step(LOAD, FIRST_ARGUMENT),
            step(HAS, NEW_NAMESPACES, 0, 1),
            step(RETURN, REFUSE | errno.EPERM),
            step(RETURN, ALLOW),
            step(EQUAL, SOCKET[mine], 0, 3),
            step(LOAD, FIRST_ARGUMENT),
            step(EQUAL, LOCAL, 1, 0),
            step(RETURN, REFUSE | errno.EPERM),
            step(RETURN, ALLOW),
        ]
    )


class Program(ctypes.Structure):
    """As the kernel takes it."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def restrict() -> None:
    """From now on, and for all children."""
    machine = os.uname().machine
    steps = program(machine)
    given = Program(len(steps) // 8, steps)
    number = SECCOMP[list(ARCHITECTURES).index(machine)]
    calls.syscall("seccomp", number, SET_FILTER, KEEP_SPEED, ctypes.byref(given))
