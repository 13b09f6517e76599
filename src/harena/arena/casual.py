"""What a game with people has in common at the terminal and in the browser: its conditions, and how it is kept."""

from collections.abc import Iterable
from typing import Any

from harena.agents.spec import parse_agent
from harena.arena import machine
from harena.arena.record import HUMAN, Record
from harena.arena.sources import whole_digests
from harena.arena.store import Store
from harena.search.result import Limits

KIND = "play"  # of the runs that hold such games


def conditions(limits: Limits, game: str = "", agents: Iterable[str] = (), walls: str = "auto") -> dict[str, Any]:
    """What is kept with the game; of a game and of agents in files also their digests and sandboxes."""
    seats = [text for text in dict.fromkeys(agents) if text != HUMAN]
    levels = {text: level for text in seats if (level := parse_agent(text).sandbox_level(walls))}
    digests = whole_digests(game, seats)
    return {
        "limits": {key: value for key, value in vars(limits).items() if value is not None},
        **machine.here(),
        "undone": 0,
        "hints": 0,
        **({"sandbox": levels} if levels else {}),
        **({"sources": digests} if digests else {}),
    }


def new_run(store: Store, record: Record) -> str:
    """A run of its own for one game."""
    spec = {"game": record.game, "options": dict(record.options), "agents": list(record.seats)}
    return store.new_run(KIND, spec).id


def keep(store: Store, record: Record, run: str | None = None) -> int:
    """Store a finished game; its number. With the run of an earlier try it is never stored twice."""
    run = run or new_run(store, record)
    number = store.add_game(run, "0", record)
    store.finish(run)
    return store.numbers(run)["0"] if number is None else number
