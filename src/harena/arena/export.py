"""Games as rows of a table."""

import json
from importlib import import_module
from typing import Any

from harena.arena.record import Record
from harena.arena.store import Row
from harena.errors import UsageError, clean


def load_pyarrow(complaint: str) -> Any:
    """The module pyarrow; UsageError, in these words, where it is not installed."""
    try:
        return import_module("pyarrow")
    except ImportError:
        raise UsageError(complaint) from None


def game_row(row: Row, record: Record) -> dict[str, Any]:
    """A game as one line of a table.

    `winner_seat` and `winner_player` are the properties of a `Record` with these names. `winner` is `winner_player`
    under the name that it has in tables of version 0.1.0; columns keep their places, and new ones come last.
    """
    spent = [sum(ply.seconds or 0.0 for ply in record.plies if ply.by == seat) for seat in (0, 1)]
    return {
        "number": row.id,
        "run": row.run,
        "slot": row.slot,
        "created": row.created,
        "game": record.game,
        "options": json.dumps(dict(record.options)),
        "start": record.start,
        "player_1": record.seats[0],
        "player_2": record.seats[1],
        "winner": record.winner_player,
        "score_1": record.score[0] if record.score else None,
        "score_2": record.score[1] if record.score else None,
        "reason": record.reason,
        "detail": clean(record.detail),
        "seed": record.seed,
        "plies": len(record.plies),
        "seconds_1": round(spent[0], 6),
        "seconds_2": round(spent[1], 6),
        "moves": " ".join(ply.move for ply in record.plies),
        "winner_seat": record.winner_seat,
        "winner_player": record.winner_player,
    }
