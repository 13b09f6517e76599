"""What the agent may use and who it is: limits of the kernel, another user, no privileges."""

import ctypes
import os
import resource

from . import calls

VERSION_3 = 0x20080522  # of the structures that capset takes


def limit(limits: dict[str, int]) -> None:
    """Set the limits, soft and hard; never above what we have ourselves."""
    for name, wanted in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}")
        _, most = resource.getrlimit(kind)
        value = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(kind, (value, value))


def be_the_first_to_go() -> None:
    """When the machine's memory ends, the kernel shall end this process and its children before any other."""
    try:
        calls.write("/proc/self/oom_score_adj", "1000")
    except OSError:  # a /proc that is read-only, as in some containers: the referee watches the memory all the same
        return


def become(user: int) -> None:
    """Another user, in no group but its own; from root only, and for good."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def give_up() -> None:
    """All capabilities, and all ways of getting some; no agent reads or changes what is left of this process.

    A program that is started from here can be looked at again.
    """
    calls.prctl(calls.DUMPABLE, 0)
    calls.prctl(calls.NO_NEW_PRIVS, 1)
    calls.prctl(calls.CAP_AMBIENT, calls.CAP_AMBIENT_CLEAR_ALL)
    header, nothing = (ctypes.c_uint32 * 2)(VERSION_3, 0), (ctypes.c_uint32 * 6)()
    calls.checked("capset", calls.libc.capset(header, nothing))
