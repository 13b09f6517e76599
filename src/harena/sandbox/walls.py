"""What an agent may see and use, and the strongest walls that this machine can put around it.

| level | walls |
|---|---|
| `bubblewrap` | no network, the system read-only, a private tmp, processes of its own; nothing else is visible |
| `namespaces` | the same by namespaces and Landlock, where bubblewrap is missing |
| `limits` | only limits on memory, processes and file sizes: no walls |
| `off` | nothing; for agents you trust |
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from harena.errors import HarenaError, UnknownName

LEVELS = ("bubblewrap", "namespaces", "limits", "off")  # strongest first
CHOICES = ("auto", "required", *LEVELS)


class SandboxError(HarenaError):
    """The walls that were asked for cannot be had on this machine."""


@dataclass(frozen=True, kw_only=True)
class Walls:
    """What an agent gets."""

    folder: str  # its own, read-only
    tmp: str  # an empty folder of its own, for walls that cannot make a private /tmp
    visible: tuple[str, ...] = ()  # other folders it needs, read-only, at their own places
    processes: int = 32  # and threads
    scratch: int = 64  # megabytes in its private tmp
    address_space: int = 8192  # megabytes: a backstop; what counts is the resident memory, which the referee watches


class Sandbox(Protocol):
    """One kind of walls."""

    level: str

    def seen(self, folder: str) -> str:
        """The path at which an agent finds its own folder."""

    def enclose(self, command: Sequence[str], walls: Walls) -> list[str]:
        """The command that runs this command behind these walls."""

    def environment(self, walls: Walls) -> Mapping[str, str]:
        """All environment variables that the agent gets: nothing of ours but what a program needs to run."""


class Off:
    """No walls: for agents you trust."""

    level = "off"

    def seen(self, folder: str) -> str:
        """Where it is."""
        return folder

    def enclose(self, command: Sequence[str], walls: Walls) -> list[str]:
        """As it is."""
        return list(command)

    def environment(self, walls: Walls) -> Mapping[str, str]:
        """A clean one."""
        return {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8", "TMPDIR": walls.tmp, "HOME": walls.tmp}


def sandbox(choice: str = "auto") -> Sandbox:
    """The walls of a choice: `auto` takes the strongest there are, `required` refuses anything below namespaces."""
    if choice not in CHOICES:
        raise UnknownName("sandbox", choice, CHOICES)
    return Off()
