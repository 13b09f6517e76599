"""`harena.check`: an agent looked over before it is handed in, with a result for programs."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from harena.agents.spawn import check_processes
from harena.agents.spec import parse_agent
from harena.courses.catalogue import CLOCKS, COURSES
from harena.courses.check import Watch, examine, nobody
from harena.courses.finding import RED, Finding
from harena.courses.intake import unpacked
from harena.courses.subject import Subject, subject
from harena.errors import UsageError
from harena.render.page import table


@dataclass(frozen=True, kw_only=True)
class CheckResult:
    """What was found about an agent, line by line."""

    agent: str
    game: str
    course: str | None  # None for an agent in our own protocol
    limits: str
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing is red."""
        return all(finding.mark != RED for finding in self.findings)

    def to_dict(self) -> dict[str, Any]:
        """The shape that docs/students.md documents."""
        return {
            "kind": "check",
            "agent": self.agent,
            "game": self.game,
            "course": self.course,
            "limits": self.limits,
            "passed": self.passed,
            "findings": [{**asdict(finding), "mark": finding.mark.lower()} for finding in self.findings],
        }

    def _repr_html_(self) -> str:
        """The lines as a notebook shows them."""
        rows = [(one.what, one.mark, one.text, one.advice) for one in self.findings]
        return table(f"{self.agent}: {self.game}, {self.limits}", ("about", "mark", "found", "advice"), rows)


@dataclass(frozen=True, kw_only=True)
class Check:
    """An agent that is ready to be looked over; `agent` is what its user calls it."""

    agent: str
    subject: Subject
    sandbox: str
    python: str | None
    thorough: bool

    @property
    def limits(self) -> str:
        """The limits it is held to."""
        return describe_limits(self.subject)

    def findings(self, watch: Watch = nobody) -> Iterator[Finding]:
        """The lines about it, as they are known; `watch` is told what is done, how much of it, and of how much."""
        return examine(self.subject, walls=self.sandbox, python=self.python, thorough=self.thorough, watch=watch)

    def result(self, findings: list[Finding]) -> CheckResult:
        """All lines together."""
        found = self.subject
        return CheckResult(
            agent=self.agent, game=found.game, course=found.course, limits=self.limits, findings=tuple(findings)
        )


def describe_limits(found: Subject) -> str:
    """The limits that an agent is held to; its course's words, unless others were given."""
    clock = found.clock
    if clock in CLOCKS.values() or clock.seconds is None:
        return clock.about if found.course else f"{clock.about} (the course's clock; --seconds sets another)"
    return f"{clock.seconds:g} s a {'turn' if clock.by_turn else 'move'}"


@contextmanager
def open_check(
    path: str,
    course: str | None = None,
    *,
    game: str | None = None,
    seconds: float | None = None,
    thorough: bool = False,
    sandbox: str = "auto",
    python: str | None = None,
) -> Iterator[Check]:
    """The agent at a path, to be looked over inside; a zip is unpacked first."""
    check_processes()
    agent = parse_agent(path)
    place = agent.possible_paths()[0] if agent.course else path
    given = Path(place)
    with unpacked(given) as taken:
        if taken is given:
            found = subject(path, course, game, seconds)
        elif game is not None:
            raise UsageError(f"{path}: unpack it first: only agents of a course are checked as they are handed in")
        else:
            text = COURSES[agent.course].agent_text(taken) if agent.course else str(taken)
            found = subject(text, course, None, seconds, called=path)
        name = found.text if taken is given else f"{found.course}:{place}"
        yield Check(agent=name, subject=found, sandbox=sandbox, python=python, thorough=thorough)


def check(
    path: str,
    course: str | None = None,
    *,
    game: str | None = None,
    seconds: float | None = None,
    thorough: bool = False,
    sandbox: str = "auto",
    python: str | None = None,
) -> CheckResult:
    """Look over an agent's file, folder or zip, or `COURSE:PATH`; `game` is for an agent in our own protocol."""
    with open_check(
        path, course, game=game, seconds=seconds, thorough=thorough, sandbox=sandbox, python=python
    ) as found:
        return found.result(list(found.findings()))
