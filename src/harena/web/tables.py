"""A game in progress between people, or people and agents: one file each, so that a killed server goes on where it was.

A table may be changed from any thread, one change at a time. `version` counts the changes; the feed tells browsers of
them, and they ask for what is new. A finished game is stored like one of `harena play`.
"""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harena.agents.serve import described
from harena.api import Move, State
from harena.arena.casual import HUMAN, SEEDS, draw, keep, last_decision, new_run
from harena.arena.record import Ply, Record, from_dict
from harena.arena.replay import dumps, played
from harena.arena.store import Store
from harena.contract import CHANCE
from harena.errors import BadText, HarenaError, IllegalMove, UsageError
from harena.kernel.rng import generator
from harena.search.result import Limits, Result
from harena.termination import Termination
from harena.web.beside import read_object, write_whole
from harena.web.events import Feed
from harena.web.naming import without_paths
from harena.web.stored import stored_start
from harena.web.thinking import Job

REMOVED = "removed"  # the reason of a game that is no more
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
    """`state` and `plies` are where the game stands, and always agree with each other and with the file."""

    def __init__(
        self, name: str, record: Record, state: State, path: Path, store: Path, kept: Mapping[str, Any] | None = None
    ) -> None:
        kept = kept or {}
        self.name, self.begun, self.state, self.path, self.store = name, record, state, path, store
        self.plies, self.conditions = list(record.plies), dict(record.conditions)
        self.limits = Limits(**self.conditions.get("limits", {}))
        self.version, self.run, self.number = kept.get("changes", 0), kept.get("run"), kept.get("number")
        self.rematch: str | None = kept.get("rematch")
        self.unmoved: float = kept.get("unmoved", 0.0)  # seconds of the turn in which it ended without a move
        self.trouble = ""  # why something is not written
        self.feed, self.lock, self.job = Feed(), threading.RLock(), Job()
        self.turn_began = time.monotonic()

    # What there is to know

    @property
    def record(self) -> Record:
        """The game as far as it is played."""
        return replace(self.begun, plies=tuple(self.plies), conditions=self.conditions)

    @property
    def is_over(self) -> bool:
        """Whether it has ended, by the rules or otherwise."""
        return self.begun.reason != Termination.UNFINISHED

    @property
    def seats(self) -> tuple[str, str]:
        """Who sits where."""
        return self.begun.seats

    @property
    def mover(self) -> int | None:
        """The seat that is to decide; None when it is over."""
        return None if self.is_over else self.state.mover

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
                state=self.state,
                limits=self.limits,
                seed=draw(self.begun.seed, "ply", len(self.plies)) % SEEDS,
                job=self.job,
            )

    # What people and agents do

    def open(self) -> None:
        """A new table: whatever chance decides first, and its file."""
        with self.lock:
            self._commit(*self._settled(self.state, list(self.plies)))

    def move(self, text: str, ply: int | None = None) -> None:
        """A human's move. `ply` is how many plies he has seen: one that is told twice is made once."""
        with self.lock:
            if ply is not None and ply < len(self.plies) and self.plies[ply].move == text:
                return
            seat = self._humans_seat()
            if ply is not None and ply != len(self.plies):
                raise IllegalMove("the game has gone on meanwhile: look at the board again")
            after = self.state.play(text)
            seconds = round(time.monotonic() - self.turn_began, 3)
            self._go(after, Ply(by=seat, move=str(after.last_move), seconds=seconds))

    def answer(self, turn: Turn, found: Result) -> None:
        """An agent's move; nothing if the game has gone on without it."""
        with self.lock:
            if turn.version != self.version:
                return
            said = described(turn.state, found)
            self._go(turn.state.play(found.move), Ply(by=turn.seat, seconds=round(found.seconds, 6), **said))

    def fault(self, turn: Turn, reason: str, detail: str) -> None:
        """An agent did something that loses."""
        with self.lock:
            if turn.version == self.version:
                self._end(turn.seat, reason, detail)

    def resign(self) -> None:
        """The human to move gives up; if an agent is to move, the human who plays against it."""
        with self.lock:
            self._heed_end()
            seat = self.state.mover
            self._end(seat if self.seats[seat] == HUMAN else 1 - seat, Termination.RESIGNED, "")

    def undo(self) -> None:
        """Back to the last position in which a human decided; an agent that is thinking is stopped."""
        with self.lock:
            self._heed_end()
            count, state = last_decision(self.state, self.seats)
            if not count:
                raise IllegalMove("there is nothing to take back")
            self._commit(state, self.plies[:-count], conditions=self._counted("undone"))

    def count_hint(self) -> None:
        """Somebody asked the champion."""
        with self.lock:
            self._change(self.version, conditions=self._counted("hints"))

    def _counted(self, what: str) -> dict[str, Any]:
        """The conditions with one more of these."""
        return {**self.conditions, what: self.conditions.get(what, 0) + 1}

    def follow(self, name: str) -> None:
        """The table of the rematch."""
        with self.lock:
            self._commit(self.state, self.plies, rematch=name)

    def humans_turn(self) -> tuple[State, int]:
        """The position in which a human decides, and its ply; IllegalMove if nobody does."""
        with self.lock:
            self._humans_seat()
            return self.state, len(self.plies)

    def _humans_seat(self) -> int:
        self._heed_end()
        seat = self.state.mover
        if self.seats[seat] != HUMAN:
            raise IllegalMove(f"it is player {seat + 1}'s turn, who is thinking")
        return seat

    def _heed_end(self) -> None:
        if self.is_over:
            raise IllegalMove("the game is over: a rematch begins another")

    # How it changes

    def _go(self, state: State, ply: Ply) -> None:
        self._commit(*self._settled(state, [*self.plies, ply]))

    def _settled(self, state: State, plies: list[Ply]) -> tuple[State, list[Ply]]:
        """Chance has decided whatever it has to, with the dice that the referee would draw."""
        while state.mover == CHANCE and not state.is_over:
            landing: Move = state.random_move(generator(draw(self.begun.seed, "dice", len(plies))))
            state, plies = state.play(landing), [*plies, Ply(by=CHANCE, move=str(landing))]
        return state, plies

    def _end(self, loser: int, reason: str, detail: str) -> None:
        begun = replace(self.begun, winner=1 - loser, reason=reason, detail=detail)
        self._commit(self.state, self.plies, begun=begun, unmoved=round(time.monotonic() - self.turn_began, 3))

    def _commit(self, state: State, plies: list[Ply], **changes: Any) -> None:
        """Make a change, also of other attributes: on disk first, then here, then for everybody who looks."""
        outcome = state.outcome
        if outcome is not None and not self.is_over:
            changes["begun"] = replace(self.begun, winner=outcome.winner, score=outcome.score, reason=Termination.RULES)
        self._change(self.version + 1, state=state, plies=plies, **changes)
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
            self.begun, self.version = replace(self.begun, reason=REMOVED), self.version + 1
            self.job.stop()
            self.feed.publish("changed", {"version": self.version})

    def store_game(self) -> None:
        """Keep the finished game where all games are; a trouble with the store is told, and tried again later."""
        with self.lock:
            if self.number is not None or not self.is_over or self.begun.reason == REMOVED:
                return
            try:
                with Store(self.store) as store:
                    if self.run is None:
                        self.run = new_run(store, self.record)
                        self._write()
                    self.number = keep(store, self.record, self.run)
                self.trouble = ""
                self._write()
            except HarenaError as error:
                self.trouble = str(error)

    def _write(self, changes: int | None = None) -> None:
        """Write the file, all of it or nothing."""
        kept = {"changes": self.version if changes is None else changes, "run": self.run, "number": self.number}
        text = dumps({**kept, "rematch": self.rematch, "unmoved": self.unmoved, "record": self.record.as_dict()})
        try:
            write_whole(self.path, text)
        except OSError as error:
            raise NotSaved(f"{self.path}: the game cannot be saved: {error.strerror}") from None


def read_table(name: str, path: Path, store: Path) -> Table:
    """The table of a file; BadText says why there is none."""
    kept = read_object(path)
    try:
        record = from_dict(kept.get("record"))
        *_, last = played(stored_start(record), [ply.move for ply in record.plies])
        return Table(name, record, last, path, store, kept)
    except (HarenaError, TypeError, AttributeError) as error:
        raise BadText(f"this game cannot go on: {error}") from None
