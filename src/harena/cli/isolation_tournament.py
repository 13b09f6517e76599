"""`harena isolation-tournament`: the Isolation course's table, line by line as the games end."""

import os

from harena.arena.runs.executors import LocalExecutor
from harena.arena.runs.run import start_run
from harena.cli.live_run import announce, play_run
from harena.courses.isolation_tournament import GAME, USUAL, tournament
from harena.heuristics.catalogue import HEURISTICS
from harena.search.result import Limits

OWN = "game_agent.py"  # the agent that is tested where none is named, as in the course's folder


def hold(
    agents: list[str],
    *,
    every: bool,
    games: int,
    seconds: float,
    nodes: int | None,
    seed: int,
    concurrency: int,
    sandbox: str,
    store: str | None,
    against: str = USUAL,
) -> None:
    """Play the tournament and print its table; Ctrl-C prints what there is, and how to go on."""
    texts = [*agents, *(HEURISTICS[GAME] if every else ())]
    if not texts and os.path.isfile(OWN):
        texts = [OWN]
    limits = Limits(seconds=seconds) if nodes is None else Limits(nodes=nodes)
    found = tournament(texts, games=games, limits=limits, seed=seed, sandbox=sandbox, against=against)
    play_run(announce(start_run)(found, store, LocalExecutor(concurrency)), is_new=True)
