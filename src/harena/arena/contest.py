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

from harena.agents.contestant import HANGS, Contestant, LocalContestant, ProcessContestant
from harena.agents.environments import Environment, hosted_versions, restore
from harena.agents.fault import WALL, AgentFault, Stopped
from harena.agents.forked import fork_template
from harena.agents.launch import UNWALLED
from harena.agents.loading import LoadBudget
from harena.agents.python_object import ObjectContestant
from harena.agents.serve import spare_collector
from harena.agents.spawn import can_restore_priority
from harena.agents.spec import AgentSpec, parse_agent
from harena.agents.tree import usable_cores
from harena.api import Game, State
from harena.arena import machine
from harena.arena.backlog import Backlog
from harena.arena.chance import Chance
from harena.arena.cores import Cores, assign_cores, cores_needed, free_cores, keep_to
from harena.arena.outputs import MOST, Outputs
from harena.arena.pacing import Infrastructure, Pacer
from harena.arena.play.referee import Referee
from harena.arena.play.session import SEEDS, Terms
from harena.arena.record import Record
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
MOST_KEPT, LEAST_KEPT = 120, 6  # processes of agents kept alive between games, by all workers and by each
LEAST_NEEDED = 4  # processes of agents that a worker has at once: of a game, and of the next
FILES_EACH, FILES_APART = 8, 200  # open files for a process of an agent (it has seven), and for everything else
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

    def agent_specs(self) -> list[AgentSpec]:
        """The agents, parsed."""
        return list(map(parse_agent, self.agents))


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
        self.agents = spec.agent_specs()
        for agent in self.agents:
            agent.check_start(spec.sandbox, local=spec.local)
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
        self.files = machine.raise_file_limit()  # that this process may open
        if not spec.local and any(agent.is_trusted for agent in self.agents if agent.text not in objects):
            fork_template(spec.game, spec.variants)
        self.terms = [self._bounded(agent, self._terms(agent)) for agent in self.agents]
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

    def _terms(self, agent: AgentSpec) -> Terms:
        """Those of the agent's own text win; a course agent has its course's clock unless the contest sets another."""
        common, clock = Limits(**self.spec.limits), agent.clock
        agent.check_walls(self.spec.sandbox)
        if agent.text in self.objects:
            return Terms(limits=common, first=self.spec.first, by_turn=self.spec.by_turn)
        agent.check(self.games[0].name, self.spec.sandbox)
        if agent.is_trusted:
            common = agent.player(self.games[0]).allowed(common)
        if clock is not None and common.seconds is None:
            own = replace(common, seconds=clock.seconds)
            return Terms(limits=own, first=self.spec.first or clock.first, by_turn=clock.by_turn)
        return Terms(limits=common, first=self.spec.first, by_turn=self.spec.by_turn)

    def _bounded(self, agent: AgentSpec, terms: Terms) -> Terms:
        """Terms with an end, for programs and where the contest has a longest move: no agent is waited for longer."""
        limits, longest = terms.limits, self.spec.longest
        if longest is None:
            is_endless = agent.is_program and not limits  # players find an end by themselves, courses have a clock
            return replace(terms, limits=replace(limits, seconds=USUAL)) if is_endless else terms
        wanted = max(limits.seconds or 0.0, terms.first or 0.0)
        if wanted > longest:
            raise BadOption(f"{agent.text}: here a move takes at most {longest:g} seconds, not {wanted:g}")
        if limits.seconds is not None:
            return terms
        is_bounded = limits.nodes or limits.iterations or limits.depth
        return replace(terms, limits=replace(limits, seconds=longest if is_bounded else min(USUAL, longest)))

    def memory_of(self, agent: AgentSpec) -> float | None:
        """Megabytes that an agent may use: the contest's, else what its course allows, else a lot.

        A player has no other limit than the contest's: its text says what it uses.
        """
        if self.spec.memory is not None or agent.is_trusted:
            return self.spec.memory
        return (agent.clock.memory if agent.clock else None) or A_LOT

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
            **({} if all(agent.is_trusted for agent in self.agents) else {"freezer": find_freezer(self.spec.sandbox)}),
            **({"sources": self.rules} if self.rules else {}),
            **({"hosted": hosted} if (hosted := self._hosted) else {}),
        }

    def _levels(self) -> dict[str, str]:
        """The walls around each agent that is not one of our players."""
        levels = {
            agent.text: agent.sandbox_level(self.spec.sandbox)
            for agent in self.agents
            if agent.text not in self.objects
        }
        return dict.fromkeys(self.objects, UNWALLED) | {text: level for text, level in levels.items() if level}

    @cached_property
    def _hosted(self) -> dict[str, dict[str, str]]:
        """The versions of Python and of its packages that course agents are hosted with, by course."""
        courses = sorted({agent.course for agent in self.agents if agent.course})
        return {course: hosted_versions(course, self.environments.get(course)) for course in courses}

    def environment_of(self, agent: AgentSpec) -> Environment | None:
        """The environment that hosts an agent, if it is a course's; None: the running Python."""
        return self.environments.get(agent.course)

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
        agent = self.agents[number]
        if agent.text in self.objects:
            return ObjectContestant(agent.text, self.objects[agent.text], self.spec.margin)
        if self.spec.local and agent.is_trusted:
            return LocalContestant(agent, self.spec.game)
        made = ProcessContestant(
            agent,
            self.spec.game,
            self.spec.variants,
            margin=self.spec.margin,
            memory=self.memory_of(agent),
            walls=self.spec.sandbox,
            unloadable=self.unloadable,
            loads=self.loads,
            stopped=self.aborted,
            hangs=BUDGETED if agent.is_program else HANGS,
            clock=self.spec.clock,
            keeps_late=True,
            environment=self.environment_of(agent),
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
                options=self.spec.variants[number],
                terms=(self.terms[seats[0]], self.terms[seats[1]]),
                conditions=self.conditions | self._own(seats) | own | ({"replays": replays} if replays else {}),
                draws=self.chance.draws_of(slot, replays),
                dice=self.chance.dice_of(slot, replays),
                watch=lambda session: self.now.__setitem__(str(slot), session.state),
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
        return self.spec.fresh and isinstance(one, ProcessContestant) and not one.agent.is_trusted

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
        memories = [None if self.spec.local else self.memory_of(self.agents[one]) for one in seats]
        if self.spec.memory is None and any(memories):
            waited["memories"] = memories
        return waited | ({"seats": allowed} if any(one != dict(self.spec.limits) for one in allowed) else {})

    def is_waited_for(self, agent: int) -> bool:
        """Whether an agent is a program that has a budget and no limit of time."""
        return self.agents[agent].is_program and self.terms[agent].limits.seconds is None

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
        if not self.spec.local and self.most_kept < LEAST_NEEDED:
            raise BadOption(
                f"{concurrency} games at once need more open files than the {self.files} that this system allows: "
                "play fewer at once, or raise the limit (ulimit -n)"
            )
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
                self.cores = assign_cores(cores, self.concurrency, cores_needed(self.agents))
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
            try:
                self._close_all(ahead, contestants)
            except BaseException as error:
                done.put(error)
            finally:
                done.put(None)

    def _close_all(self, ahead: "Ahead", contestants: Mapping[int, Contestant]) -> None:
        """Close all agents of a worker, also if one cannot be closed, and hand on what they have printed by then."""
        with contextlib.ExitStack() as closing:  # calls the last first
            for agent, one in contestants.items():
                closing.callback(self._listen, "", agent, None, one)
                closing.callback(one.close)
            closing.callback(ahead.close)

    def make_room(self, contestants: dict[int, Contestant], *slots: Slot) -> None:
        """Close the agents that have waited longest, where too many are kept; those of these games become latest."""
        needed = list(dict.fromkeys(number for slot in slots for number in slot.seats))
        for number in needed:
            if number in contestants:
                contestants[number] = contestants.pop(number)
        for number in [one for one in contestants if one not in needed]:
            if self._has_room(contestants):
                break
            contestants.pop(number).close()

    @property
    def most_kept(self) -> int:
        """The most processes of agents that a worker may keep, by the files that are open for each."""
        by_files = (self.files - FILES_APART) // (FILES_EACH * self.concurrency)
        return min(max(LEAST_KEPT, MOST_KEPT // self.concurrency), by_files)

    def _has_room(self, contestants: Mapping[int, Contestant]) -> bool:
        """Whether two more processes fit in, and what a worker keeps is within its share of this machine's memory."""
        running = [one for one in contestants.values() if isinstance(one, ProcessContestant)]
        if sum(max(1, len(one.processes)) for one in running) + 2 > self.most_kept:
            return False
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
        self.is_low = not contest.has_free_core()  # games have all cores: only what they leave is used
        self.thread = ThreadPoolExecutor(1, "ahead") if not self.is_low or can_restore_priority() else None
        self.starting: Future[None] | None = None
        self.needed: list[ProcessContestant] = []  # whose processes are being started
        self.waits_since = 0.0  # when a game began to wait for its agents

    def start(self, present: Slot) -> None:
        """The agents of a game are ready: begin to start what the game after it needs, where that does not run."""
        self.contest.waits.append(time.perf_counter() - self.waits_since)
        self._finish()  # of a game that is played again, the first look ahead may still go on
        following = self.todo.peek(self.contestants)
        if self.thread is None or following is None:
            return
        self.contest.make_room(self.contestants, following, present)
        self.needed = []
        for number in following.seats:
            if number not in self.contestants:
                self.contestants[number] = self.contest.contestant(number)
            one = self.contestants[number]
            is_renewed = self.contest.is_renewed(one)
            if isinstance(one, ProcessContestant) and one.spare is None and (one.process is None or is_renewed):
                one.is_awaited = False
                self.needed.append(one)
        if self.needed:
            self.starting = self.thread.submit(_start_all, self.needed, is_low=self.is_low)

    def wait(self) -> None:
        """Until nothing is being started any more; the next game begins to wait for its agents."""
        self.waits_since = time.perf_counter()
        self._finish()

    def _finish(self) -> None:
        if self.starting is not None:
            for one in self.needed:
                one.hurry()
            self.starting.result()
            self.starting = None

    def close(self) -> None:
        """The same, for good."""
        if self.thread is not None:
            self.thread.shutdown()


def _start_all(contestants: Iterable[ProcessContestant], *, is_low: bool) -> None:
    for one in contestants:
        one.start_ahead(is_low=is_low)
