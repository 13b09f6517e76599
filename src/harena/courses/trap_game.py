"""Trap! as the Game.py of W4701 plays it, move by move in its words: cells are (row, column) from 0."""

import contextlib
import os
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

from harena.agents.contestant import Contestant, ProcessContestant
from harena.agents.environments import environments_for
from harena.agents.fault import AgentFault
from harena.agents.spec import parse_agent
from harena.api import State
from harena.arena import words
from harena.arena.conditions import sandboxes
from harena.arena.contest import Contest, Spec
from harena.arena.pacing import Infrastructure
from harena.arena.play.referee import Referee
from harena.arena.play.session import GameSession
from harena.arena.record import Record
from harena.arena.runs.kind import RunKind
from harena.arena.runs.presentation import Summary
from harena.arena.scores import Tally
from harena.arena.slot import Slot
from harena.arena.sources import sources
from harena.courses.catalogue import COURSES
from harena.errors import printable
from harena.sandbox.walls import sandbox as walls
from harena.termination import Termination

COURSE = "w4701"
WIDTH = 7
SIGNS = {".": "", "1": "1", "2": "2", "x": "x"}
BACKGROUNDS = {".": 100, "1": 102, "2": 105, "x": 40}
STAGES = ("walk", "aim", "landing")
WHAT_WAS_TRIED = re.compile(r" from get|: | is no move")


def player_text(text: str) -> str:
    """The text of a player; the bare path of an agent of the course is one, too."""
    agent = COURSES[COURSE].agent_at(text)
    path, _ = agent.split_path()
    if parse_agent(text).course or not os.path.exists(path):
        return text
    is_agent = os.path.isdir(path) or (path.endswith(".py") and b"getMove" in Path(path).read_bytes())
    return agent.text if is_agent else text


class Series:
    """Games between two players who keep their seats; `tell` gets what there is to say, line by line."""

    def __init__(
        self,
        players: tuple[str, str],
        *,
        seconds: float,
        seed: int,
        sandbox: str,
        tell: Callable[[str], None],
        colour: bool = False,
    ) -> None:
        walls(sandbox)  # complains about a name that is none, even if nobody needs walls
        texts = [player_text(text) for text in players]
        limits = {"seconds": seconds}
        self.contest = Contest(
            Spec(
                game="trap",
                variants=[{}],
                agents=texts,
                limits=limits,
                by_turn=True,
                seed=seed,
                sandbox=sandbox,
                folder=os.getcwd(),
                sources=sources("trap", texts),
                environments=environments_for(map(parse_agent, texts)),
            )
        )
        self.tell, self.colour = tell, colour
        self.contestants: list[Contestant] = []
        self.last: State | None = None  # the position of the game that is played

    def start(self) -> None:
        """Start the players; one that does not start loses its games."""
        self.contestants = [self.contest.contestant(seat) for seat in (0, 1)]
        for one in self.contestants:
            if isinstance(one, ProcessContestant):
                with contextlib.suppress(AgentFault):  # said again when a game begins
                    one.start()

    def play(self, games: int, keep: Callable[[Slot, Record], object] = lambda slot, record: None) -> list[Record]:
        """Play, keep and tell the games, one after the other; each has throws of its own."""
        records = []
        for number in range(games):
            if games > 1:
                self.tell(f"\nGame {number + 1} of {games}")
            self.last = None
            slot = Slot(a=0, b=1, pair=number, swapped=False)
            records.append(self._game(slot))
            keep(slot, records[-1])
            self.tell(ending(records[-1], self.last))
        return records

    def _watch(self, session: GameSession) -> None:
        self.last = session.state
        self.tell(step(session.state, colour=self.colour))

    def _game(self, slot: Slot) -> Record:
        contest, spec = self.contest, self.contest.spec
        _, start = contest.start_of(slot)
        while True:
            referee = Referee(
                options=spec.variants[0],
                terms=(contest.terms[0], contest.terms[1]),
                conditions=contest.conditions,
                watch=self._watch,
            )
            one, other = self.contestants
            try:
                return referee.play(start, (one, other), (spec.agents[0], spec.agents[1]), contest.seed_of(slot))
            except Infrastructure as stall:
                self.tell(f"{stall}: paused until it is calm; the game is played again")
                contest.pacer.pause(contest.aborted)

    def close(self) -> None:
        """No more games."""
        for one in self.contestants:
            one.close()
        self.contest.probe.stop()


def opening(series: Series) -> str:
    """Who plays, and under what conditions."""
    spec = series.contest.spec
    conditions = [f"{spec.limits['seconds']:g} s for walk and aim together", f"seed {spec.seed}"]
    conditions += sandboxes(spec)
    return "\n".join(
        [*(f"Player {seat + 1}: {plain(text)}" for seat, text in enumerate(spec.agents)), ", ".join(conditions)]
    )


def plain(text: str) -> str:
    """A stranger's words on one line, without the codes that steer a terminal."""
    return printable(" ".join(text.split()))


def board(state: State, *, colour: bool) -> str:
    """The board as the course's Displayer draws it: coloured cells, or a table of lines."""
    rows = state.text.split(" ")[0].split("/")
    if colour:
        return "\n\n".join(
            "".join(f"\x1b[{BACKGROUNDS[sign]}m{SIGNS[sign]:^{WIDTH}}\x1b[0m" for sign in row) for row in rows
        )
    line = "-" * (4 * len(rows) + 1)
    return "\n".join([line, *(f"|{'|'.join(f'{SIGNS[sign]:^3}' for sign in row)}|\n{line}" for row in rows)])


def step(state: State, *, colour: bool) -> str:
    """What is told when a state is reached: the move that led to it, the board, and whose turn begins."""
    parts = []
    if state.last_move is None:
        parts.append(board(state, colour=colour))
    else:
        stage, cell = divmod(int(state.last_move), 64)
        where = divmod(cell, 8)
        said = {"walk": "Moving to", "aim": "Throwing a trap to", "landing": "The trap lands on"}[STAGES[stage]]
        parts.append(f"{said} {where}")
        if STAGES[stage] != "aim":
            parts.append(board(state, colour=colour))
    if not state.is_over and stage_of(state) == "walk":
        parts.append(f"\nPlayer {state.mover + 1}'s turn:")
    return "\n".join(parts)


def stage_of(state: State) -> str:
    """What comes next in a position."""
    return STAGES[int(state.value.stage)]


def ending(record: Record, last: State | None) -> str:
    """How a game ended; `last` is its last position, if it was begun."""
    lines, detail = [], plain(record.detail)
    if record.reason in (Termination.ILLEGAL, Termination.UNREADABLE) and last is not None:
        tried = WHAT_WAS_TRIED.split(detail)[0]
        is_walk = stage_of(last) == "walk"
        lines.append(f"Tried to {'move to' if is_walk else 'put trap in'} {tried}")
        lines.append(f"Invalid {'move' if is_walk else 'trap'}!")
    if record.winner is None:
        return "A draw: nobody was caught in 150 half-turns"
    winner, loser = record.winner + 1, 2 - record.winner
    if record.reason == Termination.RULES:
        lines.append(f"Player {winner} wins: player {loser} has no free neighbour")
    else:
        more = f" ({detail})" if detail else ""
        lines.append(f"Player {winner} wins by a fault of player {loser}: {record.reason}{more}")
    return "\n".join(lines)


@dataclass(kw_only=True)
class TrapGames(RunKind):
    """The run that holds such games; `harena trap-game` plays them itself, move by move."""

    kind: ClassVar[str] = "trap-game"

    spec: Spec
    games: int
    records: dict[Slot, Record] = field(default_factory=dict, init=False)

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """The run of a stored form."""
        return cls(spec=Spec(**plain["spec"]), games=plain["planned"])

    def to_dict(self) -> dict[str, Any]:
        """The stored form."""
        return {"spec": self.spec.as_dict(), "planned": self.games}

    def needed(self) -> list[Slot]:
        """None: no runner plays them."""
        return []

    @property
    def planned(self) -> int:
        """The games in all."""
        return self.games

    def summary(self) -> Summary:
        """The players."""
        return Summary(game=self.spec.game, agents=self.spec.agents, planned=self.games)


def summary(records: list[Record]) -> str:
    """What several games show."""
    tally = Tally()
    for record in records:
        tally = tally.add(record.points(0))
    low, high = tally.interval
    drawn = f", {tally.draws} drawn" if tally.draws else ""
    lines = [
        f"{words.count(len(records), 'game')}: player 1 won {tally.wins}, player 2 won {tally.losses}{drawn}",
        f"Player 1 scores {words.percent(tally.score)} (95 %: {words.percent(low)} to {words.percent(high)})",
        words.verdict("player 1", "player 2", tally),
    ]
    faults = Counter((2 - record.winner, record.reason) for record in records if record.winner is not None)
    for (player, reason), number in sorted(faults.items()):
        if reason != Termination.RULES:
            lines.append(f"Player {player} lost {words.count(number, 'game')} by a fault: {reason}")
    return "\n".join(lines)
