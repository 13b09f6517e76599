"""Stored games for tests: short ones, made by hand without any agent."""

from dataclasses import replace
from pathlib import Path

import harena
from harena.api import State
from harena.arena.record import Ply, Record
from harena.arena.store import Store
from harena.contract import CHANCE
from harena.kernel.rng import generator

SIZES = {"trap": 4, "colosseum": 4, "isolation": 4, "tiles": 4}


def played(name: str, seed: int = 1, seats: tuple[str, str] = ("random", "mcts(iterations=50)")) -> Record:
    """A random game with values and times."""
    begin = state = harena.game(name, size=SIZES[name]).initial(seed)
    rng, plies = generator(seed), list[Ply]()
    while not state.is_over:
        by, state = state.mover, _after(state, rng)
        number = len(plies)
        said = {} if by == CHANCE else {"seconds": 0.01 * (1 + number % 4), "value": 0.25 + 0.02 * number, "depth": 3}
        plies.append(Ply(by=by, move=str(state.last_move), **said))  # type: ignore[arg-type]
    end = state.outcome
    assert end is not None
    return Record(
        game=name,
        options={"size": SIZES[name]},
        start=begin.text,
        seats=seats,
        plies=tuple(plies),
        winner=end.winner,
        score=end.score,
    )


def _after(state: State, rng: object) -> State:
    return state.play(state.random_move(rng))  # type: ignore[arg-type]


def cut(record: Record, plies: int = 2) -> Record:
    """The same game, ended by a fault of the second player."""
    return replace(record, plies=record.plies[:plies], winner=0, score=None, reason="time", detail="120 ms too long")


def stocked(path: Path, *records: Record, kind: str = "match", note: str = "") -> tuple[str, list[int]]:
    """A store with these games in one run; the run, and the numbers of the games."""
    with Store(path) as store:
        run = store.new_run(kind, {"spec": {"game": records[0].game, "agents": list(records[0].seats)}}, note).id
        numbers = [store.add_game(run, f"0-1/{number}/0", record) for number, record in enumerate(records)]
        store.finish(run)
    return run, [number for number in numbers if number is not None]
