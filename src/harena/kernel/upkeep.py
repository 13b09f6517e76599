"""Looking at the disk cache and tidying it up, without loading the compiler."""

import contextlib
import hashlib
import json
import os
import re
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_path

from harena.errors import UsageError

FOLDER_NAME = re.compile("[0-9a-f]{16}")
SUFFIX = ".kernel"
SOURCES_FILE = "sources.json"
UNUSED_DAYS = 60
PACKAGE = Path(__file__).parents[1]


def cache_root() -> Path:
    """Where compiled kernels are kept: in `HARENA_CACHE`, or in the user's own cache folder."""
    chosen = os.environ.get("HARENA_CACHE")
    return (Path(chosen).expanduser() if chosen else user_cache_path("harena")) / "kernels"


def names_folder() -> Path:
    """Where the names in sources are kept, which tell whether a kernel is out of date."""
    return cache_root() / "names"


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
    """What there is, the most recently used first; whatever else somebody keeps in the same place is left alone."""
    root = cache_root()
    try:
        paths = [path for path in root.iterdir() if FOLDER_NAME.fullmatch(path.name)]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise UsageError(f"{root}: cannot be read: {error.strerror}") from None
    return sorted((_inspect(path) for path in paths), key=lambda folder: -folder.used)


def remove(folder: Folder) -> None:
    """Delete a folder; a process that is loading from it compiles instead."""
    try:
        shutil.rmtree(folder.path)
    except FileNotFoundError:  # somebody else was faster
        return
    except OSError as error:
        raise UsageError(f"{folder.path}: cannot be removed: {error.strerror}") from None


def remove_names(*, clear: bool) -> None:
    """Delete what is kept about sources: all of it, or what is so old that its source has probably changed since."""
    oldest = time.time() - UNUSED_DAYS * 86400
    with contextlib.suppress(OSError):
        for file in names_folder().iterdir():
            if clear or file.stat().st_mtime < oldest:
                file.unlink()


def _inspect(path: Path) -> Folder:
    files: dict[str, os.stat_result] = {}
    with contextlib.suppress(OSError):  # forbidden, or being removed by somebody else
        files |= {file.stem: file.stat() for file in path.iterdir() if file.suffix == SUFFIX}
    used = max((stat.st_mtime for stat in files.values()), default=0.0)
    sources = _sources(path)
    return Folder(
        path=path,
        kernels=tuple(sorted(name.rsplit("-", 1)[0] for name in files)),
        size=sum(stat.st_size for stat in files.values()),
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
        name = Path(file).name
        try:
            present = hashlib.sha256(Path(file).read_bytes()).hexdigest()
        except FileNotFoundError:
            return f"{name} is gone"
        except OSError as error:
            return f"{name} cannot be read: {error.strerror}"
        if present != digest:
            return f"{name} has changed"
    if time.time() - used > UNUSED_DAYS * 86400:
        return f"not used for {UNUSED_DAYS} days"
    return ""
