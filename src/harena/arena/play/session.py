"""A game being played: where it stands, who sits where, its dice and clocks, and how it ended.

A session is a value: every method that changes the game returns the next session. The referee, the terminal, the page,
the simulator of a course and `check` all drive one. What they do about a fault is their own decision.

Every landing is derived from a seed and the number of the ply, so a game can be repeated, and a ply that is taken back
and played again meets the same throw.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, takewhile
from typing import Any, Self

from harena.agents.contestant import Said
from harena.agents.fault import AgentFault
from harena.api import State
from harena.arena.record import HUMAN, Ply, Record
from harena.arena.replay import played
from harena.arena.schedule import drawn
from harena.contract import CHANCE
from harena.errors import IllegalMove, UnreadableMove
from harena.kernel.rng import generator
from harena.search.result import Limits
from harena.termination import Termination

SEEDS = 2**31  # seeds that agents and people see are below: exact in every language
LEAST = 0.001  # seconds: an agent that has used up the time of its turn is still asked, and overruns
LONGEST_ANSWER, LONGEST_ERROR = 80, 200  # letters of an answer and of an error that a fault's detail shows


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What an agent may use for a move; `first` seconds for its first, or `limits.seconds` for a whole turn."""

    limits: Limits
    first: float | None = None
    by_turn: bool = False

    def limits_for(self, seat: int, plies: Sequence[Ply]) -> tuple[Limits, float | None]:
        """The limits of a seat's next decision, and the seconds left of the turn where turns are timed.

        The number of decisions in a turn is unknown: the first gets half of the time, the others what is left.
        """
        if self.first is not None and all(ply.by != seat for ply in plies):
            return replace(self.limits, seconds=self.first), None
        if not self.by_turn or self.limits.seconds is None:
            return self.limits, None
        spent = [ply.seconds or 0.0 for ply in takewhile(lambda ply: ply.by == seat, reversed(plies))]
        left = max(LEAST, self.limits.seconds - sum(spent))
        return replace(self.limits, seconds=left if spent else left / 2), left


@dataclass(frozen=True, kw_only=True)
class GameSession:
    """A game as far as it is played. `state` and `plies` always agree."""

    header: Record  # the record without its plies: what was known at the start, and how the game ended once it has
    state: State
    plies: tuple[Ply, ...]
    terms: tuple[Terms, Terms]  # by seat
    agent_seeds: tuple[int, int]  # by seat: what the seeds that agents are told are derived from
    dice: Callable[[int], int]  # the seed of the landing at a ply

    @classmethod
    def begin(
        cls,
        start: State,
        seats: tuple[str, str] = ("", ""),
        *,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
        conditions: Mapping[str, Any] | None = None,
        terms: tuple[Terms, Terms] | None = None,
        agent_seeds: tuple[int, int] | None = None,
        dice: Callable[[int], int] | None = None,
    ) -> Self:
        """A game at its start; `seats` are the texts of who plays, the rest is as in `resume`."""
        record = Record(
            game=start.game.found_as,
            options=dict(start.game.options if options is None else options),
            start=start.text,
            seats=seats,
            plies=(),
            winner=None,
            reason=Termination.UNFINISHED,
            seed=seed,
            conditions=dict(conditions or {}),
        )
        return cls.resume(record, start, terms=terms, agent_seeds=agent_seeds, dice=dice)

    @classmethod
    def resume(
        cls,
        record: Record,
        start: State,
        *,
        terms: tuple[Terms, Terms] | None = None,
        agent_seeds: tuple[int, int] | None = None,
        dice: Callable[[int], int] | None = None,
    ) -> Self:
        """The game of a record after its plies; BadGame if the rules contradict them.

        Terms are those of the record's conditions, and dice and agents' seeds come from its seed, if not given.
        """
        *_, state = played(start, [ply.move for ply in record.plies])
        if record.reason == Termination.RULES:  # the position says that, not the record
            record = replace(record, reason=Termination.UNFINISHED, winner=None, score=None)
        if terms is None:
            common = Terms(limits=Limits(**record.conditions.get("limits", {})))
            terms = (common, common)
        return cls(
            header=replace(record, plies=()),
            state=state,
            plies=record.plies,
            terms=terms,
            agent_seeds=agent_seeds or (record.seed, record.seed),
            dice=dice or partial(drawn, record.seed, "dice"),
        )._apply_rules()

    # What there is to know

    @property
    def record(self) -> Record:
        """The game's record as far as it is played."""
        return replace(self.header, plies=self.plies)

    @property
    def seats(self) -> tuple[str, str]:
        """The texts of who plays, by seat."""
        return self.header.seats

    @property
    def termination(self) -> Termination:
        """Why the game ended, or UNFINISHED."""
        return Termination(self.header.reason)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or otherwise."""
        return self.header.reason != Termination.UNFINISHED

    @property
    def mover(self) -> int:
        """Who decides next in this position: a seat, or CHANCE."""
        return self.state.mover

    @property
    def moves(self) -> list[str]:
        """The texts of all moves so far."""
        return [ply.move for ply in self.plies]

    @property
    def undo_depth(self) -> int:
        """The number of plies from the last decision of a human on; 0 if no human has decided yet."""
        for count, ply in enumerate(reversed(self.plies), 1):
            if ply.by != CHANCE and self.seats[ply.by] == HUMAN:
                return count
        return 0

    def limits_for(self, seat: int) -> tuple[Limits, float | None]:
        """The limits of a seat's next decision, and the seconds left of the turn where turns are timed."""
        return self.terms[seat].limits_for(seat, self.plies)

    def game_seed(self, seat: int) -> int:
        """The seed that an agent is told when the game begins; dice cannot be foretold from it."""
        return drawn(self.agent_seeds[seat], "game", seat) % SEEDS

    def ply_seed(self, seat: int) -> int:
        """The seed that an agent is told with its next question; dice cannot be foretold from it."""
        return drawn(self.agent_seeds[seat], "ply", len(self.plies)) % SEEDS

    # How the game goes on

    def play(self, move: int | str, seconds: float | None = None) -> Self:
        """After a move of whoever is to decide; IllegalMove says what is wrong with any other."""
        return self._after(move, seconds=seconds)

    def answer(self, answer: Said) -> Self:
        """After an agent's answer; AgentFault if that is not a legal move."""
        about = {"value": answer.value, "depth": answer.depth, "nodes": answer.nodes}
        try:
            return self._after(answer.move, seconds=round(answer.seconds, 6), **about)
        except IllegalMove as error:
            raise fault_of(error, answer.move) from None

    def roll(self) -> Self:
        """After the landing that chance decides at this ply."""
        return self._after(self.state.random_move(generator(self.dice(len(self.plies)))))

    def settle(self) -> Self:
        """After all that chance has to decide before the next decision of a seat."""
        session = self
        while session.mover == CHANCE and not session.is_over:
            session = session.roll()
        return session

    def fail(self, seat: int, fault: AgentFault, *, detail: str | None = None) -> Self:
        """Ended by a fault, which loses the game for this seat; `detail` replaces the fault's own."""
        return self._end(
            winner=1 - seat,
            reason=fault.reason,
            detail=fault.detail if detail is None else detail,
            traceback=fault.traceback,
        )

    def resign(self, seat: int) -> Self:
        """Ended by the resignation of this seat."""
        return self._end(winner=1 - seat, reason=Termination.RESIGNED)

    def undo(self) -> Self:
        """Back in the position of the last decision of a human, and counted; IllegalMove if there is none."""
        self._check_running()
        count = self.undo_depth
        if not count:
            raise IllegalMove("there is nothing to take back")
        state = next(islice(self.state.history(), count, None))
        return replace(self, state=state, plies=self.plies[:-count]).count("undone")

    def count(self, condition: str) -> Self:
        """With a condition of the record that counts something (hints, undone plies) one higher."""
        conditions = self.header.conditions
        counted = {**conditions, condition: conditions.get(condition, 0) + 1}
        return replace(self, header=replace(self.header, conditions=counted))

    def _after(self, move: int | str, **about: Any) -> Self:
        self._check_running()
        state = self.state.play(move)
        ply = Ply(by=self.state.mover, move=str(state.last_move), **about)
        return replace(self, state=state, plies=(*self.plies, ply))._apply_rules()

    def _check_running(self) -> None:
        if self.is_over:
            raise IllegalMove("the game is over")

    def _apply_rules(self) -> Self:
        """Ended if the rules say so in this position."""
        outcome = self.state.outcome
        if outcome is None or self.is_over:
            return self
        return self._end(winner=outcome.winner, score=outcome.score, reason=Termination.RULES)

    def _end(self, **end: Any) -> Self:
        return replace(self, header=replace(self.header, **end))


def fault_of(error: Exception, answer: str | None = None) -> AgentFault:
    """What an agent did wrong whose answer, search or process raised this error: the one rule for every game.

    An answer that is not a move is unreadable, a move that the rules forbid is illegal, anything else is a crash.
    """
    behind = error.__context__  # a player in another process raises an error with the fault behind it
    if isinstance(behind, AgentFault):
        return behind
    text = str(error)[:LONGEST_ERROR]
    if isinstance(error, UnreadableMove):
        shown = text if answer is None else f"{answer[:LONGEST_ANSWER]!r} is no move"
        return AgentFault(Termination.UNREADABLE, shown)
    if isinstance(error, IllegalMove):
        return AgentFault(Termination.ILLEGAL, text)
    return AgentFault(Termination.CRASH, text or type(error).__name__)
