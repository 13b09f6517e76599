"""`harena.grade`: grades a folder of submissions, as `harena grade` does, and returns what it found."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict, Unpack

from harena.arena.store import Status
from harena.courses.grade import GradeOptions, Listener, open_grading
from harena.courses.gradebook import leaderboard_rows
from harena.courses.grading import Result as SubmissionResult
from harena.render.page import paragraphs, table
from harena.web.exporting import export_game


class GradeKeywords(TypedDict, total=False):
    """The options of a grading; `harena grade --help` says what each means."""

    out: str | None
    games: int | None
    seconds: float | None
    clock: str | None
    everybody: bool
    rounds: int | None
    pseudonyms: bool
    keep_process: bool
    concurrency: int
    sandbox: str
    python: str | None
    store: str | None


@dataclass(frozen=True, kw_only=True)
class GradeResult:
    """The results of a class, the best submission first, and where the files about it are."""

    course: str
    run: str
    status: Status
    submissions: tuple[SubmissionResult, ...]
    names: dict[str, str]  # that the leaderboard shows, by submission
    notes: tuple[str, ...]  # about files that were left out, and what has changed since an earlier grading
    folder: Path  # leaderboard, reports, replays and Gradescope's results
    store: Path
    headings: tuple[str, ...] = field(repr=False)
    rows: tuple[tuple[str, ...], ...] = field(repr=False)  # of the leaderboard

    def to_dict(self) -> dict[str, Any]:
        """The leaderboard as JSON-ready data."""
        return {
            "kind": "grade",
            "course": self.course,
            "run": self.run,
            "status": self.status,
            "folder": str(self.folder),
            "notes": list(self.notes),
            "submissions": [dict(zip(self.headings, row, strict=True)) for row in self.rows],
        }

    def _repr_html_(self) -> str:
        """The leaderboard as a notebook shows it."""
        return table(f"{self.course}: leaderboard", self.headings, self.rows) + paragraphs([f"files: {self.folder}"])


def grade(folder: str, course: str, **options: Unpack[GradeKeywords]) -> GradeResult:
    """Grade a folder of submissions, or go on where an earlier call with the same submissions stopped.

    Nothing is printed: lines about submissions are the result's `notes`. Where an earlier grading was under other
    conditions, the whole class is played again.
    """
    listener = Listener()
    with open_grading(folder, course, GradeOptions(**options), export_game, listener) as grading:
        for _ in grading.play():
            pass
        headings, rows = leaderboard_rows(grading.book, grading.writer.shown)
        return GradeResult(
            course=course,
            run=grading.run.id,
            status=grading.store.run(grading.run.id).status,
            submissions=tuple(grading.book.results()),
            names=dict(grading.writer.shown),
            notes=tuple(listener.lines),
            folder=grading.writer.target,
            store=grading.store.path,
            headings=tuple(headings),
            rows=tuple(tuple(row) for row in rows),
        )
