"""Looking at the disk cache and tidying it up, without loading the compiler."""

import hashlib
import json
import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path

SUFFIX = ".kernel"
SOURCES_FILE = "sources.json"
UNUSED_DAYS = 60
PACKAGE = Path(__file__).parents[1]


def cache_root() -> Path:
    """Where compiled kernels are kept: in `HARENA_CACHE`, or in the user's own cache folder."""
    chosen = os.environ.get("HARENA_CACHE")
    return (Path(chosen) if chosen else user_cache_path("harena")) / "kernels"


@dataclass(frozen=True, kw_only=True)
class Folder:
    """The kernels made from one set of sources."""

    path: Path
    kernels: tuple[str, ...]
    size: int  # bytes
    used: float  # seconds since 1970, when one of them was last loaded or written
    stale: str  # why nothing will load it again, or empty
    users: tuple[str, ...]  # source files outside of the package


def folders() -> list[Folder]:
    """What there is, the most recently used first."""
    root = cache_root()
    if not root.is_dir():
        return []
    return sorted((_inspect(path) for path in root.iterdir() if path.is_dir()), key=lambda folder: -folder.used)


def remove(folder: Folder) -> None:
    """Delete a folder; a process that is loading from it compiles instead."""
    shutil.rmtree(folder.path, ignore_errors=True)


def _inspect(path: Path) -> Folder:
    files = [file for file in path.iterdir() if file.suffix == SUFFIX]
    stats = [file.stat() for file in files]
    used = max((stat.st_mtime for stat in stats), default=path.stat().st_mtime)
    sources = _sources(path)
    return Folder(
        path=path,
        kernels=tuple(sorted(file.stem.rsplit("-", 1)[0] for file in files)),
        size=sum(stat.st_size for stat in stats),
        used=used,
        stale=_why_stale(sources, used),
        users=tuple(file for file in sources or {} if not Path(file).is_relative_to(PACKAGE)),
    )


def _sources(path: Path) -> dict[str, str] | None:
    try:
        found = json.loads((path / SOURCES_FILE).read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _why_stale(sources: dict[str, str] | None, used: float) -> str:
    if sources is None:
        return "unreadable"
    for file, digest in sources.items():
        source = Path(file)
        if not source.exists():
            return f"{source.name} is gone"
        if hashlib.sha256(source.read_bytes()).hexdigest() != digest:
            return f"{source.name} has changed"
    if time.time() - used > UNUSED_DAYS * 86400:
        return f"not used for {UNUSED_DAYS} days"
    return ""
