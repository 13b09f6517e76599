"""The leaderboard in the terminal: whole at any width, and nothing in it folded but names."""

import io
import re
from collections import defaultdict
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console

from harena.arena.record import LOAD, RULES, TIME, Ply, Record
from harena.cli.grade import new_plan
from harena.cli.leaderboard import tell
from harena.courses.gradebook import leaderboard_csv, leaderboard_page, pseudonyms, student_page
from harena.courses.grading import Book, Submission, ordered
from harena.courses.levels import GRADINGS

LONG = "Last_First_12345_assignsubmission_file"
NAMES = ("ada", "bob", LONG, "late", "broken")
RULE = "imports: the course does not allow random (line 1), os (line 2)"


def handed_in(course: str) -> list[Submission]:
    found = [Submission(name=name, agent=f"{course}:/{name}", digest=name) for name in NAMES[:-1]]
    found[1] = Submission(name="bob", agent=f"{course}:/bob", digest="bob", rules=RULE)
    return [*found, Submission(name="broken", refused="broken.zip: the zip cannot be read (File is not a zip file)")]


def played(course: str, *, games: int = 20, everybody: bool = False) -> Book:
    """One beats every level, one is beaten by all, one does not load, and the last has not met everybody yet."""
    plan = new_plan(course, handed_in(course), games // 2, seconds=None, everybody=everybody, sandbox="off")
    plan = ordered(plan, 7)
    book = Book(plan)
    for slot in plan.slots():
        seats = (plan.spec.agents[slot.seats[0]], plan.spec.agents[slot.seats[1]])
        if f"{course}:/late" in seats and slot.pair:
            continue
        winner = next((seat for seat, name in enumerate(seats) if name.endswith("/ada")), None)
        if winner is None:
            winner = int(":/" in seats[0])
        fault: dict[str, Any] = {"reason": RULES, "plies": (Ply(by=0, move="a1", seconds=1.5),) * 2}
        if seats[1 - winner].endswith(LONG):
            fault = {"reason": LOAD, "detail": "student_agent.py cannot be imported", "plies": ()}
        elif seats[1 - winner].endswith("bob") and slot.pair == 0:
            fault = {"reason": TIME, "detail": f"2.{1 + slot.a} s of 2", "plies": ()}
        book.add(slot, Record(game=plan.spec.game, options={}, start="", seats=seats, winner=winner, **fault))
    return book


def told(book: Book, width: int) -> list[str]:
    out = io.StringIO()
    tell(Console(file=out, width=width, highlight=False), book, {name: name for name in NAMES})
    return [line.rstrip() for line in out.getvalue().splitlines()]


@pytest.mark.process
def test_at_eighty_columns_levels_are_letters() -> None:
    assert told(played("comp424"), 80) == [
        "A: random_agent, B: greedy, C: lookahead2, D: uct; points of 20 against each",
        " rank  name                              score   A   B   C   D  faults  slowest",
        "    1  ada                             100.0 %  20  20  20  20       0   1.50 s",
        "    2  bob                               0.0 %   0   0   0   0       8   1.50 s",
        "    2  Last_First_12345_assignsubmiss    0.0 %   0   0   0   0      80        -",
        "       ion_file",
        "    -  late                                  -   0   0   0   0       0   1.50 s",
        "    -  broken                                -   -   -   -   -       0        -",
        "",
        "bob: graded; faults: time 8; against the course's rules: imports: beyond the",
        "  template's: random (line 1), os (line 2)",
        f"{LONG}: did not load: student_agent.py cannot",
        "  be imported",
        "broken: refused: broken.zip: the zip cannot be read (File is not a zip file)",
        "not finished: late",
        "",
        "COMP 424 (2023): 2 s a move, 500 MB, a fresh process for every game, margin 100",
        "ms, sandbox off, size 6-12",
    ]


def test_moves_beyond_the_margin_are_told_apart_from_those_within() -> None:
    book = played("comp424", games=2)
    mine = next(one for one in book.plan.submissions if one.name == "ada")
    slot, record = next((slot, one) for slot, one in book.records.items() if mine.agent in one.seats)
    plies = tuple(Ply(by=record.seats.index(mine.agent), move="a1", seconds=one) for one in (1.9, 2.05, 2.09, 3.0))
    book.add(slot, replace(record, plies=plies))
    found = book.result(mine)
    assert (found.late, found.forgiven) == (2, 1)
    page = student_page(book, found, dict.fromkeys(book.records, 1), "")
    assert "2 moves took longer than the limit, within its margin." in page
    assert "1 move beyond that was forgiven: the machine stood still." in page


def test_where_there_is_room_levels_have_their_names() -> None:
    lines = told(played("comp424"), 130)
    assert lines[0].split("  ")[-1].strip() == "slowest move" and "random_agent" in lines[0]
    assert lines[1].split() == ["1", "ada", "100.0", "%", *["20", "of", "20"] * 4, "0", "1.50", "s"]
    assert any(line.split()[:2] == ["2", LONG] for line in lines)


@pytest.mark.parametrize("width", [40, 48, 60, 72, 80, 100, 120])
@pytest.mark.parametrize(("course", "everybody"), [("comp424", False), ("aind", False), ("w4701", True)])
def test_at_any_width_nothing_is_cut_and_only_names_are_folded(course: str, everybody: bool, width: int) -> None:
    lines = told(played(course, everybody=everybody), width)
    assert all(len(line) <= width for line in lines)
    head = next(number for number, line in enumerate(lines) if line.split()[:2] == ["rank", "name"])
    said, headings, best = " ".join(lines[:head]), lines[head], lines[head + 1]
    assert best.split()[:4] == ["1", "ada", "100.0", "%"]
    levels = [level.player for level in GRADINGS[course].levels]
    if "levels" in said:
        assert course == "aind" and width < 50
    else:
        assert best.split().count("20") >= len(levels)
        assert all(
            f"{letter}: {name}" in said or name in headings for letter, name in zip("ABCDEFG", levels, strict=False)
        )
    rows = lines[head + 1 : lines.index("", head)]
    assert LONG in "".join(row.strip() if row.startswith(" " * 7) else row.split()[1] for row in rows)
    for heading in ("slowest", "faults", *["beaten", "passed"] * everybody):
        assert (heading in headings) != (heading in said)


def test_of_many_that_are_not_finished_some_are_named() -> None:
    found = [Submission(name=f"s{number:02}", agent=f"w4701:/s{number:02}") for number in range(30)]
    book = Book(new_plan("w4701", found, 1, seconds=None, everybody=False, sandbox="off"))
    out = io.StringIO()
    tell(Console(file=out, width=80), book, {one.name: one.name for one in found})
    said = " ".join(out.getvalue().split())
    assert said.count("not finished") == 1 and "not finished: s00, s01," in said and "s10, s11 and 18 more" in said


def test_a_report_counts_late_answers_together_whatever_their_milliseconds() -> None:
    book = played("comp424")
    bob = next(one for one in book.results() if one.submission.name == "bob")
    assert len({fault.detail for fault in bob.faults}) == 4
    page = student_page(book, bob, {slot: number for number, slot in enumerate(book.records)}, "")
    assert page.count("2.1 s of 2") == 1 and "2.2 s of 2" not in page


def telling_book() -> tuple[Book, dict[str, str]]:
    """A class whose submissions tell in every text that comes from them whose they are; and their pseudonyms."""
    found = [
        Submission(name="ada", agent="comp424:/ada", digest="1", rules="imports: ada_lovelace_tools (line 1)"),
        Submission(name="bob", agent="comp424:/bob", digest="2", file="bob.py"),
        Submission(name="cyd", agent="comp424:/cyd", digest="3"),
        Submission(name="random_agent", agent="comp424:/random_agent", digest="4"),
        Submission(name="eve", refused="Eve Euler.zip: 'eve_euler/agent.py' is a link", file="Eve Euler.zip"),
    ]
    plan = ordered(new_plan("comp424", found, 1, seconds=None, everybody=True, sandbox="off"), 7)
    book = Book(plan)
    for slot in plan.slots():
        seats = (plan.spec.agents[slot.seats[0]], plan.spec.agents[slot.seats[1]])
        loser = next((seat for seat, name in enumerate(seats) if name.endswith(("/bob", "/cyd"))), None)
        fault: dict[str, Any] = {"reason": RULES, "winner": 0, "plies": ()}
        if loser is not None:
            is_bob = seats[loser].endswith("/bob")
            fault = {
                "reason": LOAD if is_bob else "crash",
                "detail": "No module named 'bob_boole'" if is_bob else "CurieError: by Marie Curie (curie.py, line 1)",
                "winner": 1 - loser,
                "plies": (),
            }
        book.add(slot, Record(game=plan.spec.game, options={}, start="", seats=seats, **fault))
    return book, pseudonyms([one.name for one in found], 7)


def test_under_pseudonyms_no_text_of_a_submission_is_public() -> None:
    book, shown = telling_book()
    public = [leaderboard_csv(book, shown), leaderboard_page(book, shown, "")]
    out = io.StringIO()
    tell(Console(file=out, width=200, highlight=False), book, shown)
    for text in (*public, out.getvalue()):
        words = ("lovelace", "boole", "curie", "euler", "ada", "bob", "cyd", "eve", "line 1", "No module")
        assert not [one for one in words if re.search(rf"(?i)(?<![a-z]){one}(?![a-z])|{one}_", text)]
        assert "did not load" in text and "refused" in text
    assert "graded; faults: crash" in public[0]
    private = {result.submission.name: student_page(book, result, defaultdict(int), "") for result in book.results()}
    assert "bob_boole" in private["bob"] and "CurieError" in private["cyd"] and "Eve Euler.zip" in private["eve"]
    assert "ada_lovelace_tools" in private["ada"]


def test_a_submission_called_like_a_level_is_not_that_level() -> None:
    book, shown = telling_book()
    ratings = leaderboard_page(book, shown, "").rpartition('id="ratings"')[2]
    assert ratings.count(">random_agent<") == 1 and ratings.count(f">{shown['random_agent']}<") == 1


def test_a_move_that_was_never_answered_is_among_the_slowest() -> None:
    plan = ordered(new_plan("comp424", handed_in("comp424")[:1], 1, seconds=None, everybody=False, sandbox="off"), 7)
    book = Book(plan)
    for slot in plan.slots():
        seats = (plan.spec.agents[slot.seats[0]], plan.spec.agents[slot.seats[1]])
        loser = next(seat for seat, name in enumerate(seats) if name.endswith("/ada"))
        fault = "no answer after 2101 ms: limit 2000 ms, 101 ms over"
        plies = (Ply(by=loser, move="a1", seconds=0.01),)
        record = Record(game=plan.spec.game, options={}, start="", seats=seats, plies=plies, winner=1 - loser)
        book.add(slot, replace(record, reason=TIME, detail=fault))
    (result,) = book.results()
    assert "over 2.101 s" in student_page(book, result, defaultdict(int), "")
    assert "over 2.10 s" in leaderboard_page(book, {"ada": "ada"}, "")
    assert ",2.101," in leaderboard_csv(book, {"ada": "ada"})
