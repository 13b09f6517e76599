"""The tables of a store, how those of an older one become them, and what may stand in them."""

import zlib
from typing import Any

SCHEMA = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE runs (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, spec TEXT NOT NULL, status TEXT NOT NULL,
    created TEXT NOT NULL, finished TEXT, note TEXT NOT NULL DEFAULT ''
);
CREATE TABLE games (
    id INTEGER PRIMARY KEY, run TEXT NOT NULL REFERENCES runs (id), slot TEXT NOT NULL,
    game TEXT NOT NULL, seats TEXT NOT NULL, winner INTEGER, reason TEXT NOT NULL, plies INTEGER NOT NULL,
    created TEXT NOT NULL, checksum INTEGER NOT NULL, record TEXT NOT NULL, UNIQUE (run, slot)
);
"""
REVIEWS = """
CREATE TABLE reviews (
    game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE, player TEXT NOT NULL, version INTEGER NOT NULL,
    created TEXT NOT NULL, review TEXT NOT NULL, PRIMARY KEY (game, player)
) WITHOUT ROWID
"""
STOPS = """
CREATE TABLE stops (run TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE, why TEXT NOT NULL) WITHOUT ROWID
"""
VERSION = 3
MIGRATIONS: dict[int, str] = {1: REVIEWS, 2: STOPS}  # from this version to the next one, as SQL
ADDITIONS = frozenset({1, 2})  # steps that only add tables: who only looks need not wait for them


def storable(value: Any) -> Any:
    """SQLite takes no half of a surrogate pair; a record's own text, which is ASCII, keeps it."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def checksum(text: str) -> int:
    """Of a record."""
    return zlib.crc32(text.encode("ascii"))
