"""A program that speaks the protocol and, at its second turn, tries something that it must not be able to do.

`orders.json` beside it says what: {"attack": NAME, ...}. An attack returns a text that says what it achieved, if
anything. Who achieves something says so in place of a move; else it plays on with the first legal move. With arguments
it does not play: it tries the attacks of these names and prints what they achieved. Standard library only.
"""

import contextlib
import ctypes
import fcntl
import json
import mmap
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
LIBC = ctypes.CDLL(None, use_errno=True)
PTRACE_ATTACH, PTRACE_SEIZE = 16, 0x4206
NEW_USER, NEW_MOUNTS = 1 << 28, 1 << 17


def tried(what, *arguments):
    """The result of a call; None if it is refused."""
    with contextlib.suppress(OSError, ValueError):
        return what(*arguments)
    return None


CLONE = {"x86_64": 56, "aarch64": 220}


def send_by_descriptor(pid, number):
    signal.pidfd_send_signal(os.pidfd_open(pid), number)


def pids():
    return [int(name) for name in os.listdir("/proc") if name.isdecimal()]


def read_files(orders):
    """The files of others: another submission, the store, by all ways that lead there."""
    found = []
    for path in orders["files"]:
        for way in ("", "/proc/1/root", "/proc/self/root", "/proc/1/cwd/../../../..", "/submission/../.."):
            if tried(Path(way + path).read_bytes):
                found.append(way + path)
        if tried(os.listdir, os.path.dirname(path)):
            found.append(os.path.dirname(path))
    return " ".join(found)


def read_home(orders):
    """More of the home folder than the way to Python."""
    return " ".join(set(tried(os.listdir, orders["home"]) or []) - set(orders["python"]))


def write_outside(orders):
    """Files anywhere but in tmp, or changes of those that are there."""
    found = []
    for folder in orders["folders"]:
        if tried(Path(folder, "planted").write_text, "x") is not None:
            found.append(folder)
    for file in orders["changed"]:
        if tried(open, file, "r+b") is not None:
            found.append(file)
        if tried(os.chmod, file, 0o777) is None and Path(file).stat().st_mode & 0o022:
            found.append(f"chmod {file}")
    return " ".join(found)


def open_socket(orders):
    families = ("AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET", "AF_VSOCK")
    kinds = (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW)
    return " ".join(one for one in families for kind in kinds if tried(socket.socket, getattr(socket, one), kind))


def connect(orders):
    """To listeners of the test: a port, an abstract name, a socket in the file system."""
    found = []
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", orders["port"]), 1).sendall(b"x")
        found.append("port")
    for name in ("\0" + orders["abstract"], orders["socket"]):
        with contextlib.suppress(OSError):
            one = socket.socket(socket.AF_UNIX)
            one.connect(name)
            found.append(name)
    return " ".join(found)


def kill_referee(orders):
    found = []
    for number in (signal.SIGTERM, signal.SIGKILL, 0):
        for pid in (orders["referee"], -orders["group"]):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)
                found.append(str(pid))
    return " ".join(found)


def trace_referee(orders):
    found = []
    for pid in (orders["referee"], os.getppid(), 1):
        for request in (PTRACE_ATTACH, PTRACE_SEIZE):
            if LIBC.ptrace(request, pid, None, None) == 0:
                found.append(f"ptrace {pid}")
        if tried(open, f"/proc/{pid}/mem", "r+b"):
            found.append(f"mem {pid}")
    if LIBC.process_vm_readv(1, None, 0, None, 0, 0) == 0:
        found.append("readv")
    return " ".join(found)


def see_processes(orders):
    """Others than itself and what started it."""
    return " ".join(str(pid) for pid in pids() if pid not in (1, os.getppid(), os.getpid()))


def fork_bomb(orders):
    """Processes as many as there may be; they stay."""
    children = 0
    with contextlib.suppress(OSError):
        while children < 500:
            if os.fork() == 0:
                time.sleep(600)
            children += 1
    return f"{children} processes" if children > 40 or children < 20 else ""


def fill_tmp(orders):
    """More than 64 MB and more than 20,000 files; afterwards nothing can be written."""
    size, files, block = 0, 0, bytes(1 << 20)
    with contextlib.suppress(OSError):
        for number in range(40):
            with open(f"/tmp/large{number}", "wb", buffering=0) as file:
                for _ in range(10):
                    size += file.write(block)
    with contextlib.suppress(OSError):
        for number in range(50_000):
            os.close(os.open(f"/tmp/small{number}", os.O_CREAT))
            files += 1
    return f"{size} bytes, {files} files" if not 60 << 20 < size < 70 << 20 or files > 25_000 else ""


def large_file(orders):
    """One file of more than 64 MB; the kernel ends who ignores the error."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open("/tmp/large", "wb") as file:
        return "a large file" if tried(file.truncate, 65 << 20) else ""


def hidden_memory(orders):
    """Memory that is not counted as any process's."""
    found = []
    if tried(os.memfd_create, "x"):
        found.append("memfd")
    if LIBC.shmget(0, 1 << 20, 0o1600) >= 0:
        found.append("shm")
    if LIBC.unshare(NEW_USER | NEW_MOUNTS) == 0:
        found.append("unshare")
    if LIBC.mount(b"x", b"/tmp", b"tmpfs", 0, None) == 0:
        found.append("mount")
    child = (
        LIBC.syscall(56, NEW_USER | signal.SIGCHLD, None, None, None, None) if os.uname().machine == "x86_64" else -1
    )
    if child == 0:
        os._exit(0)
    if child > 0:
        found.append("clone")
    return " ".join(found)


def wake_itself(orders):
    """Make the kernel or another process send SIGCONT, which wakes a stopped process."""
    number, found = int(signal.SIGCONT), []
    event, timer = (ctypes.c_int * 16)(0, 0, number, 0), ctypes.c_void_p()
    if LIBC.timer_create(time.CLOCK_MONOTONIC, event, ctypes.byref(timer)) == 0:
        found.append("timer_create")
    watch, lease, folder = LIBC.inotify_init(), os.open(__file__, os.O_RDONLY), os.open("/", os.O_RDONLY)
    for name, descriptor, command, value in (
        ("F_SETOWN", watch, 8, os.getpid()),
        ("F_SETSIG", watch, 10, number),
        ("O_ASYNC", watch, fcntl.F_SETFL, os.O_ASYNC),
        ("F_SETLEASE", lease, 1024, fcntl.F_RDLCK),
        ("F_NOTIFY", folder, 1026, 1),
    ):
        if tried(fcntl.fcntl, descriptor, command, value) is not None:
            found.append(name)
    one, _other = socket.socketpair()
    for name, command in (("FIOASYNC", 0x5452), ("FIOSETOWN", 0x8901), ("SIOCSPGRP", 0x8902)):
        if LIBC.ioctl(one.fileno(), ctypes.c_ulong(command), ctypes.byref(ctypes.c_int(os.getpid()))) == 0:
            found.append(name)
    if LIBC.prctl(1, number, 0, 0, 0) == 0:
        found.append("PR_SET_PDEATHSIG")
    for name, call in (("kill", os.kill), ("pidfd_send_signal", send_by_descriptor)):
        with contextlib.suppress(OSError):
            call(os.getpid(), number)
            found.append(name)
    if LIBC.sigqueue(os.getpid(), number, None) == 0:
        found.append("sigqueue")
    child = LIBC.syscall(CLONE[os.uname().machine], number, None, None, None, None)
    if child == 0:
        os._exit(0)
    if child > 0:
        found.append("clone")
    if LIBC.mq_open(b"/harena", os.O_CREAT | os.O_RDWR, 0o600, None) >= 0:
        found.append("mq_open")
    return " ".join(found)


def use_other_numbers(orders):
    """The calls of 32-bit programs, which have other numbers, from a child: the kernel ends it."""
    if os.uname().machine != "x86_64":
        return ""
    found = []
    if LIBC.syscall(0x40000000 + 39) != -1:
        found.append("x32")
    child = os.fork()
    if child == 0:
        code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        code.write(bytes([0xB8, 20, 0, 0, 0, 0xCD, 0x80, 0xC3]))  # mov eax, 20 (getpid); int 0x80; ret
        ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        found.append("int 0x80")
    return " ".join(found)


def change_supervisor(orders):
    """The process that started it, and what it holds open."""
    found = []
    for pid in (1, os.getppid()):
        for name, mode in (("mem", "r+b"), ("maps", "rb"), ("environ", "rb")):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/{name}", mode) as file:
                file.read(1)
                found.append(f"/proc/{pid}/{name}")
        if any(tried(os.readlink, f"/proc/{pid}/fd/{number}") is not None for number in range(20)):
            found.append(f"/proc/{pid}/fd")
        if LIBC.syscall(438, LIBC.syscall(434, pid, 0), 3, 0) >= 0:
            found.append(f"pidfd_getfd {pid}")
    return " ".join(found)


def move_to_all_processors(orders):
    return "moved" if LIBC.sched_setaffinity(0, 8, ctypes.byref(ctypes.c_uint64(1))) == 0 else ""


def be_nice(orders):
    """Of low priority a busy machine has no processor for it: that would excuse it."""
    before = os.getpriority(os.PRIO_PROCESS, 0)
    os.nice(5)
    return "nice" if os.getpriority(os.PRIO_PROCESS, 0) != before else ""


def eat_memory(orders):
    """As much as there is, in several processes."""
    for _ in range(3):
        if os.fork() == 0:
            break
    eaten = []
    for _ in range(40):
        eaten.append(bytearray(os.urandom(1 << 20)) * 10)
        time.sleep(0.02)
    time.sleep(60)
    return "400 MB"


def eat_addresses(orders):
    """More than the address space that is allowed."""
    with contextlib.suppress(OSError, MemoryError):
        mmap.mmap(-1, 9 << 30)
        return "9 GB"
    return ""


def patch_arena(orders):
    """The referee's own code: on the disk, and in its process."""
    import harena
    import harena.errors

    for file in Path(harena.__file__).parent.rglob("*.py"):
        if tried(open, file, "r+b"):
            return f"wrote to {file}"
    harena.errors.IllegalMove = type("IllegalMove", (), {})  # who plays against whom is decided elsewhere
    sys.modules["harena.arena.play.referee"] = sys
    return ""


def import_arena(orders):
    found = []
    for name in ("harena.arena.play.referee", "harena.errors", "harena.agents.process", "harena.courses.intake"):
        with contextlib.suppress(ImportError):
            __import__(name)
            found.append(name)
    return " ".join(found)


def read_seed(orders):
    """Numbers and secrets of the arena, wherever a process has some."""
    places = [f"/proc/{pid}/{name}" for pid in [*pids(), orders["referee"]] for name in ("environ", "cmdline")]
    texts = [str(dict(os.environ)), *((tried(Path(place).read_text) or "") for place in places)]
    return " ".join(secret for secret in orders["secrets"] if any(secret in text for text in texts))


def answer_for_the_other(orders):
    """Into the pipes of the opponent's process."""
    move, found = json.dumps({"type": "move", "id": 1, "resign": True}) + "\n", []
    for pid in orders["others"]:
        for descriptor in range(8):
            if tried(Path(f"/proc/{pid}/fd/{descriptor}").write_text, move):
                found.append(f"{pid}:{descriptor}")
    return " ".join(found)


def outlive(orders):
    """A daemon, as the book has it."""
    if os.fork() == 0:
        os.setsid()
        os.setpgid(0, 0)
        if os.fork() == 0:
            for descriptor in range(3):
                os.close(descriptor)
            for number in signal.valid_signals():
                with contextlib.suppress(OSError, ValueError):
                    signal.signal(number, signal.SIG_IGN)
            while True:
                time.sleep(1)
        os._exit(0)
    with contextlib.suppress(OSError):
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    return ""


ATTACKS = {
    name: one
    for name, one in list(globals().items())
    if callable(one) and getattr(one, "__code__", None) and one.__code__.co_varnames[:1] == ("orders",)
}


def say(message):
    os.write(1, json.dumps(message).encode() + b"\n")


def play():
    turns = 0
    for line in sys.stdin:
        told = json.loads(line)
        if told["type"] == "hello":
            say({"type": "ready", "harena": 1, "name": "attacker"})
        elif told["type"] == "new":
            turns = 0
        elif told["type"] == "go":
            turns += 1
            move = told["legal"][0]
            if turns == 2:
                orders = json.loads((HERE / "orders.json").read_text())
                move = ATTACKS[orders["attack"]](orders) or move
            say({"type": "move", "id": told["id"], "move": move})
        elif told["type"] == "quit":
            return


def attack_all(names):
    orders = json.loads((HERE / "orders.json").read_text())
    say({name: ATTACKS[name](orders) for name in names})


if __name__ == "__main__":
    attack_all(sys.argv[1:]) if sys.argv[1:] else play()
