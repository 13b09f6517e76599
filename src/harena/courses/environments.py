"""Makes the environment of a course: a virtual environment with the packages and versions that the course requires.

pip installs wheels only, of packages by their names, from the index that it is configured for or from a folder. A
requirement for which there is no wheel is replaced by the nearest version that has one. An environment is used only
once its description says that it is complete, so what an interrupted command leaves behind is never used.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harena.agents.environment_lock import LOCK, own_environment
from harena.agents.environments import (
    DESCRIPTION,
    environment_folder,
    environment_name,
    find_program,
    program_in,
    read_description,
    run_probe,
    version_of,
)
from harena.arena.claims import claimed
from harena.courses.catalogue import COURSES
from harena.errors import BadFile, HarenaError, UnknownName, UsageError
from harena.files import atomic_write

FORMAT = 1  # of the description
VENV = "pyvenv.cfg"  # marks a virtual environment
OWN_FILES = (VENV, LOCK, DESCRIPTION)  # what tells that a folder is an environment of ours: removed last
NAME = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?"
VERSION = r"(?:\d+!)?\d+(?:\.\d+)*(?:[._-]?(?:a|b|rc|post|dev)\d+)*(?:\.\*|\+[A-Za-z0-9.]+)?"
SPECIFIER = rf"(?:==|>=|<=|~=|!=|<|>)\s*{VERSION}"
REQUIREMENT = re.compile(rf"\s*({NAME})\s*((?:{SPECIFIER}(?:\s*,\s*{SPECIFIER})*)?)\s*", re.ASCII)
ARCHIVES = (".whl", ".egg", ".zip", ".tar", ".gz", ".bz2", ".xz", ".lzma", ".tgz", ".tbz", ".txz", ".tlz", ".tar.z")
RELEASE = re.compile(r"\d+(?:\.\d+)*")  # a version that is neither a preview nor a correction
NOT_FOUND = re.compile(  # the package, and the one that needs it
    r"Could not find a version that satisfies the requirement ([\w.-]+)[^ ]*(?: \(from (?!versions)(.*?)\))? "
)
OFFERED = re.compile(r"\(from versions: ([^)]*)\)")
UNREACHABLE = ("NewConnectionError", "Temporary failure in name resolution", "ConnectTimeoutError", "ProxyError")
PIP = ("-I", "-m", "pip", "--disable-pip-version-check", "--no-input", "--retries", "1", "--timeout", "20")

Requirement = tuple[str, str]  # a package, and which versions, as pip writes them
Say = Callable[[str], None]


class CannotInstall(HarenaError):
    """Why an environment cannot be made."""


@dataclass(frozen=True, kw_only=True)
class Installed:
    """What pip has installed: the requirements as they could be met, and those that had to be replaced."""

    packages: Mapping[str, str]  # all that is installed, with versions
    replaced: Mapping[str, str]  # requirements and what was installed in their place


def required(course: str, extra: Sequence[str] = ()) -> list[Requirement]:
    """The requirements of a course, with others that a user adds; of one package the user's."""
    own = dict(COURSES[course].requirements)
    return list((own | dict(map(parse_requirement, extra))).items())


def parse_requirement(text: str) -> Requirement:
    """`scipy`, `scipy==1.8` or `scipy>=1.8,<2` as a package and its versions.

    UsageError for anything else that pip takes: a folder, an archive or an address may run code as it is installed.
    """
    match = REQUIREMENT.fullmatch(text)
    if match is None or text.strip().lower().endswith(ARCHIVES):
        raise UsageError(
            f"--with {text!r}: write a package and, if you like, its version, as scipy==1.8.0, "
            "not a folder, a file or an address"
        )
    return match[1].lower().replace("_", "-"), "".join(match[2].split())


def environment_place(course: str, folder: str | None) -> Path:
    """Where the environment of a course is, or would be."""
    if course not in COURSES:
        raise UnknownName("course", course, dict.fromkeys(map(environment_name, COURSES)))
    return Path(folder).expanduser().absolute() if folder else environment_folder(course)


def make(
    course: str,
    place: Path,
    *,
    python: str | None = None,
    wheels: str | None = None,
    extra: Sequence[str] = (),
    say: Say = print,
) -> dict[str, Any]:
    """Make the environment of a course in a folder, or add packages to it; its description."""
    required(course, extra)  # says what is wrong before anything is made
    program = find_program(python) if python else sys.executable
    if wheels is not None and not os.path.isdir(wheels):
        raise BadFile(f"--wheels {wheels}: there is no such folder")
    _check_room(place, course)
    with _claimed(place, environment_name(course)):
        _check_room(place, course)
        before = read_description(place)
        earlier = list((_read(place) or {}).get("extra", ()))  # also where a command that added more was killed
        wanted = required(course, [*earlier, *extra])
        if before is None:
            _empty(place)
            version = version_of(program, run_probe(program))
            say(f"making an environment of Python {version} in {place}")
        begun = {"format": FORMAT, "course": environment_name(course), "is_complete": False, "extra": earlier}
        try:
            _write(place, begun)
            if before is None:
                _make_folder(program, place)
            found = install(program_in(place), wanted, wheels, say)
            probed = run_probe(str(program_in(place)))
            description = begun | {
                "is_complete": True,
                "python": ".".join(map(str, probed["version"])),
                "wanted": [f"{name}{versions}" for name, versions in wanted],
                "extra": [*(text for text in earlier if text not in extra), *extra],
                "replaced": dict(found.replaced),  # pip has looked at all that is wanted
                "installed": dict(sorted(found.packages.items())),
                "wheels": os.path.abspath(wheels) if wheels else "",
                "made": time.strftime("%Y-%m-%d"),
            }
            _write(place, description)
        except BaseException:  # also Ctrl-C: nothing half-made stays
            _undo(place, before)
            raise
    return description


def remove(course: str, place: Path) -> None:
    """Remove an environment, or what is left of one; a folder of anything else stays."""
    if not (place / DESCRIPTION).is_file():
        raise UsageError(f"{place}: there is no environment to remove")
    if why := _why_not_ours(place, course):
        raise UsageError(f"{place}: there is no environment to remove: {why}")
    with _claimed(place, environment_name(course)):
        _remove(place)


def install(program: Path, wanted: Sequence[Requirement], wheels: str | None, say: Say = print) -> Installed:
    """Install packages for an interpreter, with the nearest version where one has no wheel."""
    left, replaced = dict(wanted), dict[str, str]()
    source = ["--no-index", "--find-links", os.path.abspath(wheels)] if wheels else []
    say(f"installing {', '.join(f'{name}{versions}' for name, versions in wanted)}")
    while True:
        texts = [f"{name}{versions}" for name, versions in left.items()]
        done = _run([os.path.abspath(program), *PIP, "install", "--only-binary=:all:", *source, *texts])
        if done.returncode == 0:
            break
        name, version = _nearest_of(done.stderr, left, replaced, wheels)
        old = dict(wanted)[name]
        replaced[f"{name}{old}"] = f"{name}=={version}"
        say(f"{name}{old} has no wheel for this Python: {version} is the nearest that has one")
        left[name] = f"=={version}"
    return Installed(packages=run_probe(str(program))["packages"], replaced=replaced)


def nearest_version(versions: str, offered: Sequence[str]) -> str | None:
    """Of the versions on offer the smallest that is not below the one that is wanted, else the largest."""
    known = sorted({one for one in offered if RELEASE.fullmatch(one)}, key=_numbers)
    anchor = RELEASE.search(versions)
    above = [one for one in known if anchor is None or _numbers(one) >= _numbers(anchor[0])]
    return above[0] if above else known[-1] if known else None


def _numbers(version: str) -> list[int]:
    numbers = [int(number) for number in version.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return numbers


def _nearest_of(
    said: str, wanted: Mapping[str, str], replaced: Mapping[str, str], wheels: str | None
) -> tuple[str, str]:
    """The package that pip did not find and the nearest version of it; CannotInstall if there is none."""
    missing = NOT_FOUND.search(said)
    offered = OFFERED.search(said)
    name = missing[1].lower().replace("_", "-") if missing else ""
    versions = offered[1].split(", ") if offered else []
    near = nearest_version(wanted.get(name, ""), versions)
    is_ours = name in wanted and not any(one.startswith(f"{name}==") for one in replaced.values())
    if near is not None and missing and is_ours and not missing[2]:
        return name, near
    if wheels is None and any(word in said for word in UNREACHABLE):
        raise CannotInstall("the package index cannot be reached: connect this machine, or give --wheels FOLDER")
    if missing and near is None:
        where = f"in {wheels}" if wheels else "in the package index"
        needed = f", which {missing[2]} needs" if missing[2] else ""
        raise CannotInstall(f"there is no wheel of {name} for this Python {where}{needed}")
    lines = [line.removeprefix("ERROR: ") for line in said.splitlines() if line.startswith("ERROR: ")]
    raise CannotInstall(f"pip cannot install them: {lines[0] if lines else _last_line(said)}")


def _make_folder(program: str, place: Path) -> None:
    (place / VENV).touch()  # from now on what is in the folder is ours; venv writes it after folders
    done = _run([os.path.abspath(program), "-I", "-m", "venv", os.path.abspath(place)])
    if done.returncode:
        said = _last_line(done.stderr or done.stdout)
        raise CannotInstall(f"{program} cannot make an environment: {said} (Debian and Ubuntu: install python3-venv)")


def _run(command: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    """Run a command in an empty folder: pip takes a file of the present one for a package.

    Its own files other users can read: behind walls an agent is another user.
    """
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    with tempfile.TemporaryDirectory() as folder:
        return subprocess.run(
            command, cwd=folder, env=kept, capture_output=True, text=True, errors="replace", umask=0o022, check=False
        )


def _last_line(said: str) -> str:
    return (said.strip() or "no reason given").splitlines()[-1][:200]


@contextmanager
def _claimed(place: Path, name: str) -> Iterator[None]:
    """Keep other processes from making a course's environment, and from hosting agents in one that is there."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as locks:
        locks.enter_context(claimed(place, "now", f"{place} is being made by another process: wait for it"))
        if (place / DESCRIPTION).is_file():
            locks.enter_context(own_environment(place, name))
        yield


def _check_room(place: Path, course: str) -> None:
    """UsageError if there is anything in a folder but an environment of this course."""
    if place.exists() and any(place.iterdir()) and (why := _why_not_ours(place, course)):
        raise UsageError(f"{place} is in the way: {why}; name another --folder")


def _why_not_ours(place: Path, course: str) -> str:
    """Why a folder is no environment of this course that a command made or began; nothing if it is one."""
    description = _read(place) or {}
    has_others = any(path.name not in (*OWN_FILES, f"{DESCRIPTION}.part") for path in place.iterdir())
    if description.get("format") != FORMAT or (has_others and not (place / VENV).is_file()):
        return "it was not made by harena course env"
    if description.get("course") != environment_name(course):
        return "it is the environment of another course"
    return ""


def _empty(place: Path) -> None:
    """Remove all of an environment but its description, which from now on says that it is not complete."""
    if (description := _read(place)) is None:
        return
    _write(place, description | {"is_complete": False})
    for path in place.iterdir():
        if path.name not in OWN_FILES:
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    for name in (VENV, LOCK):  # in this order: what is left is known as ours, however this ends
        (place / name).unlink(missing_ok=True)


def _remove(place: Path) -> None:
    _empty(place)
    (place / DESCRIPTION).unlink()
    place.rmdir()


def _undo(place: Path, before: Mapping[str, Any] | None) -> None:
    """Remove an environment that was begun; one that was there before is complete again.

    Of one that was complete once, and was killed since, the packages that the user added stay known.
    """
    if before is not None:
        _write(place, before)
        return
    with suppress(OSError):
        _empty(place) if (_read(place) or {}).get("extra") else _remove(place)


def _read(place: Path) -> dict[str, Any] | None:
    """The description of an environment, whether it is complete or not."""
    try:
        found = json.loads((place / DESCRIPTION).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _write(place: Path, description: Mapping[str, Any]) -> None:
    place.mkdir(parents=True, exist_ok=True)
    place.chmod(0o755)
    atomic_write(place / DESCRIPTION, f"{json.dumps(description, indent=2)}\n".encode())
