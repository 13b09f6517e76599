"""Taking in what was handed in: a file, a folder or a zip, copied into a folder of its own.

What is copied can be read by anybody and executed by nobody. A submission that cannot be trusted as mere files (links
that lead out of it, devices, bombs, names that nobody can write) is refused before anything of it is written.
"""

import os
import re
import shutil
import stat
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from harena.courses.archives import LEFT_OUT, MEGABYTE, BadSubmission, check_name, shown, unzipped

__all__ = ["BadSubmission", "HandedIn", "only_file", "remarks", "submissions", "take_in", "unpacked"]

MOST_BYTES, MOST_FILES = 1024 * MEGABYTE, 20_000  # of a folder: large data are no bomb
ARCHIVES = (".zip", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".rar", ".7z")  # only the first is read
LARGEST = 64 * MEGABYTE  # a single file
LONGEST = 80  # letters of a name
MOST_TOLD = 5  # files in a remark


@dataclass(frozen=True, kw_only=True)
class HandedIn:
    """A submission in an instructor's folder, by a name that no other has and that any file may have."""

    name: str
    path: Path


def submissions(folder: Path) -> list[HandedIn]:
    """What counts as a submission: Python files, folders and archives, in the order of their names."""
    found, taken = [], set[str]()
    paths = [path for path in _visible(folder) if _is_submission(path)]
    for path in sorted(paths, key=lambda one: _safe(_own_name(one)) != _own_name(one)):  # who can keep his name does
        name = _unique(_safe(_own_name(path)), taken)
        taken.add(name.casefold())
        found.append(HandedIn(name=name, path=path))
    return sorted(found, key=lambda one: paths.index(one.path))


def remarks(folder: Path) -> Iterator[str]:
    """What an instructor should know about the folder: who is graded under another name, and what is not graded."""
    taken = submissions(folder)
    renamed = [f"{one.path.name} as {one.name}" for one in taken if one.name != _own_name(one.path)]
    others = [path.name for path in _visible(folder) if not _is_submission(path)]
    if renamed:
        yield f"graded under another name: {_some_of(renamed)}"
    if others:
        yield f"not graded, being no .py file, folder or zip: {_some_of(others)}"


def _some_of(told: list[str]) -> str:
    more = f" and {len(told) - MOST_TOLD} more" if len(told) > MOST_TOLD else ""
    return "; ".join(told[:MOST_TOLD]) + more


def _visible(folder: Path) -> list[Path]:
    """In the order of their names."""
    found = sorted(folder.iterdir(), key=lambda one: (one.name.casefold(), one.name))
    return [path for path in found if not path.name.startswith(".") and path.name not in LEFT_OUT]


def _own_name(path: Path) -> str:
    return path.name if path.is_dir() else path.stem


def _is_submission(path: Path) -> bool:
    return path.is_dir() or path.suffix.lower() == ".py" or path.suffix.lower() in ARCHIVES


def _safe(name: str) -> str:
    """A name of letters, digits, dashes, points and underscores, none of them first but a letter or digit."""
    known = unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode())
    safe = re.sub(r"[^\w.-]+", "_", known).strip("._-").encode()[:LONGEST].decode(errors="ignore")
    return safe or "submission"


def _unique(name: str, taken: set[str]) -> str:
    number, tried = 1, name
    while tried.casefold() in taken:
        number += 1
        tried = f"{name}-{number}"
    return tried


def take_in(source: Path, target: Path) -> None:
    """Copy a submission into this empty folder; BadSubmission says why not, and then the folder is still empty."""
    target.mkdir(parents=True, exist_ok=True)
    assert not any(target.iterdir())
    if source.is_symlink():
        raise BadSubmission(f"{source.name}: is a link, not a submission")
    source = _lone_zip(source) or source
    try:
        if source.is_dir():
            _copy_folder(source, target)
        elif source.suffix.lower() == ".zip" and source.is_file():
            _write(target, _some(source, unzipped(source)))
        elif source.suffix.lower() == ".py" and source.is_file():
            _write(target, {PurePosixPath(f"{_safe(source.stem)}.py"): _content(source)})
        else:
            raise BadSubmission(f"{source.name}: is neither a Python file nor a folder nor a zip")
    except PermissionError as error:
        for path in target.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        raise BadSubmission(f"{source.name}: {shown(os.path.basename(error.filename))} cannot be read") from None


@contextmanager
def unpacked(given: Path) -> Iterator[Path]:
    """A file or folder as it is, unless it is packed, as grading takes it in: then what was in it, for a while."""
    if not (given.is_file() and given.suffix.lower() in ARCHIVES) and _lone_zip(given) is None:
        yield given
        return
    with TemporaryDirectory(prefix="harena-check-") as place:
        home = Path(place) / _safe(_own_name(given))
        take_in(given, home)
        yield only_file(home)


def only_file(folder: Path) -> Path:
    """The file of a submission that is just one, so that what is wrong is said of it; else the folder."""
    files = list(folder.iterdir())
    return files[0] if len(files) == 1 and files[0].suffix == ".py" else folder


def _lone_zip(source: Path) -> Path | None:
    """The zip that is all there is in a folder, as learning platforms hand it out."""
    inside = _visible(source) if source.is_dir() and os.access(source, os.R_OK | os.X_OK) else []
    is_zip = len(inside) == 1 and inside[0].suffix.lower() == ".zip" and not inside[0].is_symlink()
    return inside[0] if is_zip else None


def _content(source: Path) -> bytes:
    if source.stat().st_size > LARGEST:
        raise BadSubmission(f"{source.name}: is larger than {LARGEST // MEGABYTE} MB")
    return source.read_bytes()


def _some(source: Path, files: Mapping[PurePosixPath, bytes]) -> Mapping[PurePosixPath, bytes]:
    if not files:
        raise BadSubmission(f"{source.name}: there is no file in it")
    if not any(path.suffix.lower() == ".py" for path in files):
        inner = next((path.name for path in files if path.suffix.lower() in ARCHIVES), None)
        if inner:
            raise BadSubmission(f"{source.name}: there is no Python file in it, but {shown(inner)}: unpack that one")
    return files


def _write(target: Path, files: Mapping[PurePosixPath, bytes]) -> None:
    for path, content in files.items():
        whole = target / path
        _make_folders(target, whole.parent)
        whole.write_bytes(content)
        whole.chmod(0o644)
    target.chmod(0o755)


def _make_folders(target: Path, folder: Path) -> None:
    for one in [*reversed(folder.relative_to(target).parents), folder.relative_to(target)]:
        whole = target / one
        whole.mkdir(exist_ok=True)
        whole.chmod(0o755)


def _copy_folder(source: Path, target: Path) -> None:
    """All files, and the links that lead somewhere as links; looked at first, copied then."""
    root = source.resolve()
    wanted = list(_wanted(root, source.name))
    if not wanted:
        raise BadSubmission(f"{source.name}: there is no file in it")
    for path, link in wanted:
        copy = target / path.relative_to(root)
        _make_folders(target, copy.parent)
        if link is not None:
            copy.symlink_to(link)
            continue
        with path.open("rb") as file, copy.open("xb") as out:
            while piece := file.read(MEGABYTE):
                out.write(piece)
        copy.chmod(0o644)


def _wanted(root: Path, name: str) -> Iterator[tuple[Path, str | None]]:
    """The files below a folder, and its links with what they lead to; BadSubmission for what is not taken."""
    count = size = 0
    for folder, folders, files in os.walk(root, onerror=_closed):
        links = [one for one in folders if os.path.islink(os.path.join(folder, one))]
        folders[:] = sorted(one for one in folders if one not in LEFT_OUT and one not in links)
        for path in [Path(folder, one) for one in sorted([*files, *links]) if one not in LEFT_OUT]:
            check_name(name, str(path.relative_to(root)))
            found = path.lstat()
            count, size = count + 1, size + found.st_size
            if count > MOST_FILES or size > MOST_BYTES:
                raise BadSubmission(
                    f"{name}: more than {MOST_FILES:,} files or {MOST_BYTES // MEGABYTE:,} MB are in the folder"
                )
            if stat.S_ISLNK(found.st_mode):
                link = _link(root, path, name)
                if path.exists():
                    yield path, link
            elif stat.S_ISREG(found.st_mode):
                yield path, None
            else:
                raise BadSubmission(f"{name}: {shown(path.name)} is neither a file nor a folder")


def _closed(error: OSError) -> None:
    raise error


def _link(root: Path, path: Path, name: str) -> str:
    """What a link leads to, from where it lies; it must not lead out."""
    leads_to = os.path.realpath(path)
    if not Path(leads_to).is_relative_to(root):
        raise BadSubmission(f"{name}: {shown(path.name)} is a link that leads out of the folder")
    return os.path.relpath(leads_to, os.path.realpath(path.parent))
