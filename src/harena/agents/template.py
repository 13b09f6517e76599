"""The process that our players are forked from: `python -m harena.agents.template CONNECTION`, or a fork of a command.

It plays no game and loads no user's file, and it has a single thread: only then is a fork safe. A player that is forked
has what one that is started has: pipes, a process group, a control group, cores, a working folder, an environment,
random numbers of its own. The kernel ends the template with the arena, and the players with the template; the watcher
ends whatever is left in their groups.
"""

import contextlib
import json
import os
import random
import select
import signal
import socket
import sys
import traceback
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from harena.agents.forked import MOST_REQUEST, STATUS
from harena.agents.serve import die_with_parent, rehearse, serve, spare_collector
from harena.errors import HarenaError
from harena.find import game
from harena.games.catalogue import CATALOGUE

CANNOT_JOIN = 126  # the exit code of a player that cannot join its control group


def load_rules(name: str, variants: Sequence[Mapping[str, Any]]) -> None:
    """Load the compiled rules of games of ours; a user's file is left to the players."""
    if name in CATALOGUE:
        for options in variants:
            with contextlib.suppress(HarenaError):
                rehearse(game(name, **options))


def become_template(arena: int, connection: int) -> NoReturn:
    """Go on as the template: without anything of the arena's but its code."""
    try:
        os.setpgid(0, 0)  # Ctrl-C is not for it
        _die_with(arena)
        connection = os.dup2(connection, 3)
        os.closerange(4, _most_files())
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in range(3):
            os.dup2(nothing, descriptor)
        os.close(nothing)
        if not sys.flags.safe_path and sys.path:
            del sys.path[0]  # the present folder, which may be anybody's
        _restore_signals()
        spare_collector()
        TemplateServer(connection).run()
    except BaseException:  # nothing of the arena's runs here, not even what it does at its end
        os._exit(1)


class TemplateServer:
    """Forks players until the arena lets go of it and the last of them has ended."""

    def __init__(self, connection: int) -> None:
        self.connection = socket.socket(fileno=connection)
        self.waiting = select.poll()
        self.waiting.register(connection, select.POLLIN)
        self.running: dict[int, tuple[int, int]] = {}  # by a descriptor of the process: its number, where its end goes
        self.ended: dict[int, int] = {}  # by that place: processes that have ended, and of which the arena may not know

    def run(self) -> NoReturn:
        """Serve."""
        is_open = True
        while is_open or self.running or self.ended:
            for descriptor, _ in self.waiting.poll():
                if descriptor in self.running:
                    self._tell_end(descriptor)
                elif descriptor in self.ended:
                    self._forget(descriptor)
                elif is_open and not self._hear():
                    is_open = False
                    self.waiting.unregister(self.connection)
                    self.connection.close()
        os._exit(0)

    def _hear(self) -> bool:
        """Answer a request, with nothing if it fails; False when nobody will ask any more."""
        descriptors: list[int] = []
        try:
            data, descriptors, _, _ = socket.recv_fds(self.connection, MOST_REQUEST, 4)
            if not data:
                return False
            try:
                answer = {"pid": self._fork(json.loads(data), descriptors)}
            except Exception:  # whatever is wrong with this player, the others play on
                answer = {}
            self.connection.send(json.dumps(answer).encode())
        except OSError:  # the arena has closed the connection
            return False
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        return True

    def _fork(self, request: Mapping[str, Any], descriptors: list[int]) -> int:
        """The number of a new player; takes the last of the descriptors, on which its end will be told."""
        load_rules(request["game"], request["variants"])
        if len(os.listdir("/proc/self/task")) > 1:
            raise RuntimeError("a process with several threads cannot be forked safely")
        *pipes, status = descriptors
        template = os.getpid()
        pid = os.fork()
        if pid == 0:
            _become_player(request, pipes, template)
        try:
            with contextlib.suppress(OSError):  # it has done that itself, or has ended
                os.setpgid(pid, pid)
            process = os.pidfd_open(pid)
        except OSError:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            raise
        descriptors.remove(status)
        self.running[process] = pid, status
        self.waiting.register(process, select.POLLIN)
        return pid

    def _tell_end(self, process: int) -> None:
        """Tell how a process ended; its number stays taken until the arena has heard that."""
        pid, status = self.running.pop(process)
        self.waiting.unregister(process)
        os.close(process)
        found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
        assert found is not None
        code = found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
        with contextlib.suppress(OSError):
            os.write(status, STATUS.pack(code))
        self.ended[status] = pid
        self.waiting.register(status, 0)  # an error when the arena closes its end

    def _forget(self, status: int) -> None:
        self.waiting.unregister(status)
        os.close(status)
        os.waitpid(self.ended.pop(status), 0)


def _become_player(request: Mapping[str, Any], pipes: Sequence[int], template: int) -> NoReturn:
    """Go on as a player, as if it had been started as `python -m harena.agents.serve PLAYER`."""
    code = 1
    try:
        os.setpgid(0, 0)
        _die_with(template)
        try:
            for file in request["entrances"]:
                descriptor = os.open(file, os.O_WRONLY)
                os.write(descriptor, b"0")
                os.close(descriptor)
        except OSError:
            os._exit(CANNOT_JOIN)
        if request["cores"]:
            os.sched_setaffinity(0, request["cores"])
        for number, pipe in enumerate(pipes[:3]):
            os.dup2(pipe, number)
        os.closerange(3, _most_files())
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False, buffering=1)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False, buffering=1)
        os.chdir(request["folder"])
        os.environ.clear()
        os.environ.update(request["environment"])
        sys.argv = ["serve", request["text"]]
        _restore_signals()
        random.seed()
        np.random.seed()
        serve(request["text"])
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # a fork never returns into the template
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(code)


def _die_with(parent: int) -> None:
    """Let the kernel end this process with the one that forked it; at once if that has happened already."""
    from harena.sandbox.inside import calls

    calls.prctl(calls.PDEATHSIG, calls.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _restore_signals() -> None:
    """As in a program that was just started."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)


def _most_files() -> int:
    """One more than the highest number that an open file has."""
    return 1 + max(map(int, os.listdir("/proc/self/fd")))


def main() -> None:
    """Be the template of the arena that started this process."""
    die_with_parent()
    if (pid := os.fork()) == 0:  # threads of numeric libraries end at a fork, and with them what could be in their way
        os._exit(0)
    os.waitpid(pid, 0)
    spare_collector()
    TemplateServer(int(sys.argv[1])).run()


if __name__ == "__main__":
    main()
