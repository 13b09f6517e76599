"""An agent in a process of its own: started, asked, timed, stopped out of its turn, and ended with all it left.

Nothing an agent does can hang or hurt the one who asks: what it writes is read without waiting and capped, what it does
not read is given up, what it overruns is killed, and what it leaves running is found in its tree or by a mark in its
environment.
"""

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import psutil

from harena.agents.tree import Tree
from harena.errors import HarenaError

MARK = "HARENA_AGENT"
MOST_OUTPUT, MOST_LINES = 1 << 20, 100  # bytes and lines of standard output without an answer
KEPT_WORDS = 1 << 14  # bytes of standard error that are kept
CHUNK = 1 << 16
LOOK_EVERY = 0.05  # seconds between two looks at the memory
GRACE = 0.5  # seconds to quit by oneself
LONGEST_DETAIL = 300  # letters
ENDED = "it ended by itself"
LIBRARY = re.compile(r"/lib/python|site-packages|harena/agents/bot\.py$")  # what an agent calls, not what it is
PLACE, ERROR = re.compile(r'\s*File "([^"<>]+)", line (\d+)'), re.compile(r"[\w.]*(Error|Exception)\b")


class AgentFault(HarenaError):
    """What an agent did wrong: `reason` is one of `record.FAULTS`, `detail` what there is to say about it.

    `deadline` is the moment on the clock of `time.perf_counter` at which an answer that is late had to be there, and
    `waited` the seconds for which the machine had no processor for the agent meanwhile.
    """

    def __init__(self, reason: str, detail: str = "", *, deadline: float | None = None, waited: float = 0.0) -> None:
        short = "".join(letter if letter.isprintable() else "?" for letter in " ".join(detail.split()))[:LONGEST_DETAIL]
        super().__init__(f"{reason}: {short}" if short else reason)
        self.reason, self.detail, self.deadline, self.waited = reason, short, deadline, waited


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What an agent said, and how long it took."""

    said: dict[str, Any]
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Due:
    """When an answer has to be there, on the clock of `time.perf_counter`."""

    begin: float
    limit: float  # seconds that the agent knows of
    margin: float  # seconds more until it is stopped

    @property
    def moment(self) -> float:
        """Nobody waits longer."""
        return self.begin + self.limit + self.margin

    def late(self, said: str) -> AgentFault:
        """The fault of who is not there by then: how long it took, what the limit is, and the overrun."""
        spent = time.perf_counter() - self.begin
        times = (f"{1000 * seconds:.0f} ms" for seconds in (spent, self.limit, spent - self.limit))
        return AgentFault("time", "{} after {}: limit {}, {} over".format(said, *times), deadline=self.moment)


class AgentProcess:
    """The process of one agent. Every method returns in bounded time; `AgentFault` tells what the agent did wrong."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        memory: float | None = None,
        cwd: str | None = None,
        environment: Mapping[str, str] = os.environ,
        trusted: bool = False,
    ) -> None:
        self.trusted = trusted  # it has no processes but itself: nobody looks for others
        self.memory = memory  # megabytes of resident memory, all its processes together
        self.mark = uuid.uuid4().hex
        self.words = b""  # the last of what it wrote to standard error
        self.heard: Callable[[bytes], None] | None = None  # told all of it
        self.pending = bytearray()  # what it wrote to standard output and nobody has read yet
        self.looked, self.is_last_look = 0.0, False
        self.flag: Any = None  # one number: not 0 means that nobody waits for the answer any more
        try:
            self.process = _started(command, cwd, {**environment, MARK: self.mark, "PYTHONUNBUFFERED": "1"})
        except OSError as error:
            raise AgentFault("crash", f"{command[0]} cannot be started: {error.strerror}") from None
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.pipes = (self.process.stdin, self.process.stdout, self.process.stderr)
        self.stdin, self.stdout, self.stderr = (pipe.fileno() for pipe in self.pipes)
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        self.tree = Tree(self.process.pid)
        self.reading = select.poll()
        self.reading.register(self.stdout, select.POLLIN)
        self.reading.register(self.stderr, select.POLLIN)
        self.writing = select.poll()
        self.writing.register(self.stdin, select.POLLOUT)

    # Questions and answers

    def ask(
        self, message: dict[str, Any], kind: str, seconds: float, *, margin: float = 0.0, patient: bool = True
    ) -> Answer:
        """Say something and wait for the answer of this type; a fault after so many seconds and the margin.

        An answer to an earlier question, or one given twice, is passed over; not so if we are not patient.
        """
        before = self.tree.load()
        begin = time.perf_counter()
        self.is_last_look = False
        try:
            return self._answer(message, kind, Due(begin=begin, limit=seconds, margin=margin), patient)
        except AgentFault as fault:
            if fault.deadline is not None:
                fault.waited = self.tree.kept_waiting(before, time.perf_counter() - begin)
            raise

    def _answer(self, message: dict[str, Any], kind: str, due: Due, patient: bool) -> Answer:
        self.tell(message, due)
        for _ in range(MOST_LINES):
            line, moment = self._line(due)
            said = _object(line)
            if said.get("type") == "error":
                raise AgentFault("crash", str(said.get("message", "")))
            if said.get("type") == kind and said.get("id") == message.get("id"):
                return Answer(said=said, seconds=moment - due.begin)
            if not patient:
                raise AgentFault(
                    "unreadable answer", f"it said {line[:80].decode('utf-8', 'replace')} in place of {kind}"
                )
        raise AgentFault("output", f"more than {MOST_LINES} lines without an answer")

    def tell(self, message: dict[str, Any], due: Due | None = None) -> None:
        """Say something without waiting for an answer."""
        data = json.dumps(message).encode() + b"\n"
        until = due or Due(begin=time.perf_counter(), limit=GRACE, margin=0.0)
        while data:
            try:
                data = data[os.write(self.stdin, data) :]
            except BlockingIOError:
                left = until.moment - time.perf_counter()
                if left <= 0:
                    raise until.late("it does not read what it is told,") from None
                self.writing.poll(1000 * min(left, LOOK_EVERY))
                self._drain_words()
            except OSError:
                raise self._ended("input") from None

    def _line(self, due: Due) -> tuple[bytes, float]:
        """The next line, and the moment it was there. What is in the pipe at the deadline is looked at once."""
        while (end := self.pending.find(b"\n")) < 0:
            left = due.moment - time.perf_counter()
            if left <= 0 and self.is_last_look:
                raise due.late("no answer")
            if self.flag is not None and self.flag[0]:
                raise AgentFault("time", "it was stopped before it answered")
            self.is_last_look = left <= 0
            ready = dict(self.reading.poll(1000 * max(0.0, min(left, LOOK_EVERY))))
            if self.stderr in ready and not self._drain_words():
                self.reading.unregister(self.stderr)
            if self.stdout in ready:
                self._take_output()
            elif self.process.poll() is not None:  # a child of its own may keep the pipe open
                raise self._ended("output")
            self._check_memory(time.perf_counter())
        line = bytes(self.pending[:end])
        del self.pending[: end + 1]
        return line, time.perf_counter()

    def _take_output(self) -> None:
        with contextlib.suppress(BlockingIOError):
            data = os.read(self.stdout, CHUNK)
            if not data:
                raise self._ended("output")
            self.pending += data
        if len(self.pending) > MOST_OUTPUT:
            raise AgentFault("output", f"more than {MOST_OUTPUT:,} bytes without an answer")

    def _check_memory(self, moment: float) -> None:
        if self.memory is None or moment - self.looked < LOOK_EVERY / 2:
            return
        self.looked = moment
        used = self.tree.resident()
        if used > self.memory:
            raise AgentFault("memory", f"{used:.0f} MB of {self.memory:g}")

    def _ended(self, which: str) -> AgentFault:
        """The fault of a process that has closed a pipe, most often by ending."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(GRACE)
        self._drain_words()
        code = self.process.poll()
        if code == 0:
            return AgentFault("exit", ENDED)
        if code is None:
            return AgentFault("crash", f"it closed its {which}")
        number = -code if code < 0 else code - 128  # behind walls a signal comes as an exit code, as in a shell
        how = f"signal {signal.Signals(number).name}" if number in signal.valid_signals() else f"exit code {code}"
        return AgentFault("crash", f"{how}; {self.last_words()}".rstrip("; "))

    # Its standard error

    def last_words(self) -> str:
        """The last line it wrote to standard error; after a traceback of Python with the place it names last."""
        lines = self.words.decode("utf-8", "replace").split("\n")
        last = next((line.strip()[:200] for line in reversed(lines) if line.strip()), "")
        places = [place for line in lines if (place := PLACE.match(line)) and not LIBRARY.search(place[1])]
        if not places or not ERROR.match(last):
            return last
        return f"{last} ({os.path.basename(places[-1][1])}, line {places[-1][2]})"

    def _drain_words(self) -> bool:
        """Keep the last of what is there; False when no more can come."""
        if self.pipes[2].closed:
            return False
        for _ in range(64):
            try:
                data = os.read(self.stderr, CHUNK)
            except BlockingIOError:
                return True
            except OSError:
                return False
            if not data:
                return False
            self.words = (self.words + data)[-KEPT_WORDS:]
            if self.heard is not None:
                self.heard(data)
        return True

    def listen(self) -> None:
        """Take in what it has written to standard error by now."""
        self._drain_words()

    # Its turns and its end

    def pause(self) -> None:
        """Stop it, and all its processes, until `wake`."""
        if self.trusted:
            self.tree.signal_group(signal.SIGSTOP)
        else:
            self.tree.signal(signal.SIGSTOP)

    def wake(self) -> None:
        """Let it go on."""
        self.tree.wake()

    def close(self) -> None:
        """End it, politely if it listens, and whatever it left running."""
        self.wake()
        with contextlib.suppress(AgentFault):
            self.tell({"type": "quit"})
        with contextlib.suppress(OSError):
            self.pipes[0].close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(GRACE)
        self.kill()

    def signal_kill(self) -> None:
        """End it at once, from any thread; whoever is asking it learns that it has gone and cleans up."""
        self.tree.signal_group(signal.SIGKILL)

    def kill(self) -> None:
        """End it at once, and whatever it left running."""
        self.tree.signal(signal.SIGKILL)
        for one in [*self.tree.processes(), *_marked(self.mark)]:
            with contextlib.suppress(psutil.Error):
                one.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10 * GRACE)
        self._drain_words()
        for pipe in self.pipes:
            with contextlib.suppress(OSError):
                pipe.close()


_spawners: dict[int, ThreadPoolExecutor] = {}  # by process: a fork has no threads


def _started(command: Sequence[str], cwd: str | None, environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    """Start a process from a thread that lives as long as we do: walls that fall with their parent mean its thread."""

    def start() -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=environment,
            process_group=0,  # of our session: if we die, the kernel wakes stopped groups with SIGHUP
        )

    spawner = _spawners.setdefault(os.getpid(), ThreadPoolExecutor(1, "spawner"))
    return spawner.submit(start).result()


def _object(line: bytes) -> dict[str, Any]:
    """A line as an object of JSON."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        words = f"{repr(line[:80])[1:]} is no line of JSON: print what is not an answer to stderr"
        raise AgentFault("unreadable answer", words)
    return said


def _marked(mark: str) -> list[psutil.Process]:
    """Processes that carry the mark, wherever they have gone."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if process.environ().get(MARK) == mark:
                found.append(process)
    return found
