"""A game in progress between people, or people and agents: one file each, so that a killed server goes on where it was.

A table may be changed from any thread, one change at a time. `version` counts the changes; the feed tells browsers of
them, and they ask for what is new. A finished game is stored like one of `harena play`.
"""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harena.agents.contestant import Said
from harena.agents.fault import AgentFault
from harena.agents.serve import described
from harena.api import State
from harena.arena.casual import keep, new_run
from harena.arena.play.session import GameSession
from harena.arena.record import HUMAN, from_dict
from harena.arena.replay import dumps
from harena.arena.store import Store
from harena.errors import BadText, HarenaError, IllegalMove, UsageError
from harena.search.result import Limits, Result
from harena.web.beside import read_object, write_whole
from harena.web.events import Feed
from harena.web.naming import without_paths
from harena.web.stored import stored_start
from harena.web.thinking import Job

ABANDONED = 86400.0  # seconds after which a game that nobody touched may make room for another


class NotSaved(UsageError):
    """A table's file cannot be written: nothing has changed."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """An agent's turn: what it is asked, and the version of the table that its answer is for."""

    version: int
    seat: int
    state: State
    limits: Limits
    seed: int
    job: Job


class Table:
    """`session` is where the game stands, and always agrees with the file."""

    def __init__(
        self, name: str, session: GameSession, path: Path, store: Path, kept: Mapping[str, Any] | None = None
    ) -> None:
        kept = kept or {}
        self.name, self.session, self.path, self.store = name, session, path, store
        self.is_removed = False
        self.version, self.run, self.number = kept.get("changes", 0), kept.get("run"), kept.get("number")
        self.rematch: str | None = kept.get("rematch")
        self.unmoved: float = kept.get("unmoved", 0.0)  # seconds of the turn in which it ended without a move
        self.trouble = ""  # why something is not written
        self.feed, self.lock, self.job = Feed(), threading.RLock(), Job()
        self.turn_began = time.monotonic()

    # What there is to know

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by the rules or otherwise."""
        return self.is_removed or self.session.is_over

    @property
    def seats(self) -> tuple[str, str]:
        """Who sits where."""
        return self.session.seats

    @property
    def mover(self) -> int | None:
        """The seat that is to decide; None when the game is over."""
        return None if self.is_over else self.session.mover

    @property
    def limits(self) -> Limits:
        """What agents may use for a move."""
        return self.session.terms[0].limits

    def turn(self) -> Turn | None:
        """The turn of an agent, if it is one's."""
        with self.lock:
            seat = self.mover
            if seat is None or self.seats[seat] == HUMAN:
                return None
            self.job = Job()
            return Turn(
                version=self.version,
                seat=seat,
                state=self.session.state,
                limits=self.limits,
                seed=self.session.ply_seed(seat),
                job=self.job,
            )

    # What people and agents do

    def open(self) -> None:
        """A new table: whatever chance decides first, and its file."""
        with self.lock:
            self._commit(self.session.settle())

    def move(self, text: str, ply: int | None = None) -> None:
        """A human's move. `ply` is how many plies he has seen: one that is told twice is made once."""
        with self.lock:
            plies = self.session.plies
            if ply is not None and ply < len(plies) and plies[ply].move == text:
                return
            self._check_human()
            if ply is not None and ply != len(plies):
                raise IllegalMove("the game has gone on meanwhile: look at the board again")
            seconds = round(time.monotonic() - self.turn_began, 3)
            self._commit(self.session.play(text, seconds=seconds).settle())

    def answer(self, turn: Turn, found: Result) -> None:
        """An agent's move; nothing if the game has gone on without it."""
        with self.lock:
            if turn.version != self.version:
                return
            answer = Said(seconds=found.seconds, **described(turn.state, found))
            self._commit(self.session.answer(answer).settle())

    def fail(self, turn: Turn, fault: AgentFault) -> None:
        """An agent did something that loses; nothing if the game has gone on without it."""
        with self.lock:
            if turn.version == self.version:
                self._end(self.session.fail(turn.seat, fault))

    def resign(self) -> None:
        """The human to move gives up; if an agent is to move, the human who plays against it."""
        with self.lock:
            self._heed_end()
            seat = self.session.mover
            self._end(self.session.resign(seat if self.seats[seat] == HUMAN else 1 - seat))

    def undo(self) -> None:
        """Back to the last position in which a human decided; an agent that is thinking is stopped."""
        with self.lock:
            self._heed_end()
            self._commit(self.session.undo())

    def count_hint(self) -> None:
        """Somebody asked the champion."""
        with self.lock:
            self._change(self.version, session=self.session.count("hints"))

    def follow(self, name: str) -> None:
        """The table of the rematch."""
        with self.lock:
            self._commit(self.session, rematch=name)

    def humans_turn(self) -> tuple[State, int]:
        """The position in which a human decides, and its ply; IllegalMove if nobody does."""
        with self.lock:
            self._check_human()
            return self.session.state, len(self.session.plies)

    def _check_human(self) -> None:
        self._heed_end()
        seat = self.session.mover
        if self.seats[seat] != HUMAN:
            raise IllegalMove(f"it is player {seat + 1}'s turn, who is thinking")

    def _heed_end(self) -> None:
        if self.is_over:
            raise IllegalMove("the game is over: a rematch begins another")

    # How it changes

    def _end(self, session: GameSession) -> None:
        """End the game without a move."""
        self._commit(session, unmoved=round(time.monotonic() - self.turn_began, 3))

    def _commit(self, session: GameSession, **changes: Any) -> None:
        """Make a change, also of other attributes: on disk first, then here, then for everybody who looks."""
        self._change(self.version + 1, session=session, **changes)
        self.version += 1
        self.job.stop()
        self.turn_began, self.trouble = time.monotonic(), ""
        if self.is_over:
            self.store_game()
        self.feed.publish("changed", {"version": self.version})

    def _change(self, version: int, **changes: Any) -> None:
        """Give attributes these values and write the file; where it cannot be written they are as before."""
        before = {name: getattr(self, name) for name in changes}
        vars(self).update(changes)
        try:
            self._write(version)
        except NotSaved:
            vars(self).update(before)
            raise

    def complain(self, words: str) -> None:
        """Tell whoever looks that something cannot be written yet."""
        with self.lock:
            if words != self.trouble:
                self.trouble = words
                self.feed.publish("trouble", {"words": without_paths(words)})

    def remove(self) -> None:
        """Give up a game that is not over: nothing of it is kept, and its agents stop."""
        with self.lock:
            self._heed_end()
            try:
                self.path.unlink(missing_ok=True)
            except OSError as error:
                raise NotSaved(f"{self.path}: the game cannot be removed: {error.strerror}") from None
            self.is_removed, self.version = True, self.version + 1
            self.job.stop()
            self.feed.publish("changed", {"version": self.version})

    def store_game(self) -> None:
        """Keep the finished game where all games are; a trouble with the store is told, and tried again later."""
        with self.lock:
            if self.number is not None or not self.session.is_over:
                return
            try:
                with Store(self.store) as store:
                    if self.run is None:
                        self.run = new_run(store, self.session.record)
                        self._write()
                    self.number = keep(store, self.session.record, self.run)
                self.trouble = ""
                self._write()
            except HarenaError as error:
                self.trouble = str(error)

    def _write(self, changes: int | None = None) -> None:
        """Write the file, all of it or nothing."""
        kept = {"changes": self.version if changes is None else changes, "run": self.run, "number": self.number}
        text = dumps(
            {**kept, "rematch": self.rematch, "unmoved": self.unmoved, "record": self.session.record.as_dict()}
        )
        try:
            write_whole(self.path, text)
        except OSError as error:
            raise NotSaved(f"{self.path}: the game cannot be saved: {error.strerror}") from None


def read_table(name: str, path: Path, store: Path) -> Table:
    """The table of a file; BadText says why there is none."""
    kept = read_object(path)
    try:
        record = from_dict(kept.get("record"))
        return Table(name, GameSession.resume(record, stored_start(record)), path, store, kept)
    except (HarenaError, TypeError, AttributeError) as error:
        raise BadText(f"this game cannot go on: {error}") from None
