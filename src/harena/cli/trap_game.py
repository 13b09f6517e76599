"""`harena trap-game`: games of Trap! as the course's Game.py prints them."""

import secrets

from rich.console import Console
from rich.text import Text

from harena.arena.play.session import SEEDS
from harena.arena.record import Record
from harena.arena.runs.runner import hold_run
from harena.arena.slot import Slot
from harena.arena.store import Store
from harena.cli.live_run import live_run
from harena.cli.start import has_colour
from harena.cli.talk import say, thinking
from harena.courses.losses import lost_line
from harena.courses.trap_game import Series, TrapGames, opening, summary


def play_games(
    players: tuple[str, str], *, seconds: float, games: int, seed: int | None, sandbox: str, store: str | None
) -> None:
    """Play, keep and print; after several games also what they show, and at last where they are.

    Ctrl-C or a signal to end says so of the games that were played to their end; a run without one is not kept.
    """
    chosen = secrets.randbelow(SEEDS) if seed is None else seed
    series = Series(players, seconds=seconds, seed=chosen, sandbox=sandbox, tell=say, colour=has_colour())
    lost: dict[str, list[Slot]] = {"player 1": [], "player 2": []}
    records: list[Record] = []
    try:
        with Store(store) as kept:
            run = kept.new_run(TrapGames.kind, TrapGames(spec=series.contest.spec, games=games).to_dict()).id

            def keep(slot: Slot, record: Record) -> None:
                kept.add_game(run, str(slot), record)
                records.append(record)
                if record.winner is not None:
                    lost[f"player {2 - record.winner}"].append(slot)

            def report(console: Console) -> None:
                if records and games > 1:
                    say(f"\n{summary(records)}")
                if records:
                    line = lost_line(run, kept.option, kept.numbers(run), lost)
                    console.print(Text(line, "dim"), soft_wrap=True)

            try:
                with live_run(None, report, again="call `harena trap-game` again"), hold_run(kept, run):
                    say(opening(series))
                    with thinking("the players get ready (the first time they are compiled)"):
                        series.start()
                    series.play(games, keep)
            finally:
                kept.forget_empty(run)
    finally:
        series.close()
