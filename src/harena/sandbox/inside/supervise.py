"""The process that stays beside an agent: it logs the names of refused system calls and ends as the agent does.

It is the agent's parent, behind the same filter, and blocks all signals: SIGKILL and SIGSTOP still reach it. An agent
that ends it ends its own sandbox.
"""

import ctypes
import errno
import os
import struct

from . import calls, seccomp, syscalls

NOTIFICATION = struct.Struct("=QIIiIQ6Q")  # id, process, flags, number, architecture, where, six arguments
RESPONSE = struct.Struct("=QqiI")  # id, result, error, flags
POLL_IN, POLL_OUT = 1, 4
BLOCK, CLOSE_AT_EXEC = 0, 0o2000000  # of sigprocmask and signalfd
MOST_LINES = 20
SHOWN = {  # the argument for which a call was refused, if its name alone does not say it
    "clone": (0, "flags"),
    "socket": (0, "family"),
    "socketpair": (0, "family"),
    "fcntl": (1, "command"),
    "ioctl": (1, "command"),
    "prctl": (0, "option"),
    "personality": (0, "persona"),
    "kill": (1, "signal"),
    "tkill": (1, "signal"),
    "tgkill": (2, "signal"),
    "rt_sigqueueinfo": (1, "signal"),
    "rt_tgsigqueueinfo": (2, "signal"),
    "pidfd_send_signal": (1, "signal"),
}


class Poll(ctypes.Structure):
    """A descriptor that is waited for."""

    _fields_ = (("descriptor", ctypes.c_int), ("events", ctypes.c_short), ("found", ctypes.c_short))


def supervise(agent: int, listener: int) -> None:
    """Answer and log refused calls until the agent, a child of ours, has ended; end with its exit code."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)  # its pipes are the agent's alone: the referee sees their end when the agent has ended
    os.dup2(nothing, 1)
    ended = _watch_children()
    log = Log()
    waiting = (Poll * 2)(Poll(ended, POLL_IN), Poll(listener, POLL_IN))
    reap(agent)
    while True:
        calls.libc.poll(waiting, ctypes.c_ulong(2), -1)
        if waiting[0].found:
            os.read(ended, 128)
            reap(agent)
        if waiting[1].found and not answer(listener, log):
            os.close(listener)  # from now on the kernel answers by itself, without names
            waiting[1].descriptor = -1


def _watch_children() -> int:
    """Block all signals; a descriptor that can be read when a child has ended."""
    every, child = (ctypes.c_uint64 * 16)(*[(1 << 64) - 1] * 16), (ctypes.c_uint64 * 16)(1 << (seccomp.SIGCHLD - 1))
    calls.checked("sigprocmask", calls.libc.sigprocmask(BLOCK, every, None))
    return calls.checked("signalfd", calls.libc.signalfd(-1, child, CLOSE_AT_EXEC))


def reap(agent: int) -> None:
    """Take note of all children that have ended; if one is the agent, end as it did. A signal counts from 128."""
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if process == agent:
            code = os.waitstatus_to_exitcode(status)
            os._exit(code if code >= 0 else 128 - code)
        if process == 0:
            return


def answer(listener: int, log: "Log") -> bool:
    """Log one refused call and let it return ENOSYS; False if the listener does not work."""
    given = ctypes.create_string_buffer(NOTIFICATION.size)
    if calls.libc.ioctl(listener, ctypes.c_ulong(seccomp.RECEIVE), given) < 0:
        return ctypes.get_errno() in (errno.ENOENT, errno.EINTR)  # the process that called has ended
    key, _, _, number, _, _, *arguments = NOTIFICATION.unpack(given)
    log.add(number, arguments)
    response = ctypes.create_string_buffer(RESPONSE.pack(key, 0, -errno.ENOSYS, 0), RESPONSE.size)
    if calls.libc.ioctl(listener, ctypes.c_ulong(seccomp.SEND), response) < 0:
        return ctypes.get_errno() in (errno.ENOENT, errno.EINTR, errno.EINPROGRESS)
    return True


class Log:
    """Lines on standard error, which is the agent's log: each refused call once, and not more than MOST_LINES."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}  # filled when the first one is needed: most agents are refused nothing
        self.written: set[str] = set()

    def add(self, number: int, arguments: list[int]) -> None:
        """Log a refused call, unless it is there already or the log cannot be written to without waiting."""
        if not self.names:
            which = list(seccomp.ARCHITECTURES).index(os.uname().machine)
            numbers = syscalls.numbers(syscalls.REFUSED + syscalls.CHECKED, which)
            self.names = {number: name for name, number in numbers.items()}
        name = self.names.get(number, f"number {number}")
        if name in SHOWN:
            place, what = SHOWN[name]
            name = f"{name} ({what} {arguments[place] & 0xFFFFFFFF:#x})"
        if name in self.written or len(self.written) >= MOST_LINES:
            return
        log = Poll(2, POLL_OUT)
        if calls.libc.poll(ctypes.byref(log), ctypes.c_ulong(1), 0) == 1 and log.found == POLL_OUT:
            os.write(2, f"harena: the sandbox refused the system call {name}: it returned ENOSYS\n".encode())
            self.written.add(name)
