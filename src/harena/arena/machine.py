"""The machine and the versions that games are played with: kept with every game, and said below every result."""

import os
import platform
from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from harena import __version__
from harena.agents.environments import hosts_text
from harena.arena.record import Record
from harena.kernel.switch import JIT

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

MOST_FILES = 1 << 16  # open files that are enough for any run


def here() -> dict[str, Any]:
    """The machine that this runs on, and the versions of what it runs."""
    return {
        "harena": __version__,
        "python": platform.python_version(),
        "numba": _numba(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
    }


def raise_file_limit() -> int:
    """Let this process open as many files as the system allows it; the number."""
    if resource is None:
        return MOST_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):  # a system with a limit of its own below the hard one
        return soft
    return wanted


def where(records: Iterable[Record]) -> str:
    """Where games were played, on a line; all places in turn, where a run went on elsewhere or with other versions."""
    return "; then ".join(dict.fromkeys(filter(None, map(_told, records))))


def _told(record: Record) -> str:
    """What a record says of it; nothing if it is of somebody else's making."""
    kept = record.conditions
    if not all(key in kept for key in ("harena", "python", "machine")):
        return ""
    games = kept.get("concurrency", 1)
    at_once = f", {games} games at once" if games != 1 else ""
    hosts = f", course agents in {text}" if (text := hosts_text(kept.get("hosted"))) else ""
    return f"harena {kept['harena']}, Python {kept['python']}, {kept['machine']}{at_once}{hosts}"


@cache
def _numba() -> str:
    """Its version, without importing it."""
    try:
        return version("numba") if JIT else "off"
    except PackageNotFoundError:
        return "unknown"
