"""`harena trap-game`: games of Trap! as the course's Game.py prints them."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from harena.arena.claims import claimed
from harena.arena.contest import Slot
from harena.arena.record import Record
from harena.arena.store import FINISHED, STOPPED, Run, Store
from harena.cli.losses import where_lost
from harena.cli.start import has_colour
from harena.cli.talk import say, thinking
from harena.courses.trap_game import KIND, Series, opening, summary

SEEDS = 2**31


def play_games(
    players: tuple[str, str], *, seconds: float, games: int, seed: int | None, sandbox: str, store: str | None
) -> None:
    """Play, keep and print; after several games also what they show, and at last where they are."""
    chosen = secrets.randbelow(SEEDS) if seed is None else seed
    series = Series(players, seconds=seconds, seed=chosen, sandbox=sandbox, tell=say, colour=has_colour())
    lost: dict[str, list[Slot]] = {"player 1": [], "player 2": []}
    try:
        with Store(store) as kept, _kept_run(kept, series, games) as run:

            def keep(slot: Slot, record: Record) -> None:
                kept.add_game(run.id, str(slot), record)
                if record.winner is not None:
                    lost[f"player {2 - record.winner}"].append(slot)

            say(opening(series))
            with thinking("the players get ready (the first time they are compiled)"):
                series.start()
            records = series.play(games, keep)
            if games > 1:
                say(f"\n{summary(records)}")
            Console(highlight=False).print(where_lost(kept, run, lost), soft_wrap=True)
    finally:
        series.close()


@contextmanager
def _kept_run(kept: Store, series: Series, games: int) -> Iterator[Run]:
    """The run of these games; what is stopped keeps those that were played to their end, if there are any."""
    run = kept.new_run(KIND, {"spec": series.contest.spec.as_dict(), "planned": games})
    with claimed(kept.path, run.id):
        try:
            yield run
        except BaseException:
            if not kept.forget_empty(run.id):
                kept.finish(run.id, STOPPED)
            raise
        kept.finish(run.id, FINISHED)
