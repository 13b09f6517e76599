"""Parts of a store's list of games: those that fit what somebody looks for, the newest first, page by page."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from harena.arena.replay import dumps
from harena.arena.store import ROW, Row, Store
from harena.errors import UnknownName
from harena.games.catalogue import CATALOGUE
from harena.termination import Termination

MOST_ASKED = 500  # games in one question to the store
RESULTS = {
    "first": ("the first player won", "winner = 0"),
    "second": ("the second player won", "winner = 1"),
    "draw": ("draw", "winner IS NULL"),
    "fault": ("somebody made a mistake", f"reason != '{Termination.RULES}'"),
}


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What a list is to show; an empty text fits everything."""

    run: str = ""
    game: str = ""
    player: str = ""  # a part of an agent's text, in capitals or not
    result: str = ""  # one of RESULTS
    pair: str = ""  # two agents of a contest by their numbers, "0-1"
    after: int = 0  # the number of a game: only later ones
    without: tuple[str, ...] = ()  # runs that are not for everybody

    def __post_init__(self) -> None:
        if self.result and self.result not in RESULTS:
            raise UnknownName("result", self.result, RESULTS)


def newest(store: Store, wanted: Wanted, *, skip: int = 0, most: int = 50) -> tuple[list[Row], int]:
    """The games that fit, and how many there are in all; their moves are not looked at, so damaged ones are listed."""
    asks = RESULTS[wanted.result][1] if wanted.result else "1"
    alike = "? IN ('', run) AND ? IN ('', game) AND instr(lower(seats), lower(?))"
    paired = "? IN ('', substr(slot, 1, instr(slot, '/') - 1))"
    shown = f"run NOT IN ({', '.join('?' * len(wanted.without))})"
    fits = f"FROM games WHERE id > ? AND {alike} AND {paired} AND {asks} AND {shown}"
    player = dumps(wanted.player)[1:-1]  # seats are kept as JSON
    values = (wanted.after, wanted.run, wanted.game, player, wanted.pair, *wanted.without)
    (count,) = store.select(f"count(*) {fits}", *values)[0]
    found = store.select(f"{ROW} {fits} ORDER BY id DESC LIMIT ? OFFSET ?", *values, most, skip)
    return [_row(columns) for columns in found], count


def _row(columns: tuple[object, ...]) -> Row:
    given = dict(zip(ROW.split(", "), columns, strict=True))
    try:
        first, second = json.loads(str(given["seats"]))
    except (TypeError, ValueError):
        first = second = "?"
    return Row(**given | {"seats": (str(first), str(second))})  # type: ignore[arg-type]


def scores(store: Store, numbers: Sequence[int]) -> dict[int, list[int]]:
    """The points of those games that are played for points; of a damaged record there are none."""
    asked = ", ".join("?" * len(numbers))
    score = "CASE WHEN json_valid(record) THEN json_extract(record, '$.score') END"
    found = store.select(f"id, {score} FROM games WHERE id IN ({asked})", *numbers)
    return {number: json.loads(points) for number, points in found if isinstance(points, str) and points[0] == "["}


def sizes(store: Store, rows: Sequence[Row]) -> dict[int, str]:
    """The size of the board of each of these games, as it is typed; empty where a game of the user's own has none."""
    found: dict[int, str] = {}
    for first in range(0, len(rows), MOST_ASKED):
        some = rows[first : first + MOST_ASKED]
        asked = ", ".join("?" * len(some))
        size = "CASE WHEN json_valid(record) THEN json_extract(record, '$.options.size') END"
        stored = dict(store.select(f"id, {size} FROM games WHERE id IN ({asked})", *(row.id for row in some)))
        for row in some:
            known = CATALOGUE.get(row.game)
            size_of = stored.get(row.id) or (known.default_size if known else "")
            found[row.id] = str(size_of)
    return found


def originals(store: Store, run: str) -> dict[int, int]:
    """The games of a run that it took over from earlier ones: by number, the number that each had first."""
    copies = "FROM games JOIN games AS first ON first.checksum = games.checksum AND first.record = games.record"
    found = store.select(f"games.id, min(first.id) {copies} WHERE games.run = ? GROUP BY games.id", run)
    return {number: first for number, first in found if first != number}
