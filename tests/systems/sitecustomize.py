"""Makes Python look like that of another system to Harena's modules alone; `HARENA_TEST_SYSTEM` names the system.

Its folder is on PYTHONPATH, so that processes that Harena starts see the same system. What the other system lacks is
missing from `os`, `signal`, `select` and `time` as Harena imports them, its modules cannot be imported, and nothing but
psutil, which knows other systems by itself, reads /proc. Libraries and the standard library stay as they are.
"""

import builtins
import os
import sys
import types
from typing import Any

SYSTEM = os.environ.get("HARENA_TEST_SYSTEM", "")
LINUX_ONLY = {  # neither macOS nor Windows
    "os": {"memfd_create", "sched_getaffinity", "sched_setaffinity", "sched_setscheduler", "sched_param", "SCHED_FIFO"}
    | {"pidfd_open", "setns", "unshare", "O_PATH", "O_TMPFILE", "pipe2", "setresuid", "setresgid", "posix_fadvise"},
    "signal": {"SIGRTMIN", "SIGPWR"},
    "select": {"epoll", "EPOLLIN"},
    "time": set(),
    "socket": {"TCP_INFO", "SO_PEERCRED"},
}
POSIX_ONLY = {  # not on Windows
    "os": {"fork", "forkpty", "killpg", "getpgid", "getpgrp", "setpgid", "setsid", "getsid", "wait", "waitid", "wait3"}
    | {
        "wait4",
        "getuid",
        "geteuid",
        "getgid",
        "getegid",
        "setuid",
        "setgid",
        "setgroups",
        "uname",
        "getloadavg",
        "nice",
    }
    | {"sysconf", "chown", "lchown", "fchown", "fchmod", "mkfifo", "mknod", "chroot", "statvfs", "pread", "pwrite"}
    | {"set_blocking", "get_blocking", "O_CLOEXEC", "O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK", "O_NOCTTY", "O_SYNC"}
    | {"WNOHANG", "WIFSIGNALED", "register_at_fork", "posix_spawn", "getpriority", "setpriority", "openpty", "ttyname"},
    "signal": {"SIGKILL", "SIGSTOP", "SIGCONT", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGPIPE"}
    | {"SIGQUIT", "SIGTSTP", "SIGXCPU", "alarm", "setitimer", "pthread_sigmask", "pthread_kill", "sigwait", "pause"},
    "select": {"poll", "POLLIN", "POLLOUT", "POLLHUP", "kqueue"},
    "time": {"clock_gettime", "clock_gettime_ns", "CLOCK_MONOTONIC", "tzset", "pthread_getcpuclockid"},
    "socket": {"AF_UNIX", "socketpair"},
}
POSIX_MODULES = {"fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "curses", "readline", "syslog", "crypt"}
LINUX_MODULES = {"harena.sandbox.inside"}  # its C library is that of Linux


class Seen(types.ModuleType):
    """A module without the names that the other system lacks."""

    def __init__(self, real: types.ModuleType, missing: set[str], **others: object) -> None:
        super().__init__(real.__name__)
        vars(self).update({"_real": real, "_missing": missing, **others})

    def __getattr__(self, name: str) -> object:
        if name in self._missing:
            raise AttributeError(f"module {self._real.__name__!r} has no attribute {name!r}")
        return getattr(self._real, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._real, name, value)


def missing_file(path: object) -> FileNotFoundError:
    return FileNotFoundError(2, "No such file or directory", str(path))


def disguise(system: str) -> None:
    """From now on, for modules of Harena that are imported."""
    is_windows, real_import, seen = system == "win32", builtins.__import__, dict[str, Seen]()
    blocked = LINUX_MODULES | (POSIX_MODULES if is_windows else set())

    def stat(path: Any, **named: Any) -> os.stat_result:
        if str(path).startswith("/proc"):
            raise missing_file(path)
        return os.stat(path, **named)

    def see(name: str) -> Seen:
        if name not in seen:
            real = real_import(name)
            missing = LINUX_ONLY.get(name, set()) | (POSIX_ONLY.get(name, set()) if is_windows else set())
            others: dict[str, object] = {"platform": system} if name == "sys" else {}
            if name == "os":
                others = {"stat": stat} | ({"name": "nt"} if is_windows else {})
            seen[name] = Seen(real, missing, **others)
        return seen[name]

    def import_for(name: str, scope: Any = None, names: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        importer = (scope or {}).get("__name__") or ""
        package = (scope or {}).get("__package__") or importer  # of `python -m harena.agents.serve`, too
        if package.split(".")[0] == "harena" and level == 0:
            wanted = {name, *(f"{name}.{one}" for one in fromlist or ())}
            if found := [one for one in wanted if one in blocked or one.startswith("harena.sandbox.inside.")]:
                raise ImportError(f"{found[0]} is not on this system", name=found[0])
            if name in LINUX_ONLY or (name == "sys" and importer != "harena.kernel.clock"):
                return see(name)  # the clock of compiled code is that of the machine that runs it
        return real_import(name, scope, names, fromlist, level)

    def refuse_proc(event: str, arguments: tuple[object, ...]) -> None:
        if event in ("open", "os.listdir", "os.scandir") and str(arguments[0]).startswith("/proc"):
            frame = sys._getframe(1)
            while frame is not None:
                if frame.f_globals.get("__name__", "").split(".")[0] in ("psutil", "multiprocessing"):
                    return
                frame = frame.f_back
            raise missing_file(arguments[0])

    builtins.__import__ = import_for
    sys.addaudithook(refuse_proc)


if SYSTEM:
    disguise(SYSTEM)
