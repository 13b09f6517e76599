"""`harena trap-game`: games of Trap! as the course's Game.py prints them."""

import secrets

from harena.cli.start import has_colour
from harena.cli.talk import say, thinking
from harena.courses.trap_game import Series, opening, summary

SEEDS = 2**31


def play_games(players: tuple[str, str], *, seconds: float, games: int, seed: int | None, sandbox: str) -> None:
    """Play and print; after several games also what they show."""
    chosen = secrets.randbelow(SEEDS) if seed is None else seed
    series = Series(players, seconds=seconds, seed=chosen, sandbox=sandbox, tell=say, colour=has_colour())
    try:
        say(opening(series))
        with thinking("the players get ready (the first time they are compiled)"):
            series.start()
        records = series.play(games)
    finally:
        series.close()
    if games > 1:
        say(f"\n{summary(records)}")
