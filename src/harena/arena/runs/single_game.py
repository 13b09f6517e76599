"""A run that holds one game, which a person played."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from harena.arena.contest import Spec
from harena.arena.record import Record
from harena.arena.runs.kind import RunKind
from harena.arena.runs.presentation import Summary
from harena.arena.slot import Slot
from harena.arena.store import Row


@dataclass(kw_only=True)
class SingleGame(RunKind):
    """A game with a person; it is played elsewhere, so that nothing is ever needed."""

    kind: ClassVar[str] = "play"

    spec: Spec
    records: dict[Slot, Record] = field(default_factory=dict, init=False)

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """The run of a stored form."""
        return cls(spec=Spec(game=plain["game"], variants=[{}], agents=[str(agent) for agent in plain["agents"]]))

    def to_dict(self) -> dict[str, Any]:
        """Game and agents."""
        return {"game": self.spec.game, "agents": self.spec.agents}

    def needed(self) -> list[Slot]:
        """None."""
        return []

    @property
    def planned(self) -> int:
        """One."""
        return 1

    def summary(self) -> Summary:
        """The agents."""
        return Summary(game=self.spec.game, agents=self.spec.agents, planned=1)

    @classmethod
    def summarise(cls, plain: Mapping[str, Any], rows: Sequence[Row]) -> Summary:
        """The agents and the result; the slot of such a game names no pair."""
        run = cls.from_dict(plain)
        won = ["draw" if row.winner is None else f"player {row.winner + 1} won" for row in rows]
        return Summary(game=run.spec.game, agents=run.spec.agents, planned=1, result=won[0])
