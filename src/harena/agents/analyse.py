"""`harena.analyse`: what a player thinks of a position, with a result for programs."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from harena.agents.analysis import as_dict, heat, line
from harena.agents.expected import score_of
from harena.agents.informed import informed
from harena.agents.names import PLAYERS
from harena.agents.player import Player
from harena.agents.spec import player
from harena.api import Move, State
from harena.errors import BadOption, UsageError
from harena.games.picture import Cell
from harena.kernel import patience
from harena.search.result import Limits, Result


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """What a player found in a position."""

    state: State
    agent: str
    result: Result
    player: Player

    @cached_property
    def move(self) -> Move:
        """The move that it would make."""
        return self.state.named(self.result.move)

    @property
    def value(self) -> float | None:
        """What the position is worth to the player to move, on the search's own scale."""
        return self.result.value

    @cached_property
    def expected_score(self) -> float | None:
        """The score to expect, 0 to 1, where the scale of the search is known."""
        return None if self.result.proven is not None else score_of(self.player, self.state, self.result.value)

    @cached_property
    def line(self) -> list[Move]:
        """How both may go on."""
        return line(self.state, self.result)

    @cached_property
    def heat(self) -> Mapping[Cell, int]:
        """How good the best move to each cell looks, 0 to 9."""
        return heat(self.state, self.result.root)

    def to_dict(self) -> dict[str, Any]:
        """All that was found, as JSON-ready data: what `harena analyse --json` prints."""
        return {"agent": self.agent, "move": str(self.move)} | as_dict(self.state, self.result)

    def _repr_svg_(self) -> str | None:
        """The board with heat, as a notebook shows it."""
        return self.state.svg(heat=self.heat)


class Analyst:
    """A player that is ready to look at positions of one game."""

    def __init__(self, state: State, agent: str | None = None) -> None:
        self.state = state
        usual = "champion" if state.game.name in PLAYERS else "mcts"
        self.agent = usual if agent is None else agent
        self.player = player(self.agent, state.game)
        if state.is_over:
            raise UsageError(f"there is nothing to analyse: {state.outcome}")
        if not state.moves() or state.mover not in (0, 1):
            raise UsageError("chance decides here: analyse the position before the throw, or one after its landing")
        self.thinker = informed(self.player)

    def think(self, limits: Limits, seed: int = 0, flag: Any = None) -> Analysis:
        """Search the position; `flag` stops it, with the best move so far."""
        found = self.thinker.think(self.state, limits, seed=seed, flag=flag)
        if flag is not None and flag[0] and found.stopped == "chosen":  # a user's search need not say that
            found = replace(found, stopped="interrupted")
        return Analysis(state=self.state, agent=self.agent, result=found, player=self.player)


def analyse(
    state: State,
    agent: str | None = None,
    *,
    seconds: float | None = None,
    nodes: int | None = None,
    iterations: int | None = None,
    depth: int | None = None,
    seed: int = 0,
) -> Analysis:
    """What a player thinks of a position: the game's champion, or any of `harena agents`.

    Without a limit it takes its own, or a second. Ctrl-C stops it with the best move so far.
    """
    if not isinstance(state, State):
        raise BadOption(f"analyse takes a State, as harena.game('isolation').initial(), not {state!r}")
    analyst, limits = Analyst(state, agent), Limits(seconds=seconds, nodes=nodes, iterations=iterations, depth=depth)
    analyst.thinker.ready()
    if threading.current_thread() is not threading.main_thread():
        return analyst.think(limits, seed)
    allowed = analyst.thinker.allowed(limits).seconds
    return patience.run_until_stopped(lambda flag: analyst.think(limits, seed, flag), allowed)
