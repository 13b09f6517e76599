"""One game under supervision: asks both agents, checks every answer, throws the dice and gives the record.

Only the referee holds the dice: a landing is derived from the pair's seed and the number of the ply, so the two games
of a pair meet the same throws, unless the contest has dice of its own for each game, as gradings do. Agents are told
other seeds, from which that one cannot be derived.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from harena.agents.contestant import Contestant
from harena.agents.fault import AgentFault
from harena.api import State
from harena.arena.pacing import Infrastructure
from harena.arena.play.session import SEEDS, GameSession, Terms
from harena.arena.record import Record
from harena.arena.schedule import drawn
from harena.contract import CHANCE
from harena.errors import HarenaError
from harena.termination import Termination

LONGEST = 10_000  # plies: a game of a user's own that does not end


@dataclass(frozen=True, kw_only=True)
class Referee:
    """What holds for every game of a contest."""

    options: Mapping[str, Any]
    terms: tuple[Terms, Terms]  # by seat
    conditions: Mapping[str, Any] = field(default_factory=dict)
    draws: tuple[int, int] | None = None  # by seat: what agents' seeds are derived from, if not the pair's seed
    dice: Callable[[int], int] | None = None  # the seed of a landing by ply, if not derived from the pair's seed
    watch: Callable[[GameSession], None] | None = None  # called at the start and after every ply

    def play(self, start: State, seats: tuple[Contestant, Contestant], names: tuple[str, str], seed: int) -> Record:
        """Play from a start position to the end or to a fault; Infrastructure if the machine is to blame for one.

        `seed` is the pair's, of 63 bits, and known to nobody but the referee.
        """
        session = GameSession.begin(
            start,
            names,
            seed=seed % SEEDS,
            options=self.options,
            conditions=self.conditions,
            terms=self.terms,
            agent_seeds=self.draws or (seed, seed),
            dice=self.dice or partial(drawn, seed, "dice"),
        )
        for seat, contestant in enumerate(seats):
            try:
                contestant.begin(dict(self.options), session.header.start, seat, session.game_seed(seat))
            except AgentFault as fault:
                detail = None if fault.reason == Termination.LOAD else f"when the game began: {fault.detail}"
                return _fail(session, seat, fault, detail).record
        self._show(session)
        while not session.is_over:
            if len(session.plies) >= LONGEST:
                raise HarenaError(f"{start.game.name}: no end after {LONGEST:,} plies")
            before = session.state
            session = session.roll() if session.mover == CHANCE else _ask(session, seats[session.mover])
            if session.state is not before:
                self._show(session)
        for contestant in seats:
            contestant.end()
        return session.record

    def _show(self, session: GameSession) -> None:
        if self.watch is not None:
            self.watch(session)


def _ask(session: GameSession, contestant: Contestant) -> GameSession:
    """The game after the answer of the agent that is to move, or ended by its fault."""
    seat, state = session.mover, session.state
    limits, left = session.limits_for(seat)
    try:
        return session.answer(contestant.choose(state, session.moves, limits, session.ply_seed(seat), left))
    except AgentFault as fault:
        if not state.moves():
            where = f"{state.game.name}: at {state.text!r}"
            raise HarenaError(f"{where} the game runs, but there is no move: mend its rules") from None
        return _fail(session, seat, fault)


def _fail(session: GameSession, seat: int, fault: AgentFault, detail: str | None = None) -> GameSession:
    """The game ended by a fault; Infrastructure if the machine had no processor for the agent."""
    if fault.is_stall:
        raise Infrastructure(seat, fault.seconds) from None
    return session.fail(seat, fault, detail=detail)
