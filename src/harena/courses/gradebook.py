"""What is written about graded submissions: a leaderboard, a page for each student, and Gradescope's results.

Everything here is text made from a `Book`; whoever calls it writes the files.
"""

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from harena.arena import words
from harena.arena.machine import where
from harena.arena.record import Record
from harena.arena.replay import BadGame, as_text, states
from harena.arena.scores import Pairs
from harena.arena.slot import Slot
from harena.courses.grading import GRADED, UNFINISHED, Book, Fault, LevelResult, Result, drawn
from harena.courses.levels import GRADINGS
from harena.errors import HarenaError, printable
from harena.render import svg
from harena.render.page import Section, folded, image, join, link, page, paragraphs, preformatted, table
from harena.render.spreadsheet import csv_text
from harena.termination import Termination

if TYPE_CHECKING:
    from markupsafe import Markup

MOST_LOSSES = 12  # games that a page shows
MOST_TRACEBACKS = 12  # that differ
COLOURS = "amber azure coral ebony golden ivory jade lilac olive pearl ruby saffron scarlet silver teal umber"
ANIMALS = (
    "badger beetle bison crane dolphin falcon ferret gecko heron ibex jackal kestrel lemur lynx marten newt "
    "otter owl puffin raven seal shrew stoat swift tapir tern viper walrus weasel wolf wren yak"
)


def pseudonyms(names: list[str], seed: int) -> dict[str, str]:
    """Another name for each, by its own and the seed: who comes or goes changes nobody else's."""
    found: dict[str, str] = {}
    for name in sorted(names, key=lambda one: drawn(seed, one)):
        number = drawn(seed, name)
        while (made := _pseudonym(number)) in found.values():
            number += 1
        found[name] = made
    return found


def _pseudonym(number: int) -> str:
    colours, animals = COLOURS.split(), ANIMALS.split()
    number, colour = divmod(number, len(colours))
    number, animal = divmod(number, len(animals))
    return f"{colours[colour]} {animals[animal]} {100 + number % 900}"


# The leaderboard


def ranked(book: Book, shown: Mapping[str, str]) -> list[tuple[int | None, Result]]:
    """The best first, each with its rank if it has one; equals are in the order of the names shown."""
    results = sorted(book.results(), key=lambda one: (one.order, shown[one.submission.name].casefold()))
    places = [one.place for one in results if one.has_rank]
    return [(1 + places.index(one.place) if one.has_rank else None, one) for one in results]


def leaderboard_rows(book: Book, shown: Mapping[str, str]) -> tuple[list[str], list[list[str]]]:
    """Headings and rows to read, the best first; `shown` are the names under which submissions appear."""
    levels = [level.player for level in book.plan.levels]
    has_marks = any(level.needed is not None for level in book.plan.levels)
    headings = ["rank", "name", "score", *levels]
    headings += (
        ["passed"] * has_marks + ["beaten"] * book.plan.everybody + ["faults", "slowest move", "sandbox", "verdict"]
    )
    rows = []
    for rank, one in ranked(book, shown):
        name = shown[one.submission.name]
        row = [str(rank or "-"), name, words.percent(one.score) if one.has_rank else "-"]
        row += [f"{level.points:g} of {level.games}" if level.games else "-" for level in one.levels] or ["-"] * len(
            levels
        )
        row += [f"{one.passed} of {len(levels)}"] * has_marks + [str(one.beaten or 0)] * book.plan.everybody
        slowest = one.slowest[0].text(2) if one.slowest else "-"
        rows.append([*row, str(len(one.faults)), slowest, one.sandbox or "-", _public_verdict(one, name)])
    return headings, rows


def _public_verdict(result: Result, shown: str) -> str:
    """The verdict as the leaderboard has it: of a submission that appears under a pseudonym only its kind."""
    return result.verdict if shown == result.submission.name else result.kind


def leaderboard_csv(book: Book, shown: Mapping[str, str]) -> str:
    """One line a submission, for spreadsheets and programs: numbers are numbers, what is not known is empty."""
    lines = list[dict[str, object]]()
    has_marks = any(level.needed is not None for level in book.plan.levels)
    for rank, one in ranked(book, shown):
        name = shown[one.submission.name]
        points = {level.level.player: level.points for level in one.levels if level.games}
        lines.append(
            {
                "rank": rank,
                "name": name,
                "file": one.submission.file if name == one.submission.name else None,
                "score_percent": round(100 * one.score, 2) if one.has_rank else None,
                **{f"points_{level.player}": points.get(level.player) for level in book.plan.levels},
                "level_games": one.games,
                "passed": one.passed if has_marks else None,
                "beaten": (one.beaten or 0) if book.plan.everybody else None,
                "faults": len(one.faults),
                "late_moves": one.late,
                "slowest_seconds": round(one.slowest[0].seconds, 3) if one.slowest else None,
                "sandbox": one.sandbox,
                "round": one.round,
                "verdict": _public_verdict(one, name),
            }
        )
    return csv_text([list(lines[0]), *(list(line.values()) for line in lines)])


def pseudonyms_csv(shown: Mapping[str, str]) -> str:
    """Whose pseudonym is whose, for the instructor."""
    return csv_text([("pseudonym", "name"), *((pseudonym, name) for name, pseudonym in shown.items())])


def name_shown(book: Book, agent: str, shown: Mapping[str, str]) -> str:
    """Of a submission the name under which it appears; of a level its text, also if a submission is called so."""
    name = book.submission_name(agent)
    return agent if name is None else shown[name]


def rounds_text(book: Book) -> str:
    """The rounds in which submissions were played; nothing in a grading by version 0.1.0."""
    if not book.plan.spec.round:
        return ""
    rounds = sorted({book.plan.round_for(one) for one in book.plan.playing})
    return f"{'round' if len(rounds) == 1 else 'rounds'} {', '.join(map(str, rounds))}"


def leaderboard_page(book: Book, shown: Mapping[str, str], conditions: str) -> str:
    """The same as a page."""
    headings, rows = leaderboard_rows(book, shown)
    done = sum(book.is_complete(one) for one in book.plan.submissions)
    lead = [f"{done} of {words.count(len(book.plan.submissions), 'submission')} graded", conditions]
    lead += filter(None, [printable(where(book.records.values()))])
    headings, board = headings[:-2], [row[:-2] for row in rows]  # walls are said above, verdicts below
    if book.plan.spec.round:
        rounds = {shown[one.submission.name]: one.round for one in book.results()}
        headings = [*headings, "round"]
        board = [[*row, "-" if (number := rounds[row[1]]) is None else str(number)] for row in board]
    numbers = [0, *range(2, len(headings))]
    body = table("points against each level; a draw is half a point", headings, board, numbers)
    sections = [Section(name="leaderboard", heading="Leaderboard", body=body)]
    remarks = [(row[1], row[-1]) for row in rows if row[-1] not in (GRADED, UNFINISHED)]
    if remarks:
        body = table("each fault lost its game; rules cost nothing", ["name", "what happened"], remarks)
        sections.append(Section(name="remarks", heading="Remarks", body=body))
    if (fitted := book.ratings()) is not None:
        lines = [
            (name_shown(book, row.name, shown), words.elo(row.elo), f"{words.elo(row.low)} to {words.elo(row.high)}")
            for row in fitted.rows
        ]
        body = table("all games in one fit", ["name", "Elo", "95 %"], lines, [1, 2])
        sections.append(Section(name="ratings", heading="Ratings", body=body))
    return page(f"{book.plan.course}: leaderboard", lead, sections)


# A student


def student_page(book: Book, result: Result, numbers: Mapping[Slot, int], conditions: str) -> str:
    """All there is to say to one student; `numbers` are those of the games in the store."""
    said = paragraphs([*_points(result), result.verdict], "verdict")
    sections = [Section(name="result", heading="Result", body=said + (_levels(result) if result.levels else ""))]
    if result.faults:
        body = table("each lost its game", ["fault", "what happened", "times", "games"], _faults(result, numbers), [2])
        sections.append(Section(name="faults", heading="Faults", body=body + _tracebacks(result, numbers)))
    if result.slowest:
        slow = [(move.text(3), f"game {numbers[move.slot]}, move {move.ply}") for move in result.slowest]
        late = [f"{words.count(result.late, 'move')} took longer than the limit, within its margin."]
        were = "was" if result.forgiven == 1 else "were"
        still = [f"{words.count(result.forgiven, 'move')} beyond that {were} forgiven: the machine stood still."]
        told = late * (result.late > 0) + still * (result.forgiven > 0)
        body = table("", ["time", "where"], slow) + paragraphs(told)
        sections.append(Section(name="times", heading="Slowest moves", body=body))
    if losses := _losses(book, result, numbers):
        sections.append(Section(name="losses", heading="Lost games", body=losses))
    file = result.submission.file
    machine = where(book.records[slot] for slot in book.plan.slots_of(result.submission) if slot in book.records)
    lead = list(filter(None, [f"handed in as {file}" if file else "", conditions, printable(machine)]))
    if result.round is not None and book.plan.spec.round:
        lead.append(f"round {result.round}")
    return page(f"{book.plan.course}: {result.submission.name}", lead, sections)


def _faults(result: Result, numbers: Mapping[Slot, int]) -> list[tuple[str, str, int, str]]:
    """Equal faults together, each with the games that it lost; so many milliseconds more or less make no difference."""
    alike: dict[tuple[str, str], list[Fault]] = {}
    for one in result.faults:
        alike.setdefault((one.reason, "" if one.reason == Termination.TIME else one.detail), []).append(one)
    return [
        (reason, found[0].detail, len(found), ", ".join(str(numbers[one.slot]) for one in found))
        for (reason, _), found in alike.items()
    ]


def _tracebacks(result: Result, numbers: Mapping[Slot, int]) -> "Markup":
    """The tracebacks that differ, each folded away below the number of the first game that it ended."""
    first: dict[str, Fault] = {}
    for fault in result.faults:
        if fault.traceback:
            first.setdefault(fault.traceback, fault)
    shown = list(first.values())[:MOST_TRACEBACKS]
    return join(
        folded(f"traceback of game {numbers[fault.slot]}", preformatted(fault.traceback), is_open=False)
        for fault in shown
    )


def _points(result: Result) -> list[str]:
    """The result in a sentence."""
    if not result.games:
        return []
    points = sum(one.points for one in result.levels)
    marks = [one.passed for one in result.levels if one.passed is not None]
    passed = f"; {sum(marks)} of {words.count(len(marks), 'level')} passed" if marks else ""
    beaten = f"; stronger than {words.count(result.beaten, 'other submission')}" if result.beaten is not None else ""
    return [f"{points:g} of {words.count(result.games, 'point')} ({words.percent(result.score)}){passed}{beaten}"]


def _levels(result: Result) -> "Markup":
    rows: list[tuple[object, ...]] = []
    for one in result.levels:
        low, high = one.pairs.interval
        score = words.percent(one.points / one.games) if one.games else "-"
        span = f"{100 * low:.0f} to {100 * high:.0f} %" if one.pairs.games else "-"
        rows.append((one.level.player, one.wins, one.draws, one.losses, score, span, _mark(one)))
    headings = ["level", "won", "drawn", "lost", "score", "95 %", "mark"]
    if not any(row[-1] for row in rows):
        headings, rows = headings[:-1], [row[:-1] for row in rows]
    said = paragraphs(["The interval says how far so few games can be trusted."])
    return table("against each level", headings, rows, [1, 2, 3, 4, 5]) + said


def _mark(one: LevelResult) -> str:
    if one.level.needed is None:
        return ""
    needed = f"{words.count(one.level.needed, 'win')} needed"
    return f"passed ({needed})" if one.passed else needed


def lost_games(book: Book, result: Result) -> list[Slot]:
    """The games against levels that were lost and have moves to look at: the first of them."""
    if result.submission.refused:
        return []
    me = book.plan.number(result.submission)
    found = [(slot, book.records.get(slot)) for slot in book.plan.slots_of(result.submission)]
    lost = [slot for slot, record in found if record and record.plies and record.winner == 1 - slot.seats.index(me)]
    return lost[:MOST_LOSSES]


def replay_file(book: Book, slot: Slot, numbers: Mapping[Slot, int]) -> str:
    """Where a game is stepped through: by its number and its content, so that no link ever leads to another game."""
    content = blake2b(as_text(book.records[slot]).encode(), digest_size=2).hexdigest()
    return f"{numbers[slot]}-{content}.html"


def _losses(book: Book, result: Result, numbers: Mapping[Slot, int]) -> "Markup":
    """How the lost games ended, every move, and a link to a page that steps through them."""
    parts = []
    for slot in lost_games(book, result):
        record, level, number = book.records[slot], book.plan.levels[slot.a].player, numbers[slot]
        seat = slot.seats.index(book.plan.number(result.submission))
        end = (
            f"after {len(record.plies)} plies" if record.reason == Termination.RULES else f"by a fault: {record.reason}"
        )
        address = f"../replays/{result.submission.name}/{replay_file(book, slot, numbers)}"
        summary = f"game {number}: lost to {level} as player {seat + 1} {end}"
        parts.append(folded(summary, link(address, "step through it") + _game(record), is_open=False))
    return join(parts)


def _game(record: Record) -> "Markup":
    detail, moves = paragraphs(filter(None, [record.detail])), paragraphs([" ".join(ply.move for ply in record.plies)])
    try:
        last = list(states(record))[-1].picture
    except (BadGame, HarenaError):
        last = None
    drawing = [] if last is None else [image("the last position", svg.draw(last, cell=36))]
    return join([detail, *drawing, moves])


# Gradescope


def gradescope(book: Book, result: Result) -> str:
    """results.json: a test for each level, worth its points, or the wins that are needed where the course says so.

    Where the course has it, the other submissions that were beaten are a test, too.
    """
    pairs = Pairs()
    nothing = [LevelResult(level=one, wins=0, draws=0, losses=0, pairs=pairs) for one in book.plan.levels]
    tests = [_test(one, 2 * book.plan.pairs) for one in result.levels or nothing]
    if GRADINGS[book.plan.course].counts_beaten and result.others:
        tests.append(_beaten(result, book.plan.rounds))
    fault = result.faults[0].detail or result.faults[0].reason if result.faults else ""
    first = f"\nthe first fault: {printable(fault)}" if fault else ""
    plain: dict[str, Any] = {
        "output": f"{result.verdict}{'' if result.never_loaded else first}",
        "visibility": "visible",
        "tests": tests,
        "leaderboard": [{"name": "score", "value": round(100 * result.score, 2)}],
        "extra_data": {
            "games": result.games,
            "faults": len(result.faults),
            "moves_beyond_the_limit": result.late + result.forgiven,
            "sandbox": result.sandbox,
            "round": result.round,
            "is_complete": result.is_complete,
        },
    }
    if result.beaten is not None:
        plain["leaderboard"].append({"name": "submissions beaten", "value": result.beaten})
    return json.dumps(plain, indent=2) + "\n"


def _beaten(result: Result, rounds: int) -> dict[str, Any]:
    beaten, others = result.beaten or 0, result.others
    told = f"{beaten} of {others} beaten: more points than they in {words.count(2 * rounds, 'game')} against each"
    return {"name": "other groups beaten", "output": told, "score": beaten, "max_score": others}


def _test(one: LevelResult, games: int) -> dict[str, Any]:
    low, high = one.pairs.interval
    told = f"{one.wins} won, {one.draws} drawn, {one.losses} lost"
    trust = f"; the true score lies between {100 * low:.0f} and {100 * high:.0f} % (95 %)" if one.games else ""
    plain: dict[str, Any] = {"name": f"against {one.level.player}", "output": told + trust}
    if one.level.needed is None:
        return plain | {"score": one.points, "max_score": games}
    status = "passed" if one.passed else "failed"
    return plain | {"score": min(one.wins, one.level.needed), "max_score": one.level.needed, "status": status}
