"""What a second thread is worth to a champion: how much sooner it completes the same depth. docs/strength/threads.md.

    python scripts/champions/threads.py [GAME ...] [--positions 16] [--seconds 0.4]

Positions after a few random moves; the depth is what one thread completes within these seconds. One thread and two then
search it three times from nothing, taking turns, and the quickest of each counts. It prints a row a game, and takes a
minute for each on two idle cores.
"""

import argparse
import sys
import time
from importlib import import_module
from typing import Any

import numpy as np

import harena
from harena.contract import CHANCE
from harena.kernel.rng import generator
from harena.search.result import Limits

SIZES = {"colosseum": (7, 9, 12), "trap": (7,), "tiles": (8, 10)}
MOST_RANDOM = {"colosseum": 14, "trap": 30, "tiles": 14}  # moves, with those of chance
SHALLOWEST, ROUNDS = 3, 3
MOST_TRIED = 20  # positions for one that will do


def start(name: str, number: int) -> harena.State:
    """A position after random moves."""
    rng, sizes = generator(number), SIZES[name]
    state = harena.game(name, size=sizes[number % len(sizes)]).initial(number)
    for _ in range(number % MOST_RANDOM[name]):
        state = state if state.is_over else state.play(state.random_move(rng))
    return state


def seconds_of(champion: Any, state: harena.State, depth: int) -> float:
    """How long a search to this depth takes, from nothing."""
    champion.forget()
    begin = time.perf_counter()
    champion.run(state.value, Limits(depth=depth))
    return time.perf_counter() - begin


def speedups(name: str, positions: int, seconds: float) -> list[float]:
    """How many times as fast two threads are, for each position."""
    build = import_module(f"harena.champions.{name}").champion
    one, two = build(name), build(name, threads=2)
    found: list[float] = []
    for number in range(1, MOST_TRIED * positions):
        state = start(name, number)
        if len(found) == positions:
            break
        if state.is_over or state.mover == CHANCE:
            continue
        for champion in (one, two):  # what is compiled now is not measured
            seconds_of(champion, state, 1)
        one.forget()
        reached = one.run(state.value, Limits(seconds=seconds))
        if (reached.depth or 0) < SHALLOWEST or reached.stopped not in ("seconds", "settled"):
            continue
        taken = [[seconds_of(champion, state, reached.depth) for champion in (one, two)] for _ in range(ROUNDS)]
        alone, together = np.min(taken, axis=0)
        found.append(alone / together)
    return found


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("games", nargs="*", metavar="GAME", help=" ".join(SIZES))
    reader.add_argument("--positions", type=int, default=16)
    reader.add_argument("--seconds", type=float, default=0.4)
    given = reader.parse_args(arguments)
    if unknown := [name for name in given.games if name not in SIZES]:
        reader.error(f"no figures for {unknown[0]}: one of {', '.join(SIZES)}")
    if given.positions < 1:
        reader.error(f"at least one position, not {given.positions}")
    print("| game | positions | two threads are so many times as fast | from | to |\n|---|---|---|---|---|")
    for name in given.games or SIZES:
        found = speedups(name, given.positions, given.seconds)
        if not found:
            sys.exit(f"{name}: nowhere is depth {SHALLOWEST} completed within {given.seconds:g} s: more --seconds")
        mean = np.exp(np.mean(np.log(found)))
        print(f"| {name} | {len(found)} | {mean:.2f} | {min(found):.2f} | {max(found):.2f} |", flush=True)


if __name__ == "__main__":
    main()
