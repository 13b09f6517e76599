"""A program or an agent of a course as a player: it has a process of its own, and answers with a move only.

player = harena.player("comp424:student_agent.py", harena.game("colosseum"))
"""

import time
import weakref
from typing import TYPE_CHECKING, Any, ClassVar

from harena.agents.contestant import ProcessContestant
from harena.agents.environments import usual_environment
from harena.agents.fault import AgentFault
from harena.agents.player import NO_LIMITS, Player
from harena.api import Game, State
from harena.errors import HarenaError, UsageError
from harena.search.result import Limits, Result, RootMove, Turn

if TYPE_CHECKING:
    from harena.agents.spec import AgentSpec

MARGIN = 1.0  # seconds beyond its limit: nothing hangs on them here


class NoSearch:
    """Stands in for the search of an agent whose process is asked instead."""

    bounded_by: ClassVar[tuple[str, ...]] = ()

    def run(self, state: Any, limits: Limits, turn: Turn = Turn()) -> Result:  # noqa: B008 (a value)
        """`ExternalPlayer` asks its process in place of this."""
        raise UsageError("somebody else's agent has no search that could be run by itself")


class ExternalPlayer(Player):
    """An agent of a course, or a program that speaks the protocol."""

    def __init__(self, agent: "AgentSpec", game: Game, walls: str = "auto") -> None:
        agent.check(game.name)
        usual = NO_LIMITS if agent.clock is None else Limits(seconds=agent.clock.seconds)
        super().__init__(agent.text, game, NoSearch(), NO_LIMITS, usual)
        self.agent = ProcessContestant(
            agent,
            game.found_as,
            [dict(game.options)],
            margin=MARGIN,
            walls=walls,
            environment=usual_environment(agent.course),
        )
        weakref.finalize(self, self.agent.close)

    def heed(self, flag: Any) -> None:
        """From now on end its process when the flag is set: the process hears nothing else."""
        self.agent.flag = flag

    def ready(self) -> None:
        """Start its process."""
        try:
            self.agent.start()
        except AgentFault as fault:
            raise HarenaError(f"{self.text} {fault.reason}: {fault.detail}") from None
        self.is_ready = True

    def think(
        self,
        state: State,
        limits: Limits = NO_LIMITS,
        *,
        seed: int = 0,
        flag: Any = None,
        turn_seconds: float | None = None,
    ) -> Result:
        """Ask its process; HarenaError says what that did wrong.

        A position that does not follow the last one begins a game.
        """
        self.check(state, limits)
        self.heed(flag)
        if not self.is_ready:
            self.ready()
        past = list(state.history())[::-1]
        moves = [str(position.last_move) for position in past if position.last_move is not None]
        begin = time.perf_counter()
        try:
            if self._path_to(state) is None:
                self.agent.begin(dict(self.game.options), past[0].text, state.mover, seed)
            self._last = state
            answer = self.agent.choose(state, moves, self.allowed(limits), seed, turn_seconds)
        except AgentFault as fault:
            self.forget()  # its process has gone: another begins a game anew
            raise HarenaError(f"{self.text}: {fault}") from None
        move = state.play(answer.move).last_move
        assert move is not None
        return Result(
            move=int(move),
            value=answer.value,
            depth=answer.depth,
            nodes=answer.nodes or 0,
            seconds=time.perf_counter() - begin,
            line=(int(move),),
            root=(RootMove(move=int(move), value=answer.value),),
            stopped="answered",
        )
