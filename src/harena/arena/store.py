"""Games on disk: one SQLite file of runs and of the games that were played in them.

* Every game is one transaction. The log is written ahead (WAL), so readers never wait for the writer, and flushed at
  every commit (`synchronous=FULL`): a game that was reported survives `kill -9` and a power cut. Measured here, that
  costs 4 ms a game in place of 1 ms; starting two agents' processes takes 80 ms.
* A record is kept as the plain JSON text that `export` writes, not compressed (9 times smaller; but 1000 games are only
  3 MB): `sqlite3 FILE` and its JSON functions can read it. A checksum beside it tells when it has changed.
* `UNIQUE(run, slot)`: a game has one place in its run's schedule, and none is ever stored twice.
"""

import json
import os
import secrets
import shlex
import sqlite3
import sys
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal, Self, cast

from harena.arena.claims import is_claimed
from harena.arena.record import Record
from harena.arena.replay import as_text, dumps, from_text
from harena.arena.schema import ADDITIONS, MIGRATIONS, REVIEWS, SCHEMA, STOPS, VERSION, checksum, storable
from harena.arena.store_files import make_private, near_store, store_path
from harena.arena.troubles import PATIENCE, DamagedRecord, StoreDamaged, StoreError, told
from harena.errors import BadText

LAST = 2**63 - 1
LONGEST_WHY = 300  # letters about why a run was stopped
Status = Literal["running", "stopped", "finished"]
RUNNING: Final = "running"
STOPPED: Final = "stopped"
FINISHED: Final = "finished"


@dataclass(frozen=True, kw_only=True)
class Run:
    """A match or tournament: `spec` holds all that is needed to go on with it."""

    id: str
    kind: str
    spec: Mapping[str, Any]
    status: Status
    created: str  # UTC, as 2026-11-15T23:28:06Z
    finished: str | None
    note: str


@dataclass(frozen=True, kw_only=True)
class Row:
    """What a list shows of a game, without its moves."""

    id: int
    run: str
    slot: str
    game: str
    seats: tuple[str, str]
    winner: int | None
    reason: str
    plies: int
    created: str


class Store:
    """The store in this file, made if there is none; `new=False` wants one to exist, as does `writing=False`, to look.

    Threads may share a store: calls take turns. Processes open one each (also after a fork): any number may read while
    one writes. Every trouble with the file is a StoreError of one line.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None, *, writing: bool = True, new: bool = True) -> None:
        self.path = store_path(path)
        if not (writing and new) and not self.path.exists():
            raise StoreError(
                f"there are no games yet: {self.path} does not exist{near_store(self.path) if path else ''}"
            )
        self.writing = writing
        self._lock = threading.RLock()
        self._process = os.getpid()
        self._database = self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *trouble: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the file back; everything is on disk already."""
        with self._lock:
            if self._process == os.getpid():
                self._database.close()

    @property
    def option(self) -> str:
        """What a command needs in order to find this store: nothing if it is the usual one."""
        return "" if self.path == store_path() else f" --store {shlex.quote(str(self.path))}"

    # Runs

    def new_run(self, kind: str, spec: Mapping[str, Any], note: str = "") -> Run:
        """A new run, now running; `spec` is JSON-ready data."""
        text = dumps(dict(spec))
        while True:
            name = secrets.token_hex(4)
            command = "INSERT INTO runs VALUES (?, ?, ?, ?, ?, NULL, ?) ON CONFLICT DO NOTHING"
            if self._do(command, name, kind, text, RUNNING, _now(), note).rowcount:
                return self.run(name)

    def run(self, name: str) -> Run:
        """The run of this id."""
        for row in self._rows(f"SELECT {RUN} FROM runs WHERE id = ?", name):
            return _run(row)
        raise StoreError(f"no run {name!r} in {self.path}: `harena records list{self.option}` shows the runs")

    def run_like(self, name: str) -> Run:
        """The run of this id, or the only one whose id begins so."""
        alike = [run for run in self.runs() if run.id.startswith(name)]
        return alike[0] if len(alike) == 1 else self.run(name)

    def runs(self) -> list[Run]:
        """All runs, in the order in which they began."""
        return [_run(row) for row in self._rows(f"SELECT {RUN} FROM runs ORDER BY rowid")]

    def latest_unfinished(self, kinds: Collection[str]) -> Run | None:
        """The run of these kinds begun last that was stopped, or whose process died; not one that is being played."""
        found = map(_run, self._rows(f"SELECT {RUN} FROM runs WHERE status != ? ORDER BY rowid DESC", FINISHED))
        return next((run for run in found if run.kind in kinds and not is_claimed(self.path, run.id)), None)

    def finish(self, run: str, status: Status = FINISHED, note: str | None = None, why: str = "") -> None:
        """Say how a run stands: finished, stopped (and why, on a line), or (resumed) running again."""
        ended = None if status == RUNNING else _now()
        command = "UPDATE runs SET status = ?, finished = ?, note = coalesce(?, note) WHERE id = ?"
        if not self._do(command, status, ended, note, run).rowcount:
            self.run(run)
        if why:
            self._do("INSERT OR REPLACE INTO stops VALUES (?, ?)", run, " ".join(why.split())[:LONGEST_WHY])
        elif status != STOPPED:
            self._do("DELETE FROM stops WHERE run = ?", run)

    def status(self, run: Run) -> Status:
        """How a run stands: a run that no process plays any more was stopped, whatever it says of itself."""
        if run.status != RUNNING:
            return run.status
        try:
            return RUNNING if is_claimed(self.path, run.id) else STOPPED
        except OSError:  # another user plays it
            return RUNNING

    def stops(self) -> dict[str, str]:
        """Why runs were stopped, as far as anybody said it."""
        if not self._rows("SELECT 1 FROM sqlite_master WHERE name = 'stops'"):
            return {}  # of an older store that is only looked at
        return dict(cast("list[tuple[str, str]]", self._rows("SELECT run, why FROM stops")))

    def forget_empty(self, run: str) -> bool:
        """Remove a run in which no game was played; whether there was one to remove."""
        return bool(self._do("DELETE FROM runs WHERE id = ? AND id NOT IN (SELECT run FROM games)", run).rowcount)

    # Games

    def add_game(self, run: str, slot: str, record: Record) -> int | None:
        """Keep a game, in one transaction; its number.

        If its place is taken by a game that can be read, nothing is changed and the answer is None: the first that is
        stored counts. A damaged one gives way.
        """
        text = as_text(record)
        values = (run, slot, record.game, dumps(record.seats), record.winner, record.reason, len(record.plies), _now())
        command = (
            "INSERT INTO games (run, slot, game, seats, winner, reason, plies, created, checksum, record)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (run, slot) DO NOTHING"
        )
        try:
            done = self._do(command, *values, checksum(text), text)
        except sqlite3.IntegrityError:
            self.run(run)  # says that there is none
            raise
        if done.rowcount:
            return done.lastrowid
        (number,) = self._rows("SELECT id FROM games WHERE run = ? AND slot = ?", run, slot)[0]
        try:
            self.record(number)
        except DamagedRecord:
            self._do("DELETE FROM games WHERE id = ?", number)
            return self.add_game(run, slot, record)
        return None

    def copy_games(self, run: str, places: Mapping[int, str]) -> None:
        """Keep games in this run too, at once and as they are, by number and slot; where one is already it stays."""
        columns = "game, seats, winner, reason, plies, checksum, record"
        command = (
            f"INSERT INTO games (run, slot, created, {columns}) SELECT ?, value, ?, {columns}"
            " FROM json_each(?) JOIN games ON games.id = key WHERE true ON CONFLICT (run, slot) DO NOTHING"
        )
        self._do(command, run, _now(), dumps({str(number): slot for number, slot in places.items()}))

    def slots_done(self, run: str) -> set[str]:
        """The places of this run's schedule whose games are stored."""
        return {slot for (slot,) in self._rows("SELECT slot FROM games WHERE run = ?", run)}

    def numbers(self, run: str) -> dict[str, int]:
        """The number of each game of a run, by its slot."""
        return {slot: number for number, slot in self._numbers(run)}

    def games(self, run: str, report: Callable[[str], None] | None = None) -> Iterator[tuple[str, Record]]:
        """The games of a run with their slots, oldest first; of a damaged one only a line, to `report` or stderr."""
        for number, slot in self._numbers(run):
            try:
                yield slot, self.record(number)
            except DamagedRecord as damage:
                (report or _complain)(str(damage))

    def record(self, number: int) -> Record:
        """The game of this number."""
        text = self.text(number)
        try:
            return from_text(text)
        except BadText as error:
            raise DamagedRecord(f"game {number} in {self.path} cannot be read: {error}") from None

    def text(self, number: int) -> str:
        """The very text of a game, if it is what was stored."""
        return self._checked(number)[1]

    def row(self, number: int) -> Row:
        """What a list shows of this game."""
        return self._checked(number)[0]

    def _checked(self, number: int) -> tuple[Row, str]:
        try:
            found = self._rows(f"SELECT {ROW}, checksum, record FROM games WHERE id = ?", max(0, min(number, LAST)))
            if not found:
                (last,) = self._rows("SELECT max(id) FROM games")[0]
                offer = f"the last is {last}" if last else "it is empty"
                raise StoreError(f"no game {number} in {self.path}: {offer}")
            *columns, summed, text = found[0]
            if not isinstance(text, str) or checksum(text) != summed:
                raise ValueError
            return _row(columns), text
        except (StoreDamaged, TypeError, ValueError):
            raise DamagedRecord(f"game {number} in {self.path} is damaged: it is not what was stored") from None

    def rows(self, run: str | None = None, report: Callable[[str], None] | None = None) -> Iterator[Row]:
        """Every game of a run, or of all, oldest first; damaged ones as in `games`."""
        for number, _ in self._numbers(run):
            try:
                yield self.row(number)
            except DamagedRecord as damage:
                (report or _complain)(str(damage))

    def counts(self) -> dict[str, tuple[int, int, int]]:
        """Of every run that has games: how many, and the first and last number."""
        found = self._rows("SELECT run, count(*), min(id), max(id) FROM games GROUP BY run")
        return {run: (count, first, last) for run, count, first, last in found}

    def _numbers(self, run: str | None) -> list[tuple[int, str]]:
        """Numbers and slots; read from the index, which does not pass through the games themselves."""
        if run is not None:
            self.run(run)
        where, values = ("", ()) if run is None else (" WHERE run = ?", (run,))
        found = self._rows(f"SELECT id, slot FROM games INDEXED BY sqlite_autoindex_games_1{where}", *values)
        return sorted(cast("list[tuple[int, str]]", found))

    # Reviews

    def add_review(self, number: int, player: str, version: int, plain: Mapping[str, Any]) -> None:
        """Keep what a player said of a game, in place of what he said before; `plain` is JSON-ready data."""
        self.row(number)
        command = "INSERT OR REPLACE INTO reviews VALUES (?, ?, ?, ?, ?)"
        self._do(command, number, player, version, _now(), dumps(dict(plain)))

    def review(self, number: int, player: str, version: int) -> Any:
        """What a player said of a game in this version's words, as plain data; None where there is nothing to read."""
        self.row(number)
        if not self._rows("SELECT 1 FROM sqlite_master WHERE name = 'reviews'"):
            return None  # of an older store that is only looked at
        command = "SELECT review FROM reviews WHERE game = ? AND player = ? AND version = ?"
        found = self._rows(command, number, player, version)
        try:
            return json.loads(found[0][0]) if found else None
        except (TypeError, ValueError):
            return None  # damaged: it is made again

    # The file

    def _do(self, command: str, *values: Any) -> sqlite3.Cursor:
        with self._turn():
            return self._database.execute(command, [storable(value) for value in values])

    def select(self, question: str, *values: Any) -> list[tuple[Any, ...]]:
        """The answer to a question in SQL about `runs` and `games`, for lists that want a part of them."""
        return self._rows(f"SELECT {question}", *values)

    def _rows(self, command: str, *values: Any) -> list[tuple[Any, ...]]:
        with self._turn():
            return self._database.execute(command, [storable(value) for value in values]).fetchall()

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if self._process != os.getpid():
            raise StoreError(f"{self.path} was opened in another process: open it again in this one")
        with self._lock, told(self.path):
            yield

    def _open(self) -> sqlite3.Connection:
        if self.writing:
            make_private(self.path)
        with told(self.path):
            try:
                return self._ready("rwc" if self.writing else "rw")
            except sqlite3.OperationalError:
                left = Path(f"{self.path}-wal")  # games that are in the log only: it must be read, too
                if self.writing or (left.exists() and left.stat().st_size):
                    raise
                return self._ready("ro&immutable=1")  # nobody can write there, so nobody does

    def _ready(self, mode: str) -> sqlite3.Connection:
        place = self.path.absolute().as_uri()
        database = sqlite3.connect(
            f"{place}?mode={mode}", uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )
        database.text_factory = lambda data: data.decode("utf-8", "replace")  # damage shows in the checksum
        try:
            database.execute("PRAGMA foreign_keys = ON")
            if self.writing:
                database.execute("PRAGMA journal_mode = WAL")
                database.execute("PRAGMA synchronous = FULL")
                # One process makes or migrates it, others wait; refused if read-only.
                database.execute("BEGIN IMMEDIATE")
            else:
                database.execute("PRAGMA query_only = ON")
            self._check_version(database)
            if self.writing:
                database.execute("COMMIT")
        except BaseException:  # Ctrl-C too must not leave it open and locked
            database.close()
            raise
        return database

    def _check_version(self, database: sqlite3.Connection) -> None:
        """Make a new file a store, bring an old one up to date, refuse whatever else it is."""
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not tables and self.writing:
            for command in (*SCHEMA.split(";"), REVIEWS, STOPS):
                database.execute(command)
            database.execute("INSERT INTO meta VALUES ('version', ?)", (str(VERSION),))
            return
        if not tables:
            raise StoreError(f"there are no games yet: {self.path} is empty")
        found = (
            database.execute("SELECT value FROM meta WHERE name = 'version'").fetchone() if "meta" in tables else None
        )
        if found is None or not {"runs", "games"} <= tables:
            raise StoreError(f"{self.path} is an SQLite file, but no store of games: name another with --store")
        version = int(found[0]) if str(found[0]).isdecimal() else 0
        if version > VERSION:
            raise StoreError(f"{self.path} has version {version}; this harena reads up to {VERSION}: update harena")
        for step in range(version, VERSION):
            if step not in MIGRATIONS:
                raise StoreError(
                    f"{self.path} has version {found[0]}; this harena cannot read it: export it with an older one"
                )
            if not self.writing and step in ADDITIONS:
                continue
            if not self.writing:
                raise StoreError(f"{self.path} has the older version {version}: the next run brings it up to date")
            for command in MIGRATIONS[step].split(";"):
                database.execute(command)
            database.execute("UPDATE meta SET value = ? WHERE name = 'version'", (str(step + 1),))


RUN = "id, kind, spec, status, created, finished, note"
ROW = "id, run, slot, game, seats, winner, reason, plies, created"


def _run(row: tuple[Any, ...]) -> Run:
    name, kind, spec, status, created, finished, note = row
    try:
        plain = json.loads(spec)
    except ValueError:
        raise StoreDamaged(f"run {name} is damaged: its description is no JSON") from None
    return Run(id=name, kind=kind, spec=plain, status=status, created=created, finished=finished, note=note)


def _row(columns: list[Any]) -> Row:
    first, second = json.loads(columns[4])
    return Row(**dict(zip(ROW.split(", "), columns, strict=True)) | {"seats": (str(first), str(second))})


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _complain(line: str) -> None:
    print(f"harena: {line}", file=sys.stderr)
