"""Players of ours as forks of a template: a process that has loaded their code (`template.py`).

Python, numpy, Numba and the rules of a game take most of a second to load; a fork of a process that has them takes
milliseconds. A process has one template, which is started when it is first needed; a command makes a fork of itself the
template. Where there can be none, players are started as programs.
"""

import atexit
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

from harena.agents.fault import Stopped
from harena.agents.spawn import in_spawner
from harena.games.catalogue import CATALOGUE
from harena.kernel import switch
from harena.sandbox.watcher import MARK
from harena.sandbox.workplace import workplace

MOST_REQUEST = 1 << 17  # bytes; a longer one is refused, and the player is started as a program
SLICE = 0.1  # seconds between two looks whether an answer is still wanted
ANSWER_SECONDS = 120.0  # that a template gets to load and to fork; then the player is started as a program
STATUS = struct.Struct("=i")
IS_USABLE = sys.platform == "linux" and hasattr(os, "pidfd_open")
# Variables of the environment that count when code is loaded, by how they begin, and those of them that do not.
AT_IMPORT = ("PYTHON", "NUMBA", "HARENA_", "LD_", "OMP_", "OPENBLAS_", "MKL_")
NOT_AT_IMPORT = ("HARENA_STORE", "PYTHONUNBUFFERED", MARK)
COMMAND = (sys.executable, "-P", "-m", "harena.agents.template")


@dataclass(frozen=True, kw_only=True)
class Order:
    """The player that a template is to fork."""

    text: str
    game: str
    variants: Sequence[Mapping[str, Any]]
    is_stopped: Callable[[], bool] = lambda: False  # whether nobody wants it any more


class Refused(OSError):
    """A template does not fork this player, and can fork others."""


class ForkedProcess:
    """A process that a template has forked, with as much of `subprocess.Popen` as agents need."""

    def __init__(self, pid: int, pipes: Sequence[int], status: int) -> None:
        self.pid = pid
        self.stdin: IO[bytes] | None = os.fdopen(pipes[0], "wb", 0)
        self.stdout: IO[bytes] | None = os.fdopen(pipes[1], "rb", 0)
        self.stderr: IO[bytes] | None = os.fdopen(pipes[2], "rb", 0)
        self.returncode: int | None = None
        self._status = os.fdopen(status, "rb", 0)
        self._lock = threading.Lock()
        self._ended = select.poll()
        self._ended.register(status, select.POLLIN)

    def poll(self) -> int | None:
        """The exit code, a signal as a negative number; None while it runs."""
        return self._look(0.0)

    def wait(self, timeout: float | None = None) -> int:
        """The same once it has ended; TimeoutExpired if it runs on."""
        code = self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired("player", timeout or 0.0)
        return code

    def _look(self, timeout: float | None) -> int | None:
        with self._lock:
            if self.returncode is None and self._ended.poll(None if timeout is None else 1000 * timeout):
                told = self._status.read(STATUS.size)
                self.returncode = STATUS.unpack(told)[0] if len(told or b"") == STATUS.size else -signal.SIGKILL
                self._status.close()  # the template may forget the process
            return self.returncode


class Template:
    """The arena's end of a template."""

    def __init__(self, connection: socket.socket, environment: Mapping[str, str], wait: Callable[[], object]) -> None:
        self._connection, self.loaded_with = connection, _at_import(environment)
        self._wait = wait  # for the end of its process
        self._lock = threading.Lock()
        self._answered = select.poll()
        self._answered.register(connection, select.POLLIN)

    def fork_player(
        self,
        order: Order,
        environment: Mapping[str, str],
        folder: str,
        cores: Collection[int],
        entrances: Sequence[str],
    ) -> ForkedProcess:
        """A new player; OSError if the template has ended, Refused if it forks no such player, Stopped if told so."""
        request = {
            "text": order.text,
            "game": order.game,
            "variants": list(order.variants),
            "environment": dict(environment),
            "folder": folder,
            "cores": sorted(cores),
            "entrances": list(entrances),
        }
        data = json.dumps(request).encode()
        if len(data) > MOST_REQUEST:
            raise Refused("the request is too long")
        pairs = _open_pipes(4)  # standard input, output, error, and the exit code
        theirs = [pairs[0][0], *(pair[1] for pair in pairs[1:])]
        ours = [pairs[0][1], *(pair[0] for pair in pairs[1:])]
        try:
            pid = self._request(data, theirs, order.is_stopped).get("pid")
            if pid is None:
                raise Refused("the template could not fork")
        except BaseException:
            _close_all(ours)
            raise
        finally:
            _close_all(theirs)
        return ForkedProcess(pid, ours[:3], ours[3])

    def _request(self, data: bytes, descriptors: Sequence[int], is_stopped: Callable[[], bool]) -> dict[str, Any]:
        """The template's answer. A template whose answer is not awaited hears of no further request."""
        while not self._lock.acquire(timeout=SLICE):
            if is_stopped():
                raise Stopped
        try:
            socket.send_fds(self._connection, [data], descriptors)
            deadline = time.monotonic() + ANSWER_SECONDS
            while not self._answered.poll(1000 * SLICE):
                if is_stopped():
                    raise Stopped
                if time.monotonic() > deadline:
                    raise TimeoutError("the template does not answer")
            answer = self._connection.recv(MOST_REQUEST)
            if not answer:
                raise ConnectionError("the template has ended")
        except BaseException:  # also Ctrl-C
            self._connection.close()
            raise
        finally:
            self._lock.release()
        found: dict[str, Any] = json.loads(answer)
        return found

    def close(self) -> None:
        """Let it end when its last player has ended."""
        self._connection.close()
        threading.Thread(target=self._wait, name="end of a template", daemon=True).start()


def _open_pipes(number: int) -> list[tuple[int, int]]:
    """New pipes; Refused if the process may not open so many files."""
    pairs: list[tuple[int, int]] = []
    try:
        while len(pairs) < number:
            pairs.append(os.pipe())
    except OSError as error:
        for pair in pairs:
            _close_all(pair)
        raise Refused(error.errno, error.strerror) from None
    return pairs


def _close_all(descriptors: Sequence[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


_templates: dict[int, Template] = {}  # by process: a fork has none of its own
_starting = threading.Lock()


def fork_player(
    order: Order, environment: Mapping[str, str], folder: str | None, cores: Collection[int], entrances: Sequence[str]
) -> ForkedProcess | None:
    """A player of ours, forked from the template of this process; None where there can be none.

    A template that has ended, or was loaded otherwise, is replaced; one that fails at once is not tried again.
    """
    if not IS_USABLE:
        return None
    for _ in range(2):
        try:
            with _starting:
                template, is_new = _templates.get(os.getpid()), False
                if template is None or template.loaded_with != _at_import(environment):
                    _close_template()
                    template, is_new = _start_template(environment), True
            return template.fork_player(order, environment, folder or os.getcwd(), cores, entrances)
        except Refused:  # the player is started as a program, which tells what is wrong
            return None
        except OSError:
            with _starting:
                if template is None or _templates.get(os.getpid()) is template:
                    _close_template()
            if is_new:
                return None
    return None


def _start_template(environment: Mapping[str, str]) -> Template:
    """A template in a new process, which loads everything first."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    nothing = subprocess.DEVNULL
    with theirs:
        process = in_spawner(
            lambda: subprocess.Popen(
                [*COMMAND, str(theirs.fileno())],
                pass_fds=(theirs.fileno(),),
                stdin=nothing,
                stdout=nothing,
                stderr=nothing,
                env={**environment, MARK: workplace().new_mark()},
                process_group=0,
            )
        )
    return _note_template(Template(ours, environment, process.wait))


def _note_template(template: Template) -> Template:
    """Make this the template of this process, until that ends."""
    if not _templates:
        atexit.register(_close_template)
    _templates[os.getpid()] = template
    return template


def _close_template() -> None:
    if (template := _templates.pop(os.getpid(), None)) is not None:
        template.close()


def fork_template(name: str, variants: Sequence[Mapping[str, Any]]) -> None:
    """Make a fork of this very process the template, with the rules of these games: nothing is loaded a second time.

    Only in a command that allows it, before it starts threads or loads a user's rules; elsewhere a template is started
    when one is needed.
    """
    if not (IS_USABLE and switch.MAY_FORK and name in CATALOGUE):
        return
    if threading.active_count() > 1 or os.getpid() in _templates:
        return
    from harena.agents.template import become_template, load_rules  # with all that players need

    workplace()  # a controller of memory is handed down only while this process is alone in its control group
    load_rules(name, variants)
    sys.stdout.flush()
    sys.stderr.flush()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    arena = os.getpid()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of numeric libraries, which know about forks
        pid = os.fork()
    if pid == 0:
        become_template(arena, theirs.detach())
    theirs.close()
    _note_template(Template(ours, os.environ, lambda: os.waitpid(pid, 0)))


def _at_import(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables that decide what a process loads: a template with others cannot serve."""
    return {
        name: value for name, value in environment.items() if name.startswith(AT_IMPORT) and name not in NOT_AT_IMPORT
    }
