"""Games against the players of a course: a few short ones for `harena check`, and many whole ones if it is thorough.

Games come in pairs with seats swapped, and every score is told with its interval: a few games show little.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from harena.arena.conditions import DEFAULT_SETUPS
from harena.arena.contest import Contest, Paused, Played, Spec
from harena.arena.record import Record
from harena.arena.runs.match import Match
from harena.arena.words import count, nth, percent
from harena.courses.asking import STOPS, patience
from harena.courses.finding import Finding, fine, note, red
from harena.courses.levels import GRADINGS, Level
from harena.courses.sampling import SURVEYS
from harena.courses.subject import Subject
from harena.termination import Termination

SEED = 5
MARGIN = 0.05  # seconds beyond the limit in whole games; short ones, in which time is not the question, are patient
QUICK_SECONDS = 12.0  # for short games against a level
LONGEST_PAIR = 30.0  # seconds: nobody waits longer for two games, unless asked to be thorough
WHOLE = 5  # pairs of whole games against a level; where there are several sizes, one pair on each


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """Who is played, the weakest first, how often, on which boards, and how long at most against each."""

    levels: tuple[str, ...]
    pairs: int = 6
    sizes: tuple[int, ...]
    seconds: float = QUICK_SECONDS

    @property
    def is_short(self) -> bool:
        """Whether it is only for a first impression."""
        return self.seconds < float("inf")


QUICK: Mapping[str, Schedule] = {
    "colosseum": Schedule(levels=("random_agent", "greedy"), sizes=(6,)),
    "trap": Schedule(levels=("easy", "medium", "hard"), sizes=(7,)),
    "isolation": Schedule(levels=("random", "ab_improved"), sizes=(7,)),
    "tiles": Schedule(levels=("random", "greedy"), sizes=(4,)),
}
GRADED: Mapping[str, tuple[Level, ...]] = {
    **{grading.game: grading.levels for grading in GRADINGS.values()},
    "tiles": (Level(player="random"), Level(player="greedy"), Level(player="uct1000")),
}
THOROUGH: Mapping[str, Schedule] = {
    game: Schedule(
        levels=tuple(level.player for level in levels),
        pairs=max(WHOLE, len(SURVEYS[game].sizes)),
        sizes=SURVEYS[game].sizes,
        seconds=float("inf"),
    )
    for game, levels in GRADED.items()
}
TURNS = {"colosseum": 9, "trap": 12, "isolation": 12, "tiles": 6}  # of one player in a short game, about


def short_games(
    subject: Subject,
    turn_seconds: float,
    opening: float = 0.0,
    *,
    walls: str,
    watch: Callable[[str, int, int], None],
    environments: dict[str, Any] | None = None,
) -> Iterator[Finding]:
    """A line about each level after a few short games; an agent so slow that two would take too long plays none.

    `opening` are the seconds of its first move of a game, where that has a limit of its own.
    """
    expected = 2 * (TURNS[subject.game] * turn_seconds + opening)
    if expected > LONGEST_PAIR:
        yield note("strength", f"two games would take about {expected:.0f} s", "--thorough plays, and takes its time")
        return
    yield from play_levels(subject, QUICK[subject.game], walls=walls, environments=environments, watch=watch)


def play_levels(
    subject: Subject,
    schedule: Schedule,
    *,
    walls: str,
    watch: Callable[[str, int, int], None],
    environments: dict[str, Any] | None = None,
) -> Iterator[Finding]:
    """A line about each level, the weakest first."""
    for level in schedule.levels:
        spec = _spec(subject, level, schedule, walls, environments)
        match = Match(spec=spec, pairs=schedule.pairs)
        watch(f"playing {level}", 0, 2 * schedule.pairs)
        for doing in _play(match, schedule.seconds):
            watch(doing or f"playing {level}", len(match.records), 2 * schedule.pairs)
        yield _describe(subject, level, match, schedule)


def _spec(
    subject: Subject, level: str, schedule: Schedule, walls: str, environments: dict[str, Any] | None = None
) -> Spec:
    setup = subject.setup or DEFAULT_SETUPS.get(subject.game)
    has_own = subject.clock.seconds is None or subject.clock.first is not None  # its course's; our players keep theirs
    variants: list[dict[str, Any]] = [{"size": size} | ({"setup": setup} if setup else {}) for size in schedule.sizes]
    return Spec(
        game=subject.game,
        variants=variants,
        agents=[subject.text, level],
        limits={} if has_own else {"seconds": subject.clock.seconds},
        seed=SEED,
        by_turn=subject.clock.by_turn,
        sandbox=walls,
        environments=environments or {},
        local=True,  # our player needs no process of its own
        margin=patience(subject.clock.seconds) if schedule.is_short else MARGIN,
    )


def _play(match: Match, seconds: float) -> Iterator[str]:
    """Play pairs until all are played, or the time is over; a pair that was begun is finished.

    After each game an empty text, and where games are paused, why.
    """
    end = time.monotonic() + seconds
    contest = Contest(match.spec)
    with closing(contest.follow(match.slots(), 1, threading.Event())) as notices:
        for notice in notices:
            if isinstance(notice, Paused):
                yield notice.text
            elif isinstance(notice, Played):
                match.add(notice.slot, notice.record)
                yield ""
                if notice.slot.swapped and time.monotonic() > end:
                    return


def _describe(subject: Subject, level: str, match: Match, schedule: Schedule) -> Finding:
    """The line about a level."""
    low, high = match.scores.interval
    score, games = match.scores.score, count(match.scores.games, "short game" if schedule.is_short else "game")
    what = f"v. {level}"
    text = f"{percent(score)} of {games} (95 %: {100 * low:.0f} to {100 * high:.0f} %)"
    if match.faults_of(0):
        return _describe_faults(what, text, match, schedule)
    needed = next((one.needed for one in GRADED[subject.game] if one.player == level), None)
    wins = sum(record.points(int(slot.swapped)) == 1 for slot, record in match.records.items())
    if needed is not None and not schedule.is_short:
        text = f"{text}, {wins} won; the course asks for {needed}"
        if wins < needed:
            return red(what, text, "harena match and harena replay show how its games are lost")
    if level == schedule.levels[0] and high < 0.5:
        return red(what, text, f"it loses against {level}: is the sign of your score right?")
    if level == schedule.levels[0] and score <= 0.5:
        return note(what, text, f"even {level} should be beaten")
    if score == 0:
        return note(what, text, "none was won: harena match and harena replay show how they are lost")
    return fine(what, text)


def _describe_faults(what: str, text: str, match: Match, schedule: Schedule) -> Finding:
    faults = match.faults_of(0)
    first = next(record for slot, record in sorted(match.records.items()) if _is_by_fault(record, slot.swapped))
    reasons = ", ".join(f"{reason} {number}" for reason, number in faults.most_common())
    shown = f"{text}; lost by faults: {reasons}; the first: {first.detail or first.reason}"
    if faults.keys() == {Termination.TIME} and schedule.is_short:
        games = [(record, slot.swapped) for slot, record in sorted(match.records.items())]
        hung = [game for game in games if _is_cut_off(*game)]
        if hung:
            return red(what, f"{text}; lost by faults: {reasons}; {_stopped(*hung[0])}", STOPS)
        return note(what, shown, "keep more time in hand, or close other programs; --thorough plays more games")
    return red(what, shown, "a fault loses the game at once, however good the position")


def _is_cut_off(record: Record, swapped: bool) -> bool:
    """Whether the first agent lost a short game because no answer came."""
    return _is_by_fault(record, swapped) and record.reason == Termination.TIME and record.detail.startswith("no answer")


def _stopped(record: Record, swapped: bool) -> str:
    """What is said of such a game."""
    number = 1 + sum(ply.by == int(swapped) for ply in record.plies)
    return f"it stopped answering: {record.detail.partition(':')[0]}, at its {nth(number)} move of a game"


def _is_by_fault(record: Record, swapped: bool) -> bool:
    """Whether the first agent lost a game by a fault."""
    return record.reason != Termination.RULES and record.winner == (0 if swapped else 1)
