"""What a shell offers when Tab is pressed: games, agents, courses and runs."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import Any

MOST_RUNS = 50  # the latest ones


def complete_game(incomplete: str) -> Iterator[tuple[str, str]]:
    """The games whose names begin so."""
    from harena.games.catalogue import CATALOGUE

    for name, entry in CATALOGUE.items():
        if name.startswith(incomplete):
            yield name, entry.summary


def complete_agent(ctx: Any, incomplete: str) -> Iterator[tuple[str, str]]:
    """The named players of the game that was typed before; of all games if none was."""
    from harena.agents.names import PLAYERS

    everyone = {name: entry for players in PLAYERS.values() for name, entry in players.items()}
    players = PLAYERS.get(ctx.params.get("game"), everyone)
    for name, entry in players.items():
        if name.startswith(incomplete):
            yield name, entry.about


def complete_run(ctx: Any, incomplete: str) -> Iterator[tuple[str, str]]:
    """The latest runs of the store whose names begin so."""
    from harena.arena.store_files import store_path

    with suppress(sqlite3.Error, OSError, ValueError, TypeError, KeyError):
        uri = f"{store_path(ctx.params.get('store')).absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(uri, uri=True)) as connection:
            query = "SELECT id, kind, status, spec FROM runs WHERE id LIKE ? || '%' ORDER BY rowid DESC LIMIT ?"
            for run, kind, status, spec in connection.execute(query, (incomplete, MOST_RUNS)):
                yield run, f"{kind} of {json.loads(spec)['spec']['game']}, {status}"
