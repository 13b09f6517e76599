"""`harena ratings`: all stored games of a game in one table, whatever runs they were played in."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.text import Text

from harena.arena import words
from harena.arena.conditions import sizes_of
from harena.arena.joint import UNKNOWN, Joint, Version, joint, part
from harena.arena.ratings import Ratings
from harena.arena.runs.display import draw_block
from harena.arena.runs.tournament import confidence_table, ratings_table
from harena.arena.store import Store
from harena.cli.records import damage_told
from harena.errors import BadOption, clean
from harena.files import write_output
from harena.render import spreadsheet

MOST_NAMED = 20  # neighbours that cannot be told apart, values that are mixed, agents with faults
CELL = 4  # letters of a cell of the table of confidence
HEADINGS = ("group", "rank", "agent", "version", "elo", "elo_low", "elo_high", "games", "score", "faults")


def rate(
    game: str,
    runs: list[str],
    *,
    size: str | None,
    setup: str | None,
    least: int,
    as_json: bool,
    csv_file: str | None,
    store: str | None,
) -> None:
    """Rate all who played and print the table, or write it."""
    with Store(store, writing=False) as kept, damage_told() as report:
        found = joint(kept, game, runs=runs, sizes=sizes_of(size), setup=setup, report=report)
        shown = part(found.ratings, [row.name for row in found.ratings.rows if row.games >= least])
        if not shown.rows:
            most = max(row.games for row in found.ratings.rows)
            raise BadOption(f"--least {least}: nobody has so many games; the most are {most:,}")
        if csv_file is not None:
            write_output(csv_file, csv_text(found, shown).encode())
        if as_json:
            print(json.dumps(as_dict(found, shown), indent=2))
        else:
            tell(Console(highlight=False), found, shown, least)
            if csv_file is not None:
                Console(highlight=False).print(Text(f"wrote {csv_file}", "dim"), soft_wrap=True)


def tell(console: Console, found: Joint, shown: Ratings, least: int) -> None:
    """A table for each group of players, and what it does and does not show."""
    names = called(found)
    heading = f"{found.game}: {words.count(found.games, 'game')} of {words.count(found.runs, 'run')}"
    console.print(Text(f"{heading}, {words.count(len(found.ratings.rows), 'player')}", "bold"))
    for number, group in enumerate(shown.groups, 1):
        one = part(shown, group)
        if len(shown.groups) > 1:
            console.print(Text(f"\ngroup {number}: {words.count(len(group), 'player')}"))
        console.print(draw_block(ratings_table(one, names)))
        if 2 < len(group) <= console.width // CELL - 1:
            console.print("\nconfidence that the row is better than the column, in %")
            console.print(draw_block(confidence_table(one)))
    console.print()
    for sentence in sentences(found, shown, names, least):
        console.print(Text(clean(sentence)))


def sentences(found: Joint, shown: Ratings, names: Mapping[str, str], least: int) -> list[str]:
    """What was mixed, left out, split and repeated; who made mistakes; what the ratings do not tell."""
    faults = []
    for name, reasons in sorted(found.faults.items(), key=lambda item: (-item[1].total(), item[0])):
        listed = ", ".join(f"{reason} {number:,}" for reason, number in reasons.most_common())
        faults.append(f"faults of {names[name]}, lost: {listed}; the first: {found.first_fault[name]}")
    neighbours = words.neighbours(shown, names)
    hidden = len(found.ratings.rows) - len(shown.rows)
    return [
        *_some(faults, "agents with faults"),
        *_some(neighbours, "neighbours that cannot be told apart"),
        *words.apart(shown, names, members=False),
        *found.repeated,
        *([f"{words.count(hidden, 'player')} with fewer than {least} games: rated too, not shown"] if hidden else []),
        *(f"left out: {words.count(number, 'game')} {why}" for why, number in found.left_out.items()),
        *_changed(found),
        *_mixed(found.mixed),
    ]


def called(found: Joint) -> dict[str, str]:
    """What the table calls each player."""
    short = words.short_names(sorted(set(found.texts.values())))
    marks = {one.name: one.mark for one in found.versions}
    return {name: clean(f"{short[text]}{marks.get(name, '')}") for name, text in found.texts.items()}


def _changed(found: Joint) -> list[str]:
    """Agents that were not the same in all runs, or of which nobody knows whether they were."""
    by_text: dict[str, list[Version]] = {}
    for one in found.versions:
        by_text.setdefault(one.text, []).append(one)
    out = []
    for text, several in by_text.items():
        known = [f"{one.label} in {', '.join(one.runs)}" for one in several if one.label != UNKNOWN]
        unknown = [f"not kept in {', '.join(one.runs)}" for one in several if one.label == UNKNOWN]
        what = "changed" if len(known) > 1 else "were not kept in every run"
        listed = "; ".join([*known, *unknown])
        out.append(f"the files of {text} {what}, and each version is rated by itself: version {listed}")
    return out


def _mixed(mixed: Mapping[str, Mapping[str, int]]) -> list[str]:
    """What the games do not have in common: such ratings are of no one contest."""
    out = []
    for what, values in mixed.items():
        listed = [f"{value} ({words.count(number, 'game')})" for value, number in values.items()]
        more = [f"and {len(listed) - MOST_NAMED} more"] if len(listed) > MOST_NAMED else []
        out.append(f"mixed, of more than one {what}: {', '.join([*listed[:MOST_NAMED], *more])}")
    if out:
        out.append("--run, --size and --setup choose games that belong together")
    return out


def _some(lines: list[str], what: str) -> list[str]:
    more = len(lines) - MOST_NAMED
    return lines if more <= 0 else [*lines[:MOST_NAMED], f"and {more:,} more {what}"]


def as_dict(found: Joint, shown: Ratings) -> dict[str, Any]:
    """All of it, JSON-ready; `better` has the confidence that a player is better than another, in their order."""
    versions = {one.name: one.label for one in found.versions}
    groups = {name: number for number, group in enumerate(shown.groups, 1) for name in group}
    players = [
        asdict(row)
        | {"group": groups[row.name], "agent": found.texts[row.name], "version": versions.get(row.name)}
        | {"faults": dict(found.faults.get(row.name, {}))}
        for row in shown.rows
    ]
    return {
        "game": found.game,
        "games": found.games,
        "runs": found.runs,
        "players": players,
        "better": [list(row) for row in shown.better],
        "first_seat": {"elo": shown.seat, "error": shown.seat_error},
        "draws": shown.draws,
        "versions": [asdict(one) for one in found.versions],
        "mixed": {what: dict(values) for what, values in found.mixed.items()},
        "left_out": dict(found.left_out),
        "repeated": list(found.repeated),
    }


def csv_text(found: Joint, shown: Ratings) -> str:
    """One line a player; scores from 0 to 1, ranks within a group."""
    rows: list[Sequence[object]] = [HEADINGS]
    versions = {one.name: one.label for one in found.versions}
    for number, group in enumerate(shown.groups, 1):
        for rank, row in enumerate(part(shown, group).rows, 1):
            elos = [f"{value:.1f}" for value in (row.elo, row.low, row.high)]
            faults = found.faults[row.name].total() if row.name in found.faults else 0
            who = (found.texts[row.name], versions.get(row.name, ""))
            rows.append([number, rank, *who, *elos, row.games, f"{row.score:.6f}", faults])
    return spreadsheet.csv_text(rows)
