"""An agent in a process of its own: started, asked, timed, stopped out of its turn, and ended with all it left.

Nothing an agent does can hang or hurt the one who asks: what it writes is read without waiting and capped, what it does
not read is given up, what it overruns is killed, and what it leaves running is found in its control group, in its tree
or by a mark in its environment.

What an agent used counts, not what the machine took. Under a wall clock the time for which the machine had no processor
for it is taken off; under a CPU clock only the CPU time of all its processes counts.
"""

import contextlib
import json
import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import psutil

from harena.agents.delays import Delays
from harena.agents.fault import CPU, AgentFault, Due
from harena.agents.forked import Order, fork_player
from harena.agents.spawn import LOW, marked_processes, start_process
from harena.agents.tree import NO_LOAD, Tree
from harena.sandbox.groups import Group
from harena.sandbox.stalls import StallProbe
from harena.sandbox.watcher import MARK
from harena.sandbox.workplace import workplace
from harena.termination import Termination

MOST_LINE, MOST_OUTPUT, MOST_LINES = (
    1 << 16,
    1 << 18,
    100,
)  # of standard output: bytes a line, bytes and lines a question
MOST_READ = 4  # chunks of standard error that are read at a time
TRACEBACK = "Traceback (most recent call last)"
KEPT_WORDS = 1 << 16  # bytes of standard error that are kept: a traceback, whatever its letters
CHUNK = 1 << 16
LOOK_EVERY = 0.05  # seconds between two looks at the memory
SHORTEST_LOOK = 0.002  # seconds between two looks at the CPU time
DUE = 0.01  # seconds before the limit within which an agent answers that uses all its time
CHATTER = 4096  # bytes: an agent that writes more while its answer is due is not excused
GRACE = 0.5  # seconds to quit by oneself
LONGEST_EXCUSE = 60.0  # seconds that the machine can have taken of one question
STOLEN, STOLEN_EACH = 0.02, 0.001  # CPU seconds that an agent may use while it is stopped: of a game, and of each pause
ENDED = "it ended by itself"
LIBRARY = re.compile(r"/lib/python|site-packages|harena/agents/bot\.py$")  # what an agent calls, not what it is
PLACE, ERROR = re.compile(r'\s*File "([^"<>]+)", line (\d+)'), re.compile(r"[\w.]*(Error|Exception)\b")
JOIN = 'for file; do [ "$file" = -- ] && break; echo 0 >"$file" || exit 126; shift; done; shift; exec "$@"'


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What an agent said, and how long it took: `seconds` without those that the machine took."""

    said: dict[str, Any]
    seconds: float
    taken: float = 0.0


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
        group: Group | None = None,
        cores: Collection[int] = (),
        order: Order | None = None,
    ) -> None:
        self.trusted = trusted  # it has no processes but itself, and is not suspected of thinking out of its turn
        self.memory = memory  # megabytes, all its processes together
        self.baseline = self.baseline_peak = 0.0  # megabytes that are not its own
        self.mark = workplace().new_mark()
        self.words = b""  # the last of what it wrote to standard error
        self.heard: Callable[[bytes], None] | None = None  # told all of it
        self.pending = bytearray()  # what it wrote to standard output and nobody has read yet
        self.received = 0  # bytes of standard output since the question
        self.due_from, self.chatter = 0.0, 0  # since when its answer is due, and bytes that it wrote since
        self.looked, self.is_last_look = 0.0, False
        self.flag: Any = None  # one number: not 0 means that nobody waits for the answer any more
        self.is_paused = False
        self._priority = 0  # that it had before it was lowered
        self.pauses, self.stolen, self._used_at_pause = 0, 0.0, 0.0
        self._before, self._delays = NO_LOAD, Delays()
        self.group = group
        entrances = [] if group is None else group.entrances
        environment = {**environment, MARK: self.mark, "PYTHONUNBUFFERED": "1"}
        try:
            forked = order and fork_player(order, environment, cwd, cores, entrances)
            if entrances:
                command = ["/bin/sh", "-c", JOIN, "harena", *entrances, "--", *command]
            self.process = forked or start_process(command, cwd, environment, cores)
        except BaseException as error:
            self._remove_group()
            if isinstance(error, OSError):
                raise AgentFault(Termination.CRASH, f"{command[0]} cannot be started: {error.strerror}") from None
            raise
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.pipes = (self.process.stdin, self.process.stdout, self.process.stderr)
        self.stdin, self.stdout, self.stderr = (pipe.fileno() for pipe in self.pipes)
        for descriptor in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(descriptor, False)
        self.tree = Tree(self.process.pid, group, is_alone=trusted, cores=cores)
        self.reading = select.poll()
        self.reading.register(self.stdout, select.POLLIN)
        self.reading.register(self.stderr, select.POLLIN)
        self.writing = select.poll()
        self.writing.register(self.stdin, select.POLLOUT)

    # Questions and answers

    def ask(
        self,
        message: dict[str, Any],
        kind: str,
        seconds: float,
        *,
        margin: float = 0.0,
        patient: bool = True,
        **terms: Any,
    ) -> Answer:
        """Say something and wait for the answer of this type; a fault after so many seconds and the margin.

        An answer to an earlier question, or one given twice, is passed over; not so if we are not patient. Other terms
        are those of `Due`.
        """
        due = self._due(seconds, margin=margin, **terms)
        self.tell(message, due)
        said, moment = self._said(kind, message.get("id"), due, patient=patient)
        return self._accepted(said, moment, due)

    def finish(self, kind: str, number: int, seconds: float) -> None:
        """Wait for the answer of this type and number that it still owes, and pass it over."""
        self._said(kind, number, self._due(seconds))

    def _due(self, seconds: float, **terms: Any) -> Due:
        """From now on: an answer is due after so many seconds."""
        self._before, self._delays = self.tree.first_load(), Delays()
        due = Due(begin=time.perf_counter(), limit=seconds, **terms)
        self.is_last_look, self.received = False, len(self.pending)
        self.due_from, self.chatter = due.begin + due.limit - due.spent - DUE, 0
        return due

    def _said(self, kind: str, number: int | None, due: Due, *, patient: bool = True) -> tuple[dict[str, Any], float]:
        """The message of this type and number, and when it came."""
        for _ in range(MOST_LINES):
            line, moment = self._line(due)
            said = _object(line)
            if said.get("type") == "error":
                text = said.get("traceback", "")
                raise AgentFault(
                    Termination.CRASH, str(said.get("message", "")), traceback=text if isinstance(text, str) else ""
                )
            if said.get("type") == kind and said.get("id") == number:
                return said, moment
            if not patient:
                raise AgentFault(
                    Termination.UNREADABLE, f"it said {line[:80].decode('utf-8', 'replace')} in place of {kind}"
                )
        raise AgentFault(Termination.OUTPUT, f"more than {MOST_LINES} lines without an answer")

    def _accepted(self, said: dict[str, Any], moment: float, due: Due) -> Answer:
        """An answer with what it cost; a fault if that is too much."""
        elapsed, taken = moment - due.begin, 0.0
        if due.clock == CPU:
            self.pause()
            used = self.tree.cpu_seconds() - self._before.used
        else:
            taken = self._taken(due, elapsed) if due.is_part or elapsed > due.limit - due.spent else 0.0
            used = elapsed - taken
        if used > due.allowed:
            raise due.late("answered", used, has_answered=True)
        return Answer(said=said, seconds=due.spent + used, taken=taken)

    def tell(self, message: dict[str, Any], due: Due | None = None) -> None:
        """Say something without waiting for an answer."""
        data = json.dumps(message).encode() + b"\n"
        until = due or Due(begin=time.perf_counter(), limit=GRACE)
        while data:
            try:
                data = data[os.write(self.stdin, data) :]
            except BlockingIOError:
                left = until.moment - time.perf_counter()
                if left <= 0:
                    self._judge(until, "it does not read what it is told,")
                self.writing.poll(1000 * max(0.0, min(left, LOOK_EVERY)))
                self._drain_words()
            except OSError:
                raise self._ended("input") from None

    def _line(self, due: Due) -> tuple[bytes, float]:
        """The next line, and the moment it was there. What is in the pipe at the deadline is looked at once."""
        while (end := self.pending.find(b"\n")) < 0:
            left = due.moment - time.perf_counter()
            if left <= 0 and self.is_last_look:
                self._judge(due, "no answer")
                left = due.moment - time.perf_counter()
            if self.flag is not None and self.flag[0]:
                raise AgentFault(Termination.TIME, "it was stopped before it answered")
            self.is_last_look = left <= 0
            self._delays.note_wait()
            ready = dict(self.reading.poll(1000 * max(0.0, min(left, LOOK_EVERY))))
            if self.stderr in ready and not self._drain_words():
                self.reading.unregister(self.stderr)
            if self.stdout in ready:
                self._take_output()
            elif self.process.poll() is not None:  # a child of its own may keep the pipe open
                raise self._ended("output")
            self._look(time.perf_counter())
        if end > MOST_LINE:
            raise AgentFault(Termination.OUTPUT, f"a line of more than {MOST_LINE:,} bytes")
        line = bytes(self.pending[:end])
        del self.pending[: end + 1]
        return line, time.perf_counter()

    def _take_output(self) -> None:
        with contextlib.suppress(BlockingIOError):
            data = os.read(self.stdout, CHUNK)
            if not data:
                raise self._ended("output")
            self.pending += data
            self._note_write(len(data))
            self.received += len(data)
        if self.received > MOST_OUTPUT:
            raise AgentFault(Termination.OUTPUT, f"more than {MOST_OUTPUT:,} bytes without an answer")
        if len(self.pending) > MOST_LINE and self.pending.find(b"\n", 0, MOST_LINE + 1) < 0:
            raise AgentFault(Termination.OUTPUT, f"a line of more than {MOST_LINE:,} bytes")

    # What it used

    def _judge(self, due: Due, event: str) -> None:
        """When the next look at an agent that has not answered is due; a fault if it has used up its time."""
        elapsed = due.waited
        if due.clock == CPU:
            used = self.tree.cpu_seconds() - self._before.used
            if used > due.allowed:
                raise due.late(event, used)
            if elapsed > due.patience and elapsed - min(self._taken(due, elapsed), LONGEST_EXCUSE) > due.patience:
                raise due.asleep(used)
            left = (due.allowed - used) / (os.cpu_count() or 1)
            due.moment = time.perf_counter() + max(SHORTEST_LOOK, min(left, LOOK_EVERY))
            return
        taken = self._taken(due, elapsed)
        if elapsed - taken >= due.allowed:
            raise due.late(event, elapsed - taken)
        if elapsed > due.patience:
            waited = self.tree.kept_waiting(self._before, elapsed, by_one=True)
            raise due.late("no answer", elapsed, is_stall=not due.stubborn and waited > elapsed / 2)
        due.moment = max(due.begin + due.allowed + taken, time.perf_counter() + 0.001)

    def _taken(self, due: Due, elapsed: float) -> float:
        """The seconds since the question that the machine took: it had no processor for the agent, or stood still.

        It never took more than what is left beside the agent's own CPU time, so that nothing is won by making the
        machine busy; within that bound the referee's delays count with the most they can have been. An agent that kept
        the referee busy by writing while its answer was due has only what the kernel counted of its own waits: neither
        a stall nor the referee's delays excuse it.

        A machine that stands still may count that as the agent's CPU time. So an exact stall may exceed that bound by
        itself: whoever stops a core from within the kernel uses at least as much CPU time as the core stands still.
        """
        used = self.tree.cpu_seconds() - self._before.used
        waited = self.tree.kept_waiting(self._before, elapsed)
        if self.chatter > CHATTER:
            return max(0.0, min(waited, elapsed - used))
        taken = max(0.0, min(waited + self._delays.seconds(), elapsed - used))
        stall = StallProbe.lost(self.due_from, due.begin + elapsed)
        if stall.is_exact:
            taken = max(taken, min(stall.seconds, elapsed - used + stall.seconds))
        elif used <= due.allowed:
            taken = max(taken, stall.seconds)
        return min(taken, elapsed)

    def _note_write(self, size: int) -> None:
        if time.perf_counter() >= self.due_from:
            self.chatter += size

    # Its memory

    def set_baseline(self) -> None:
        """What it holds now is not its own: the interpreter, and what its host has loaded."""
        self.baseline, self.baseline_peak = self.tree.memory(), self.tree.peak_memory()

    def peak_memory(self) -> float:
        """The most megabytes of its own that its processes ever held, as the system remembers it."""
        return max(0.0, self.tree.peak_memory() - self.baseline_peak)

    def limit_memory(self, slack: float) -> None:
        """Let the kernel hold it to its memory, and so many megabytes more, where a control group can."""
        if self.group is not None and self.memory is not None:
            self.group.limit_memory(int(1e6 * (self.memory + self.baseline + slack)))

    def _look(self, moment: float) -> None:
        """Now and then: how long its threads had to wait, and whether it has more memory than it may."""
        if moment - self.looked < LOOK_EVERY / 2:
            return
        self.looked = moment
        self.tree.note_waits()
        if self.memory is not None and (used := self.tree.memory() - self.baseline) > self.memory:
            raise AgentFault(Termination.MEMORY, f"{used:.0f} MB of {self.memory:g}")

    def _ended(self, which: str) -> AgentFault:
        """The fault of a process that has closed a pipe, most often by ending."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(GRACE)
        self._drain_words()
        if self.group is not None and self.group.ran_out_of_memory():
            return AgentFault(Termination.MEMORY, f"more than {self.memory or 0:g} MB")
        code = self.process.poll()
        if code == 0:
            return AgentFault(Termination.EXIT, ENDED, traceback=self._last_lines())
        if code is None:
            return AgentFault(Termination.CRASH, f"it closed its {which}")
        number = -code if code < 0 else code - 128  # behind walls a signal comes as an exit code, as in a shell
        how = f"signal {signal.Signals(number).name}" if number in signal.valid_signals() else f"exit code {code}"
        return AgentFault(Termination.CRASH, f"{how}; {self.last_words()}".rstrip("; "), traceback=self._last_lines())

    # Its standard error

    def last_words(self) -> str:
        """The last line it wrote to standard error; after a traceback of Python with the place it names last."""
        lines = self.words.decode("utf-8", "replace").split("\n")
        last = next((line.strip()[:200] for line in reversed(lines) if line.strip()), "")
        places = [place for line in lines if (place := PLACE.match(line)) and not LIBRARY.search(place[1])]
        if not places or not ERROR.match(last):
            return last
        return f"{last} ({os.path.basename(places[-1][1])}, line {places[-1][2]})"

    def _last_lines(self) -> str:
        """The traceback of Python that it wrote to standard error; without one the last that it wrote."""
        text = self.words.decode("utf-8", "replace")
        return text[max(0, text.find(TRACEBACK)) :]

    def _drain_words(self, most: int = MOST_READ) -> bool:
        """Keep the last of what is there; False when no more can come."""
        if self.pipes[2].closed:
            return False
        for _ in range(most):
            try:
                data = os.read(self.stderr, CHUNK)
            except BlockingIOError:
                return True
            except OSError:
                return False
            if not data:
                return False
            self._note_write(len(data))
            self.words = (self.words + data)[-KEPT_WORDS:]
            if self.heard is not None:
                self.heard(data)
        return True

    def listen(self) -> None:
        """Take in what it has written to standard error by now."""
        self._drain_words(64)

    # Its turns and its end

    def pause(self) -> None:
        """Stop it, and all its processes, until `wake`."""
        if self.is_paused:
            return
        self.is_paused = True
        self.tree.pause()
        if not self.trusted:
            self._used_at_pause = self.tree.cpu_seconds()

    def wake(self) -> None:
        """Let it go on; a fault if it has used CPU time while it was stopped."""
        if not self.is_paused:
            return
        self.is_paused = False
        if not self.trusted:
            self.stolen += max(0.0, self.tree.cpu_seconds() - self._used_at_pause)
            self.pauses += 1
        self.tree.wake()
        if self.stolen > STOLEN + self.pauses * STOLEN_EACH:
            raise AgentFault(Termination.OUT_OF_TURN, f"{1000 * self.stolen:.0f} ms of CPU time while it was stopped")

    def lower_priority(self) -> None:
        """Let it have only what others leave of the processors, until `restore_priority`."""
        self._priority = os.getpriority(os.PRIO_PGRP, self.process.pid)
        os.setpriority(os.PRIO_PGRP, self.process.pid, LOW)

    def restore_priority(self) -> None:
        """Treat it as all others; from any thread. OSError if it has ended."""
        os.setpriority(os.PRIO_PGRP, self.process.pid, self._priority)

    def begin_game(self) -> None:
        """Forget what it used while it was stopped in earlier games."""
        self.pauses, self.stolen = 0, 0.0

    def close(self) -> None:
        """End it, politely if it listens, and whatever it left running."""
        with contextlib.suppress(AgentFault):
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
        self.tree.kill()

    def kill(self) -> None:
        """End it at once, and whatever it left running."""
        self.tree.kill_all()
        if self.group is None and not self.trusted:
            for one in [*self.tree.processes(), *marked_processes(self.mark)]:
                with contextlib.suppress(psutil.Error):
                    one.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10 * GRACE)
        self._drain_words(64)
        for pipe in self.pipes:
            with contextlib.suppress(OSError):
                pipe.close()
        self.tree.close()
        self._remove_group()

    def _remove_group(self) -> None:
        if self.group is not None:
            self.group.remove()


def _object(line: bytes) -> dict[str, Any]:
    """A line as an object of JSON."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        words = f"{repr(line[:80])[1:]} is no line of JSON: print what is not an answer to stderr"
        raise AgentFault(Termination.UNREADABLE, words)
    return said
