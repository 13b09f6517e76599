"""All tables of a server: opened, found again, listed, cleared away; and the agents that sit at them."""

import asyncio
import re
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException

from harena.agents.fault import AgentFault
from harena.agents.player import Player
from harena.api import State
from harena.arena.casual import HUMAN, SEEDS, UNFINISHED, conditions
from harena.arena.record import CRASH, ILLEGAL, UNREADABLE, Record
from harena.errors import BadOption, HarenaError, IllegalMove, UnreadableMove
from harena.games.catalogue import CATALOGUE
from harena.search.result import Limits
from harena.web.beside import clear_parts, folder_of, read_object
from harena.web.config import Config
from harena.web.given import known_game, known_player, placed
from harena.web.keeping import Kept
from harena.web.naming import named, plainly
from harena.web.tables import ABANDONED, NotSaved, Table, Turn, read_table
from harena.web.thinking import PATIENCE, think, thinking

SEATED = 16  # agents that are kept ready from move to move
NAME = re.compile(r"[0-9a-f]{12}")


class Room:
    """The tables of one server."""

    def __init__(self, app: FastAPI) -> None:
        config: Config = app.state.config
        self.app, self.config = app, config
        self.folder = folder_of(config.store, "tables")
        self._tables: dict[str, Table] = {}
        self._lock = threading.Lock()
        self._seated: OrderedDict[tuple[str, int], Player] = OrderedDict()
        self._playing: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._lines: Kept[dict[str, Any]] = Kept(2 * config.tables)  # of the list, by file and time

    # Tables

    def open(
        self,
        name: str,
        seats: tuple[str, str],
        options: dict[str, Any],
        limits: Limits,
        seed: int | None = None,
        position: str | None = None,
    ) -> Table:
        """A new game; without a seed each has another start and other throws."""
        if HUMAN not in seats:
            raise BadOption("a human sits at one side at least: two agents are watched on the page Watch")
        chosen = secrets.randbelow(SEEDS) if seed is None else seed
        begin = placed(name, position) if position else known_game(name, **options).initial(chosen)
        if begin.is_over:
            raise BadOption(f"this game is over already: {begin.outcome}")
        if limits.seconds is not None and limits.seconds > self.config.longest_move:
            raise BadOption(f"here a move takes at most {self.config.longest_move:g} seconds, not {limits.seconds:g}")
        record = Record(
            game=name,
            options=dict(begin.game.options),
            start=begin.text,
            seats=seats,
            plies=(),
            winner=None,
            reason=UNFINISHED,
            seed=chosen,
            conditions={**conditions(limits), **({"position": True} if position else {})},
        )
        return self._open(record, begin)

    def rematch(self, table: Table) -> Table:
        """The same with seats swapped. Two games make a pair and have one start; the third has another."""
        with table.lock:
            if not table.is_over:
                raise IllegalMove("the game is not over yet: resign first, or play on")
            known = self.find(table.rematch) if table.rematch else None
            if known is not None:
                return known
            begun, seed = table.begun, secrets.randbelow(SEEDS)
            *_, begin = table.state.history()
            more: dict[str, Any] = {"position": True} if "position" in begun.conditions else {}
            if "pair" not in begun.conditions:
                more["pair"] = table.name
            elif not more:
                begin = known_game(begun.game, **begun.options).initial(seed)
            record = replace(
                begun,
                start=begin.text,
                seats=(begun.seats[1], begun.seats[0]),
                plies=(),
                winner=None,
                score=None,
                reason=UNFINISHED,
                detail="",
                seed=seed,
                conditions={**conditions(table.limits), **more},
            )
            found = self._open(record, begin)
            table.follow(found.name)
            return found

    def _open(self, record: Record, begin: State) -> Table:
        name = secrets.token_hex(6)
        for seat, text in enumerate(record.seats):
            if text != HUMAN:
                self._sit(name, seat, known_player(self.config, text, begin.game))
        self._make_room()
        table = Table(name, record, begin, self.folder / f"{name}.json", self.config.store)
        table.open()
        with self._lock:
            self._tables[name] = table
        return table

    def find(self, name: str) -> Table | None:
        """The table of this name, from its file if the server was started again since."""
        if not NAME.fullmatch(name):
            return None
        with self._lock:
            known = self._tables.get(name)
        path = self.folder / f"{name}.json"
        if known is not None or not path.exists():
            return known
        read = read_table(name, path, self.config.store)  # its game may have to be compiled: nobody waits for that
        with self._lock:
            return self._tables.setdefault(name, read)

    def remove(self, table: Table) -> None:
        """Give up a game that is not over."""
        table.remove()
        with self._lock:
            self._tables.pop(table.name, None)
        self._dismiss(table)

    def listed(self) -> list[dict[str, Any]]:
        """The games that are not over, the one that was touched last first."""
        return [dict(line) for line in map(self._line, self._files()) if line]

    def _line(self, path: Path) -> dict[str, Any]:
        """What a list says of a game; nothing of one that is over or damaged. A file is read once for each change."""
        with suppress(OSError, HarenaError, KeyError, TypeError, AttributeError):
            found = path.stat()
            stands = (path.stem, found.st_ino, found.st_mtime_ns)  # each change is a new file
            known = self._lines.get(stands)
            if known is not None:
                return known
            record, line = read_object(path)["record"], dict[str, Any]()
            if record["reason"] == UNFINISHED and record["game"] in CATALOGUE:
                told = {name: plainly(record[name]) for name in ("game", "options")}
                seats = [named(text) for text in record["seats"]]
                line = {"id": path.stem, **told, "seats": seats, "plies": len(record["plies"])}
            return self._lines.put(stands, line)
        return {}

    def _files(self) -> list[Path]:
        files = []
        for path in self.folder.glob("*.json"):
            with suppress(OSError):  # cleared away meanwhile
                files += [(path.stat().st_mtime_ns, path)] if NAME.fullmatch(path.stem) else []
        return [path for _, path in sorted(files, reverse=True)]

    def tidy(self) -> None:
        """The server begins: half files go, and games that ended and are not stored yet are stored."""
        clear_parts(self.folder)
        for path in self._files():
            with suppress(HarenaError, KeyError, TypeError):
                table = self.find(path.stem) if _is_over(path) and not _is_stored(path) else None
                if table is not None:
                    table.store_game()

    def _make_room(self) -> None:
        """Clear away games that are stored or abandoned when there are as many as may be."""
        files = self._files()
        for path in reversed(files[self.config.tables // 2 :] if len(files) >= self.config.tables else []):
            with suppress(HarenaError, KeyError, TypeError, OSError):
                age = time.time() - path.stat().st_mtime
                if _is_stored(path) if _is_over(path) else age > ABANDONED:
                    path.unlink()
                    with self._lock:
                        self._tables.pop(path.stem, None)
                    files.remove(path)
        if len(files) >= self.config.tables:
            raise HTTPException(503, f"{len(files)} games are being played here: finish or resign one first")

    # Agents

    def _sit(self, name: str, seat: int, player: Player) -> Player:
        with self._lock:
            self._seated[name, seat] = player
            self._seated.move_to_end((name, seat))
            while len(self._seated) > SEATED:
                self._seated.popitem(last=False)
        return player

    def _player(self, table: Table, seat: int) -> Player:
        """Whoever thinks in this seat; he may keep something from move to move."""
        with self._lock:
            known = self._seated.get((table.name, seat))
        return self._sit(table.name, seat, known or known_player(self.config, table.seats[seat], table.state.game))

    def wake(self, table: Table) -> None:
        """Let the agents of a table play while it is their turn; returns at once. Only from the server's own loop."""
        if table.name in self._playing:
            self._again.add(table.name)
        else:
            self._playing[table.name] = asyncio.create_task(self._play(table))

    async def _play(self, table: Table) -> None:
        try:
            while True:
                self._again.discard(table.name)
                turn = await asyncio.to_thread(table.turn)
                if turn is not None:
                    await self._ask(table, turn)
                elif table.name not in self._again:
                    break
            if table.is_over:
                await asyncio.to_thread(self._dismiss, table)
        finally:
            del self._playing[table.name]

    async def _ask(self, table: Table, turn: Turn) -> None:
        try:
            player = await asyncio.to_thread(self._player, table, turn.seat)
            found = await think(self.app, player, turn.state, turn.limits, seed=turn.seed, job=turn.job)
        except HTTPException:  # too many searches wait already
            await asyncio.sleep(PATIENCE)
        except Exception as error:  # whatever an agent does: the game ends, the server does not
            with self._lock:
                self._seated.pop((table.name, turn.seat), None)
            await self._tell(table, table.fault, turn, *_blamed(error))
        else:
            await self._tell(table, table.answer, turn, found)

    async def _tell(self, table: Table, tell: Callable[..., None], *given: Any) -> None:
        """Tell a table what its agent did, until that is written: a full disk may have room again."""
        while True:
            try:
                await asyncio.to_thread(tell, *given)
                return
            except NotSaved as error:
                await asyncio.to_thread(table.complain, str(error))
                await asyncio.sleep(PATIENCE)

    def _dismiss(self, table: Table) -> None:
        """The agents of a finished game may go."""
        with self._lock:
            gone = [self._seated.pop((table.name, seat), None) for seat in (0, 1)]
        thinking(self.app).dismiss([player for player in gone if player is not None])

    async def close(self) -> None:
        """The server ends: nobody plays on, and the processes of agents go."""
        tasks = list(self._playing.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        with self._lock:
            seated = list(self._seated.values())
            self._seated.clear()
        await asyncio.to_thread(thinking(self.app).dismiss, seated)


def _is_over(path: Path) -> bool:
    """Whether the game of a file has ended."""
    return bool(read_object(path)["record"]["reason"] != UNFINISHED)


def _is_stored(path: Path) -> bool:
    """Whether the finished game of a file is where all games are."""
    return read_object(path).get("number") is not None


def _blamed(error: Exception) -> tuple[str, str]:
    """The reason and the details of an agent's fault."""
    behind = error.__context__
    if isinstance(behind, AgentFault):  # from which `ExternalPlayer` raised it
        return behind.reason, behind.detail
    if isinstance(error, IllegalMove):
        return UNREADABLE if isinstance(error, UnreadableMove) else ILLEGAL, str(error)[:200]
    return CRASH, str(error)[:200] or type(error).__name__


def room(app: FastAPI) -> Room:
    """The tables of this server."""
    if not hasattr(app.state, "room"):
        app.state.room = Room(app)
    found: Room = app.state.room
    return found
