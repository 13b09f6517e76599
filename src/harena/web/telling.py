"""A table as JSON: what a page needs to draw it, to go on from what it has seen, and to say who is thinking."""

import time
from itertools import islice, pairwise
from typing import Any

from harena.api import State
from harena.arena.record import HUMAN, Record
from harena.contract import CHANCE
from harena.games.catalogue import CATALOGUE
from harena.termination import Termination
from harena.web.naming import named, spoken, without_paths
from harena.web.replays import told_score
from harena.web.seeing import pictured, seen
from harena.web.tables import Table

MOST_STEPS = 12  # plies that are shown one by one to who was away


def told(table: Table, since: int | None = None) -> dict[str, Any]:
    """All of a table; `steps` are the pictures of what happened after ply `since`."""
    with table.lock:
        session = table.session
        version, mover, number, trouble = table.version, table.mover, table.number, table.trouble
        waited, unmoved, rematch = time.monotonic() - table.turn_began, table.unmoved, table.rematch
    record, state = session.record, session.state
    plies = [{"by": ply.by, "move": ply.move, "seconds": ply.seconds, "value": ply.value} for ply in record.plies]
    is_over = mover is None
    return {
        "id": table.name,
        "version": version,
        "title": CATALOGUE[record.game].title,
        "seats": [named(text) for text in record.seats],
        "seed": record.seed,
        "limits": record.conditions.get("limits", {}),
        "state": {**seen(state), **({"moves": [], "mover": None, "over": True} if is_over else {})},
        "plies": plies,
        "steps": [] if since is None else _steps(state, since, len(plies)),
        "thinking": None if is_over or record.seats[state.mover] == HUMAN else state.mover,
        "waited": round(waited, 3),
        "spent": [_spent(record, seat, unmoved if seat == state.mover else 0) for seat in (0, 1)],
        "over": is_over,
        "winner": record.winner,
        "score": None if record.score is None else list(record.score),
        "result": _result(record) if is_over else "",
        "why": _why(record, state) if is_over else "",
        "undoable": not is_over and session.undo_depth > 0,
        "hints": record.conditions.get("hints", 0),
        "undone": record.conditions.get("undone", 0),
        "number": number,
        "rematch": rematch,
        "trouble": without_paths(trouble),
    }


def _spent(record: Record, seat: int, unmoved: float) -> float:
    """The seconds of a seat's clock: of its moves, and of the turn in which the game ended without one."""
    return round(sum(ply.seconds or 0 for ply in record.plies if ply.by == seat) + unmoved, 3)


def _result(record: Record) -> str:
    """How a game ended, in words."""
    if record.winner is None:
        words = "A draw"
    elif HUMAN in record.seats and record.seats[0] != record.seats[1]:
        words = "You win" if record.seats[record.winner] == HUMAN else "You lose"
    else:
        words = f"Player {record.winner + 1} wins"
    if record.score is not None:
        words += f" {told_score(record)}"
    if record.reason == Termination.RULES or record.winner is None:
        return words
    if record.reason == Termination.RESIGNED:
        return f"{words}: you resigned" if words == "You lose" else f"{words}: player {2 - record.winner} resigned"
    return f"{words}: player {2 - record.winner} lost by {record.reason}" + (
        f" ({without_paths(record.detail)})" if record.detail else ""
    )


def _why(record: Record, state: State) -> str:
    """Why the rules ended it, in words; empty where something else did, which its result says."""
    if record.reason != Termination.RULES:
        return ""
    words = state.game.face.end_text(state.value)
    if record.seats[0] != record.seats[1]:
        for seat, text in enumerate(record.seats):
            words = words.replace(f"player {seat + 1}", "you" if text == HUMAN else spoken(text))
    return words[:1].upper() + words[1:]


def _steps(state: State, since: int, plies: int) -> list[dict[str, Any]]:
    """The positions after each of the last plies, oldest first."""
    count = min(max(plies - since, 0), MOST_STEPS)
    past = list(islice(state.history(), count + 1))[::-1]
    return [_step(before, after) for before, after in pairwise(past)]


def _step(before: State, after: State) -> dict[str, Any]:
    picture = after.picture
    words = f"player {before.mover + 1} plays {after.last_move}"
    if before.mover == CHANCE:
        words = _landed(before, after)
    return {
        "by": before.mover,
        "move": str(after.last_move),
        "words": words,
        "position": after.text,
        "picture": None if picture is None else pictured(picture),
    }


def _landed(before: State, after: State) -> str:
    """What the dice said."""
    thrown, cell = str(before.last_move).lstrip("@"), str(after.last_move).lstrip("!")
    return f"a hit: the trap lands on {cell}" if thrown == cell else f"a miss: the trap lands on {cell}"
