"""What an agent may see and use, and the strongest walls that this machine can put around it.

| level | walls |
|---|---|
| `bubblewrap` | no network, the system read-only, a private tmp, processes of its own; nothing else is visible |
| `namespaces` | the same by namespaces and Landlock, where bubblewrap is missing |
| `limits` | only limits on memory, processes and file sizes: no walls |
| `off` | nothing; for agents you trust |
"""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from harena.errors import HarenaError, UnknownName

LEVELS = ("bubblewrap", "namespaces", "limits", "off")  # strongest first
CHOICES = ("auto", "required", *LEVELS)
INSTALL = "install bubblewrap (sudo apt-get install bubblewrap; more in docs/sandbox.md)"


class SandboxError(HarenaError):
    """The walls that were asked for cannot be had on this machine."""


@dataclass(frozen=True, kw_only=True)
class Walls:
    """What an agent gets."""

    folder: str  # its own, read-only
    tmp: str  # an empty folder of its own, for walls that cannot make a private /tmp
    game: str | None = None  # a folder with the files of a game that is not ours, read-only
    visible: tuple[str, ...] = ()  # other folders it needs, read-only, at their own places
    processes: int = 32  # and threads
    scratch: int = 64  # megabytes in its private tmp
    address_space: int = 8192  # megabytes: a backstop; what counts is the resident memory, which the referee watches
    log_refused: bool = True  # name refused system calls in the agent's log, where the kernel can tell them


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
    """The walls of a choice: `auto` takes the strongest there are, `required` refuses anything below namespaces.

    What works here is tried once a process. Falling back to mere limits is said once, loudly.
    """
    if choice not in CHOICES:
        raise UnknownName("sandbox", choice, CHOICES)
    if choice in LEVELS:
        return _working(choice)
    for level in ("bubblewrap", "namespaces"):
        with contextlib.suppress(SandboxError):
            return _working(level)
    if choice == "required":
        raise SandboxError(f"{_reasons()}; {INSTALL}")
    _warn()
    return _working("limits")


@cache
def _working(level: str) -> Sandbox:
    """The walls of this level, if a process really runs behind them."""
    from harena.sandbox.bubblewrap import Bubblewrap
    from harena.sandbox.limits import LimitsOnly
    from harena.sandbox.namespaces import Namespaces

    makers: Mapping[str, Callable[[], Sandbox]] = {
        "bubblewrap": Bubblewrap,
        "namespaces": Namespaces,
        "limits": LimitsOnly,
        "off": Off,
    }
    made = makers[level]()
    if level != "off":
        _try(made)
    return made


def _try(made: Sandbox) -> None:
    """SandboxError if Python does not start behind these walls, with the last line that it said."""
    with tempfile.TemporaryDirectory(prefix="harena-") as folder, tempfile.TemporaryDirectory(prefix="harena-") as tmp:
        walls = Walls(folder=folder, tmp=tmp)
        command = made.enclose([sys.executable, "-I", "-c", "print('alive')"], walls)
        given = dict(made.environment(walls))
        try:
            done = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, check=False)
        except OSError as error:
            raise SandboxError(f"the sandbox {made.level} does not work here ({error})") from None
    if done.stdout != "alive\n":
        said = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]
        raise SandboxError(f"the sandbox {made.level} does not work here ({said[:200]})")


def _reasons() -> str:
    """Why there are no walls, in a line."""
    found = []
    for level in ("bubblewrap", "namespaces"):
        try:
            _working(level)
        except SandboxError as error:
            found.append(str(error))
    return ", and ".join(found)


@cache
def _warn() -> None:
    print(
        f"harena: WARNING: agents run WITHOUT WALLS, they can read and change your files: {_reasons()}; {INSTALL}",
        file=sys.stderr,
    )
