"""The files of a zip that nobody has looked at: read with care, or refused with one line.

Nothing is written here. A zip is refused if it is broken or encrypted, if it holds links, devices or names that lead
out of its folder or cannot be written, or if it is a bomb: too many files or bytes, or too much out of too little.
"""

import io
import lzma
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import BinaryIO

from harena.errors import HarenaError, printable

MEGABYTE = 1 << 20
MOST_BYTES, MOST_FILES = 64 * MEGABYTE, 2000
RATIO, SMALL = 200, 8 * MEGABYTE  # more than that many times its size is a bomb, unless it is small all the same
LONGEST_PATH, LONGEST_NAME = 1000, 200  # bytes
LEFT_OUT = frozenset(
    (".git", ".svn", ".hg", "__pycache__", "__MACOSX", ".DS_Store", ".ipynb_checkpoints", ".venv", "Icon\r")
)
ENTRY = b"PK\x01\x02"  # before every entry of the table of contents
MOST_ENTRIES = 10 * MOST_FILES  # folders and what is left out count here too
PIECE = 1 << 16
ENCRYPTED = 1  # a flag of an entry
BROKEN = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError, LookupError, OverflowError),
)


class BadSubmission(HarenaError):
    """A submission that is not taken in, and why: one line, whatever the names in it are."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


def unzipped(name: str, file: BinaryIO) -> Mapping[PurePosixPath, bytes]:
    """The files of an open zip by their paths; BadSubmission if it is not to be trusted. `name` is the zip's."""
    data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise BadSubmission(f"{name}: the zip is larger than {MOST_BYTES // MEGABYTE} MB")
    if data.count(ENTRY) > MOST_ENTRIES:  # before they are all read into memory
        raise BadSubmission(f"{name}: there are more than {MOST_FILES:,} files in the zip")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _files(name, archive)
    except BROKEN as error:
        about = " ".join(str(error).split())[:80]
        raise BadSubmission(f"{name}: the zip cannot be read ({about or type(error).__name__})") from None


def _files(zip_name: str, archive: zipfile.ZipFile) -> Mapping[PurePosixPath, bytes]:
    entries: dict[PurePosixPath, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        if LEFT_OUT.intersection(re.split(r"[/\\]", info.filename)):
            continue
        path = _path(zip_name, info)
        if info.filename.endswith(("/", "\\")):
            continue
        if path in entries:
            raise BadSubmission(f"{zip_name}: {path} is in the zip twice")
        entries[path] = info
    if len(entries) > MOST_FILES:
        raise BadSubmission(f"{zip_name}: there are more than {MOST_FILES:,} files in the zip")
    for path in entries:
        if file := next((one for one in path.parents if one in entries), None):
            raise BadSubmission(f"{zip_name}: {file} is a file and a folder")
    found, left = {}, MOST_BYTES
    for path, info in entries.items():
        found[path] = _content(zip_name, archive, info, left)
        left -= len(found[path])
    return found


def _path(zip_name: str, info: zipfile.ZipInfo) -> PurePosixPath:
    """Where an entry belongs, within the folder of the submission."""
    name = info.filename.replace("\\", "/")
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        raise BadSubmission(f"{zip_name}: {shown(name)} is a link; put the file itself into the zip")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise BadSubmission(f"{zip_name}: {shown(name)} is neither a file nor a folder")
    if info.flag_bits & ENCRYPTED:
        raise BadSubmission(f"{zip_name}: the zip is encrypted")
    if name.startswith("/") or re.match(r"[A-Za-z]:", name) or ".." in name.split("/"):
        raise BadSubmission(f"{zip_name}: {shown(name)} lies outside of the submission's folder")
    check_name(zip_name, name)
    return PurePosixPath(name)


def check_name(source: str, path: str) -> None:
    """BadSubmission for a path that has odd characters in it, or is too long to be written anywhere."""
    if re.search(r"[\x00-\x1f\x7f-\x9f]", path) or not (path.strip("/. ") or path.endswith("/")):
        raise BadSubmission(f"{source}: the name {shown(path)} cannot be used")
    if len(path.encode()) > LONGEST_PATH or any(len(part.encode()) > LONGEST_NAME for part in path.split("/")):
        raise BadSubmission(f"{source}: the name {shown(path)} is too long")


def shown(name: str) -> str:
    """A stranger's name for a message: short, and printable."""
    return f"{name[:60]!a}{'...' * (len(name) > 60)}"


def _content(zip_name: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo, left: int) -> bytes:
    """The bytes of an entry, however many it claims to have, but no more than are left."""
    most = max(SMALL, RATIO * max(1, info.compress_size))
    pieces, size = [], 0
    with archive.open(info) as file:
        while piece := file.read(PIECE):
            size += len(piece)
            if size > left:
                raise BadSubmission(f"{zip_name}: the files in the zip have more than {MOST_BYTES // MEGABYTE} MB")
            if size > most:
                raise BadSubmission(f"{zip_name}: {shown(info.filename)} is a zip bomb")
            pieces.append(piece)
    return b"".join(pieces)
