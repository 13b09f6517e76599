"""The tournament of the Isolation course: each agent against the same seven opponents, from the same openings.

    *************************
     Evaluating: ID_improved
    *************************

    Playing Matches:
    ----------
      Match 1: ID_improved vs   Random      Result: 20 to 0
      ...

    Results:
    ----------
    ID_improved         73.57%  (95 %: 65.8 to 81.4 %, 140 games)

ID_improved is always evaluated first; the last lines say whether the others beat it, and whether that means anything.
"""

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

from harena.agents.environments import environments_for
from harena.agents.names import PLAYERS
from harena.agents.player import builders
from harena.agents.spec import CourseAgent, parse_agent, player
from harena.api import Game
from harena.arena import words
from harena.arena.conditions import sandboxes
from harena.arena.contest import Contest, Spec
from harena.arena.record import Record
from harena.arena.runs.executors import Play
from harena.arena.runs.kind import RunKind
from harena.arena.runs.presentation import Block, Line, Summary
from harena.arena.scores import Pairs
from harena.arena.slot import Slot
from harena.arena.sources import sources
from harena.courses.catalogue import COURSES
from harena.courses.hosting.aind_finding import CALL, classes
from harena.courses.losses import lost_line
from harena.errors import BadOption, UnknownName
from harena.find import game
from harena.sandbox.walls import parse_choice
from harena.search.result import MOST, Limits
from harena.termination import Termination

GAME, COURSE = "isolation", "aind"
OPPONENTS: Mapping[str, str] = {
    "Random": "random",
    "MM/3_Null": "mm_null",
    "MM/3_Open": "mm_open",
    "MM/3_Improved": "mm_improved",
    "AB/5_Null": "ab_null",
    "AB/5_Open": "ab_open",
    "AB/5_Improved": "ab_improved",
}
LATER: Mapping[str, str] = {  # from April 2017; its AB players deepen
    "Random": "random",
    "MM_Open": "mm_open",
    "MM_Center": "mm_center",
    "MM_Improved": "mm_improved",
    "AB_Open": "id(heuristic=open)",
    "AB_Center": "id(heuristic=center)",
    "AB_Improved": "id(heuristic=improved)",
}
USUAL = "first"
FIELDS: Mapping[str, Mapping[str, str]] = {USUAL: OPPONENTS, "2017": LATER}
BASELINE = "improved"
FIXED = ("mm_", "ab_")  # how the names of those begin that search to a fixed depth
HEURISTIC = "ID_"  # before the name of a heuristic: iterative deepening with it


@dataclass(frozen=True, kw_only=True)
class Entrant:
    """Who is evaluated: the name in the table, and the player's text."""

    label: str
    text: str


def entrants(texts: Sequence[str]) -> list[Entrant]:
    """ID_improved, and whoever is named besides: heuristics, players or agents; nobody twice."""
    board = game(GAME)
    found = [entrant(text, board) for text in (BASELINE, *texts)]
    return list({one.label: one for one in found}.values())


def entrant(text: str, board: Game) -> Entrant:
    """A heuristic's text, a player of ours, an agent of the course or a program; an error says what it is not."""
    agent = _course_agent(text) or parse_agent(text)
    if isinstance(agent, CourseAgent):
        agent.locate()
    if not agent.is_trusted:
        return Entrant(label=text, text=agent.text)
    name = re.match(r"\s*(\w*)", text)
    if name and (name[1] in PLAYERS[GAME] or name[1] in builders(GAME)):
        player(text, board)
        return Entrant(label=re.sub(r"^id_(?=\w+$)", HEURISTIC, text), text=text)
    player(f"id(heuristic={text})", board)
    return Entrant(label=f"{HEURISTIC}{text}", text=f"id(heuristic={text})")


def _course_agent(text: str) -> CourseAgent | None:
    """The agent of the course that is named by its path alone; None for any other text."""
    agent = COURSES[COURSE].agent_at(text)
    path, name = agent.split_path()
    if parse_agent(text).course:
        return None
    if os.path.isdir(path):
        return agent
    methods = classes(Path(path)) if path.endswith(".py") else {}
    is_agent = name in methods if name else any(CALL in own for own in methods.values())
    return agent if is_agent or (not name and Path(path).name == "game_agent.py") else None


@dataclass(kw_only=True)
class IsolationTournament(RunKind):
    """Who plays, and the games so far."""

    kind: ClassVar[str] = "isolation-tournament"
    prints_lines: ClassVar[bool] = True

    spec: Spec
    entrants: list[Entrant]
    pairs: int  # against each opponent
    against: str = USUAL  # a name of FIELDS
    records: dict[Slot, Record] = field(default_factory=dict, init=False)
    printed: int = field(default=0, init=False)  # lines of the table that `new_lines` has given

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """The tournament of a stored form, without its games."""
        entrants, against = [Entrant(**one) for one in plain["entrants"]], plain.get("field", USUAL)
        return cls(spec=Spec(**plain["spec"]), entrants=entrants, pairs=plain["pairs"], against=against)

    @property
    def opponents(self) -> Mapping[str, str]:
        """Whom everybody meets: the names in the table, and the players."""
        return FIELDS[self.against]

    def to_dict(self) -> dict[str, Any]:
        """The stored form."""
        return {
            "spec": self.spec.as_dict(),
            "entrants": [asdict(one) for one in self.entrants],
            "pairs": self.pairs,
            "field": self.against,
            "planned": self.planned,
        }

    @property
    def planned(self) -> int:
        """The games of all entrants."""
        return len(self.needed())

    def check(self, play: Play) -> None:
        """NotStarted if the agent of an entrant cannot be started."""
        assert isinstance(play, Contest)
        play.try_out(number for number, agent in enumerate(play.agents) if not agent.is_trusted)

    def needed(self) -> list[Slot]:
        """All games, in the order of the table."""
        return [
            slot
            for number in range(len(self.entrants))
            for opponent in range(len(self.opponents))
            for slot in self.match(number, opponent)
        ]

    def match(self, number: int, opponent: int) -> list[Slot]:
        """The games of an entrant against an opponent."""
        entrant = len(self.opponents) + number
        return [
            Slot(a=opponent, b=entrant, pair=pair, swapped=swapped)
            for pair in range(self.pairs)
            for swapped in (True, False)
        ]

    def new_lines(self) -> list[str]:
        """The lines of the table that are known by now and were not yet given, in their order."""
        lines = self._known()
        fresh, self.printed = lines[self.printed :], len(lines)
        return fresh

    def _known(self) -> list[str]:
        lines: list[str] = []
        for number, one in enumerate(self.entrants):
            lines += [*banner(one.label), "", "Playing Matches:", "-" * 10]
            for opponent, name in enumerate(self.opponents):
                slots = self.match(number, opponent)
                if not all(slot in self.records for slot in slots):
                    return lines
                won = sum(self.points(slot) for slot in slots)
                lines.append(match_line(opponent + 1, one.label, name, int(won), len(slots) - int(won)))
            lines += ["", "", *self.results(number), ""]
        return lines

    def results(self, number: int) -> list[str]:
        """What an entrant made of its games so far."""
        name, pairs = self.entrants[number].label, self.scores(number)
        low, high = (100 * end for end in pairs.interval)
        span = f"(95 %: {low:.1f} to {high:.1f} %, {words.count(pairs.games, 'game')})"
        return ["Results:", "-" * 10, f"{name:<15}{100 * pairs.score:>10.2f}%  {span}", *self._faults(number)]

    def lost(self, number: int) -> list[Slot]:
        """The games that an entrant has lost, in the order of the table."""
        slots = [slot for opponent in range(len(self.opponents)) for slot in self.match(number, opponent)]
        return [slot for slot in slots if slot in self.records and self.points(slot) == 0]

    def points(self, slot: Slot) -> float:
        """The entrant's points in a game."""
        return self.records[slot].points(slot.seats.index(slot.b))

    def scores(self, number: int) -> Pairs:
        """All pairs of an entrant of which both games are played."""
        found = Pairs()
        for opponent in range(len(self.opponents)):
            slots = self.match(number, opponent)
            for one, other in zip(slots[::2], slots[1::2], strict=True):
                if one in self.records and other in self.records:
                    found = found.add(self.points(one) + self.points(other))
        return found

    def _faults(self, number: int) -> list[str]:
        """Games that were not decided on the board, with the first words on each kind of fault."""
        lines = []
        for lost, what in ((True, "lost"), (False, "won by the opponent's fault")):
            ends = [
                record
                for slot, record in self.records.items()
                if slot.b == len(self.opponents) + number
                and record.reason != Termination.RULES
                and (record.winner != slot.seats.index(slot.b)) is lost
            ]
            for reason, times in Counter(record.reason for record in ends).most_common():
                detail = next(record.detail for record in ends if record.reason == reason)
                lines.append(f"  {what}: {reason} {times}" + (f" ({detail})" if detail else ""))
        return lines

    def summary(self) -> Summary:
        """The agents; what the games show is said by the course's own report."""
        return Summary(game=self.spec.game, agents=self.spec.agents, planned=self.planned)

    def report(self, run: str, option: str, numbers: Mapping[str, int]) -> list[Block]:
        """The last lines, before them what there is of a tournament that was stopped; then where its games are."""
        lines: list[str] = []
        if self.missing():
            lines += ["", "so far:"]
            for number in range(len(self.entrants)):
                if self.scores(number).games:
                    lines += self.results(number)
        terms = ", ".join([f"{words.limits(self.spec.limits)} a move", f"seed {self.spec.seed}", *sandboxes(self.spec)])
        tested = list(enumerate(self.entrants))[1:] or [(0, self.entrants[0])]
        lost = {one.label: self.lost(number) for number, one in tested}
        end = Line(lost_line(run, option, numbers, lost), "dim", is_whole=True)
        return [*(Line(line, is_whole=True) for line in [*lines, terms, *self.verdicts()]), end]

    def verdicts(self) -> list[str]:
        """Whether the others beat ID_improved, and whether the difference means anything."""
        base, name = self.scores(0), self.entrants[0].label
        if len(self.entrants) == 1:
            return [f"{name} is what others are measured by: name a heuristic or an agent to compare"]
        return [
            verdict(one.label, self.scores(number), name, base) for number, one in enumerate(self.entrants) if number
        ]


def banner(label: str) -> list[str]:
    """Stars around who is evaluated."""
    text = f"Evaluating: {label}"
    stars = "*" * max(25, len(text) + 2)
    return [stars, f"{text:^{len(stars)}}".rstrip(), stars]


def match_line(number: int, label: str, opponent: str, won: int, lost: int) -> str:
    """One line a match, as the course prints it."""
    return f"  Match {number}: {label:^11} vs " + f"{opponent:^11}".ljust(14) + f"Result: {won} to {lost}"


def verdict(label: str, pairs: Pairs, other: str, base: Pairs) -> str:
    """Whether one beats the other by their scores against the same opponents."""
    if not pairs.games or not base.games:
        return f"{label} and {other} cannot be compared: not both have played"
    if pairs.score > base.score:
        found = (pairs.score, base.score, pairs.games, base.games)
        if not words.is_noise(*found):
            return f"{label} beats {other}: {words.noise(*found)}"
        made = f"{words.percent(pairs.score)} over {words.percent(base.score)}"
        noise = f"{words.on_games(pairs.games, base.games)} that is noise (z = {words.z_value(*found):.2f})"
        return f"{label} scored more than {other}, {made}, but {noise}"
    if pairs.score < base.score:
        noise = words.noise(base.score, pairs.score, base.games, pairs.games)
        return f"{label} does not beat {other}, which is ahead: {noise}"
    return f"{label} does not beat {other}: both made {words.percent(base.score)} of their games"


def tournament(
    texts: Sequence[str],
    *,
    games: int,
    limits: Limits,
    seed: int = 0,
    sandbox: str = "auto",
    against: str = USUAL,
) -> IsolationTournament:
    """A tournament that is ready to be played; `limits` are seconds, or nodes: then it is the same on every run."""
    if games < 2 or games % 2:
        raise BadOption(f"each opening is played in both orders: an even number of games, not {games}")
    parse_choice(sandbox)
    if against not in FIELDS:
        raise UnknownName("field", against, FIELDS)
    found = entrants(texts)
    given = {key: value for key, value in vars(limits).items() if value is not None}
    full = "" if limits.seconds is not None else f"(nodes={MOST})"  # a budget is not for searches of a fixed depth
    opponents = [f"{name}{full}" if name.startswith(FIXED) else name for name in FIELDS[against].values()]
    spec = Spec(
        game=GAME,
        variants=[{"setup": "random-placements"}],
        agents=[*opponents, *(one.text for one in found)],
        limits=given,
        seed=seed,
        local=limits.seconds is None,
        sandbox=sandbox,
        folder=os.getcwd(),
        sources=sources(GAME, [one.text for one in found]),
        environments=environments_for(parse_agent(one.text) for one in found),
    )
    return IsolationTournament(spec=spec, entrants=found, pairs=games // 2, against=against)
