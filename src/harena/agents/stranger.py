"""Somebody else's agent as a player: it has a process of its own, and says no more than its move.

player = harena.player("comp424:student_agent.py", harena.game("colosseum"))
"""

import time
import weakref
from typing import Any, ClassVar

from harena.agents.contestant import ProcessContestant
from harena.agents.environments import usual_environment
from harena.agents.fault import AgentFault
from harena.agents.guests import guest, is_guest
from harena.agents.launch import check
from harena.agents.player import NO_LIMITS, Player
from harena.api import Game, State
from harena.errors import HarenaError, UsageError
from harena.search.result import Limits, Result, RootMove, Turn

MARGIN = 1.0  # seconds beyond its limit: nothing hangs on them here


class NoSearch:
    """What it does is nobody's business."""

    bounded_by: ClassVar[tuple[str, ...]] = ()

    def run(self, state: Any, limits: Limits, turn: Turn = Turn()) -> Result:  # noqa: B008 (a value)
        """`Stranger` asks its process in place of this."""
        raise UsageError("somebody else's agent has no search that could be run by itself")


class Stranger(Player):
    """A course agent, or a program that speaks the protocol."""

    def __init__(self, text: str, game: Game, walls: str = "auto") -> None:
        check(text, game.name)
        usual = Limits(seconds=guest(text).clock.seconds) if is_guest(text) else NO_LIMITS
        super().__init__(text, game, NoSearch(), NO_LIMITS, usual)
        self.agent = ProcessContestant(
            text,
            game.found_as,
            [dict(game.options)],
            margin=MARGIN,
            walls=walls,
            environment=usual_environment(text),
        )
        weakref.finalize(self, self.agent.close)

    def heed(self, flag: Any) -> None:
        """From now on end its process when the flag is set: it hears nothing else, and nobody waits for it."""
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
        """Ask it; HarenaError tells what it did wrong. A position that does not follow its last one begins a game."""
        self.check(state, limits)
        self.heed(flag)
        if not self.is_ready:
            self.ready()
        past = list(state.history())[::-1]
        moves = [str(one.last_move) for one in past if one.last_move is not None]
        begin = time.perf_counter()
        try:
            if self._path_to(state) is None:
                self.agent.begin(dict(self.game.options), past[0].text, state.mover, seed)
            self._last = state
            said = self.agent.choose(state, moves, self.allowed(limits), seed, turn_seconds)
        except AgentFault as fault:
            self.forget()  # its process has gone: another begins a game anew
            raise HarenaError(f"{self.text}: {fault}") from None
        move = state.play(said.move).last_move
        assert move is not None
        return Result(
            move=int(move),
            value=said.value,
            depth=said.depth,
            nodes=said.nodes or 0,
            seconds=time.perf_counter() - begin,
            line=(int(move),),
            root=(RootMove(move=int(move), value=said.value),),
            stopped="answered",
        )
