"""A game as the document that `static/replay.js` shows.

It is complete in itself: the same viewer shows it on a page of the server, in a frame, and in a file without a server.

| key | |
|---|---|
| `number`, `run`, `created` | of a stored game; else null |
| `game`, `title`, `options`, `seats` | what was played, and by whom |
| `winner`, `score`, `reason`, `detail` | as in the record |
| `end` | how it ended, in words; null while it is being played |
| `scales` | by seat, what the values mean: see `scale_of` |
| `plies` | the start, then the position after every ply: see `shown_ply` |
| `notice` | why there is no board: of a game in a file that this server does not load; the moves are there |
| `trouble` | where a record contradicts the rules: in words, after the plies up to there |
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from harena.agents.expected import champions_score
from harena.agents.spec import CHAMPION, parse_agent
from harena.api import State
from harena.arena.record import Ply, Record
from harena.arena.replay import from_text
from harena.arena.store import Row
from harena.contract import CHANCE
from harena.errors import HarenaError
from harena.games.catalogue import CATALOGUE
from harena.kernel.trusted import NotTrusted
from harena.search.workspace import WIN
from harena.termination import Termination
from harena.web.naming import named, without_paths
from harena.web.seeing import pictured
from harena.web.stored import NOTICE, stored_states

KEPT = 32  # documents
COLOURS = {"R": "red", "B": "blue"}
NOTHING = Ply(by=2, move="")  # what was said about the start


def told_score(record: Record) -> str:
    """The points of a game, the winner's first."""
    first, second = record.score or (0, 0)
    return f"{second}:{first}" if record.winner == 1 else f"{first}:{second}"


def ending(record: Record, last: State | None = None) -> str:
    """How a game ended, in words; and why the rules ended it, where the last position is known."""
    why = last.game.face.end_text(last.value) if last is not None and last.is_over else ""
    because = f": {why}" if why else ""
    points = f" {told_score(record)}" if record.score else ""
    if record.winner is None:
        return f"Draw{points}{because}." if record.reason == Termination.RULES else f"{record.reason.capitalize()}."
    won = f"Player {record.winner + 1} wins{points}"
    if record.reason == Termination.RULES:
        return f"{won}{because}."
    detail = f" ({without_paths(record.detail)})" if record.detail else ""
    return f"{won}: player {2 - record.winner} {Termination(record.reason).words.deed}{detail}."


@lru_cache(maxsize=KEPT)
def _resolved(text: str, game: str) -> tuple[str, Mapping[str, Any]] | None:
    """The algorithm of a player and its options; None for an agent that is no player."""
    try:
        return parse_agent(text).resolve(game)
    except (HarenaError, ValueError):
        return None  # the name of an older version, or somebody's own game


def scale_of(text: str, game: str) -> dict[str, float] | None:
    """The values of a won and of a lost game in this agent's own words; None where only the agent knows."""
    if (found := _resolved(text, game)) is None:
        return None
    name, options = found
    if name == "mcts":
        return {"win": float(options.get("win", 1)), "loss": float(options.get("loss", 0))}
    return {"win": WIN, "loss": -WIN}


def shown_ply(state: State, said: Ply = NOTHING, seats: tuple[str, str] | None = None) -> dict[str, Any]:
    """One position, with what was said about the move that led to it, by one of the seats.

    `expected` is the score, from 0 to 1, that the value let its player expect, where that is known: of champions.
    """
    picture, before, expected = state.picture, state.previous, None
    if seats is not None and before is not None and said.value is not None and said.by != CHANCE:
        found = _resolved(seats[said.by], state.game.name)
        expected = champions_score(before, said.value) if found is not None and found[0] == CHAMPION else None
    return {
        "by": None if before is None else before.mover,
        "move": None if state.last_move is None else str(state.last_move),
        "seconds": said.seconds,
        "value": said.value,
        "expected": expected,
        "depth": said.depth,
        "nodes": said.nodes,
        "caption": state.caption,
        "position": state.text,
        "picture": None if picture is None else pictured(picture),
    }


def heading(game: str, options: dict[str, Any], seats: tuple[str, str]) -> dict[str, Any]:
    """The part of a document that is known before the first move."""
    entry = CATALOGUE.get(game)
    return {
        "number": None,
        "run": None,
        "created": None,
        "game": without_paths(game),
        "title": entry.title if entry else without_paths(game),
        "options": {key: without_paths(str(value)) for key, value in options.items() if value is not None},
        "seats": [named(text) for text in seats],
        "scales": [scale_of(text, game) for text in seats],
        "winner": None,
        "score": None,
        "reason": "",
        "detail": "",
        "end": None,
        "trouble": None,
        "notice": None,
    }


def begun_with(game: str, options: Mapping[str, str]) -> str:
    """The options of a game in words; a set-up only where there are several."""
    entry, said = CATALOGUE.get(game), dict(options)
    size, setup, first = (said.pop(name, "") for name in ("size", "setup", "first"))
    rows, _, columns = size.partition("x")
    words = [f"{rows} × {columns or rows} board"] if size else []
    if setup and (entry is None or len(entry.setups) > 1):
        words.append(f"set-up {setup}")
    if first:
        words.append(f"{COLOURS.get(first, first)} begins")
    return ", ".join([*words, *(f"{name} {value}" for name, value in said.items())])


def result(record: Record, last: State | None = None) -> dict[str, Any]:
    """The part of a document that is known after the last move."""
    return {
        "winner": record.winner,
        "score": list(record.score) if record.score else None,
        "reason": record.reason,
        "detail": without_paths(record.detail),
        "end": ending(record, last),
    }


@lru_cache(maxsize=KEPT)
def _document(text: str) -> dict[str, Any]:
    record = from_text(text)
    plies: list[dict[str, Any]] = []
    last, trouble = None, None
    try:
        for state, said in zip(stored_states(record), (NOTHING, *record.plies, NOTHING), strict=False):
            plies.append(shown_ply(state, said, record.seats))
            last = state
    except HarenaError as error:
        if not plies:
            raise
        trouble = without_paths(str(error))
    known = heading(record.game, dict(record.options), record.seats)
    return known | result(record, last) | {"trouble": trouble, "plies": plies}


def _without_board(record: Record) -> dict[str, Any]:
    """The document of a game whose rules are not loaded: its moves as they are written."""
    blank = {"caption": "no board is shown", "expected": None, "position": "", "picture": None}
    begin = {**vars(NOTHING), **blank, "by": None, "move": None}
    known = heading(record.game, dict(record.options), record.seats)
    plies = [begin, *({**vars(ply), **blank} for ply in record.plies)]
    return known | result(record) | {"notice": NOTICE, "plies": plies}


def document(text: str, row: Row | None = None) -> dict[str, Any]:
    """The document of a record's text; HarenaError if not even its start can be shown.

    It shares its parts with others: look, but do not change.
    """
    stored = {} if row is None else {"number": row.id, "run": row.run, "created": row.created}
    try:
        return _document(text) | stored
    except NotTrusted:
        return _without_board(from_text(text)) | stored
