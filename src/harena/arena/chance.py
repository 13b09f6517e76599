"""What chance decides in the games of a contest: starts, dice, and the numbers that agents are told.

In a match all of it follows from the seed and the number of the pair: the two games of a pair meet the same throws. In
the rounds of a grading it follows from a secret that is kept nowhere in the store, so that neither an agent that
remembers its games nor a report tells anything about another game.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from harena.arena.schedule import derive_seed, drawn, start_seed
from harena.errors import HarenaError

if TYPE_CHECKING:
    from harena.arena.contest import Spec
from harena.arena.slot import Slot


@dataclass(frozen=True)
class Chance:
    """The numbers of a contest, by the place of a game."""

    spec: "Spec"
    secret: bytes = b""

    def round_of(self, slot: "Slot") -> int:
        """The round of a grading in which a game is played; 0 where chance has no secret."""
        if not self._is_level_game(slot):
            return self.spec.round
        return self.spec.rounds.get(self.spec.agents[slot.b], self.spec.round)

    def conditions_of(self, slot: "Slot") -> dict[str, Any]:
        """What is kept with a game of a round."""
        number = self.round_of(slot)
        return {"round": number, "fresh": self.spec.fresh} if number else {}

    def seed_of(self, slot: "Slot") -> int:
        """The seed of a start: the same in both games of a pair, and for all who meet a level. In a match, of all."""
        if not self.round_of(slot):
            return start_seed(self.spec.seed, slot.pair)
        level = self.spec.agents[slot.a] if self._is_level_game(slot) else ""
        return self._derive(slot, "start", level, slot.pair)

    def dice_of(self, slot: "Slot", replays: int = 0) -> Callable[[int], int] | None:
        """The dice of a game by ply; None where they follow from the pair's seed."""
        return partial(self._derive_for_game, slot, replays, "dice") if self.round_of(slot) else None

    def draws_of(self, slot: "Slot", replays: int = 0) -> tuple[int, int]:
        """By seat, what the numbers that agents are told come from.

        Without a secret it is the pair's seed. An agent that is graded then has another number against each opponent,
        or its luck would repeat itself from level to level; a level has the same against everybody, so that equal
        submissions meet equal games.
        """
        if self.round_of(slot):
            first, second = (self._derive_for_game(slot, replays, "draw", seat) for seat in (0, 1))
            return first, second
        one, other = slot.seats
        return self._draw(slot, one, other), self._draw(slot, other, one)

    def _draw(self, slot: "Slot", agent: int, opponent: int) -> int:
        is_graded = 0 < self.spec.levels <= agent
        return drawn(self.seed_of(slot), self.spec.agents[opponent]) if is_graded else self.seed_of(slot)

    def _is_level_game(self, slot: "Slot") -> bool:
        return slot.a < self.spec.levels <= slot.b

    def _derive_for_game(self, slot: "Slot", replays: int, *names: object) -> int:
        """A number that no other game tells; against a level it is the same for all submissions of a round.

        A game that is played again, since the machine stood still, gets other numbers: its agents have seen the first.
        """
        other = "" if self._is_level_game(slot) else self.spec.agents[slot.b]
        return self._derive(slot, self.spec.agents[slot.a], other, slot.pair, int(slot.swapped), replays, *names)

    def _derive(self, slot: "Slot", *names: object) -> int:
        """A number for these names in the round of a game; the seed tells gradings in one folder apart."""
        if not self.secret:
            raise HarenaError("the games of a grading need its secret: use harena grade")
        return derive_seed(self.secret, self.spec.seed, self.round_of(slot), len(names), *names)
