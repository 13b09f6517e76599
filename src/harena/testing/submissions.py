"""Somebody's agent in a test: what `harena check` would call red is an AssertionError in the same words.

from harena.testing import check_agent

def test_my_agent():
    check_agent("knight.py", "isolation")
"""

from collections.abc import Sequence

from harena.courses.check import examine
from harena.courses.finding import RED, Finding
from harena.courses.subject import subject

LAST_BEFORE_GAMES = "output"  # what the last line is about that needs no games


class AgentBroken(AssertionError):
    """An agent that is not in order; the message has a line for each thing that is red, and what to do about it."""


def check_agent(
    path: str,
    game: str | None = None,
    *,
    course: str | None = None,
    seconds: float | None = None,
    sizes: Sequence[int] = (),
    games: bool = False,
    sandbox: str = "auto",
) -> list[Finding]:
    """Look an agent over as `harena check` does; AgentBroken if a line is red, else all lines.

    `game` is for one in our own protocol; for one of a course its files say which, or `course` does. With `games` it
    plays the short ones too, and losing to random players is red.
    """
    found: list[Finding] = []
    for line in examine(subject(path, course, game, seconds), walls=sandbox, sizes=sizes):
        found.append(line)
        if line.what == LAST_BEFORE_GAMES and not games:
            break
    red = [line for line in found if line.mark == RED]
    if red:
        raise AgentBroken("\n".join(_told(line) for line in red))
    return found


def _told(line: Finding) -> str:
    """All words of a line in one."""
    words = " ".join(part for part in (line.advice, line.command) if part)
    return f"{line.what}: {line.text}" + (f" - {words}" if words else "")
