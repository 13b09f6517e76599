"""The courses that agents can belong to, as a protocol: what a course says about its agents.

`agents` knows no course. The modules in `PROVIDERS` lie above it and register courses and clocks as they are imported,
which happens when one is first asked for: most texts name no course, so most processes never load any.
"""

import os
import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from harena.errors import BadFile, HarenaError, UnknownName

if TYPE_CHECKING:
    from harena.agents.clocks import Clock
    from harena.agents.spec import CourseAgent

PROVIDERS = ("harena.courses.catalogue",)  # modules that call `register`
COURSE_NAME = re.compile(r"[\w-]+")
SPEAKS_PROTOCOL = re.compile(  # docs/protocol.md
    r"""^\s*(?:import|from)\s+harena\b(?!\.courses)|["']ready["']""", re.MULTILINE
)


class Course(Protocol):
    """What a course says about its agents."""

    @property
    def environment(self) -> str:
        """The name of the environment that hosts its agents; two ways to play one course share one."""

    @property
    def requirements(self) -> tuple[tuple[str, str], ...]:
        """The packages of that environment, each with its versions as pip writes them."""

    def agent(self, text: str) -> "CourseAgent":
        """The agent of a text that begins with the course's name and a colon; reads no file."""

    def resembles(self, source: str) -> bool:
        """Whether the source of a Python file looks like an agent of this course."""


_courses: dict[str, Course] = {}
_clocks: "dict[str, Clock]" = {}


def register(courses: Mapping[str, Course], clocks: "Mapping[str, Clock]") -> None:
    """Add courses whose agents can be named, and clocks, both by name."""
    _courses.update(courses)
    _clocks.update(clocks)


@cache
def _load_providers() -> None:
    for module in PROVIDERS:
        import_module(module)


def courses() -> Mapping[str, Course]:
    """All courses whose agents can be named, by name."""
    _load_providers()
    return _courses


def clocks() -> "Mapping[str, Clock]":
    """The courses' clocks, by name."""
    _load_providers()
    return _clocks


def find_course(text: str) -> Course | None:
    """The course that an agent's text begins with; None if it begins with none."""
    name, colon, _ = text.partition(":")
    return courses().get(name) if colon and COURSE_NAME.fullmatch(name) else None


def explain_unknown_course(text: str) -> HarenaError | None:
    """The error for a text that begins as a course agent's does, but with no course; None for any other text."""
    name, colon, rest = text.partition(":")
    if not colon or not rest or not COURSE_NAME.fullmatch(name) or find_course(text) or os.path.exists(text):
        return None
    if os.path.isfile(f"{name}.py"):
        return BadFile(f"there is a file {name}.py: write {name}.py:{rest}")
    return UnknownName("course", name, courses())


def recognise_course(source: str) -> str | None:
    """The course whose agent a source looks like; empty for a program that speaks the protocol, None for others."""
    if SPEAKS_PROTOCOL.search(source):
        return ""
    return next((name for name, course in courses().items() if course.resembles(source)), None)
