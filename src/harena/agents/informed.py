"""A champion as an analyst: the exact value of every move, and beside it what the champion itself knows and proves."""

import time
from dataclasses import dataclass, replace
from math import inf
from typing import Any, ClassVar

from harena.agents.analysis import analyst, behind
from harena.agents.player import Player
from harena.search.deepening import Deepening
from harena.search.mastery import Mastery
from harena.search.result import NO_TURN, Limits, Result, RootMove, Search, Turn

SHARE = 0.25  # of the limits, for what the champion proves; the rest is for the values of all moves


@dataclass(frozen=True)
class Informed:
    """A search that looks at every move, and a champion who may know more."""

    bounded_by: ClassVar[tuple[str, ...]] = Deepening.bounded_by
    search: Mastery
    champion: Search | None = None

    def run(self, state: Any, limits: Limits, turn: Turn = NO_TURN) -> Result:
        """Search a running state in which a player decides."""
        if self.champion is None:
            return in_order(self.search.run(state, limits, turn))
        begin = time.perf_counter()
        known = self.champion.run(state, part(limits, SHARE), turn)
        found = self.search.run(state, part(limits, 1 - SHARE), turn)
        nodes, seconds = known.nodes + found.nodes, time.perf_counter() - begin
        return replace(in_order(together(known, found)), nodes=nodes, seconds=seconds)


def informed(player: Player) -> Player:
    """The analyst of a player; of a champion with all that it knows."""
    exact, search = analyst(player), behind(player.search)
    if not isinstance(search, Mastery) or not isinstance(exact.search, Mastery):
        return exact
    knows_more = search is not player.search or getattr(search, "proves", False)
    both = Informed(exact.search, player.search if knows_more else None)
    return Player(player.text, player.game, both, player.limits, player.usual)


def part(limits: Limits, share: float) -> Limits:
    """A share of the time and the nodes."""
    seconds = None if limits.seconds is None else share * limits.seconds
    return replace(limits, seconds=seconds, nodes=None if limits.nodes is None else max(1, int(share * limits.nodes)))


def together(known: Result, found: Result) -> Result:
    """What was found, with what is proven in its place."""
    if known.proven is None:
        return found
    sure = {one.move: one for one in known.root if one.proven is not None}
    rows = tuple(sure.get(one.move, one) for one in found.root)
    line = found.line if found.move == known.move and len(known.line) < len(found.line) else known.line
    return replace(known, root=rows, line=line, depth=known.depth or found.depth)


def in_order(result: Result) -> Result:
    """The move of its choice first, then the others from the best to the worst; of which nothing is known last."""

    def place(one: RootMove) -> tuple[bool, float]:
        return one.move != result.move, inf if one.value is None else -one.value

    return replace(result, root=tuple(sorted(result.root, key=place)))
