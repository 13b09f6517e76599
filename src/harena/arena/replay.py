"""Records as text, and played again: every move, the landings of chance included, is checked against the rules."""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from harena.arena.record import Ply, Record, from_dict
from harena.errors import BadText, HarenaError, IllegalMove
from harena.termination import Termination

if TYPE_CHECKING:
    from harena.api import State

MOVERS = ("player 1", "player 2", "chance")


class BadGame(HarenaError):
    """A record or list of moves that the rules contradict; names the ply and the move."""


def as_text(record: Record) -> str:
    """The record as one line of JSON, in ASCII; a number that JSON has no word for (nan, inf) counts as not said."""
    plain = record.as_dict()
    try:
        return dumps(plain)
    except ValueError:
        plain = _finite(plain)
        plain["plies"] = [{key: value for key, value in ply.items() if value is not None} for ply in plain["plies"]]
        return dumps(plain)


def from_text(text: str) -> Record:
    """The record of such a line; BadText says what is wrong with any other."""
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadText(f"this is no JSON: {error}") from None
    record = from_dict(plain)
    texts = (
        record.game,
        record.start,
        record.reason,
        record.detail,
        record.traceback,
        *(ply.move for ply in record.plies),
    )
    if not all(isinstance(text, str) for text in texts) or not isinstance(record.options, dict):
        raise BadText("this is no record of a game: a name, position or move is no text")
    if not all(who in (0, 1, 2) and isinstance(who, int) for who in (record.winner or 0, *_movers(record))):
        raise BadText("this is no record of a game: players are 0 and 1, chance is 2")
    said = (number for ply in record.plies for number in (ply.seconds, ply.value, ply.depth, ply.nodes))
    if not all(isinstance(number, int | float | None) for number in said):
        raise BadText("this is no record of a game: what a move took and was worth are numbers")
    if record.winner == 2 or (record.score is not None and len(record.score) != 2):
        raise BadText("this is no record of a game: there are two players")
    return record


def _movers(record: Record) -> Iterator[int]:
    return (ply.by for ply in record.plies)


def states(record: Record) -> Iterator["State"]:
    """The start of a game, then the position after each of its plies.

    BadGame names the first ply that the rules forbid or that another player was to make, or says what the end should
    have been. The position's text and the moves decide: a file that the options name (a board of tiles) need not exist.
    """
    state = start(record)
    yield state
    for number, ply in enumerate(record.plies, 1):
        if not state.is_over and ply.by != state.mover:
            raise BadGame(f"ply {number}, {ply.move}: it was for {MOVERS[state.mover]}, not {MOVERS[ply.by]}, to move")
        state = after(state, number, ply.move)
        yield state
    _check_end(record, state)


def _check_end(record: Record, state: "State") -> None:
    outcome = state.outcome
    if record.reason != Termination.RULES:
        if outcome is not None or record.winner is None:
            raise BadGame(
                f"the record ends the game by {str(record.reason)!r}, which has a loser and leaves a game unfinished"
            )
    elif outcome is None:
        raise BadGame(f"after ply {len(record.plies)} the game is not over, but the record says that it is")
    elif (outcome.winner, outcome.score) != (record.winner, record.score):
        said = f"{'draw' if record.winner is None else f'player {record.winner + 1} wins'} {record.score or ''}"
        raise BadGame(f"the game ends with: {outcome}; the record says: {said.strip()}")


def start(record: Record) -> "State":
    """The position in which a game began; NotTrusted for a game in a file that the user has not typed."""
    from harena.find import face, game, stored_name
    from harena.games.face import read_position

    name = stored_name(record.game, record.rules_digest)
    found = face(name)
    value = read_position(found, record.start)
    known = {name: value for name, value in record.options.items() if name not in ("setup", "first")}
    return game(name, **(known | found.options_of(value))).position(record.start)


def played(state: "State", moves: Iterable[str]) -> Iterator["State"]:
    """The position itself, and the one after each of the moves; BadGame as in `states`."""
    yield state
    for number, move in enumerate(moves, 1):
        state = after(state, number, move)
        yield state


def after(state: "State", number: int, move: str) -> "State":
    """The position after the move that is ply `number`."""
    try:
        return state.play(move)
    except IllegalMove as error:
        words = str(error)
        raise BadGame(f"ply {number}, {words if words.startswith(move) else f'{move}: {words}'}") from None


def rerecord(record: Record) -> Record:
    """The record that playing its moves again gives; what agents said and took is taken over.

    `as_text` of both is the same, byte for byte, unless the record spells a position or a move otherwise than we do.
    """
    line = list(states(record))
    plies = [
        replace(ply, by=before.mover, move=str(then.last_move))
        for ply, (before, then) in zip(record.plies, pairwise(line), strict=True)
    ]
    again = replace(record, start=line[0].text, plies=tuple[Ply, ...](plies))
    outcome = line[-1].outcome
    if record.reason != Termination.RULES or outcome is None:
        return again
    return replace(again, winner=outcome.winner, score=outcome.score)


def dumps(plain: Any) -> str:
    """JSON of the one form that is stored: short, ASCII, keys as they come."""
    try:
        return json.dumps(plain, separators=(",", ":"), allow_nan=False, default=_number)
    except TypeError as error:
        raise BadText(f"this cannot be written as JSON: {error}") from None


def _number(value: Any) -> Any:
    """A number of numpy as Python's."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{type(value).__name__} is no plain data")


def _finite(plain: Any) -> Any:
    if isinstance(plain, Mapping):
        return {key: _finite(value) for key, value in plain.items()}
    if isinstance(plain, list | tuple):
        return [_finite(value) for value in plain]
    return None if isinstance(plain, float) and not math.isfinite(plain) else plain
