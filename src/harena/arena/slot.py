"""A game's place in a contest: everything about the game follows from it and the contest's specification."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, order=True)
class Slot:
    """A game's place: agents by number, the lower one first; `swapped` puts the other into the first seat."""

    a: int
    b: int
    pair: int
    swapped: bool

    def __str__(self) -> str:
        return f"{self.a}-{self.b}/{self.pair}/{int(self.swapped)}"

    @property
    def seats(self) -> tuple[int, int]:
        """The agents by seat."""
        return (self.b, self.a) if self.swapped else (self.a, self.b)


def slot_of(text: str) -> Slot:
    """The slot of its text."""
    agents, pair, swapped = text.split("/")
    a, b = agents.split("-")
    return Slot(a=int(a), b=int(b), pair=int(pair), swapped=swapped == "1")
