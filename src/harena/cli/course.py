"""`harena course env`: makes, shows and removes the environment in which a course's agents are hosted."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from harena.agents.environments import environment_name, read_description
from harena.courses.environments import environment_place, make, remove
from harena.errors import UsageError


def make_environment(
    course: str, *, python: str | None, wheels: str | None, extra: Sequence[str], folder: str | None
) -> None:
    """Make the environment of a course, unless it is there, and print what it has."""
    place = environment_place(course, folder)
    found = read_description(place)
    if found is not None and python is not None:
        raise UsageError(
            f"{place} is there: first remove it with: harena course env {course}{_option(folder)} --remove"
        )
    if found is None or extra:
        found = make(course, place, python=python, wheels=wheels, extra=extra, say=_say)
    _print(course, place, found, folder)


def remove_environment(course: str, folder: str | None) -> None:
    """Remove the environment of a course."""
    place = environment_place(course, folder)
    remove(course, place)
    print(f"removed {place}")


def _print(course: str, place: Path, found: Mapping[str, Any], folder: str | None) -> None:
    installed = found.get("installed", {})
    print(f"{environment_name(course)}: Python {found.get('python')} in {place}")
    for name, version in installed.items():
        print(f"  {name} {version}")
    for wanted, got in found.get("replaced", {}).items():
        print(f"  {got} in place of {wanted}, which has no wheel for this Python")
    if folder:
        print(f"use it with: harena check AGENT --python {place}")
    else:
        print(f"check, grade, match and all other commands host {environment_name(course)} agents there")


def _option(folder: str | None) -> str:
    return f" --folder {folder}" if folder else ""


def _say(line: str) -> None:
    print(line, flush=True)
