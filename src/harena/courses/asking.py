"""Asks an agent for single turns in given positions, and notes what it answers, takes, uses and prints.

Everything ends: a turn is cut some time after its limit, and an agent that keeps overrunning, or that has to be started
again and again, is given up.
"""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from harena.agents.contestant import ProcessContestant
from harena.agents.environments import hosted_versions, restore
from harena.agents.fault import AgentFault
from harena.agents.loading import SlowConstructor
from harena.arena.play.session import GameSession, Terms
from harena.courses.sampling import Sample
from harena.courses.subject import Subject
from harena.kernel.rng import generator
from harena.sandbox.stalls import StallProbe
from harena.search.result import Limits
from harena.termination import Termination

PATIENCE = 0.5  # of the limit
LEAST_PATIENCE = 0.25  # seconds
ENOUGH, STARTS = 3, 6  # overruns (or slow constructors), or starts: after so many nothing more is asked
AGAIN, MOST_AGAIN = 3, 12  # questions that are asked again because the machine was busy: of one position, and of all
BRIEF = 1.0  # seconds: a limit below is easily missed when the machine has other things to do
BACKSTOP = 8000.0  # megabytes, where the course has no limit
SEED = 20
STOPS = "is there a loop that does not end? look at the clock in every long one"


def patience(limit: float | None) -> float:
    """Seconds beyond the limit after which a turn that is not over is cut."""
    return LEAST_PATIENCE if limit is None else max(LEAST_PATIENCE, PATIENCE * limit)


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What came of a question: the moves of the turn, the fault that ended it, or both if they came too late."""

    sample: Sample
    moves: tuple[str, ...] = ()
    seconds: float = 0.0
    fault: AgentFault | None = None
    slipped: bool = False  # it was late when first asked
    waited: float = 0.0  # seconds for which the machine kept it from running, now or when first asked
    is_excused: bool = False  # it is late, and would not be without these
    opening: float | None = None  # seconds of the first move of a game, where that has a limit of its own
    is_opening: bool = False  # there was no other move: `seconds` are those of the first
    cut: float = 0.0  # seconds after which it was cut off without an answer, where the machine does not explain that
    number: int = 0  # of the question, since the agent was started

    @property
    def reason(self) -> str:
        """Of its fault; nothing without one."""
        return self.fault.reason if self.fault else ""

    @property
    def is_late(self) -> bool:
        """Whether it took longer than the limit, by its own fault; what the constructor takes is no part of a turn."""
        return self.reason == Termination.TIME and not self.is_excused and not isinstance(self.fault, SlowConstructor)


class Asker:
    """One agent, and what is known about it so far."""

    def __init__(
        self,
        subject: Subject,
        walls: str,
        options: list[dict[str, object]],
        environments: Mapping[str, Mapping[str, Any]],
    ) -> None:
        self.subject = subject
        course = subject.course or ""
        host = restore(course, environments[course], walls) if course in environments else None
        self.hosted = hosted_versions(course, host) if course else {}  # versions, of a course agent
        self.limit, self.first = subject.clock.seconds, subject.clock.first
        self.contestant = ProcessContestant(
            subject.agent,
            subject.game,
            options,
            margin=patience(self.limit),
            memory=subject.clock.memory or BACKSTOP,
            walls=walls,
            environment=host,
        )
        self.terms = Terms(limits=Limits(seconds=self.limit), first=self.first, by_turn=subject.clock.by_turn)
        self.peak = 0.0  # megabytes
        self.words = ""  # the last line that it printed
        self.overruns = self.starts = self.asked_again = self.asked = 0
        self.constructors = list[float]()  # seconds that each took, for those that were not cut off
        self.slow_constructors = 0  # those that were
        self.cuts = list[Turn]()  # those that were cut off, also if they were answered when asked again
        self.probe = StallProbe()

    def __enter__(self) -> Self:
        self.probe.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.probe.stop()
        self.contestant.close()

    def start(self) -> float:
        """Start it; the seconds that took, or AgentFault."""
        begin = time.perf_counter()
        self.starts, self.asked = self.starts + 1, 0
        self.contestant.start()
        return time.perf_counter() - begin

    def restart(self) -> None:
        """End its process: the next turn is asked of a fresh one."""
        self.contestant.close()
        self.starts -= 1  # this is no fault of its own

    @property
    def has_given_up(self) -> bool:
        """Whether it is no use to go on."""
        return max(self.overruns, self.slow_constructors) >= ENOUGH or self.starts > STARTS

    def ask_all(self, samples: Iterable[Sample]) -> Iterator[Turn]:
        """Turns in these positions, until it is given up."""
        for sample in samples:
            if self.has_given_up:
                return
            yield self.ask(sample)

    def ask(self, sample: Sample) -> Turn:
        """One turn. One that is late is asked again: it only counts as late if it is so twice in a row.

        What else the machine does can make a turn late; a position that is too much for an agent stays too much. One
        without any answer, long after a limit that is not brief, is no slip.
        """
        turn = self._unhindered(sample)
        if turn.is_late and not turn.slipped and (turn.moves or (self.limit or 0.0) < BRIEF):
            turn = replace(self._unhindered(sample), slipped=True)
        self.overruns += turn.is_late
        return turn

    def _unhindered(self, sample: Sample) -> Turn:
        """A turn, asked again with more patience while the machine has no processor for the agent."""
        turn, tries = self._turn(sample), 0
        while turn.is_excused and tries < AGAIN and self.asked_again < MOST_AGAIN:
            tries, self.asked_again = tries + 1, self.asked_again + 1
            self.contestant.stubborn = True
            again = self._turn(sample)
            turn = replace(again, slipped=True, waited=max(turn.waited, again.waited))
        self.contestant.stubborn = False
        return turn

    def _turn(self, sample: Sample) -> Turn:
        """A turn; where the first move of a game has a limit of its own, the next one too, after a random reply."""
        game = GameSession.begin(sample.state, terms=(self.terms, self.terms))
        turn = self._decide(sample, game, self.first or self.limit)
        if self.first is None:
            return turn
        turn = replace(turn, opening=turn.seconds, is_opening=True)
        if turn.fault:
            return turn
        game = _play_on(game, turn.moves)
        if game.is_over or game.mover != sample.state.mover:
            return turn
        later = self._decide(Sample(state=game.state, where=f"{sample.where}, second move"), game, self.limit)
        found = replace(later, moves=later.moves and turn.moves + later.moves, opening=turn.opening)
        return found if found.fault else replace(found, sample=sample)

    def _decide(self, sample: Sample, game: GameSession, limit: float | None) -> Turn:
        """Ask for the decisions of one turn where a game stands; without plies the game begins there."""
        seat, past, waited, is_asked = game.mover, len(game.plies), 0.0, False
        try:
            if self.contestant.process is None:
                self.start()
            if not past:
                self.contestant.begin(sample.options, game.header.start, seat, SEED)
                self.constructors += [] if self.contestant.made_in is None else [self.contestant.made_in]
            self.asked, is_asked = self.asked + 1, True
            while not game.is_over and game.mover == seat:
                limits, left = game.limits_for(seat)
                answer = self.contestant.choose(game.state, game.moves, limits, SEED + len(game.plies), left)
                game = game.answer(answer)
                waited += answer.taken
        except SlowConstructor as fault:
            self.slow_constructors += not fault.is_stall
            return Turn(sample=sample, fault=fault, waited=fault.seconds, is_excused=fault.is_stall)
        except AgentFault as fault:
            self._look()
            turn = Turn(sample=sample, seconds=_total(game), fault=fault, waited=waited, is_excused=fault.is_stall)
            if fault.is_stall:
                return replace(turn, waited=fault.seconds)
            if fault.reason == Termination.TIME:
                self.contestant.drop()  # whether a fresh process answers is worth knowing
            return self._noted(turn, fault.seconds) if fault.reason == Termination.TIME and is_asked and limit else turn
        self._look()
        turn = Turn(sample=sample, moves=tuple(game.moves[past:]), seconds=_total(game), waited=waited)
        if limit is None or turn.seconds <= limit:
            return turn
        return replace(turn, fault=AgentFault(Termination.TIME, f"answered after {1000 * turn.seconds:.0f} ms"))

    def _noted(self, turn: Turn, seconds: float) -> Turn:
        """A turn without an answer, kept: a fresh process may answer, this one hung."""
        self.cuts.append(replace(turn, cut=seconds, number=self.asked))
        return self.cuts[-1]

    def _look(self) -> None:
        """Note what its processes used and printed, if they are still there."""
        process = self.contestant.process
        if process is not None:
            self.peak = max(self.peak, process.peak_memory())
            self.words = process.last_words() or self.words


def _play_on(game: GameSession, moves: Iterable[str]) -> GameSession:
    """The game after these moves and a random reply."""
    for move in moves:
        game = game.play(move)
    return game if game.is_over else game.play(game.state.random_move(generator(SEED)))


def _total(game: GameSession) -> float:
    return sum(ply.seconds or 0.0 for ply in game.plies)
