"""Stored games for a program of one's own: all of a store one after the other, each with its positions.

for stored in harena.games_in():
    print(stored.number, stored.record.seats, stored.record.winner)
    for state in stored.states(): ...
"""

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from harena.api import State
from harena.arena.record import Record
from harena.arena.replay import states
from harena.arena.store import Run, Store
from harena.arena.troubles import DamagedRecord
from harena.errors import HarenaError, UnknownName
from harena.find import face
from harena.games.catalogue import CATALOGUE
from harena.kernel.trusted import typed_game, typed_namesake
from harena.render.page import paragraphs
from harena.render.replay_html import replay_html

Place = str | os.PathLike[str] | None


@dataclass(frozen=True, kw_only=True)
class StoredGame:
    """A game with its place in the store: its number, its run, its slot in the run's schedule, and when it ended."""

    number: int
    run: str
    slot: str
    created: str  # UTC, as 2026-11-15T23:28:06Z
    record: Record

    def states(self) -> Iterator[State]:
        """The start, then the position after each ply; HarenaError if the rules contradict the record.

        A game in a file is loaded only after `harena.trust_game(file)`: that runs it, and a record may name any file.
        """
        return states(self.record)

    def _repr_html_(self) -> str:
        """A small player, as a notebook shows it; a sentence where the positions cannot be drawn."""
        record = self.record
        winner = "draw" if record.winner is None else f"{record.seats[record.winner]} wins"
        title = f"game {self.number}: {record.seats[0]} against {record.seats[1]}: {winner} ({record.reason})"
        try:
            positions = list(self.states())
        except HarenaError as error:
            return paragraphs([title, str(error)])
        drawings = [state.svg() for state in positions]
        moves = ["start", *(f"ply {number}: {ply.move}" for number, ply in enumerate(record.plies, 1))]
        captions = [f"{move}; {state.caption}" for move, state in zip(moves, positions, strict=True)]
        return replay_html(title, [drawing or "" for drawing in drawings], captions)


def runs_in(store: Place = None) -> list[Run]:
    """The runs of a store (a file; by default the one that commands use), in the order in which they began."""
    with Store(store, writing=False) as found:
        return found.runs()


def games_in(store: Place = None, *, run: str | None = None, game: str | None = None) -> Iterator[StoredGame]:
    """The games of a store, oldest first, one read at a time; only those of a run (by the begin of its id) or game.

    A game of one's own goes by what was typed for it, as `nim.py`, or by the name of its entry once
    `harena.trust_game` knows its file. UnknownName if it is none of ours, and none of the store's.
    Games of a run that is being played can be read too. Of a damaged one a line goes to stderr, and the others follow.
    """
    with Store(store, writing=False) as found:
        wanted = None if game is None else named_in(found, game)
        for row in found.rows(None if run is None else found.run_like(run).id):
            if wanted is not None and row.game not in wanted:
                continue
            try:
                record = found.record(row.id)
            except DamagedRecord as damage:
                print(f"harena: {damage}", file=sys.stderr)
                continue
            yield StoredGame(number=row.id, run=row.run, slot=row.slot, created=row.created, record=record)


def named_in(store: Store, game: str) -> set[str]:
    """What records call the game of this name."""
    names = sorted(name for (name,) in store.select("DISTINCT game FROM games"))
    if game in names or game in CATALOGUE:
        return {game}
    found = {name for name in names if name not in CATALOGUE and _entry_name(name) == game}
    if not found:
        raise UnknownName("game", game, names or CATALOGUE, guesses=False)
    return found


def _entry_name(name: str) -> str | None:
    """What a game of the user's own calls itself; None unless its file was typed (`harena.trust_game`)."""
    found = typed_game(name, None) or typed_namesake(name)
    try:
        return None if found is None else face(found).entry.name
    except HarenaError:
        return None
