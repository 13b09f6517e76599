"""docs/strength.md and its pictures, from what was measured and what was tried."""

import csv
from collections.abc import Iterator
from importlib import import_module
from itertools import takewhile
from math import hypot
from pathlib import Path

from alike import alike
from matches import (
    CONTROL,
    DOCS,
    OPPONENTS,
    PARTNERS,
    QUICK,
    QUICK_SECONDS,
    THREADS,
    TIMES,
    Match,
    Score,
    matches,
)

from harena.arena.scores import elo_of
from harena.champions.options import FULL_LEVEL, setting
from harena.render import plot

GAMES = ("isolation", "colosseum", "trap", "tiles")
HEAD = """# How strong the champions are

Written by `python scripts/strength` from `docs/strength/results.json`; how it is measured is in
[methods.md](methods.md). The champion has a tenth of its course's time and one thread; the courses' players have the
settings that their rows name: their own, or about as many nodes and playouts as the courses' Python got through in its
time (and of `uct` our native one with the champion's time). Sparring partners and the champion have the same time.

Scores are shares of the points (draws half) with 95 % intervals over seat-swapped pairs; *lost pairs* are those in
which the champion got less than one point of two. An aim is *reached* or *missed* by the score; *within the error*
means that the interval leaves it open. Games are lost by time half a second after the limit, so that stalls of a busy
machine do not decide them; the longest move of the champion is told instead (in the matches of a second thread,
played one at a time, the machine has little part in it). What has not been measured yet is marked as such; a star
means: measured with an earlier version of this champion or of the searches, which played otherwise. How much sooner
two threads are as deep as one is in [threads.md](strength/threads.md).
"""
NOTES = {  # what a reader of a table should know before
    "isolation": """Random placements decide most games between good players: one of the knights is the hunter, by the
colour of its cell, and on every board that is solved, 7x7 among them, the hunter wins nearly every opening
([what is solved](strength/isolation-solved.md)). In each pair the champion is hunted once, so 50 % is what can be had
for sure, and 98 % needs opponents who throw away 96 % of their won games: players who look three or five jumps ahead
nearly do, those who deepen within 5,000 nodes do not. The pair is what counts: *lost pairs* says how often the champion
made less of the same placements than its opponent. For the same reason there is nothing to win at equal time: against
our own `id_improved` all pairs are split, so the SPRT [0, 50] that we aimed at fails (LLR -3.08 after 40 games); and
more time than 2 ms does not show against that yardstick.
""",
    "trap": """Times are for a turn: the walk and the throw together, as in the course; with sparring partners a tenth
of a second, since there are many. End games on few cells are exact
([how far](strength/trap-endgame.md)); what is *proven* there is sure but for one game in sixteen million.
""",
}
SPANS = {"trap": "turn"}  # what the seconds are for; elsewhere a decision
Measured = list[tuple[Match, Score]]


def write(found: Measured, docs: Path) -> None:
    """The page in this folder, and a picture for each game whose strength was measured over time."""
    by_name = {match.name: (match, score) for match, score in found}
    lines = [HEAD, *summary(by_name)]
    for game in GAMES:
        lines += [f"## {game.capitalize()}", "", *([NOTES[game]] if game in NOTES else [])]
        for section, title in ((OPPONENTS, "opponent"), (PARTNERS, "sparring partner")):
            lines += table(game, section, title, by_name)
        lines += quick(game, by_name)
        lines += levels(game)
        lines += times(game, by_name, docs)
        lines += threads(game, by_name)
        lines += control(game, by_name)
        lines += extras(game)
        lines += steps(game)
    (docs / "strength.md").write_text("\n".join(lines).rstrip() + "\n", "utf-8")


def span(game: str) -> str:
    """What its seconds are for."""
    return SPANS.get(game, "decision")


def summary(by_name: dict[str, tuple[Match, Score]]) -> Iterator[str]:
    """How many of the aims are reached in each game, and the lowest score."""
    yield "| game | seconds | opponents with an aim | measured | aims reached | lowest score | pairs lost to them |"
    yield "|---|---|---|---|---|---|---|"
    for game in GAMES:
        wanted = [match for match in matches(200) if match.game == game and match.section == OPPONENTS and match.aim]
        measured = [by_name[match.name] for match in wanted if match.name in by_name]
        reached = sum(100 * score.score >= (match.aim or 0) for match, score in measured)
        match, score = min(measured, key=lambda one: one[1].score, default=(None, None))
        lowest = f"{100 * score.score:.1f} % against `{match.b}`" if match and score else ""
        lost = sum(sum(score.pairs[:2]) for _, score in measured)
        pairs = f"{lost} of {sum(sum(score.pairs) for _, score in measured)}"
        old = "" if all(score.version in alike(game) for _, score in measured) else " *"
        figures = f"{len(wanted)} | {len(measured)}{old} | {reached} | {lowest} | {pairs}"
        yield f"| {game} | {seconds_of(wanted[0].a):g} a {span(game)} | {figures} |"
    yield ""


def percent(match: Match, score: Score) -> str:
    """A score with its interval."""
    mark = "" if score.version in alike(match.game) else " *"
    return f"{100 * score.score:.1f} % ({100 * score.low:.1f} to {100 * score.high:.1f}){mark}"


def verdict(match: Match, score: Score) -> str:
    """Whether the aim is reached by the point estimate, and whether the interval leaves that open."""
    if match.aim is None:
        return ""
    said = "reached" if 100 * score.score >= match.aim else "**missed**"
    is_open = 100 * score.low < match.aim <= 100 * score.high
    return f"{match.aim:g} %: {said}{' (within the error)' if is_open else ''}"


def table(game: str, section: str, title: str, by_name: dict[str, tuple[Match, Score]]) -> Iterator[str]:
    """The champion against others."""
    wanted = [match for match in matches(200) if match.game == game and match.section == section]
    measured = [match for match in wanted if match.name in by_name]
    missing = [match for match in wanted if match.name not in by_name]
    if measured:
        yield f"| {title} | size | champion's score | games | lost pairs | longest move | aim |"
        yield "|---|---|---|---|---|---|---|"
    for match in measured:
        score = by_name[match.name][1]
        figures = f"{percent(match, score)} | {score.games} | {sum(score.pairs[:2])} | {1000 * score.longest:.0f} ms"
        yield f"| `{match.b}` | {match.size or ''} | {figures} | {verdict(match, score)} |"
    yield ""
    yield from faults([by_name[match.name] for match in measured])
    if missing:
        names = ", ".join(f"`{match.b}`{f' ({match.size})' if match.size else ''}" for match in missing)
        yield f"Not measured yet ({title}s): {names}."
        yield ""


def faults(measured: Measured) -> Iterator[str]:
    """Games that the champion lost otherwise than by the rules."""
    for match, score in measured:
        for reason, count in sorted(score.faults.items()):
            yield f"Lost by a fault of the champion's own (`{match.b}`): {count} by {reason}."
            yield ""


def quick(game: str, by_name: dict[str, tuple[Match, Score]]) -> Iterator[str]:
    """The same opponents, and hardly any time."""
    measured = of_section(game, QUICK, by_name)
    if not measured:
        yield from unmeasured(f"{1000 * QUICK_SECONDS:g} ms a {span(game)}")
        return
    yield f"With {1000 * QUICK_SECONDS:g} ms a {span(game)}, opponents as before:"
    yield ""
    yield "| opponent | size | champion's score | games | lost pairs |"
    yield "|---|---|---|---|---|"
    for match, score in measured:
        figures = f"{percent(match, score)} | {score.games} | {sum(score.pairs[:2])}"
        yield f"| `{match.b}` | {match.size or ''} | {figures} |"
    yield ""


def threads(game: str, by_name: dict[str, tuple[Match, Score]]) -> Iterator[str]:
    """What a second thread is worth."""
    measured = of_section(game, THREADS, by_name)
    if not measured:
        yield from unmeasured("a second thread")
    for match, score in measured:
        gain = f"{percent(match, score)} of {score.games} games, {elo(score.score):+.0f} Elo"
        longest = f"its longest move took {1000 * score.longest:.0f} ms"
        yield f"A second thread (`threads=2`) against one, {seconds_of(match.b):g} s a {span(game)}: {gain}; {longest}."
        yield ""


def control(game: str, by_name: dict[str, tuple[Match, Score]]) -> Iterator[str]:
    """A match against itself, which has to come out even."""
    measured = of_section(game, CONTROL, by_name)
    if not measured:
        yield from unmeasured("the control, a match against itself")
    for match, score in measured:
        said = f"{percent(match, score)} of {score.games} games, {1000 * seconds_of(match.a):g} ms a {span(game)}"
        yield f"Control, against itself: {said}; far from 50 % would mean that the arena is unfair."
        yield ""


def unmeasured(what: str) -> Iterator[str]:
    """That something is missing."""
    yield f"Not measured yet: {what}."
    yield ""


def of_section(game: str, section: str, by_name: dict[str, tuple[Match, Score]]) -> Measured:
    """What is measured of it, in the order of the list."""
    wanted = [match for match in matches(200) if match.game == game and match.section == section]
    return [by_name[match.name] for match in wanted if match.name in by_name]


def levels(game: str) -> Iterator[str]:
    """Each level against the one below."""
    with (DOCS / "strength" / "ladder.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["game"] == game]
    ladder = import_module(f"harena.champions.{game}").LADDER
    missing = [str(level) for level in range(2, FULL_LEVEL + 1) if str(level) not in {row["level"] for row in rows}]
    if missing:
        yield from unmeasured(f"level {', '.join(missing)} against the one below")
    if not rows:
        return
    yield "Each level of `champion(level=1..10)` against the one below, by nodes (`scripts/champions/ladder.py`):"
    yield ""
    yield "| level | score | games | date |"
    yield "|---|---|---|---|"
    for row in rows:
        score, low, high = (100 * float(row[key]) for key in ("score", "low", "high"))
        is_so = row["handicaps"] == setting(ladder, int(row["level"])) and row["version"] in alike(game)
        mark = "" if is_so else " *"
        yield f"| {row['level']} | {score:.1f} % ({low:.1f} to {high:.1f}){mark} | {row['games']} | {row['date']} |"
    yield ""


def elo(score: float) -> float:
    """The Elo difference of a score; whitewashes count as half a point short of one in 200."""
    return elo_of(min(max(score, 0.0025), 0.9975))


def times(game: str, by_name: dict[str, tuple[Match, Score]], docs: Path) -> Iterator[str]:
    """What more time is worth, as a table and a picture."""
    wanted = [match for match in matches(200) if match.game == game and match.section == TIMES]
    measured = [by_name[match.name] for match in takewhile(lambda match: match.name in by_name, wanted)]
    if missing := wanted[len(measured) :]:  # a curve has no gaps
        yield from unmeasured(f"what more time is worth, from `{missing[0].a}` on")
    if not measured:
        return
    is_itself = measured[0][0].b.startswith("champion")
    yield "Twice the time, against itself:" if is_itself else f"More time, against `{measured[0][0].b}`:"
    yield ""
    yield f"| seconds | score{' of twice as many' if is_itself else ''} | Elo | games |"
    yield "|---|---|---|---|"
    points = [(seconds_of(measured[0][0].b), 0.0, 0.0, 0.0)] if is_itself else []
    for match, score in measured:
        gain, below, above = elo(score.score), elo(score.score) - elo(score.low), elo(score.high) - elo(score.score)
        if is_itself:  # the steps add up, and so do the squares of their errors
            _, before, *bars = points[-1]
            gain, below, above = before + gain, hypot(bars[0], below), hypot(bars[1], above)
        points.append((seconds_of(match.a), gain, below, above))
        shown = seconds_of(match.b if is_itself else match.a)
        yield f"| {shown:g} | {percent(match, score)} | {elo(score.score):+.0f} | {score.games} |"
    yield ""
    points = [(seconds, gain - points[0][1], *bars) for seconds, gain, *bars in points]
    picture = docs / "strength" / f"{game}-time.svg"
    picture.write_bytes(plot.growth(points, span=span(game), title=f"{game}: strength and time", form="svg"))
    yield f"![Elo against seconds a {span(game)}](strength/{picture.name})"
    yield ""


def seconds_of(text: str) -> float:
    """Of a champion's text."""
    return float(text.split("seconds=")[1].rstrip(")"))


def extras(game: str) -> Iterator[str]:
    """Links to further pages and pictures about a game."""
    for page in sorted((DOCS / "strength").glob(f"{game}-*.md")):
        yield f"* [{page.read_text('utf-8').splitlines()[0].lstrip('# ')}](strength/{page.name})"
    if (DOCS / "strength" / f"{game}-reliability.svg").exists():
        yield f"* ![points expected, and points made](strength/{game}-reliability.svg)"
    yield ""


def steps(game: str) -> Iterator[str]:
    """What was tried."""
    file = DOCS / "strength" / "steps" / f"{game}.csv"
    if not file.exists():
        return
    yield "What was tried, passed or not:"
    yield ""
    yield "| date | what | verdict | Elo (95 %) | games | limit |"
    yield "|---|---|---|---|---|---|"
    with file.open(encoding="utf-8", newline="") as source:
        for row in csv.DictReader(source):
            gain = f"{row['elo']} ({row['low']} to {row['high']})" if row["elo"] else ""
            yield f"| {row['date']} | {row['what']} | {row['verdict']} | {gain} | {row['games']} | {row['limit']} |"
    yield ""
