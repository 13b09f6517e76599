"""Many games at once: workers that each keep their own agents' processes, and hand back records as they come.

A game's place in a contest is its slot: two agents, the number of the pair, and who sits first. Everything about a game
follows from its slot and the contest's specification, so an interrupted contest goes on exactly where it stopped.
"""

import contextlib
import gc
import queue
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import psutil

from harena.agents.contestant import HANGS, Contestant, LocalContestant, ProcessContestant, Stopped
from harena.agents.environments import Environment, hosted_versions, restore
from harena.agents.fault import WALL, AgentFault
from harena.agents.forked import fork_template
from harena.agents.guests import guest, is_guest
from harena.agents.launch import UNWALLED, check, check_start, check_walls, is_file, is_ours, level_of
from harena.agents.loading import LoadBudget
from harena.agents.player import player
from harena.agents.python_object import ObjectContestant
from harena.agents.serve import spare_collector
from harena.api import Game, State
from harena.arena import machine
from harena.arena.backlog import Backlog
from harena.arena.chance import Chance
from harena.arena.cores import Cores, assign_cores, cores_needed, free_cores, keep_to, usable_cores
from harena.arena.outputs import MOST, Outputs
from harena.arena.pacing import Infrastructure, Pacer
from harena.arena.record import Record
from harena.arena.referee import SEEDS, Referee, Terms
from harena.arena.slot import Slot
from harena.arena.sources import whole_digests
from harena.errors import BadOption, HarenaError
from harena.find import game
from harena.games.catalogue import CATALOGUE
from harena.sandbox.stalls import StallProbe
from harena.sandbox.walls import find_freezer
from harena.search.result import Limits

SWITCH_SECONDS = 0.0005  # that one of the referee's threads keeps the others from running

Games = Generator[tuple["Slot", Record], None, None]
USUAL = 1.0  # seconds of a move that nothing else would end
BUDGETED = 60.0  # seconds of a program's move whose limits are others: it is not told, since it may heed those
A_LOT = 4000.0  # megabytes for an agent that is not ours, where nothing is said
MOST_KEPT, LEAST_KEPT = 120, 6  # agents kept alive between games, by all workers and by each: six open files an agent
SHARE_KEPT = 0.5  # of the memory that is free when a run begins: for the agents that all workers keep


@dataclass(frozen=True, kw_only=True)
class Spec:
    """All that decides how the games of a contest are played; JSON-ready, kept with the run."""

    game: str
    variants: list[dict[str, Any]]  # options; the pairs take turns
    agents: list[str]
    limits: dict[str, Any] = field(default_factory=dict)
    seed: int = 0
    margin: float = 0.05  # seconds beyond the limit before an agent is stopped
    memory: float | None = None  # megabytes of resident memory an agent may use
    local: bool = False  # our players in this process
    openings: list[str] | None = None  # start positions in place of the game's own set-ups
    first: float | None = None  # seconds of an agent's first move of a game, where they are others
    by_turn: bool = False  # the seconds are for all decisions of a turn together
    sandbox: str = "auto"  # the walls around agents that are not ours
    folder: str = ""  # where it was begun: paths of agents start there
    longest: float | None = None  # seconds that any move may take, also of an agent that has no limit of time
    sources: dict[str, str] = field(default_factory=dict)  # digests of the files that agents are made of, by path
    clock: str = WALL  # what counts: time that passes, or CPU time
    levels: int = 0  # so many of the first agents grade the others, who then draw otherwise against each opponent
    fresh: bool = False  # agents that are not ours get a new process for every game
    round: int = 0  # of a grading; 0: without a secret, chance follows from the seed alone, as in version 0.1.0
    rounds: dict[str, int] = field(default_factory=dict)  # of graded agents, where another than `round`
    environments: dict[str, Any] = field(default_factory=dict)  # that host course agents, by course

    def as_dict(self) -> dict[str, Any]:
        """For the store."""
        return asdict(self)


class NotStarted(HarenaError):
    """An agent whose process never got ready, in a contest that is worth nothing without it."""

    is_run_removed = False  # whether nothing is left of the run in its store


# What happens while games are played


@dataclass(frozen=True)
class Ready:
    """The agents of a game are ready, for the first time in this contest."""


@dataclass(frozen=True)
class Started:
    """A game begins."""

    slot: Slot


@dataclass(frozen=True)
class Paused:
    """The machine is overloaded, or calm again."""

    text: str


@dataclass(frozen=True)
class Played:
    """A game has ended."""

    slot: Slot
    record: Record


Notice = Ready | Started | Paused | Played


class Contest:
    """A specification made ready to play; `needs_all`: an agent that cannot be started ends it (`NotStarted`)."""

    def __init__(
        self,
        spec: Spec,
        *,
        needs_all: bool = False,
        secret: bytes = b"",
        objects: Mapping[str, object] = MappingProxyType({}),
    ) -> None:
        for text in spec.agents:
            check_start(text, spec.sandbox, local=spec.local)
        self.spec, self.needs_all, self.chance = spec, needs_all, Chance(spec, secret)
        self.objects = objects  # agents that are objects of this process, by their texts
        self.environments = {course: restore(course, one, spec.sandbox) for course, one in spec.environments.items()}
        self.outputs: Outputs | None = None  # where what agents print is to go
        self.rules = whole_digests(spec.game)  # of a game in a file: a record is replayed by the very same rules
        self.games: list[Game] = [game(spec.game, **variant) for variant in spec.variants]
        self.openings = [self._opening(number, text) for number, text in enumerate(spec.openings or [])]
        if spec.game not in CATALOGUE:
            for one in self.games:
                one.initial().moves()  # says what is wrong with rules of one's own before anything is played by them
        if not spec.local and any(is_ours(text) for text in spec.agents if text not in objects):
            fork_template(spec.game, spec.variants)
        self.terms = [self._bounded(text, self._terms(text)) for text in spec.agents]
        self.probe = StallProbe()  # idle until `run`
        self.replays: Counter[str] = Counter()  # games played again, by slot
        self.pacer = Pacer()
        self.unloadable: dict[str, AgentFault] = {}
        self.loads = LoadBudget()
        self.loaded: set[str] = set()  # agents that were ready at least once
        self.playing: set[ProcessContestant] = set()
        self.starting: Counter[str] = Counter()  # agents whose processes are not ready yet
        self.now: dict[str, State] = {}  # the games that are being played, by slot
        self.aborted = threading.Event()
        self.cores: Cores | None = None  # whose are whose, where there are enough
        self.here = threading.local()  # the cores of a worker's agents
        self.memory_kept: float = SHARE_KEPT * psutil.virtual_memory().available / 1e6  # megabytes
        self.concurrency = 1  # games that are played at once
        self.waits: list[float] = []  # seconds that each game waited for its agents
        self.is_ready = False  # whether the agents of a game were ready once
        self.telling = threading.Lock()
        self.tell: Callable[[Notice], None] = print_pause

    def _opening(self, number: int, text: str) -> tuple[int, State]:
        """The variant and the state of an opening; the openings take turns with the variants they fit."""
        fitting, trouble = list[tuple[int, State]](), ""
        for variant, one in enumerate(self.games):
            try:
                fitting.append((variant, one.position(text)))
            except HarenaError as error:
                trouble = str(error)
        if not fitting:
            raise BadOption(f"opening {number + 1}: {trouble}")
        if fitting[0][1].is_over:
            raise BadOption(f"opening {number + 1} is a game that is over: {text}")
        return fitting[number % len(fitting)]

    def _terms(self, text: str) -> Terms:
        """Those of the agent's own text win; a course agent has its course's clock unless the contest sets another."""
        common = Limits(**self.spec.limits)
        check_walls(text, self.spec.sandbox)
        if text in self.objects:
            return Terms(limits=common, first=self.spec.first, by_turn=self.spec.by_turn)
        if is_ours(text):
            common = player(text, self.games[0]).allowed(common)
        else:
            check(text, self.games[0].name, self.spec.sandbox)
        if is_guest(text) and common.seconds is None:
            clock = guest(text).clock
            own = replace(common, seconds=clock.seconds)
            return Terms(limits=own, first=self.spec.first or clock.first, by_turn=clock.by_turn)
        return Terms(limits=common, first=self.spec.first, by_turn=self.spec.by_turn)

    def _bounded(self, text: str, terms: Terms) -> Terms:
        """Terms with an end, for programs and where the contest has a longest move: nobody is waited for longer."""
        limits, longest = terms.limits, self.spec.longest
        if longest is None:
            is_endless = is_file(text) and not limits  # ours find an end by themselves, course agents have a clock
            return replace(terms, limits=replace(limits, seconds=USUAL)) if is_endless else terms
        wanted = max(limits.seconds or 0.0, terms.first or 0.0)
        if wanted > longest:
            raise BadOption(f"{text}: here a move takes at most {longest:g} seconds, not {wanted:g}")
        if limits.seconds is not None:
            return terms
        is_bounded = limits.nodes or limits.iterations or limits.depth
        return replace(terms, limits=replace(limits, seconds=longest if is_bounded else min(USUAL, longest)))

    def memory_of(self, text: str) -> float | None:
        """Megabytes that an agent may use: as said, else what its course allows, else a lot; ours use what they say."""
        if self.spec.memory is not None or is_ours(text):
            return self.spec.memory
        return (guest(text).clock.memory if is_guest(text) else None) or A_LOT

    @property
    def conditions(self) -> dict[str, Any]:
        """What is kept with every game, besides each agent's own terms."""
        return {
            "limits": dict(self.spec.limits),
            "clock": self.spec.clock,
            "margin": self.spec.margin,
            "memory": self.spec.memory,
            **machine.here(),
            "concurrency": self.concurrency,
            **({"cores": len(self.cores.workers[0])} if self.cores else {}),
            "processes": not self.spec.local,
            "sandbox": self._levels(),
            **({} if all(map(is_ours, self.spec.agents)) else {"freezer": find_freezer(self.spec.sandbox)}),
            **({"sources": self.rules} if self.rules else {}),
            **({"hosted": hosted} if (hosted := self._hosted) else {}),
        }

    def _levels(self) -> dict[str, str]:
        """The walls around each agent that is not one of our players."""
        levels = {text: level_of(text, self.spec.sandbox) for text in self.spec.agents if text not in self.objects}
        return dict.fromkeys(self.objects, UNWALLED) | {text: level for text, level in levels.items() if level}

    @cached_property
    def _hosted(self) -> dict[str, dict[str, str]]:
        """The versions of Python and of its packages that course agents are hosted with, by course."""
        courses = sorted({guest(text).course for text in self.spec.agents if is_guest(text)})
        return {course: hosted_versions(course, self.environments.get(course)) for course in courses}

    def environment_of(self, text: str) -> Environment | None:
        """The environment that hosts an agent, if it is a course's; None: our own Python."""
        return self.environments.get(guest(text).course) if is_guest(text) else None

    def start_of(self, slot: Slot) -> tuple[int, State]:
        """The number of the variant and the start position: the same for both games of a pair, and for all agents."""
        if self.openings:
            return self.openings[slot.pair % len(self.openings)]
        number = slot.pair % len(self.games)
        return number, self.games[number].initial(self.seed_of(slot) % SEEDS)

    def seed_of(self, slot: Slot) -> int:
        """Of the start: a pair's own. Without a secret also of the dice."""
        return self.chance.seed_of(slot)

    def contestant(self, number: int) -> Contestant:
        """A new contestant for a worker."""
        text = self.spec.agents[number]
        if text in self.objects:
            return ObjectContestant(text, self.objects[text], self.spec.margin)
        if self.spec.local and is_ours(text):
            return LocalContestant(text, self.spec.game)
        made = ProcessContestant(
            text,
            self.spec.game,
            self.spec.variants,
            margin=self.spec.margin,
            memory=self.memory_of(text),
            walls=self.spec.sandbox,
            unloadable=self.unloadable,
            loads=self.loads,
            stopped=self.aborted,
            hangs=BUDGETED if is_file(text) else HANGS,
            clock=self.spec.clock,
            keeps_late=True,
            environment=self.environment_of(text),
        )
        made.cores = getattr(self.here, "cores", ())
        made.most_heard = MOST if self.outputs is not None else 0
        self.playing.add(made)
        return made

    def try_out(self, agents: Iterable[int]) -> None:
        """Start each of these once and end it again; NotStarted says why one cannot be."""
        for number in agents:
            one = self.contestant(number)
            try:
                if isinstance(one, ProcessContestant):
                    one.start()
            except AgentFault as fault:
                raise NotStarted(f"{self.spec.agents[number]} {fault}") from None
            finally:
                one.close()
                if isinstance(one, ProcessContestant):
                    self.playing.discard(one)

    def _listen(self, slot: str, agent: int, seat: int | None, one: Contestant) -> None:
        """Hand on what an agent has printed in a game, or outside of one."""
        if self.outputs is not None and isinstance(one, ProcessContestant):
            self.outputs.heard(slot, agent, seat, one.words())

    def _listen_to(self, slot: Slot, contestants: dict[int, Contestant]) -> None:
        """Hand on what both of a game have printed."""
        for seat, one in enumerate(slot.seats):
            self._listen(str(slot), one, seat, contestants[one])

    def longest_stall(self) -> float:
        """The seconds of the longest stall of the machine."""
        return self.probe.worst()

    def abort(self) -> None:
        """End all agents at once; what they were playing is not recorded."""
        self.aborted.set()
        for one in list(self.playing):
            one.signal_kill()

    def play(
        self, slot: Slot, contestants: dict[int, Contestant], meanwhile: Callable[[], None] = lambda: None
    ) -> Record:
        """One game; again, after a pause, when the machine had no processor for an agent.

        `meanwhile` is called when both agents are ready, and starts what can go on while they play.
        """
        number, start = self.start_of(slot)
        seats = slot.seats
        names = (self.spec.agents[seats[0]], self.spec.agents[seats[1]])
        while True:
            self.pacer.wait(self.aborted)
            for one in seats:
                if one not in contestants:
                    contestants[one] = self.contestant(one)
            self._wait_for(contestants[one] for one in seats)
            self._tell_ready()
            self.tell(Started(slot))
            meanwhile()
            replays, own = self.replays[str(slot)], self.chance.conditions_of(slot)
            for contestant in map(contestants.__getitem__, seats):
                if isinstance(contestant, ProcessContestant):
                    contestant.stubborn = replays > 0
            referee = Referee(
                game=self.games[number],
                options=self.spec.variants[number],
                terms=(self.terms[seats[0]], self.terms[seats[1]]),
                conditions=self.conditions | self._own(seats) | own | ({"replays": replays} if replays else {}),
                draws=self.chance.draws_of(slot, replays),
                dice=self.chance.dice_of(slot, replays),
                watch=lambda state: self.now.__setitem__(str(slot), state),
            )
            try:
                return referee.play(start, (contestants[seats[0]], contestants[seats[1]]), names, self.seed_of(slot))
            except Infrastructure as stall:
                self.replays[str(slot)] += 1
                self._listen_to(slot, contestants)
                if self.outputs is not None:
                    self.outputs.void(str(slot), "the machine was overloaded")
                self._pause(stall)
            finally:
                self.now.pop(str(slot), None)
                self._end_processes(seats, contestants)
                self._listen_to(slot, contestants)

    def _pause(self, stall: Infrastructure) -> None:
        """Wait until the machine is calm again, and say so."""
        self.tell(Paused(f"{stall}: paused until it is calm; the game is played again"))
        seconds = self.pacer.pause(self.aborted)
        self.tell(Paused(f"the run goes on after {seconds:.0f} s"))

    def _end_processes(self, seats: tuple[int, int], contestants: dict[int, Contestant]) -> None:
        """End the processes of a game that are not to be kept for the next."""
        for number in seats:
            one = contestants[number]
            if self.is_renewed(one) and isinstance(one, ProcessContestant):
                one.drop()

    def is_renewed(self, one: Contestant) -> bool:
        """Whether an agent gets a new process for every game."""
        return self.spec.fresh and isinstance(one, ProcessContestant) and not is_ours(one.text)

    def _wait_for(self, seats: Iterable[Contestant]) -> None:
        """Start whoever is not running; one that cannot be started is found out when the game begins."""
        for one in seats:
            if isinstance(one, ProcessContestant) and one.process is None:
                self.starting[one.text] += 1
                try:
                    one.start()
                    self.loaded.add(one.text)
                except AgentFault as fault:  # `begin` raises it again
                    if self.needs_all and one.text not in self.loaded and not self.aborted.is_set():
                        raise NotStarted(f"{one.text} {fault}") from None
                finally:
                    self.starting[one.text] -= 1

    def _tell_ready(self) -> None:
        if self.aborted.is_set():
            return  # then one that could not be started comes this far
        with self.telling:
            is_first, self.is_ready = not self.is_ready, True
        if is_first:
            self.tell(Ready())

    def _own(self, seats: tuple[int, int]) -> dict[str, Any]:
        """What differs between the agents of a game: limits and memory by seat; how long a program is waited for."""
        waited: dict[str, Any] = {"longest": BUDGETED} if any(self.is_waited_for(one) for one in seats) else {}
        allowed = [{key: value for key, value in vars(self.terms[one].limits).items() if value} for one in seats]
        memories = [None if self.spec.local else self.memory_of(self.spec.agents[one]) for one in seats]
        if self.spec.memory is None and any(memories):
            waited["memories"] = memories
        return waited | ({"seats": allowed} if any(one != dict(self.spec.limits) for one in allowed) else {})

    def is_waited_for(self, agent: int) -> bool:
        """Whether an agent is a program that has a budget and no limit of time."""
        return is_file(self.spec.agents[agent]) and self.terms[agent].limits.seconds is None

    def run(self, slots: Iterable[Slot], concurrency: int, stop: threading.Event) -> Games:
        """Play these games with so many workers; records come in the order in which games end."""
        with contextlib.closing(self.follow(slots, concurrency, stop)) as notices:
            for notice in notices:
                if isinstance(notice, Played):
                    yield notice.slot, notice.record
                else:
                    print_pause(notice)

    def follow(self, slots: Iterable[Slot], concurrency: int, stop: threading.Event) -> Generator[Notice, None, None]:
        """Play these games with so many workers, and tell what happens as it happens."""
        self.concurrency = self.loads.workers = concurrency
        todo = Backlog(slots)
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.tell = done.put
        with self._ready_machine():
            workers = [
                threading.Thread(target=self._work, args=(number, todo, done, stop), daemon=True)
                for number in range(concurrency)
            ]
            for worker in workers:
                worker.start()
            try:
                working = len(workers)
                while working:
                    found = done.get()
                    if found is None:
                        working -= 1
                    elif isinstance(found, BaseException):
                        raise found
                    else:
                        yield found
            finally:
                stop.set()
                self.abort()
                for worker in workers:
                    worker.join()
                if self.outputs is not None:
                    self.outputs.close()

    @contextlib.contextmanager
    def _ready_machine(self) -> Iterator[None]:
        """Cores of their own where there are enough, and a referee that does not stand still when an answer comes."""
        with free_cores() as cores:
            if not self.spec.local:
                self.cores = assign_cores(cores, self.concurrency, cores_needed(self.spec.agents))
            spare_collector()
            switching = sys.getswitchinterval()
            sys.setswitchinterval(SWITCH_SECONDS)
            self.probe.start()
            try:
                yield
            finally:
                self.probe.stop()
                sys.setswitchinterval(switching)
                gc.unfreeze()

    def _work(self, number: int, todo: Backlog, done: "queue.SimpleQueue[Any]", stop: threading.Event) -> None:
        contestants: dict[int, Contestant] = {}
        if self.cores is not None:
            self.here.cores = self.cores.workers[number]
            keep_to(self.cores.referee)
        ahead = Ahead(self, todo, contestants)
        try:
            while not stop.is_set() and (slot := todo.take(contestants)) is not None:
                ahead.wait()
                self.make_room(contestants, slot)
                record = self.play(slot, contestants, partial(ahead.start, slot))
                if not self.aborted.is_set():
                    done.put(Played(slot, record))
        except Stopped:
            pass  # nothing more is wanted
        except BaseException as error:
            done.put(error)
        finally:
            ahead.close()
            for agent, one in contestants.items():
                one.close()
                self._listen("", agent, None, one)
            done.put(None)

    def make_room(self, contestants: dict[int, Contestant], *slots: Slot) -> None:
        """Close the agents that have waited longest, where too many are kept; those of these games become latest."""
        needed = list(dict.fromkeys(number for slot in slots for number in slot.seats))
        for number in needed:
            if number in contestants:
                contestants[number] = contestants.pop(number)
        for number in [one for one in contestants if one not in needed]:
            most = max(LEAST_KEPT, MOST_KEPT // self.concurrency)
            if len(contestants) + 2 <= most and self._has_room(contestants):
                break
            contestants.pop(number).close()

    def _has_room(self, contestants: Mapping[int, Contestant]) -> bool:
        """Whether the agents that a worker keeps use no more than its share of this machine's memory."""
        running = [one for one in contestants.values() if isinstance(one, ProcessContestant)]
        return sum(one.held_memory for one in running) * self.concurrency <= self.memory_kept

    def has_free_core(self) -> bool:
        """Whether an agent can be started while games are played, without taking a processor from these.

        In a game only one of two agents runs at a time.
        """
        if self.cores is not None:
            return len(self.cores.workers[0]) > 1
        return self.concurrency < len(usable_cores())


def print_pause(notice: Notice) -> None:
    """Say on standard error that games are paused, where nobody follows them."""
    if isinstance(notice, Paused):
        print(f"harena: {notice.text}", file=sys.stderr, flush=True)


class Ahead:
    """Starts the agents of a worker's next game while it plays another."""

    def __init__(self, contest: Contest, todo: Backlog, contestants: dict[int, Contestant]) -> None:
        self.contest, self.todo, self.contestants = contest, todo, contestants
        self.thread = ThreadPoolExecutor(1, "ahead") if contest.has_free_core() else None
        self.starting: Future[None] | None = None
        self.waits_since = 0.0  # when a game began to wait for its agents

    def start(self, present: Slot) -> None:
        """The agents of a game are ready: begin to start what the game after it needs, where that does not run."""
        self.contest.waits.append(time.perf_counter() - self.waits_since)
        following = self.todo.peek(self.contestants)
        if self.thread is None or following is None:
            return
        self.contest.make_room(self.contestants, following, present)
        needed = []
        for number in following.seats:
            if number not in self.contestants:
                self.contestants[number] = self.contest.contestant(number)
            one = self.contestants[number]
            is_renewed = self.contest.is_renewed(one)
            if isinstance(one, ProcessContestant) and one.spare is None and (one.process is None or is_renewed):
                needed.append(one)
        if needed:
            self.starting = self.thread.submit(_start_all, needed)

    def wait(self) -> None:
        """Until nothing is being started any more; the next game begins to wait for its agents."""
        self.waits_since = time.perf_counter()
        if self.starting is not None:
            self.starting.result()
            self.starting = None

    def close(self) -> None:
        """The same, for good."""
        if self.thread is not None:
            self.thread.shutdown()


def _start_all(contestants: Iterable[ProcessContestant]) -> None:
    for one in contestants:
        one.start_ahead()
