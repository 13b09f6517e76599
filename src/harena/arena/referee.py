"""One game under supervision: asks, checks every move against the rules, throws the dice, and keeps the record.

Only the referee holds the dice: the landing at a ply is drawn from the pair's seed and the number of the ply, so the
two games of a pair meet the same throws, unless the contest has dice of its own for each game, as gradings do. Agents
are given other numbers, from which that seed cannot be told.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any

from harena.agents.contestant import Contestant, Said
from harena.agents.fault import AgentFault
from harena.api import Game, State
from harena.arena.pacing import Infrastructure
from harena.arena.record import Ply, Record
from harena.arena.schedule import drawn
from harena.contract import CHANCE
from harena.errors import HarenaError, IllegalMove, UnreadableMove
from harena.kernel.rng import generator
from harena.search.result import Limits
from harena.termination import Termination

LONGEST = 10_000  # plies: a game of a user's own that does not end
LEAST = 0.001  # seconds: a turn that has used up its time is asked all the same, and overruns
SEEDS = 2**31  # what is told: exact in every language


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What an agent may use for a move; `first` seconds for its first, or `limits.seconds` for a whole turn."""

    limits: Limits
    first: float | None = None
    by_turn: bool = False

    def told(self, seat: int, plies: list[Ply]) -> tuple[Limits, float | None]:
        """The limits of the next decision, and the seconds left of the turn where turns are timed.

        Nobody knows how many decisions a turn will have: the first is told half of the time, the others what is left.
        """
        if self.first is not None and all(ply.by != seat for ply in plies):
            return replace(self.limits, seconds=self.first), None
        if not self.by_turn or self.limits.seconds is None:
            return self.limits, None
        spent = [ply.seconds or 0.0 for ply in takewhile(lambda ply: ply.by == seat, reversed(plies))]
        left = max(LEAST, self.limits.seconds - sum(spent))
        return replace(self.limits, seconds=left if spent else left / 2), left


@dataclass(frozen=True, kw_only=True)
class Referee:
    """What holds for every game of a contest."""

    game: Game
    options: Mapping[str, Any]
    terms: tuple[Terms, Terms]  # by seat
    conditions: Mapping[str, Any] = field(default_factory=dict)
    draws: tuple[int, int] | None = None  # by seat: what the numbers that agents are told come from, if not the seed
    dice: Callable[[int], int] | None = None  # the number that a landing is drawn from, by ply, if not from the seed
    watch: Callable[[State], None] | None = None  # called with the start and with every state that follows

    def play(self, start: State, seats: tuple[Contestant, Contestant], names: tuple[str, str], seed: int) -> Record:
        """Play from a start position to the end or to a fault; Infrastructure if the machine is to blame for one.

        `seed` is the pair's, of 63 bits, and known to nobody but the referee.
        """
        state, plies, moves, draws = start, list[Ply](), list[str](), self.draws or (seed, seed)
        reason, detail, loser, text = Termination.RULES, "", None, ""
        for seat, one in enumerate(seats):
            try:
                one.begin(dict(self.options), start.text, seat, drawn(draws[seat], "game", seat) % SEEDS)
            except AgentFault as fault:
                if fault.is_stall:
                    raise Infrastructure(seat, fault.seconds) from None
                detail = fault.detail if fault.reason == Termination.LOAD else f"when the game began: {fault.detail}"
                return self._record(
                    start, names, plies, 1 - seat, fault.reason, detail, seed, traceback=fault.traceback
                )
        self._show(state)
        while not state.is_over:
            if len(plies) >= LONGEST:
                raise HarenaError(f"{self.game.name}: no end after {LONGEST:,} plies")
            if state.mover == CHANCE:
                number = drawn(seed, "dice", len(plies)) if self.dice is None else self.dice(len(plies))
                landing = state.random_move(generator(number))
                plies.append(Ply(by=CHANCE, move=str(landing)))
                state = state.play(landing)
            else:
                seat = state.mover
                limits, left = self.terms[seat].told(seat, plies)
                try:
                    draw = drawn(draws[seat], "ply", len(plies)) % SEEDS
                    said = seats[seat].choose(state, moves, limits, draw, left)
                    state = self._played(state, said)
                except AgentFault as fault:
                    if not state.moves():
                        where = f"{self.game.name}: at {state.text!r}"
                        raise HarenaError(f"{where} the game runs, but there is no move: mend its rules") from None
                    if fault.is_stall:
                        raise Infrastructure(seat, fault.seconds) from None
                    reason, detail, loser, text = fault.reason, fault.detail, seat, fault.traceback
                    break
                plies.append(ply_of(seat, str(state.last_move), said))
            moves.append(plies[-1].move)
            self._show(state)
        for one in seats:
            one.end()
        if loser is not None:
            return self._record(start, names, plies, 1 - loser, reason, detail, seed, traceback=text)
        end = state.outcome
        assert end is not None
        return self._record(start, names, plies, end.winner, Termination.RULES, "", seed, end.score)

    def _show(self, state: State) -> None:
        if self.watch is not None:
            self.watch(state)

    def _played(self, state: State, said: Said) -> State:
        try:
            return state.play(said.move)
        except UnreadableMove:
            raise AgentFault(Termination.UNREADABLE, f"{said.move[:80]!r} is no move") from None
        except IllegalMove as error:
            raise AgentFault(Termination.ILLEGAL, str(error)[:200]) from None

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
        traceback: str = "",
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
            traceback=traceback,
            seed=seed % SEEDS,
            conditions=dict(self.conditions),
        )


def ply_of(seat: int, move: str, said: Said) -> Ply:
    """The ply of an answer."""
    return Ply(
        by=seat,
        move=move,
        seconds=round(said.seconds, 6),
        value=said.value,
        depth=said.depth,
        nodes=said.nodes,
    )
