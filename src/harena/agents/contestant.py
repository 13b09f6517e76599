"""Whoever sits at the board: an agent in a process of its own, or one of our players in this very process.

Both are asked in the same words, and with a budget of nodes both play the same games.
"""

import contextlib
import shutil
import threading
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from harena.agents.bot import PROTOCOL
from harena.agents.environments import Environment, check_unchanged
from harena.agents.fault import WALL, AgentFault, Stopped, traceback_of_cause
from harena.agents.forked import Order
from harena.agents.launch import TRUSTED, UNWALLED, Launch
from harena.agents.loading import LoadBudget, make_instance
from harena.agents.player import Player
from harena.agents.process import ENDED, AgentProcess
from harena.agents.serve import NO_FLAG, described
from harena.agents.spawn import check_processes
from harena.api import State
from harena.errors import BadFile
from harena.find import game
from harena.sandbox.groups import Group, NoGroups
from harena.sandbox.walls import GROUP, OFF, SandboxError
from harena.sandbox.workplace import workplace
from harena.search.result import Limits
from harena.termination import Termination

if TYPE_CHECKING:
    from harena.agents.spec import AgentSpec

COMPILE_SECONDS = 600.0  # the first start of a player of ours compiles it
LOAD_SECONDS = 60.0  # anybody else's agent has to be ready by then
BEGIN_SECONDS = 10.0  # to make itself ready for a game, where it asks for that
MOST_SAID = 1e15  # of a value, depth or number of nodes
# What a host may say of its agent; `courses/hosting/host.py` has a copy of the values.
HOST_FAULTS = (Termination.ILLEGAL, Termination.UNREADABLE, Termination.CRASH, Termination.RESIGNED)
SETTLE_SECONDS = 1.0  # that an agent which overran gets to answer all the same, before its next game
MEMORY_SLACK = 64.0  # megabytes beyond its limit at which the kernel itself ends an agent, between two looks of ours
MOST_PROCESSES = 40  # of an agent in its control group, those of its walls included
HANGS = 3600.0  # seconds after which an agent without a limit of time is given up, where nothing else is said


@dataclass(frozen=True, kw_only=True)
class Said:
    """An answer: the move's text, what was said about it, and what it cost."""

    move: str
    seconds: float  # that it used
    taken: float = 0.0  # seconds more, for which the machine had no processor for it
    value: float | None = None
    depth: int | None = None
    nodes: int | None = None


class Contestant(Protocol):
    """Started once and kept over many games."""

    def begin(self, options: dict[str, Any], start: str, seat: int, seed: int) -> None:
        """A new game."""

    def choose(self, state: State, moves: list[str], limits: Limits, seed: int, allowed: float | None = None) -> Said:
        """A move; AgentFault tells what went wrong. `allowed` are the seconds left of a turn, where turns are timed."""

    def end(self) -> None:
        """The game is over."""

    def close(self) -> None:
        """No more games."""


@dataclass(kw_only=True)
class Started:
    """A process that was started, and its folder; `ready` is what it answered when it was told what it will play."""

    process: AgentProcess
    tmp: str
    game: str  # the name by which it finds the game
    ready: dict[str, Any] | None = None
    memory: float = 0.0  # megabytes, when it was stopped until its game


class ProcessContestant:
    """An agent behind the protocol of docs/protocol.md, started when first needed and again after a fault."""

    def __init__(
        self,
        agent: "AgentSpec",
        name: str,
        variants: list[dict[str, Any]],
        *,
        margin: float,
        memory: float | None = None,
        walls: str = "auto",
        unloadable: dict[str, AgentFault] | None = None,
        loads: LoadBudget | None = None,
        stopped: threading.Event | None = None,
        hangs: float = HANGS,
        clock: str = WALL,
        keeps_late: bool = False,
        environment: Environment | None = None,
    ) -> None:
        check_processes()
        self.agent, self.text = agent, agent.text
        self.name, self.variants, self.clock = name, variants, clock
        self.cores: Collection[int] = ()  # that it runs on; nothing: all
        self.stubborn = False  # wait longer than usual where the machine has no processor for it
        self.keeps_late = keeps_late  # one that is late is stopped, and plays its next game in the same process
        self.owed: int | None = None  # the question whose answer came too late, if it has not come yet
        self.hangs = hangs  # seconds after which it is given up where it has no limit of time
        self.margin, self.memory, self.walls = margin, memory, walls
        self.environment = environment  # that hosts it, if it is a course agent
        self.unloadable = {} if unloadable is None else unloadable  # agents that did not start: not tried again
        self.loads = loads or LoadBudget()  # the run's: what loading may take in all
        self.stopped = stopped or threading.Event()  # set from any thread: no more questions
        self.process: AgentProcess | None = None
        self.spare: Started | None = None  # the process of a later game
        self.is_closed = False  # no more games
        self.is_awaited = False  # a game waits for the process that is being started ahead
        self._low: AgentProcess | None = None  # that process, while its priority is low
        self.processes: set[AgentProcess] = set()  # all that have not ended
        self.own_memory = 0.0  # megabytes, when it was ready
        self.tmp: str | None = None
        self.asked = 0
        self.has_loaded = False
        self.begins = False  # it says when it is ready for a game
        self.spent = 0.0  # seconds until it was: they count as the first move's
        self.makes = False  # it makes an instance for each game before it hears of the game
        self.made_in: float | None = None  # seconds that the constructor of the last instance took
        self.flag: Any = None  # one number: not 0 gives up the question that is being asked, and its process
        self.most_heard = 0  # bytes of its standard error that are kept for `words`
        self._heard = bytearray()

    def launch(self, tmp: str) -> Launch:
        """How its process is started."""
        return self.agent.launch(self.walls, tmp, self.name, self.environment)

    def start(self) -> None:
        """Start the process and wait until it is ready; one that never was is not tried again."""
        if self.text in self.unloadable:
            raise self.unloadable[self.text]
        if self.agent.is_trusted:
            self._start(COMPILE_SECONDS)
            return
        self._check_loads()
        try:
            with self.loads.measure(self.text, LOAD_SECONDS) as seconds:
                self._start(seconds)
        except AgentFault:
            self._check_loads()
            raise

    def _check_loads(self) -> None:
        """AgentFault if it has loaded for too long in this run; then it is not tried again."""
        try:
            self.loads.check(self.text)
        except AgentFault as spent:
            self.unloadable[self.text] = spent
            raise

    def _start(self, seconds: float) -> None:
        self.owed = None
        started = self._take_spare()
        try:
            if started is None:
                started = self._launch(seconds)
            if started.ready is None:
                self._greet(started, seconds)
        except BaseException as fault:  # also Ctrl-C: no process is left behind
            if started is not None:
                self._discard(started)
            if not isinstance(fault, AgentFault):
                raise
            if self.environment is not None and not self.stopped.is_set():
                check_unchanged(self.environment, self.walls)
            told = AgentFault(Termination.LOAD, self._why(fault), traceback=fault.traceback)
            if not self.has_loaded and not self.stopped.is_set() and not self.is_given_up:
                self.unloadable[self.text] = told
            raise told from None
        assert started.ready is not None
        self.process, self.tmp = started.process, started.tmp
        self.has_loaded, self.own_memory = True, started.process.tree.memory()
        # A host shares its process with the submission, which could say `ready` in its place: it is not asked.
        self.makes = bool(self.agent.course)
        self.begins = not self.makes and started.ready.get("begins") is True
        self.process.pause()

    def _launch(self, seconds: float, *, is_spare: bool = False, is_low: bool = False) -> Started:
        """Start a process up to where the code of an agent that is not ours would be loaded."""
        tmp = workplace().new_folder()
        try:
            how = self.launch(tmp)
            name, order = how.game or self.name, None
            if how.player:
                order = Order(text=how.player, game=name, variants=self.variants, is_stopped=self.stopped.is_set)
            process = AgentProcess(
                how.command,
                memory=self.memory,
                cwd=how.folder,
                environment=how.environment,
                trusted=how.level == TRUSTED,
                group=_new_group(how.level) if how.freezer == GROUP else None,
                cores=self.cores,
                order=order,
            )
        except BaseException:
            shutil.rmtree(tmp, ignore_errors=True)
            raise
        started = Started(process=process, tmp=tmp, game=name)
        self.processes.add(process)  # from now on `signal_kill` ends it
        try:
            if is_low:
                self._lower(process)
            if not is_spare:
                self._listen_to(process)
            if self.stopped.is_set():
                raise Stopped
            if self.agent.course:
                process.ask({"type": "prepare"}, "prepared", seconds, patient=False)
                process.set_baseline()
            process.limit_memory(MEMORY_SLACK)
        except BaseException:
            self._discard(started)
            raise
        return started

    def _greet(self, started: Started, seconds: float) -> None:
        """Tell a process what it will play, and wait until it is ready."""
        hello = {"type": "hello", "harena": PROTOCOL, "game": started.game, "variants": self.variants}
        ready = started.process.ask(hello, "ready", seconds, patient=False).said
        if ready.get("harena") != PROTOCOL:
            spoken = str(ready.get("harena"))[:20]
            raise AgentFault(Termination.LOAD, f"it speaks version {spoken} of the protocol; here it is {PROTOCOL}")
        started.ready = ready

    def start_ahead(self, *, is_low: bool = False) -> None:
        """Start the process of a later game while another is played; from any thread, one at a time.

        With `is_low` it gets only what others leave of the processors, until it is ready or a game waits for it. A
        player of ours is made ready. Of a course's agent only its host is loaded: the submission's own code runs when
        the process is used. A program cannot be started without running its code, so it is not.
        """
        if self.spare is not None or self.text in self.unloadable or self.agent.is_program:
            return
        if self.agent.is_trusted and self.process is not None:
            return
        try:
            spare = self._launch(LOAD_SECONDS, is_spare=True, is_low=is_low)
            try:
                if self.agent.is_trusted:
                    self._greet(spare, COMPILE_SECONDS)
                spare.process.pause()
                if is_low:
                    spare.process.restore_priority()
                spare.memory = spare.process.tree.memory()
            except BaseException:
                self._discard(spare)
                raise
        except (AgentFault, Stopped, OSError):  # `start` tries again, and says why
            return
        finally:
            self._low = None
        self.spare = spare
        if self.is_closed:  # meanwhile
            self._discard_spare()

    def _lower(self, process: AgentProcess) -> None:
        process.lower_priority()
        self._low = process
        if self.is_awaited:  # since a moment ago
            process.restore_priority()

    def hurry(self) -> None:
        """Somebody waits for the process that is being started ahead; from any thread."""
        self.is_awaited = True
        if (low := self._low) is not None:
            with contextlib.suppress(OSError):  # it has ended
                low.restore_priority()

    def _take_spare(self) -> Started | None:
        """The process that was started ahead, if there is one and it still runs."""
        spare, self.spare = self.spare, None
        if spare is None:
            return None
        try:
            if spare.process.process.poll() is None:
                self._listen_to(spare.process)
                spare.process.wake()
                return spare
        except AgentFault:
            pass
        self._discard(spare)
        return None

    def _discard_spare(self) -> None:
        spare, self.spare = self.spare, None
        if spare is not None:
            self._discard(spare)

    def _listen_to(self, process: AgentProcess) -> None:
        """Let what a process writes to standard error count as said by this agent, and let the flag give it up."""
        process.flag = self.flag
        if self.most_heard:
            self._hear(process.words)
            process.heard = self._hear

    def _discard(self, started: Started) -> None:
        """End a process at once, and remove its folder."""
        started.process.kill()
        self.processes.discard(started.process)
        shutil.rmtree(started.tmp, ignore_errors=True)

    def signal_kill(self) -> None:
        """End all its processes at once, from any thread."""
        for process in list(self.processes):
            process.signal_kill()

    def _why(self, fault: AgentFault) -> str:
        """What is said of a process that was never ready; of a program that only ended, what it may lack."""
        said = fault.detail or fault.reason
        return f"{said}: does it speak docs/protocol.md?" if self.agent.is_program and said == ENDED else said

    @property
    def held_memory(self) -> float:
        """Megabytes that its processes hold between games, as far as is known."""
        spare = self.spare
        return self.own_memory + (spare.memory if spare is not None else 0.0)

    @property
    def is_given_up(self) -> bool:
        """Whether nobody waits for it."""
        return self.flag is not None and bool(self.flag[0])

    def _heed(self) -> None:
        """Stopped if somebody said so meanwhile."""
        if self.stopped.is_set():
            self.drop()
            raise Stopped

    def begin(self, options: dict[str, Any], start: str, seat: int, seed: int) -> None:
        """A new game. An agent that makes instances makes one first, and only then is told of the game."""
        self.loads.count_game(self.text)
        self._settle()
        self.spent = 0.0
        if self.process is None:
            self.start()
        assert self.process is not None
        self.process.flag = self.flag
        self.process.begin_game()
        new = {"type": "new", "options": options, "start": start, "seat": seat, "seed": seed}
        try:
            self.process.wake()
            if self.makes:
                self.asked += 1
                self.made_in = make_instance(self.process, self.asked, seed, self.margin, stubborn=self.stubborn)
                self.process.pause()  # what it does once it hears of the game counts on the clock of its first move
                self.process.tell(new)
                return
            if self.begins:
                self.spent = self.process.ask(new, "begun", BEGIN_SECONDS, clock=self.clock, stubborn=True).seconds
            else:
                self.process.tell(new)
        except AgentFault:
            self.drop()
            raise
        self.process.pause()

    def _settle(self) -> None:
        """Wait for the answer that it owes from its last game; one that does not come ends its process."""
        if self.process is None or self.owed is None:
            return
        try:
            self.process.wake()
            self.process.finish("move", self.owed, SETTLE_SECONDS)
            self.owed = None
        except AgentFault:
            self.drop()

    def choose(self, state: State, moves: list[str], limits: Limits, seed: int, allowed: float | None = None) -> Said:
        """Wake it, ask it, and stop it again."""
        self._heed()
        assert self.process is not None
        self.process.flag = self.flag
        self.asked += 1
        question = {
            "type": "go",
            "id": self.asked,
            "position": state.text,
            "moves": moves,
            "legal": [str(move) for move in state.moves()],
            "limits": {key: value for key, value in vars(limits).items() if value is not None},
            "seed": seed,
        }
        if allowed is not None:
            question["turn_seconds"] = allowed
        wall = limits.seconds if allowed is None else allowed
        try:
            self.process.wake()
            answer = self.process.ask(
                question,
                "move",
                self.hangs if wall is None else wall,
                margin=0.0 if wall is None else self.margin,
                clock=WALL if wall is None else self.clock,
                stubborn=self.stubborn,
                spent=self.spent,
                is_part=allowed is not None,
            )
            self.spent = 0.0
        except AgentFault as fault:
            if fault.reason == Termination.TIME and self.keeps_late and not self.is_given_up:
                self.owed = None if fault.has_answered else self.asked
                self.process.pause()
            else:
                self.drop()
            raise
        self.process.pause()
        return _said(answer.said, answer.seconds, answer.taken)

    def end(self) -> None:
        """The next `new` says so."""

    def words(self) -> bytes:
        """What it has written to standard error since the last call, where that is kept."""
        if self.process is not None and self.most_heard:
            self.process.listen()
        said = bytes(self._heard)
        self._heard.clear()
        return said

    def _hear(self, data: bytes) -> None:
        self._heard += data[: max(0, self.most_heard - len(self._heard))]

    def drop(self) -> None:
        """End the process at once; the next game starts it again."""
        if self.process is not None:
            self.process.kill()
        self._forget()

    def close(self) -> None:
        """No more games."""
        self.is_closed = True
        self._discard_spare()
        if self.process is not None:
            self.process.close()
        self._forget()
        while self.processes:  # of a start that was interrupted
            self.processes.pop().kill()

    def _forget(self) -> None:
        if self.process is not None:
            self.processes.discard(self.process)
        self.process = self.owed = None
        self.own_memory = 0.0
        if self.tmp is not None:
            shutil.rmtree(self.tmp, ignore_errors=True)
            self.tmp = None


def _new_group(level: str) -> Group:
    """A group for an agent behind walls of this level; there were some when the run began, so there must be one."""
    try:
        group = workplace().new_group()
    except NoGroups as error:
        raise SandboxError(f"agents cannot be frozen any more: {error}; go on with --sandbox auto,signals") from None
    if level not in (TRUSTED, UNWALLED, OFF):
        group.limit_processes(MOST_PROCESSES)
    return group


def _said(answer: dict[str, Any], seconds: float, taken: float) -> Said:
    if answer.get("resign") is True:
        raise AgentFault(Termination.RESIGNED)
    if answer.get("fault") in HOST_FAULTS:
        text = answer.get("traceback")
        detail = str(answer.get("detail", ""))[:300]
        raise AgentFault(answer["fault"], detail, traceback=text if isinstance(text, str) else "")
    move = answer.get("move")
    if not isinstance(move, str):
        raise AgentFault(Termination.UNREADABLE, f"the move is {str(move)[:80]!r}, not a text")
    value, depth, nodes = answer.get("value"), answer.get("depth"), answer.get("nodes")
    return Said(move=move, seconds=seconds, taken=taken, value=_number(value), depth=_count(depth), nodes=_count(nodes))


def _number(given: Any) -> float | None:
    """What an agent says of a position's value; nothing if that is no number."""
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not -MOST_SAID <= given <= MOST_SAID:
        return None
    return float(given)


def _count(given: Any) -> int | None:
    number = _number(given)
    return None if number is None else int(number)


@contextlib.contextmanager
def _blamed(reason: Termination) -> Iterator[None]:
    """What a search of a user's own did wrong loses its game, here as in a process of its own."""
    try:
        yield
    except BadFile as error:
        raise AgentFault(reason, str(error), traceback=traceback_of_cause(error)) from error


class LocalContestant:
    """A player of ours in this process: for experiments with a budget of nodes, where nothing but speed differs."""

    def __init__(self, agent: "AgentSpec", name: str) -> None:
        self.agent, self.name = agent, name
        self.players: dict[str, Player] = {}

    def begin(self, options: dict[str, Any], start: str, seat: int, seed: int) -> None:
        """A new game."""
        key = repr(sorted(options.items()))
        if key not in self.players:
            made = self.agent.player(game(self.name, **options))
            with _blamed(Termination.LOAD):
                made.ready()
            self.players[key] = made
        with _blamed(Termination.CRASH):
            for one in self.players.values():  # those of other boards too: their memory is what this one takes
                one.forget()
        self.thinker = self.players[key]

    def choose(self, state: State, moves: list[str], limits: Limits, seed: int, allowed: float | None = None) -> Said:
        """A move, found here and now."""
        begin = time.perf_counter()
        with _blamed(Termination.CRASH):
            found = self.thinker.think(state, limits, seed=seed, flag=NO_FLAG, turn_seconds=allowed)
        return Said(seconds=time.perf_counter() - begin, **described(state, found))

    def end(self) -> None:
        """Nothing to tell."""

    def close(self) -> None:
        """Nothing to end."""
