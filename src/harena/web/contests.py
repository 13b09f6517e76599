"""A run as JSON: what its pages show of a match, tournament, sweep or grading while it is played and afterwards.

| key | |
|---|---|
| `id`, `kind`, `type`, `game`, `title`, `created`, `finished` | what it is |
| `status` | running, stopped, interrupted (its process is gone) or finished |
| `played`, `planned`, `left` | games so far, in all (null where nobody knows), seconds that are probably left |
| `agents` | names by number, as tables show them |
| `table` | the standings: `headings`, `rows` of texts, which columns are `numbers`, and which row leads (or null) |
| `cross` | scores by rank: `names`, `numbers` of the agents, `rows` of shares or null |
| `bracket` | of a knockout: round, the one, points, the other, how it was decided |
| `words` | sentences that say what the numbers do and do not show |
| `remarks` | of a grading: who, and what happened, of those that it did not go smoothly with |
| `faults` | by agent: how many of which, and the number of the first such game |

`playing` are the boards of the games in progress, with who sits where and their slots.
"""

import contextlib
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from harena.arena import match, sweep, tournament, words
from harena.arena.bracket import bracket, winner
from harena.arena.bracket import rows as bracket_rows
from harena.arena.claims import is_claimed
from harena.arena.conditions import conditions
from harena.arena.contest import Spec
from harena.arena.now import in_progress
from harena.arena.ratings import Ratings
from harena.arena.running import RESUMABLE, stored
from harena.arena.slot import slot_of
from harena.arena.store import FINISHED, RUNNING, Row, Run, Store
from harena.arena.summary import results, summary_of
from harena.courses import gradebook, grading
from harena.courses.grading import GRADED, UNFINISHED
from harena.errors import HarenaError
from harena.games.catalogue import CATALOGUE
from harena.termination import Termination
from harena.web.given import placed
from harena.web.naming import named, plainly, without_paths
from harena.web.seeing import pictured

GRADE = "grade"
FOLLOWED = ("match", "tournament", "sweep", "tune", GRADE)  # kinds of runs with something to follow: no single games
SPOKEN = {"tune": "tuning", GRADE: "grading", "round-robin": "round robin", "play": "game", "watch": "game"}
MINUS = re.compile(r"(?<![^\s(])-(?=\d)")  # a hyphen before a number, not one within a name
INTERRUPTED = "interrupted"
INTERVAL = "95 % interval"  # the heading
RECENT = 20  # games by which the pace is measured
MOST_CROSS = 40  # agents beyond which a crosstable is no help
DAMAGE = (KeyError, TypeError, ValueError, IndexError, AttributeError, HarenaError)  # of a run that was not ours
Names = Mapping[str, str]
Part = dict[str, Any]
UNNAMED: Part = {"agents": [], "result": ""}  # what names students, left out


@dataclass(frozen=True, kw_only=True)
class Held:
    """A run with its games, oldest first, and the store that they are in."""

    store: Store
    run: Run
    rows: Sequence[Row]


def status_of(store: Store, run: Run) -> str:
    """How a run stands: one that is played runs, also while it stops; one whose process is gone is interrupted."""
    if run.status == FINISHED:
        return FINISHED
    if is_claimed(store.path, run.id):
        return RUNNING
    return INTERRUPTED if run.status == RUNNING else run.status


def type_of(run: Run) -> str:
    """What sort of run it is, in words: of a tournament its type."""
    kind = run.spec.get("type")
    return in_words(run.kind, kind if isinstance(kind, str) else "")


def in_words(kind: str, type_name: str) -> str:
    """A kind of run in words, or its type where it has one."""
    return SPOKEN.get(type_name or kind, type_name or kind)


def title_of(run: Run) -> str:
    """The title of the game that a run plays; empty where its spec does not say."""
    spec = run.spec.get("spec", run.spec)
    game = spec.get("game") if isinstance(spec, Mapping) else None
    if not isinstance(game, str):
        return ""
    return CATALOGUE[game].title if game in CATALOGUE else without_paths(game)


def told_run(run: Run) -> Part:
    """A run in words, for lists of games: `Trap! round robin`, and when it began."""
    try:
        when = datetime.strptime(run.created, "%Y-%m-%dT%H:%M:%SZ")
        begun = f"{when.day} {when:%b %H:%M} UTC"
    except ValueError:
        begun = run.created  # of a store that is not ours
    what = type_of(run)
    return {
        "id": run.id,
        "type": what,
        "words": f"{title_of(run)} {what}".strip(),
        "created": run.created,
        "begun": begun,
    }


def with_minus(text: str) -> str:
    """With real minus signs, for people: numbers in JSON stay as programs read them."""
    return MINUS.sub("\N{MINUS SIGN}", text)


def for_people(part: Part) -> Part:
    """A run as its pages write it."""
    table = part["table"]
    if table is not None:
        table = table | {"rows": [[with_minus(cell) for cell in row] for row in table["rows"]]}
    words_of = [with_minus(sentence) for sentence in part["words"]]
    remarks = [[with_minus(cell) for cell in row] for row in part["remarks"]]
    shown = {"table": table, "words": words_of, "remarks": remarks}
    return part | {"type": in_words(part["kind"], part["type"])} | shown


def line(store: Store, run: Run, rows: Sequence[Row]) -> Part:
    """What a list says of a run."""
    told = summary_of(run, list(rows))
    entry = CATALOGUE.get(told.game)
    found = {
        "id": run.id,
        "kind": run.kind,
        "type": run.spec.get("type", "") if isinstance(run.spec.get("type"), str) else "",
        "game": told.game,
        "title": entry.title if entry else told.game,
        "agents": list(shown_names(told.agents).values()),
        "planned": told.planned,
        "played": len(rows),
        "result": told.result,
        "status": status_of(store, run),
        "created": run.created,
        "finished": run.finished,
    }
    return {key: plainly(value) for key, value in found.items()}


def shown_names(agents: Sequence[str]) -> Names:
    """What a page calls each agent: with the folder of its project, and no more where that tells them apart."""
    found = {agent: named(agent) for agent in agents}
    return found if len(set(found.values())) == len(found) else words.short_names(agents)


def view(held: Held, *, hidden: bool = False) -> Part:
    """All that a page says of a run; `hidden` puts pseudonyms in the place of students' names."""
    found = line(held.store, held.run, held.rows)
    found |= {"table": None, "cross": None, "bracket": [], "words": [], "remarks": [], "faults": [], "conditions": ""}
    found |= {"left": _left(held, found), "resumable": is_resumable(found), **(UNNAMED if hidden else {})}
    make = KINDS.get(held.run.kind)
    if make is None:
        return found
    try:
        return found | {key: value if key == "names" else plainly(value) for key, value in make(held, hidden).items()}
    except DAMAGE:
        return found | {"words": ["this run describes itself in a way that this version does not know"]}


def is_resumable(found: Part) -> bool:
    """Whether it can go on from here."""
    return found["kind"] in RESUMABLE and found["status"] not in (RUNNING, FINISHED)


def is_private(run: Run) -> bool:
    """Whether the names in a run are for its owner only."""
    return run.kind == GRADE and run.note == grading.PSEUDONYMS


def _left(held: Held, found: Part) -> float | None:
    """Seconds until it is over, by the pace of the last games."""
    recent = held.rows[-RECENT:]
    if found["status"] != RUNNING or found["planned"] is None or len(recent) < 3:
        return None
    begin = datetime.strptime(recent[0].created, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    pace = (datetime.now(UTC) - begin).total_seconds() / (len(recent) - 1)
    return round(pace * max(0, int(found["planned"]) - len(held.rows)), 1)


def playing(held: Held) -> list[Part]:
    """The games of a run that are being played now, as far as their process tells; none of a game that is not ours."""
    spec = held.run.spec.get("spec", {})
    found = []
    with contextlib.suppress(*DAMAGE):
        names = shown_names(spec["agents"])
        for one in in_progress(held.store.path, held.run.id):
            picture = placed(spec["game"], one["position"]).picture
            seats = [names[spec["agents"][number]] for number in slot_of(one["slot"]).seats]
            if picture is not None:
                found.append({"slot": one["slot"], "seats": plainly(seats), "picture": pictured(picture)})
    return found


# Kinds of runs


def _match(held: Held, hidden: bool) -> Part:
    plan = match.plan_of(dict(held.run.spec))
    standing = match.Standing(plan)
    for slot, record in results(list(held.rows)).items():
        standing.add(slot, record)
    names = shown_names(plan.spec.agents)
    a, b = (names[agent] for agent in plan.spec.agents)
    lines = []
    for name, pairs in zip((a, b), (standing.pairs, standing.pairs.flipped()), strict=True):
        estimate = pairs.elo
        span = f"{words.elo(estimate.low)} to {words.elo(estimate.high)}" if pairs.games else ""
        rating = words.elo(estimate.value) if pairs.games else ""
        lines.append([name, words.percent(pairs.score) if pairs.games else "", str(pairs.games), rating, span])
    said = [words.verdict(a, b, standing.pairs)]
    if standing.state is not None and plan.test is not None:
        said.append(words.sequential(a, b, plan.test, standing.state))
    headings = ["Agent", "Score", "Games", "Elo", INTERVAL]
    is_even = not standing.pairs.games or standing.pairs.score == 0.5
    leaders = [] if is_even else [int(standing.pairs.score < 0.5)]
    table = {"headings": headings, "rows": lines, "numbers": [1, 2, 3, 4], "leaders": leaders}
    common = _common(plan.spec, held, names)
    return common | {"table": table, "words": said if standing.pairs.games else []}


def _tournament(held: Held, hidden: bool) -> Part:
    plan = tournament.plan_of(held.run.spec)
    table = tournament.Table(plan, results(list(held.rows)))
    names = shown_names(plan.spec.agents)
    fitted, points = table.ratings(), table.standings()
    lines = [
        [
            str(rank) if row.games else "",
            names[row.name],
            words.percent(row.score) if row.games else "",
            f"{points[row.name]:g}",
            str(row.games),
            *((words.elo(row.elo), _span(row.low, row.high)) if row.games else ("", "")),
        ]
        for rank, row in enumerate(fitted.rows, 1)
    ]
    headings = ["#", "Agent", "Score", "Points", "Games", "Elo", INTERVAL]
    leaders = [0] if fitted.rows and fitted.rows[0].games else []
    common = _common(plan.spec, held, names)
    rounds: list[list[str]] = []
    said = words.ratings(fitted, names) if held.rows else []
    if plan.type == "knockout":
        found = bracket(table)
        rounds = [list(row) for row in bracket_rows(found, names)]
        said = [winner(found, names), *said] if held.rows else said
    return common | {
        "table": {"headings": headings, "rows": lines, "numbers": [0, 2, 3, 4, 5, 6], "leaders": leaders},
        "cross": _cross(table, fitted, names),
        "bracket": rounds,
        "words": said,
    }


def _sweep(held: Held, hidden: bool) -> Part:
    plan = sweep.plan_of(held.run.spec)
    points = sweep.Table(plan, results(list(held.rows))).points()
    lines = []
    for point in points:
        low, high = point.pairs.interval
        made = [words.percent(point.pairs.score), f"{100 * low:.1f} to {100 * high:.1f} %"] if point.pairs.games else []
        wins = f"{point.wins} / {point.draws} / {point.losses}"
        lines.append([point.value, *(made or ["", ""]), wins, str(point.pairs.games)])
    headings = [plan.name, "Score", INTERVAL, "Won / drawn / lost", "Games"]
    names = shown_names(plan.spec.agents)
    table = {"headings": headings, "rows": lines, "numbers": [1, 2, 3, 4], "leaders": []}
    said = [f"{plan.template} against {names[plan.opponent]}"]
    return _common(plan.spec, held, names) | {"table": table, "words": said}


def _grade(held: Held, hidden: bool) -> Part:
    plan = grading.plan_of(held.run.spec)
    book = grading.Book(plan, dict(stored(held.store, held.run.id)))
    real = [one.name for one in plan.submissions]
    shown = gradebook.pseudonyms(real, plan.spec.seed) if hidden else {name: name for name in real}
    headings, rows = gradebook.leaderboard_rows(book, shown)
    headings, lines, said = _arranged(headings, rows, [level.player for level in plan.levels])
    remarks = [[row[1], row[-1]] for row in rows if row[-1] not in (GRADED, UNFINISHED)]
    done = sum(book.is_complete(one) for one in plan.submissions)
    names = {text: gradebook.name_shown(book, text, shown) for text in plan.spec.agents}
    numbers = [number for number, heading in enumerate(headings) if heading not in ("Name", "Sandbox")]
    return {
        "title": f"{plan.course}: {CATALOGUE[plan.spec.game].title}",
        "game": plan.spec.game,
        "planned": len(plan.slots()),
        "agents": list(names.values()),
        "names": names,
        "table": {
            "headings": headings,
            "rows": lines,
            "numbers": numbers,
            "leaders": [number for number, line in enumerate(lines) if line[0] == "1"],
        },
        "words": [f"{done} of {words.count(len(plan.submissions), 'submission')} graded", *said],
        "remarks": remarks,
        "conditions": ", ".join(filter(None, (conditions(plan.spec, seed=False), gradebook.rounds_text(book)))),
    }


def _arranged(
    headings: Sequence[str], rows: Sequence[Sequence[str]], levels: Sequence[str]
) -> tuple[list[str], list[list[str]], list[str]]:
    """The table of a grading for a page, no verdicts, faults beside the score; and sentences for what is alike."""
    met = range(3, 3 + len(levels))
    kinds = sorted({row[-2] for row in rows} - {"-"})
    totals = sorted({row[one].partition(" of ")[2] for row in rows for one in met if row[one] != "-"})
    said = [f"points against each level, of {number}" for number in totals if len(totals) == 1]
    order = [*range(3), headings.index("faults", met.stop)]
    order += [number for number in range(len(headings) - (1 if len(kinds) > 1 else 2)) if number not in order]
    made = [headings[one] if one in met else headings[one].capitalize() for one in order]
    cells = [[row[one].partition(" of ")[0] if said and one in met else row[one] for one in order] for row in rows]
    return made, cells, [*said, *(f"sandbox of all: {kind}" for kind in kinds if len(kinds) == 1)]


KINDS: Mapping[str, Callable[[Held, bool], Part]] = {
    "match": _match,
    "tournament": _tournament,
    "sweep": _sweep,
    GRADE: _grade,
}


# Parts


def _common(spec: Spec, held: Held, names: Names) -> Part:
    return {
        "agents": [names[agent] for agent in spec.agents],
        "names": dict(names),
        "conditions": conditions(spec),
        "faults": _faults(held, names),
    }


def _span(low: float, high: float) -> str:
    return f"{words.elo(low)} to {words.elo(high)}"


def _cross(table: tournament.Table, fitted: Ratings, names: Names) -> Part | None:
    """Who made how much against whom, by rank."""
    order = [row.name for row in fitted.rows]
    if len(order) > MOST_CROSS:
        return None
    number = {name: index for index, name in enumerate(table.plan.spec.agents)}
    rows: list[list[float | None]] = []
    for one in order:
        made = [None if one == other else table.result(number[one], number[other]) for other in order]
        rows.append([round(result.score, 4) if result is not None and result.games else None for result in made])
    return {"names": [names[name] for name in order], "numbers": [number[name] for name in order], "rows": rows}


def _faults(held: Held, names: Names) -> list[Part]:
    """What went wrong, by agent, with the first game in which it did."""
    counted: dict[str, Counter[str]] = {}
    first: dict[str, int] = {}
    for row in sorted(held.rows, key=lambda row: slot_of(row.slot)):
        if row.reason != Termination.RULES and row.winner is not None:
            loser = row.seats[1 - row.winner]
            counted.setdefault(loser, Counter())[row.reason] += 1
            first.setdefault(loser, row.id)
    return [
        {
            "name": names.get(agent) or named(agent),
            "faults": ", ".join(f"{reason} {number}" for reason, number in found.most_common()),
            "game": first[agent],
        }
        for agent, found in counted.items()
    ]
