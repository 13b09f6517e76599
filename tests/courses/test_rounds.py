"""Rounds of a grading: no game tells anything about a later one, and who has not changed keeps games and round."""

import json
import os
import stat
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from arena.stores import change
from courses.class_of_fifty import WALKER
from courses.graded import CHEAP, grade, meet, small_class, verdicts
from harena.agents import contestant
from harena.arena.conditions import conditions
from harena.arena.record import Record
from harena.arena.slot import Slot, slot_of
from harena.arena.store import Store
from harena.cli.grade import new_plan
from harena.contract import CHANCE
from harena.courses.grading import Plan, plan_of
from harena.courses.levels import Level
from harena.errors import BadFile

pytestmark = pytest.mark.process

# Aims as far as it can, so that the throw is uncertain; counts the games that it remembers; gives up after one turn.
LEARNER = """
import tempfile
from pathlib import Path
from BaseAI import BaseAI

MEMORY = []
FILES = [Path(tempfile.gettempdir()) / "memory", Path("/tmp/memory"), Path(__file__).parent / "memory", Path("memory")]

def remembered():
    found = max([len(MEMORY), *(int(file.read_text()) for file in FILES if file.exists())])
    MEMORY.append(1)
    for file in FILES:
        try:
            file.write_text(str(found + 1))
        except OSError:
            pass
    return found

class PlayerAI(BaseAI):
    def __init__(self):
        self.pos = self.games = None
    def setPosition(self, pos):
        self.pos = tuple(pos)
    def setPlayerNum(self, num):
        self.games, self.turns = remembered(), 0
    def getMove(self, grid):
        self.turns += 1
        if self.turns == 2:
            raise RuntimeError(f"remembers {self.games}")
        return min(map(tuple, grid.get_neighbors(self.pos, only_available=True)))
    def getTrap(self, grid):
        cells = map(tuple, grid.getAvailableCells())
        return max(cells, key=lambda cell: (abs(cell[0] - self.pos[0]) + abs(cell[1] - self.pos[1]), cell))
"""
GIVES_UP = WALKER.replace("return random.choice(grid.get_n", "return None  # (")


@pytest.fixture(autouse=True)
def cheap_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    meet(monkeypatch, "w4701", *CHEAP)


def latest(out: Path) -> tuple[Plan, dict[Slot, Record], dict[Slot, int]]:
    """The plan of the latest run, its games, and their numbers."""
    with Store(out / "games.sqlite", writing=False) as store:
        run = store.runs()[-1]
        numbers = {slot_of(text): number for text, number in store.numbers(run.id).items()}
        return plan_of(dict(run.spec)), {slot: store.record(number) for slot, number in numbers.items()}, numbers


def games_of(out: Path, name: str) -> dict[tuple[int, int, bool], Record]:
    """The games of a submission against the levels, by level, pair and swapped."""
    plan, records, _ = latest(out)
    me = next(plan.number(one) for one in plan.playing if one.name == name)
    levels = len(plan.levels)
    found = {slot: one for slot, one in records.items() if slot.b == me and slot.a < levels}
    return {(slot.a, slot.pair, slot.swapped): one for slot, one in found.items()}


def rounds(out: Path) -> dict[str, int]:
    plan, _, _ = latest(out)
    return {one.name: plan.round_for(one) for one in plan.playing}


def runs(out: Path) -> int:
    with Store(out / "games.sqlite", writing=False) as store:
        return len(store.runs())


def throws(record: Record) -> list[tuple[str, str]]:
    """What a game was like without its times: aims and where they landed."""
    moves = [(ply.by, ply.move) for ply in record.plies]
    return [(aim, landing) for (_, aim), (by, landing) in pairwise(moves) if by == CHANCE]


def first_throws(out: Path, name: str) -> list[tuple[str, str]]:
    """The throws from one position at one cell: those of the first turn, where a submission begins."""
    found = [throws(one)[0] for (_, _, swapped), one in sorted(games_of(out, name).items()) if swapped]
    assert len({aim for aim, _ in found}) == 1
    return found


def test_who_remembers_foresees_no_throw_of_another_level_seat_or_round(tmp_path: Path) -> None:
    folder = small_class(tmp_path / "class", "ada", "eve", agent=LEARNER)
    out = grade(folder, games=16, keep_process=True)
    ada, eve = games_of(out, "ada"), games_of(out, "eve")
    assert len(ada) == 2 * 16 and any("remembers 31 (" in one.detail for one in ada.values())
    for where in ada:  # equal submissions of one round meet equal games
        assert [ply.move for ply in ada[where].plies] == [ply.move for ply in eve[where].plies]
        assert (ada[where].start, ada[where].seed) == (eve[where].start, eve[where].seed)
    first = first_throws(out, "ada")
    assert first[:8] != first[8:], "one level tells the dice of the other"
    assert len({record.seed for record in ada.values()}) == 2 * 8  # of a pair's start, not of its dice
    numbers = latest(out)[2].values()

    small_class(folder, "ada", agent=f"{LEARNER}\n# again\n")
    grade(folder, games=16, keep_process=True)
    again = first_throws(out, "ada")
    assert again != first and again[:8] != first[8:] != again[8:], "a resubmission meets the games of the first"
    assert not {one.seed for one in games_of(out, "ada").values()} & {one.seed for one in ada.values()}
    assert games_of(out, "eve") == eve and rounds(out) == {"ada": 2, "eve": 1}
    assert {one.conditions["round"] for one in games_of(out, "ada").values()} == {2}
    assert len(set(latest(out)[2].values()) - set(numbers)) == 4 * 16  # copies of eve's, and ada's


def test_every_game_has_a_fresh_process_and_the_report_names_it_and_the_round(tmp_path: Path) -> None:
    folder = small_class(tmp_path / "class", "ada", agent=LEARNER)
    out = grade(folder, games=2)
    details = [record.detail for record in games_of(out, "ada").values()]
    assert len(details) == 4 and all("remembers 0 (" in detail for detail in details)
    small_class(folder, "bob", agent=LEARNER)
    grade(folder, games=2)
    for name, number in (("ada", 1), ("bob", 2)):
        page = (out / "reports" / f"{name}.html").read_text("utf-8")
        assert f"round {number}" in page and "a fresh process for every game" in page
        assert verdicts(out)[name]["round"] == str(number)
        plain = json.loads((out / "gradescope" / name / "results.json").read_text("utf-8"))
        assert plain["extra_data"]["round"] == number
    assert ">round<" in (out / "leaderboard.html").read_text("utf-8")


def test_a_course_whose_grader_kept_the_process_keeps_it() -> None:
    options: dict[str, Any] = {"seconds": None, "everybody": False, "sandbox": "off"}
    for course, keeps, wanted in (("w4701", False, True), ("w4701", True, False), ("w4701-reused", False, False)):
        spec = new_plan(course, [], 1, keep_process=keeps, **options).spec
        assert spec.fresh is wanted
        assert ("a fresh process for every game" if wanted else "one process for all games") in conditions(spec)


def files_of(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.is_file() and file.name != "secret")


def test_the_secret_is_for_its_owner_and_nowhere_else_and_who_does_not_load_is_tried_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meet(monkeypatch, "w4701", Level(player="random"))
    started, real = list[str](), contestant.launch
    monkeypatch.setattr(contestant, "launch", lambda text, *others: started.append(text) or real(text, *others))
    folder = small_class(tmp_path / "class", "ada", agent=GIVES_UP)
    small_class(folder, "bob", agent="import nothing_of_the_kind")
    before = os.umask(0)
    try:
        out = grade(folder)
    finally:
        os.umask(before)
    assert [sum(name in text for text in started) for name in ("random", "ada.py", "bob.py")] == [1, 2, 1]
    secret = (out / "secret").read_text()
    assert stat.S_IMODE((out / "secret").stat().st_mode) == 0o600 and len(bytes.fromhex(secret)) == 32
    forms = (secret.strip().encode(), bytes.fromhex(secret), str(int(secret, 16)).encode())
    assert not [file for file in files_of(out) if any(form in file.read_bytes() for form in forms)]
    (out / "secret").chmod(0o644)
    grade(folder)
    assert (out / "secret").read_text() == secret and stat.S_IMODE((out / "secret").stat().st_mode) == 0o600
    (out / "secret").write_text("my own notes")
    with pytest.raises(BadFile, match="secret is not the secret of a grading: move it away"):
        grade(folder)
    assert (out / "secret").read_text() == "my own notes"


def test_a_lost_secret_begins_a_round_for_what_is_not_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    meet(monkeypatch, "w4701", Level(player="random"))
    folder = small_class(tmp_path / "class", "ada", "bob", agent=GIVES_UP)
    out = grade(folder, games=4, everybody=True)
    plan, _, _ = latest(out)
    ada, bob = games_of(out, "ada"), games_of(out, "bob")
    secret = (out / "secret").read_text()
    (out / "secret").unlink()
    grade(folder, games=4, everybody=True)
    assert runs(out) == 1 and not (out / "secret").exists() and "secret" not in capsys.readouterr().err

    number = next(plan.number(one) for one in plan.playing if one.name == "bob")
    change(out / "games.sqlite", "UPDATE runs SET status = 'stopped'")
    change(out / "games.sqlite", f"DELETE FROM games WHERE slot = '0-{number}/1/1'")
    (out / "secret").write_text(secret)
    grade(folder, games=4, everybody=True)  # goes on in its round
    mended = games_of(out, "bob")
    assert runs(out) == 1 and rounds(out) == {"ada": 1, "bob": 1} and mended.keys() == bob.keys()
    assert [one.seed for one in mended.values()] == [one.seed for one in bob.values()]

    change(out / "games.sqlite", "UPDATE runs SET status = 'stopped'")
    change(out / "games.sqlite", f"DELETE FROM games WHERE slot = '0-{number}/1/1'")
    (out / "secret").write_text("")  # killed while it was written
    capsys.readouterr()
    grade(folder, games=4, everybody=True)
    assert runs(out) == 2 and rounds(out) == {"ada": 1, "bob": 2} and games_of(out, "ada") == ada
    assert not {one.seed for one in games_of(out, "bob").values()} & {one.seed for one in bob.values()}
    assert [line for line in capsys.readouterr().err.splitlines() if "secret" in line] == [
        f"harena: the secret of round 1 is not in {out / 'secret'}: finished submissions keep their games, "
        "all others are played in round 2"
    ]
    grade(folder, games=4, everybody=True)
    assert runs(out) == 2


def test_a_grading_of_version_0_1_0_keeps_its_games_and_the_changed_play_round_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meet(monkeypatch, "w4701", Level(player="random"))
    folder = small_class(tmp_path / "class", "ada", "bob", agent=GIVES_UP)
    out = grade(folder)
    later = "'$.secrets', '$.spec.fresh', '$.spec.round', '$.spec.rounds'"
    change(out / "games.sqlite", f"UPDATE runs SET spec = json_remove(spec, {later})")
    (out / "secret").unlink()
    ada = games_of(out, "ada")
    grade(folder)
    assert runs(out) == 1 and not (out / "secret").exists() and rounds(out) == {"ada": 0, "bob": 0}
    assert "one process for all games" in (out / "reports" / "ada.html").read_text("utf-8")
    small_class(folder, "bob", agent=f"{GIVES_UP}\n# again\n")
    grade(folder)
    assert rounds(out) == {"ada": 0, "bob": 1} and games_of(out, "ada") == ada
    assert "one process for all games" in (out / "reports" / "ada.html").read_text("utf-8")
    assert "a fresh process for every game" in (out / "reports" / "bob.html").read_text("utf-8")
