"""Taking in what was handed in: a file, a folder or a zip, copied into a folder of its own.

What is copied can be read by anybody and executed by nobody. A submission that cannot be trusted as mere files (links
that lead out of it, devices, bombs, names that nobody can write) is refused, and nothing of it stays.
"""

import errno
import os
import re
import shutil
import stat
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import BinaryIO

from harena.courses.archives import LEFT_OUT, MEGABYTE, BadSubmission, check_name, shown, unzipped
from harena.errors import printable
from harena.sandbox.workplace import workplace

__all__ = ["BadSubmission", "HandedIn", "is_safe_name", "only_file", "remarks", "submissions", "take_in", "unpacked"]

MOST_BYTES, MOST_FILES = 1024 * MEGABYTE, 20_000  # of a folder: large data are no bomb
ARCHIVES = (".zip", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".rar", ".7z")  # only the first is read
LARGEST = 64 * MEGABYTE  # a single file
LONGEST = 80  # letters of a name
MOST_TOLD = 5  # files in a remark
IS_LINK = (errno.ELOOP, errno.EMLINK)  # what the system says of a link that is not to be followed
IS_SOCKET = (errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP)  # and of a socket or a device that nobody serves
UNREADABLE = (PermissionError, FileNotFoundError)
DEEPEST = 100  # folders within each other: each is open while it is copied
READABLE_FOLDER, READABLE_FILE = 0o755, 0o644  # another user may run it; whoever stages it closes the folder above


@dataclass(frozen=True, kw_only=True)
class HandedIn:
    """A submission in an instructor's folder, by a name that no other has and that any file may have."""

    name: str
    path: Path

    @property
    def file(self) -> str:
        """What it was called when it was handed in, as it may be shown."""
        return printable(self.path.name)


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
    renamed = [f"{one.file} as {one.name}" for one in taken if one.name != _own_name(one.path)]
    others = [printable(path.name) for path in _visible(folder) if not _is_submission(path)]
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
    return [path for path in found if _is_visible(path.name)]


def _is_visible(name: str) -> bool:
    return not name.startswith(".") and name not in LEFT_OUT


def _own_name(path: Path) -> str:
    return path.name if path.is_dir() else path.stem


def _is_submission(path: Path) -> bool:
    return path.is_dir() or path.suffix.lower() == ".py" or path.suffix.lower() in ARCHIVES


def _safe(name: str) -> str:
    """A name of letters, digits, dashes, points and underscores, none of them first but a letter or digit."""
    known = unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode())
    safe = re.sub(r"[^\w.-]+", "_", known).strip("._-").encode()[:LONGEST].decode(errors="ignore")
    return safe or "submission"


def is_safe_name(name: str) -> bool:
    """Whether `submissions` may have given this name: it can be that of a file or folder, and leads nowhere else."""
    return re.fullmatch(r"[^\W_][\w.-]*", name) is not None


def _unique(name: str, taken: set[str]) -> str:
    number, tried = 1, name
    while tried.casefold() in taken:
        number += 1
        tried = f"{name}-{number}"
    return tried


def take_in(source: Path, target: Path) -> None:
    """Copy a submission into this empty folder; BadSubmission says why not, and then the folder is still empty.

    Everything is opened once, below the descriptor of the folder in which it lies, and never through a link; what was
    opened is looked at and copied. A file that its author exchanges meanwhile is the old one, the new one, or refused.
    """
    source = Path(os.path.abspath(source))
    target.mkdir(parents=True, exist_ok=True)
    assert not any(target.iterdir())
    real = Path(os.path.realpath(source.parent), source.name)
    try:
        with _opened(source) as submission:
            _copy(_Source(name=source.name, real=real), submission, target)
    except (BadSubmission, *UNREADABLE) as error:
        for path in target.iterdir():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        if isinstance(error, BadSubmission):
            raise
        what = shown(os.path.basename(os.fsdecode(error.filename or source.name)))
        why = "cannot be read" if isinstance(error, PermissionError) else "was removed while it was read"
        raise BadSubmission(f"{source.name}: {what} {why}") from None


@dataclass(frozen=True, kw_only=True)
class _Source:
    """Where a submission comes from: its name for messages, and its path, by which the ends of links are judged."""

    name: str
    real: Path


def _copy(source: _Source, submission: int, target: Path) -> None:
    """Copy what this descriptor has open: a folder, the zip alone in it, a zip, or a Python file."""
    kind, suffix = os.fstat(submission).st_mode, PurePosixPath(source.name).suffix.lower()
    if stat.S_ISDIR(kind):
        with _lone_zip(submission, source.name) as lone:
            if lone is not None:
                _write(target, _some(lone.name, unzipped(lone.name, lone.file)))
            else:
                _Copier(source, target).copy(submission)
    elif stat.S_ISREG(kind) and suffix == ".zip":
        with _reading(submission) as file:
            _write(target, _some(source.name, unzipped(source.name, file)))
    elif stat.S_ISREG(kind) and suffix == ".py":
        with _reading(submission) as file:
            _write(target, {PurePosixPath(f"{_safe(PurePosixPath(source.name).stem)}.py"): _content(source.name, file)})
    else:
        raise BadSubmission(f"{source.name}: is neither a Python file nor a folder nor a zip")


@contextmanager
def _opened(source: Path) -> Iterator[int]:
    """The descriptor of a submission, opened in the folder in which it lies."""
    folder = os.open(source.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        submission = _open_in(folder, source.name, source.name)
    except FileNotFoundError:
        raise BadSubmission(f"{source.name}: is neither a Python file nor a folder nor a zip") from None
    finally:
        os.close(folder)
    if submission is None:
        raise BadSubmission(f"{source.name}: is a link, not a submission")
    try:
        yield submission
    finally:
        os.close(submission)


def _open_in(folder: int, name: str, called: str) -> int | None:
    """Open what lies in a folder under this name, to read; None for a link. A pipe does not wait for its writer.

    BadSubmission for a socket, of the submission that is called so.
    """
    try:
        return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY, dir_fd=folder)
    except OSError as error:
        if error.errno in IS_LINK:
            return None
        raise _odd(called, name) if error.errno in IS_SOCKET else error from None


def _odd(called: str, name: str) -> BadSubmission:
    return BadSubmission(f"{called}: {shown(name)} is neither a file nor a folder")


def _reading(descriptor: int) -> BinaryIO:
    """The open file as Python has it; closing it leaves the descriptor open."""
    return os.fdopen(descriptor, "rb", closefd=False)


@contextmanager
def unpacked(given: Path) -> Iterator[Path]:
    """A file or folder as it is, unless it is packed, as grading takes it in: then what was in it, for a while."""
    if not (given.is_file() and given.suffix.lower() in ARCHIVES) and not _holds_lone_zip(given):
        yield given
        return
    with TemporaryDirectory(dir=workplace().folder) as place:
        home = Path(place) / _safe(_own_name(given))
        take_in(given, home)
        yield only_file(home) or home


def only_file(folder: Path) -> Path | None:
    """The file of a submission that is just one, so that what is wrong is said of it; else None."""
    files = list(folder.iterdir())
    return files[0] if len(files) == 1 and files[0].suffix == ".py" else None


@dataclass(frozen=True, kw_only=True)
class _Zip:
    name: str
    file: BinaryIO


@contextmanager
def _lone_zip(folder: int, called: str) -> Iterator[_Zip | None]:
    """The zip that is all there is in an open folder, as learning platforms hand it out; else None."""
    names = [name for name in os.listdir(folder) if _is_visible(name)]
    is_alone = len(names) == 1 and PurePosixPath(names[0]).suffix.lower() == ".zip"
    descriptor = _open_in(folder, names[0], called) if is_alone else None
    if descriptor is None:
        yield None
        return
    try:
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        yield _Zip(name=names[0], file=_reading(descriptor)) if is_file else None
    finally:
        os.close(descriptor)


def _holds_lone_zip(path: Path) -> bool:
    if not path.is_dir() or not os.access(path, os.R_OK | os.X_OK):
        return False
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with _lone_zip(folder, path.name) as lone:
            return lone is not None
    finally:
        os.close(folder)


def _content(name: str, file: BinaryIO) -> bytes:
    content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise BadSubmission(f"{name}: is larger than {LARGEST // MEGABYTE} MB")
    return content


def _some(name: str, files: Mapping[PurePosixPath, bytes]) -> Mapping[PurePosixPath, bytes]:
    if not files:
        raise BadSubmission(f"{name}: there is no file in it")
    if not any(path.suffix.lower() == ".py" for path in files):
        inner = next((path.name for path in files if path.suffix.lower() in ARCHIVES), None)
        if inner:
            raise BadSubmission(f"{name}: there is no Python file in it, but {shown(inner)}: unpack that one")
    return files


def _write(target: Path, files: Mapping[PurePosixPath, bytes]) -> None:
    for path, content in files.items():
        whole = target / path
        _make_folders(target, whole.parent)
        whole.write_bytes(content)
        whole.chmod(READABLE_FILE)


def _make_folders(target: Path, folder: Path) -> None:
    for one in [*reversed(folder.relative_to(target).parents), folder.relative_to(target)]:
        whole = target / one
        whole.mkdir(exist_ok=True)
        whole.chmod(READABLE_FOLDER)


def _as_text(name: str) -> str:
    """A name or path that may hold bytes which are not UTF-8, with a mark in the place of each."""
    return os.fsencode(name).decode("utf-8", "replace")


def _names_as_text(names: list[str]) -> dict[str, str]:
    """What files of one folder are called in a copy, by their names: no two alike, and texts as they are."""
    copies, taken, others = dict[str, str](), set[str](), Counter[str]()
    for name in sorted(names, key=lambda name: (_as_text(name) != name, name)):
        text = copy = _as_text(name)
        while copy in taken:
            others[text] += 1
            copy = f"{others[text] + 1}-{text}"
        copies[name] = copy
        taken.add(copy)
    return copies


class _Copier:
    """Copies a folder by descriptors: all files, and the links that lead somewhere within it as links."""

    def __init__(self, source: _Source, target: Path) -> None:
        self.source, self.target = source, target
        self.files = self.size = 0

    def copy(self, folder: int) -> None:
        """Copy what is in an open folder; BadSubmission for what is not taken."""
        self._copy(folder, PurePosixPath(), PurePosixPath())
        if not any(self.target.iterdir()):
            raise BadSubmission(f"{self.source.name}: there is no file in it")

    def _copy(self, folder: int, place: PurePosixPath, copy: PurePosixPath) -> None:
        """Copy the open folder at a place within the submission; its copy may have another name there."""
        if len(place.parts) > DEEPEST:
            raise BadSubmission(f"{self.source.name}: there are more than {DEEPEST} folders within each other")
        for name, written in _names_as_text(os.listdir(folder)).items():
            if name not in LEFT_OUT:
                self._copy_entry(folder, place / name, copy / written)

    def _copy_entry(self, folder: int, place: PurePosixPath, copy: PurePosixPath) -> None:
        opened = _open_in(folder, place.name, self.source.name)
        if opened is None:
            self._count(copy, 0)
            self._copy_link(place, copy)
            return
        try:
            found = os.fstat(opened)
            if stat.S_ISDIR(found.st_mode):
                self._copy(opened, place, copy)
                return
            self._count(copy, found.st_size)
            if not stat.S_ISREG(found.st_mode):
                raise _odd(self.source.name, place.name)
            self._copy_file(opened, copy, found.st_size)
        finally:
            os.close(opened)

    def _count(self, copy: PurePosixPath, size: int) -> None:
        check_name(self.source.name, str(copy))
        self.files, self.size = self.files + 1, self.size + size
        if self.files > MOST_FILES or self.size > MOST_BYTES:
            limits = f"{MOST_FILES:,} files or {MOST_BYTES // MEGABYTE:,} MB"
            raise BadSubmission(f"{self.source.name}: more than {limits} are in the folder")

    def _copy_file(self, opened: int, copy: PurePosixPath, size: int) -> None:
        """Copy as many bytes as were counted: the file may grow."""
        whole = self._room_for(copy)
        with _reading(opened) as file, whole.open("xb") as out:
            while piece := file.read(min(MEGABYTE, size)):
                out.write(piece)
                size -= len(piece)
        whole.chmod(READABLE_FILE)

    def _copy_link(self, place: PurePosixPath, copy: PurePosixPath) -> None:
        """A link within the submission as a link, written by names alone; one that leads nowhere is left out."""
        whole = self.source.real / place
        leads_to = Path(os.path.realpath(whole))
        if not leads_to.is_relative_to(self.source.real):
            raise BadSubmission(f"{self.source.name}: {shown(place.name)} is a link that leads out of the folder")
        if whole.exists():
            self._room_for(copy).symlink_to(_as_text(os.path.relpath(leads_to, whole.parent)))

    def _room_for(self, copy: PurePosixPath) -> Path:
        whole = self.target / copy
        _make_folders(self.target, whole.parent)
        return whole
