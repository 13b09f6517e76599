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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from harena.arena import words
from harena.arena.claims import is_claimed
from harena.arena.conditions import conditions
from harena.arena.now import in_progress
from harena.arena.runs.kind import RunKind, without_moves
from harena.arena.runs.registry import kind_entry, kind_named
from harena.arena.runs.runner import stored_games
from harena.arena.slot import slot_of
from harena.arena.store import FINISHED, RUNNING, Row, Run, Store
from harena.arena.summary import DAMAGE, summary_of
from harena.courses.grading import PSEUDONYMS
from harena.games.catalogue import CATALOGUE
from harena.termination import Termination
from harena.web.given import placed
from harena.web.naming import named, plainly, without_paths
from harena.web.seeing import pictured

MINUS = re.compile(r"(?<![^\s(])-(?=\d)")  # a hyphen before a number, not one within a name
INTERRUPTED = "interrupted"
RECENT = 20  # games by which the pace is measured
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
    return "round robin" if type_name == "round-robin" else type_name or kind_entry(kind).title or kind


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
    try:
        part = _own_part(held, hidden)
    except DAMAGE:
        return found | {"words": ["this run describes itself in a way that this version does not know"]}
    return found | {key: value if key == "names" else plainly(value) for key, value in part.items()}


def _own_part(held: Held, hidden: bool) -> Part:
    """What the kind of a run shows of it; nothing where there is nothing of its own."""
    found = kind_named(held.run.kind)
    if found is None or found.page is RunKind.page:
        return {}
    games = stored_games(held.store, held.run.id) if found.needs_moves else without_moves(held.rows)
    run = found.from_dict(held.run.spec).add_all(games)
    names = run.page_names(shown_names(run.spec.agents), hidden=hidden)
    common = {
        "agents": [names[agent] for agent in run.spec.agents],
        "names": dict(names),
        "conditions": conditions(run.spec),
        "faults": _faults(held, names),
    }
    return common | (run.page(names, hidden=hidden) or {})


def is_resumable(found: Part) -> bool:
    """Whether it can go on from here."""
    return kind_entry(found["kind"]).is_resumable and found["status"] not in (RUNNING, FINISHED)


def is_private(run: Run) -> bool:
    """Whether the names in a run are for its owner only."""
    return kind_entry(run.kind).has_pseudonyms and run.note == PSEUDONYMS


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
