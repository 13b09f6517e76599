"""What an agent may see and use, and the strongest walls that this machine can put around it.

| level | walls |
|---|---|
| `bubblewrap` | no network, the system read-only, a private tmp, processes of its own; nothing else is visible |
| `namespaces` | the same by namespaces and Landlock, where bubblewrap is missing |
| `limits` | only limits on memory, processes and file sizes: no walls |
| `off` | nothing; for agents you trust |

Out of its turn an agent is frozen by a control group where one can be had, else stopped by signals. System calls that
the filter refuses are named in the agent's log where the kernel can tell them. Words after the level force what is done
where these cannot be had: `bubblewrap,signals`, `namespaces,group,unlogged`.
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
from harena.sandbox.workplace import workplace

OFF = "off"
LEVELS = ("bubblewrap", "namespaces", "limits", OFF)  # strongest first
CHOICES = ("auto", "required", *LEVELS)
GROUP, SIGNALS = FREEZERS = ("group", "signals")  # what stops an agent out of its turn
UNLOGGED = "unlogged"
LINUX_ONLY = (
    "only Linux has walls for agents that are not ours: use Linux or WSL, "
    "or type --sandbox off in a match if you trust them"
)
INSTALL = "install bubblewrap (sudo apt-get install bubblewrap; more in docs/sandbox.md)"


class SandboxError(HarenaError):
    """The walls that were asked for cannot be had on this machine."""


@dataclass(frozen=True, kw_only=True)
class Choice:
    """What a user asks for: a level of `CHOICES`, and a freezer; no freezer means the best that can be had."""

    level: str
    freezer: str = ""
    logs: bool = True  # refused system calls are named, where the kernel can tell them

    def __str__(self) -> str:
        return ",".join(filter(None, (self.level, self.freezer, "" if self.logs else UNLOGGED)))


def parse_choice(text: str) -> Choice:
    """The choice of a text such as `auto` or `bubblewrap,signals`; UnknownName for a word that is none."""
    level, *more = text.split(",")
    if level not in CHOICES:
        raise UnknownName("sandbox", level, CHOICES)
    for word in more:
        if word not in (*FREEZERS, UNLOGGED):
            raise UnknownName("word about a sandbox", word, (*FREEZERS, UNLOGGED))
    freezer = next((word for word in more if word in FREEZERS), "")
    return Choice(level=level, freezer=freezer, logs=UNLOGGED not in more)


@dataclass(frozen=True, kw_only=True)
class Interpreter:
    """A Python that is not the running one: its program, the folders it needs, and packages in them to be hidden."""

    program: str
    folders: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Walls:
    """What an agent gets."""

    folder: str  # its own, read-only
    tmp: str  # an empty folder of its own, for walls that cannot make a private /tmp
    game: str | None = None  # a folder with the files of a game that is not ours, read-only
    visible: tuple[str, ...] = ()  # other folders it needs, read-only, at their own places
    interpreter: Interpreter | None = None  # that runs the agent; None: the Python that runs us
    processes: int = 32  # and threads
    scratch: int = 64  # megabytes in its private tmp
    address_space: int = 8192  # megabytes: a backstop; what counts is the resident memory, which the referee watches
    log_refused: bool = True  # name refused system calls in the agent's log, where the kernel can tell them
    counts_children: bool = False  # no parent can hide the CPU time of its children, where no control group counts it


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
        """As it is; on Linux our launcher first, with which the agent dies when we do."""
        if sys.platform != "linux":
            return list(command)
        from harena.sandbox import layout

        return layout.launcher(os.path.dirname(layout.LAUNCHER), {"parent": os.getpid(), "limits": {}}, command)

    def environment(self, walls: Walls) -> Mapping[str, str]:
        """A clean one."""
        return {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8", "TMPDIR": walls.tmp, "HOME": walls.tmp}


def sandbox(choice: str = "auto") -> Sandbox:
    """The walls of a choice: `auto` takes the strongest there are, `required` refuses anything below namespaces.

    What works here is tried once a process. Falling back to mere limits is said once, loudly.
    """
    wanted = parse_choice(choice)
    check_system(choice)
    find_freezer(choice)
    if wanted.level in LEVELS:
        return _working(wanted.level)
    for level in ("bubblewrap", "namespaces"):
        with contextlib.suppress(SandboxError):
            return _working(level)
    if wanted.level == "required":
        raise SandboxError(f"{_reasons()}; {INSTALL}")
    _warn()
    return _working("limits")


def has_walls() -> bool:
    """Whether this system has any walls, strong or weak."""
    return sys.platform == "linux"


def check_system(choice: str) -> None:
    """SandboxError if a choice asks for walls on a system that has none."""
    if parse_choice(choice).level != "off" and not has_walls():
        raise SandboxError(LINUX_ONLY)


def find_freezer(choice: str) -> str:
    """What stops an agent out of its turn: a control group, or signals where none can be had or these were chosen."""
    wanted, here = parse_choice(choice).freezer, workplace()
    if wanted == GROUP and here.hierarchies is None:
        raise SandboxError(f"agents cannot be frozen by a control group here: {here.why_no_groups}")
    return SIGNALS if wanted == SIGNALS or here.hierarchies is None else GROUP


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


@cache
def check_interpreter(choice: str, interpreter: Interpreter, code: str) -> None:
    """SandboxError if another Python cannot run this code behind the walls of a choice; tried once a process."""
    _try(sandbox(choice), interpreter, code)


def _try(made: Sandbox, interpreter: Interpreter | None = None, code: str = "") -> None:
    """SandboxError if Python does not run behind these walls, with the last line that it said."""
    place, program = workplace().folder, interpreter.program if interpreter else sys.executable
    with tempfile.TemporaryDirectory(dir=place) as folder, tempfile.TemporaryDirectory(dir=place) as tmp:
        walls = Walls(folder=folder, tmp=tmp, interpreter=interpreter)
        command = made.enclose([program, "-I", "-c", f"{code}\nprint('alive')"], walls)
        given = dict(made.environment(walls))
        try:
            done = subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, check=False)
        except OSError as error:
            raise SandboxError(f"the sandbox {made.level} does not work here ({error})") from None
    if done.stdout != "alive\n":
        said = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[-1]
        if interpreter is not None:
            raise SandboxError(f"{program} does not run in the sandbox {made.level} ({said[:200]})")
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
