"""One game under supervision: asks, checks every move against the rules, throws the dice, and keeps the record.

Only the referee holds the dice: the landing at a ply is drawn from the game's seed and the number of the ply, so the
two games of a pair meet the same throws.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from harena.agents.contestant import Contestant, Said
from harena.agents.process import AgentFault
from harena.api import Game, State
from harena.arena.record import ILLEGAL, RULES, TIME, UNREADABLE, Ply, Record
from harena.arena.stalls import StallProbe
from harena.contract import CHANCE
from harena.errors import HarenaError, IllegalMove, UnreadableMove
from harena.kernel.rng import generator
from harena.search.result import Limits

LONGEST = 10_000  # plies: a game of a user's own that does not end
SPREAD = 1_000_003  # between the seeds of games, so that those of their plies do not meet


class Infrastructure(HarenaError):
    """The machine's fault, not an agent's: the game is to be played again."""


@dataclass(frozen=True, kw_only=True)
class Referee:
    """What holds for every game of a contest."""

    game: Game
    options: Mapping[str, Any]
    limits: tuple[Limits, Limits]  # by seat
    margin: float = 0.05
    conditions: Mapping[str, Any] = field(default_factory=dict)
    probe: StallProbe | None = None

    def play(self, start: State, seats: tuple[Contestant, Contestant], names: tuple[str, str], seed: int) -> Record:
        """Play from a start position to the end or to a fault; Infrastructure if the machine is to blame for one."""
        state, plies, moves = start, list[Ply](), list[str]()
        reason, detail, loser = RULES, "", None
        for seat, one in enumerate(seats):
            try:
                one.begin(dict(self.options), start.text, seat, seed)
            except AgentFault as fault:
                return self._record(start, names, plies, 1 - seat, fault.reason, f"at its start: {fault.detail}", seed)
        while not state.is_over:
            if len(plies) >= LONGEST:
                raise HarenaError(f"{self.game.name}: no end after {LONGEST:,} plies")
            ply_seed = seed * SPREAD + len(plies)
            if state.mover == CHANCE:
                landing = state.random_move(generator(ply_seed))
                plies.append(Ply(by=CHANCE, move=str(landing)))
                state = state.play(landing)
            else:
                seat = state.mover
                begin = time.perf_counter()
                try:
                    said = seats[seat].choose(state, moves, self.limits[seat], ply_seed)
                    state = self._played(state, said)
                except AgentFault as fault:
                    self._excuse(fault, begin)
                    reason, detail, loser = fault.reason, fault.detail, seat
                    break
                plies.append(_ply(seat, state, said))
            moves.append(plies[-1].move)
        for one in seats:
            one.end()
        if loser is not None:
            return self._record(start, names, plies, 1 - loser, reason, detail, seed)
        end = state.outcome
        assert end is not None
        return self._record(start, names, plies, end.winner, RULES, "", seed, end.score)

    def _played(self, state: State, said: Said) -> State:
        try:
            return state.play(said.move)
        except UnreadableMove:
            raise AgentFault(UNREADABLE, f"{said.move[:80]!r} is no move") from None
        except IllegalMove as error:
            raise AgentFault(ILLEGAL, str(error)[:200]) from None

    def _excuse(self, fault: AgentFault, begin: float) -> None:
        """Raise Infrastructure if the time that the machine stood still explains an overrun."""
        now = time.perf_counter()
        if fault.reason == TIME and self.probe is not None and self.probe.lost(begin, now) > self.margin / 2:
            raise Infrastructure(f"the machine stood still for {1000 * self.probe.lost(begin, now):.0f} ms")

    def _record(
        self,
        start: State,
        names: tuple[str, str],
        plies: list[Ply],
        winner: int | None,
        reason: str,
        detail: str,
        seed: int,
        score: tuple[int, int] | None = None,
    ) -> Record:
        return Record(
            game=self.game.found_as,
            options=dict(self.options),
            start=start.text,
            seats=names,
            plies=tuple(plies),
            winner=winner,
            score=score,
            reason=reason,
            detail=detail,
            seed=seed,
            conditions=dict(self.conditions),
        )


def _ply(seat: int, after: State, said: Said) -> Ply:
    return Ply(
        by=seat,
        move=str(after.last_move),
        seconds=round(said.seconds, 6),
        value=said.value,
        depth=said.depth,
        nodes=said.nodes,
    )
