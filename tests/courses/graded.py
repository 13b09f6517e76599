"""Small classes, graded against levels that need no search."""

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from courses.class_of_fifty import WALKER
from harena.cli.grade import grade_folder
from harena.courses.grade import GradeOptions
from harena.courses.levels import GRADINGS, Level

LOSER = (
    WALKER.replace(  # by an illegal move in its third turn: games are short, and each has a page, as lost games have
        "        return random.choice(grid.get_n",
        "        self.turns = getattr(self, 'turns', 0) + 1\n"
        "        return self.pos if self.turns == 3 else random.choice(grid.get_n",
    )
)
CHEAP = (Level(player="random", needed=6), Level(player="easy", needed=4))  # of w4701


def meet(monkeypatch: pytest.MonkeyPatch, course: str, *levels: Level, size: int | None = None) -> None:
    """Let a course grade against these, and on boards of this size."""
    grading = replace(GRADINGS[course], levels=levels)
    monkeypatch.setitem(GRADINGS, course, grading if size is None else replace(grading, variants=[{"size": size}]))


def grade(folder: Path, **given: Any) -> Path:
    """The folder of the results."""
    options = {
        **{"out": None, "games": 2, "seconds": 2.0, "everybody": False, "pseudonyms": False, "concurrency": 1},
        **{"sandbox": "required", "store": None, "course": "w4701"},
    } | given
    course = options.pop("course")
    grade_folder(str(folder), course, GradeOptions(**options))
    return Path(options["out"] or f"{folder}-grades")


def verdicts(out: Path) -> dict[str, dict[str, str]]:
    """The rows of the leaderboard by name."""
    with open(out / "leaderboard.csv", encoding="utf-8-sig") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


def small_class(folder: Path, *names: str, agent: str = WALKER) -> Path:
    """A folder in which these have handed in an agent that walks at random."""
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / f"{name}.py").write_text(agent)
    return folder
