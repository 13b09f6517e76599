"""An agent in a process of its own: started, asked, timed, stopped out of its turn, and ended with all it left.

Nothing an agent does can hang or hurt the one who asks: what it writes is read without waiting and capped, what it does
not read is given up, what it overruns is killed, and what it leaves running is found by a mark in its environment.
"""

import contextlib
import json
import os
import select
import signal
import subprocess
import threading
import time
import uuid
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psutil

from harena.errors import HarenaError

MARK = "HARENA_AGENT"
MOST_OUTPUT = 1 << 20  # bytes of standard output that were not asked for
KEPT_WORDS = 1 << 14  # bytes of standard error that are kept
CHUNK = 1 << 16
LOOK_EVERY = 0.05  # seconds between two looks at the memory
GRACE = 0.5  # seconds to quit by oneself


class AgentFault(HarenaError):
    """What an agent did wrong: `reason` is one of `record.FAULTS`, `detail` what there is to say about it."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What an agent said, and how long it took."""

    said: dict[str, Any]
    seconds: float


class AgentProcess:
    """The process of one agent. Every method returns in bounded time; `AgentFault` tells what the agent did wrong."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        memory: float | None = None,
        cwd: str | None = None,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        self.command = list(command)
        self.memory = memory  # megabytes of resident memory, all its processes together
        self.mark = uuid.uuid4().hex
        self.words: deque[bytes] = deque()
        self.kept = 0
        self.pending = b""
        self.peak = 0.0
        try:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=cwd,
                env={**environment, MARK: self.mark, "PYTHONUNBUFFERED": "1"},
                process_group=0,  # of our session: if we die, the kernel wakes stopped groups with SIGHUP
            )
        except OSError as error:
            raise AgentFault("crash", f"{self.command[0]} cannot be started: {error.strerror}") from None
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.stdin, self.stdout, self.stderr = (
            self.process.stdin.fileno(),
            self.process.stdout.fileno(),
            self.process.stderr.fileno(),
        )
        for descriptor in (self.stdin, self.stdout):
            os.set_blocking(descriptor, False)
        self.listener = threading.Thread(target=self._keep_words, daemon=True)
        self.listener.start()

    def ask(self, message: dict[str, Any], kind: str, seconds: float) -> Answer:
        """Say something and wait for the answer of this type; a fault after so many seconds."""
        begin = time.perf_counter()
        self.tell(message, begin + seconds)
        while True:
            said = self._read(begin, seconds)
            if said.get("type") == "error":
                raise AgentFault("crash", str(said.get("message", "")))
            if said.get("type") == kind and said.get("id") == message.get("id"):
                return Answer(said=said, seconds=time.perf_counter() - begin)
            # an answer to an earlier question, or twice the same: of no interest

    def tell(self, message: dict[str, Any], deadline: float | None = None) -> None:
        """Say something without waiting for an answer."""
        data = json.dumps(message).encode() + b"\n"
        limit = deadline or time.perf_counter() + GRACE
        while data:
            try:
                data = data[os.write(self.stdin, data) :]
            except BlockingIOError:
                left = limit - time.perf_counter()
                if left <= 0:
                    raise AgentFault("time", "it does not read what it is told") from None
                select.select([], [self.stdin], [], min(left, LOOK_EVERY))
            except OSError:
                raise self._ended() from None

    def _read(self, begin: float, seconds: float) -> dict[str, Any]:
        """The next line as JSON."""
        while b"\n" not in self.pending:
            left = begin + seconds - time.perf_counter()
            if left <= 0:
                raise AgentFault("time", f"no answer after {1000 * (time.perf_counter() - begin):.0f} ms")
            ready, _, _ = select.select([self.stdout], [], [], min(left, LOOK_EVERY))
            self._check_memory()
            if not ready:
                continue
            with contextlib.suppress(BlockingIOError):
                data = os.read(self.stdout, CHUNK)
                if not data:
                    raise self._ended()
                self.pending += data
            if len(self.pending) > MOST_OUTPUT:
                raise AgentFault("output", f"more than {MOST_OUTPUT:,} bytes without an answer")
        line, self.pending = self.pending.split(b"\n", 1)
        try:
            said = json.loads(line)
        except ValueError:
            said = None
        if not isinstance(said, dict):
            raise AgentFault("unreadable answer", repr(line[:80])[1:])
        return said

    def _check_memory(self) -> None:
        if self.memory is None:
            return
        used = sum(_resident(one) for one in self._family()) / 1e6
        self.peak = max(self.peak, used)
        if used > self.memory:
            raise AgentFault("memory", f"{used:.0f} MB of {self.memory:g}")

    def _family(self) -> list[psutil.Process]:
        with contextlib.suppress(psutil.Error):
            one = psutil.Process(self.process.pid)
            return [one, *one.children(recursive=True)]
        return []

    def _ended(self) -> AgentFault:
        """The fault of a process whose pipes are closed."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(GRACE)
        self.listener.join(GRACE)
        code = self.process.poll()
        if code == 0:
            return AgentFault("exit", "it ended by itself")
        how = f"signal {signal.Signals(-code).name}" if code is not None and code < 0 else f"exit code {code}"
        return AgentFault("crash", f"{how}; {self.last_words()}".rstrip("; "))

    def last_words(self) -> str:
        """The last line it wrote to standard error."""
        lines = b"".join(self.words).decode("utf-8", "replace").split("\n")
        return next((line.strip()[:200] for line in reversed(lines) if line.strip()), "")

    def _keep_words(self) -> None:
        while True:
            try:
                data = os.read(self.stderr, CHUNK)
            except OSError:
                return
            if not data:
                return
            self.words.append(data)
            self.kept += len(data)
            while self.kept > KEPT_WORDS and len(self.words) > 1:
                self.kept -= len(self.words.popleft())

    def pause(self) -> None:
        """Stop it, and all its processes, until `wake`."""
        self._signal(signal.SIGSTOP)

    def wake(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, number)

    def close(self) -> None:
        """End it, politely if it listens, and whatever it left running."""
        self.wake()
        with contextlib.suppress(AgentFault):
            self.tell({"type": "quit"})
        with contextlib.suppress(OSError):
            self.process.stdin.close()  # type: ignore[union-attr]
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(GRACE)
        self.kill()

    def signal_kill(self) -> None:
        """End it at once, from any thread; whoever is asking it learns that it has gone and cleans up."""
        self._signal(signal.SIGKILL)

    def kill(self) -> None:
        """End it at once, and whatever it left running."""
        family = self._family()
        self._signal(signal.SIGKILL)
        for one in [*family, *_marked(self.mark)]:
            with contextlib.suppress(psutil.Error):
                one.kill()
        self.process.wait()
        self.listener.join(GRACE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]


def _resident(process: psutil.Process) -> float:
    with contextlib.suppress(psutil.Error):
        return float(process.memory_info().rss)
    return 0.0


def _marked(mark: str) -> list[psutil.Process]:
    """Processes that carry the mark, wherever they have gone."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(MARK) == mark:
                found.append(process)
    return found
