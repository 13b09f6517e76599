"""A grading as a kind of run: its stored form, the games it needs, and what pages show of it."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

from harena.arena import words
from harena.arena.conditions import conditions
from harena.arena.record import Record
from harena.arena.runs.executors import Batch
from harena.arena.runs.kind import RunKind, games_line, games_summary
from harena.arena.runs.presentation import Block, Line, PageTable, Summary
from harena.arena.slot import Slot
from harena.arena.store import Row
from harena.courses import gradebook
from harena.courses.grading import GRADED, UNFINISHED, Book, Plan, plan_of
from harena.errors import clean
from harena.games.catalogue import CATALOGUE


class Grading(Book, RunKind):
    """A grading: its plan, the games so far, and the secret that chance in the others is derived from."""

    kind: ClassVar[str] = "grade"
    needs_moves: ClassVar[bool] = True

    def __init__(self, plan: Plan, records: Mapping[Slot, Record] | None = None, secret: bytes = b"") -> None:
        super().__init__(plan, records)
        self.spec, self.secret = plan.spec, secret

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """The grading of a stored form, without games."""
        return cls(plan_of(plain))

    def to_dict(self) -> dict[str, Any]:
        """The stored form."""
        return self.plan.as_dict()

    def needed(self) -> list[Slot]:
        """All games."""
        return self.plan.slots()

    @property
    def planned(self) -> int:
        """All games."""
        return len(self.plan.slots())

    def batch(self) -> Batch:
        """The games, whose chance is derived from the secret."""
        return Batch(spec=self.spec, secret=self.secret)

    # How it presents itself

    def summary(self) -> Summary:
        """The agents, without a result: what submissions made is for their authors."""
        return Summary(game=self.spec.game, agents=self.spec.agents, planned=self.planned)

    @classmethod
    def summarise(cls, plain: Mapping[str, Any], rows: Sequence[Row]) -> Summary:
        """The agents that have played."""
        return games_summary(rows)

    def progress_line(self, before: int, begin: float) -> str:
        """Games, and how many submissions are graded."""
        games = games_line(len(self.records), self.planned, before=before, begin=begin)
        return f"{games}; {self.graded_line()}"

    def live(self) -> list[Block]:
        """How many submissions are graded."""
        return [Line(self.graded_line())]

    def graded_line(self) -> str:
        """How many submissions are graded, and which is played now."""
        done = [one for one in self.plan.submissions if self.is_complete(one)]
        now = next((one.name for one in self.plan.submissions if one not in done), "all against all")
        return f"{len(done)} of {len(self.plan.submissions)} graded; now {clean(now)}"

    def page_names(self, shown: Mapping[str, str], *, hidden: bool) -> Mapping[str, str]:
        """The names of submissions, or pseudonyms."""
        names = self._submission_names(hidden)
        return {text: gradebook.name_shown(self, text, names) for text in self.spec.agents}

    def _submission_names(self, hidden: bool) -> dict[str, str]:
        real = [one.name for one in self.plan.submissions]
        return gradebook.pseudonyms(real, self.spec.seed) if hidden else {name: name for name in real}

    def page(self, names: Mapping[str, str], *, hidden: bool) -> dict[str, Any]:
        """The leaderboard, and remarks about submissions."""
        plan = self.plan
        headings, rows = gradebook.leaderboard_rows(self, self._submission_names(hidden))
        remarks = [[row[1], row[-1]] for row in rows if row[-1] not in (GRADED, UNFINISHED)]
        headings, lines, sentences = _arrange(headings, rows, [level.player for level in plan.levels])
        done = sum(self.is_complete(one) for one in plan.submissions)
        table = PageTable(
            headings=headings,
            rows=lines,
            numbers=[number for number, heading in enumerate(headings) if heading not in ("Name", "Sandbox")],
            leaders=[number for number, line in enumerate(lines) if line[0] == "1"],
        )
        return {
            "title": f"{plan.course}: {CATALOGUE[self.spec.game].title}",
            "game": self.spec.game,
            "planned": self.planned,
            "table": table.as_dict(),
            "words": [f"{done} of {words.count(len(plan.submissions), 'submission')} graded", *sentences],
            "remarks": remarks,
            "faults": [],
            "conditions": ", ".join(filter(None, (conditions(self.spec, seed=False), gradebook.rounds_text(self)))),
        }


def _arrange(
    headings: Sequence[str], rows: Sequence[Sequence[str]], levels: Sequence[str]
) -> tuple[list[str], list[list[str]], list[str]]:
    """The table of a grading for a page, no verdicts, faults beside the score; and sentences for what is alike."""
    met = range(3, 3 + len(levels))
    kinds = sorted({row[-2] for row in rows} - {"-"})
    totals = sorted({row[one].partition(" of ")[2] for row in rows for one in met if row[one] != "-"})
    sentences = [f"points against each level, of {number}" for number in totals if len(totals) == 1]
    order = [*range(3), headings.index("faults", met.stop)]
    order += [number for number in range(len(headings) - (1 if len(kinds) > 1 else 2)) if number not in order]
    made = [headings[one] if one in met else headings[one].capitalize() for one in order]
    cells = [[row[one].partition(" of ")[0] if sentences and one in met else row[one] for one in order] for row in rows]
    return made, cells, [*sentences, *(f"sandbox of all: {kind}" for kind in kinds if len(kinds) == 1)]
