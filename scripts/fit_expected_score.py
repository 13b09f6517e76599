"""Find the slopes of src/harena/agents/expected.py again.

    python scripts/fit_expected_score.py [GAME ...] [--games 200] [--first 0] [--nodes 20000] [--pictures docs/strength]

In every game both sides play the champion's search with the same budget, 1000 or 5000 nodes a move, after up to three
random plies for each row of the board. Every position in which a player decides is judged with `--nodes`; those that
this proves won or lost are left out, since no curve is needed there. Where the game has dice the champion's values are
expected scores already and nothing is fitted.

The slopes that it prints are fitted to every second game. The others show how reliable the slopes are that are in
expected.py (enter new ones there, and run it again): docs/strength/GAME-reliability.svg draws, of the positions with
some expected score, how many points were made; the intervals are by drawing whole games again, since the positions of
one game have one result.
"""

import argparse
import random
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import numpy as np

import harena
from harena.agents.expected import SCALES, Judged, champions_score, fit, surprise
from harena.agents.judging import Judge
from harena.api import Game, State
from harena.contract import CHANCE
from harena.kernel.rng import generator
from harena.render import plot
from harena.search.result import Limits

SIZES = {"isolation": (6, 7, 8), "colosseum": (6, 8, 10, 12), "tiles": (6, 8, 10), "trap": (5, 7, 8)}
SETUPS = {"isolation": "start", "colosseum": None, "tiles": "random", "trap": None}
STRENGTHS = (1000, 5000)
FEWEST = 8  # positions of a bin
PICTURES = Path(__file__).parents[1] / "docs" / "strength"


class Position(NamedTuple):
    """A judged position, of which game and size, and the score that the curve in use expects of it."""

    game: int
    size: int
    judged: Judged
    expected: float


def start(name: str, seed: int, drawn: random.Random) -> State:
    """A start position of some size, and some random plies, so that one side is often better."""
    size = drawn.choice(SIZES[name])
    state, rng = harena.game(name, size=size, setup=SETUPS[name]).initial(seed), generator(seed)
    for _ in range(drawn.randrange(2, 3 * size)):
        after = state.play(state.random_move(rng))
        if after.is_over:
            break
        state = after
    return state


def played(name: str, seed: int) -> list[tuple[State, float]]:
    """The positions of one game in which a player decided, each with the points that he got in the end."""
    drawn, rng = random.Random(f"{name} {seed}"), generator(seed, 1)
    state = start(name, seed, drawn)
    player = harena.player("champion", state.game)
    limits = Limits(nodes=drawn.choice(STRENGTHS))
    line: list[State] = []
    while not state.is_over:
        if state.mover == CHANCE:
            state = state.play(state.random_move(rng))
            continue
        line.append(state)
        player.forget()
        state = state.play(player.think(state, limits).move)
    winner = state.outcome.winner if state.outcome else None
    return [(one, 0.5 if winner is None else float(winner == one.mover)) for one in line]


def judged(judge: Judge, state: State, limits: Limits) -> list[float] | None:
    """What the last two depths say of a position; None if it is proven."""
    judge.player.forget()
    last = judge.player.think(state, limits)
    if last.proven is not None or last.value is None or not last.depth:
        return None
    if last.depth == 1:
        return [last.value]
    judge.player.forget()
    before = judge.player.think(state, replace(limits, depth=last.depth - 1))
    return [last.value, before.value or 0.0]


def positions(name: str, games: range, limits: Limits) -> list[Position]:
    """All positions of these games that are not proven."""
    judges: dict[Game, Judge] = {}
    found, scale = [], SCALES[name]
    for number in games:
        for state, points in played(name, number):
            if state.game not in judges:
                judges[state.game] = Judge(harena.player("champion", state.game), scale.slope, dice=scale.dice)
            said = judged(judges[state.game], state, limits)
            if said is not None:
                one = Judged(said, points, scale.phase(state.value))
                expected = mean(champions_score(state, value) or 0.0 for value in said)
                found.append(Position(number, int(state.game.options["size"]), one, expected))
    return found


def bins(rows: list[tuple[int, float, float]]) -> list[tuple[float, float, float, float, int]]:
    """Of (game, expected, made): for each tenth of the expected scores the means, an interval and the number."""
    drawn, games = np.random.default_rng(0), sorted({game for game, _, _ in rows})
    shown = []
    for tenth in range(10):
        own = [row for row in rows if min(int(10 * row[1]), 9) == tenth]
        if len(own) < FEWEST:
            continue
        sums = {game: [0.0, 0] for game in games}
        for game, _, made in own:
            sums[game][0] += made
            sums[game][1] += 1
        totals = np.array(list(sums.values()))
        draws = [totals[drawn.integers(len(games), size=len(games))].sum(0) for _ in range(500)]
        means = [made / number for made, number in draws if number]
        low, high = np.quantile(means, (0.025, 0.975))
        made = mean(row[2] for row in own)
        shown.append((mean(row[1] for row in own), made, min(low, made), max(high, made), len(own)))
    return shown


def report(name: str, games: range, limits: Limits, pictures: Path) -> None:
    """Print the slopes of a game and its sizes; draw how reliable those in use are, with other games."""
    found, scale = positions(name, games, limits), SCALES[name]
    by_size = {size: [one for one in found if one.size == size] for size in SIZES[name]}
    halves = {size: [[one for one in own if one.game % 2 == rest] for rest in (0, 1)] for size, own in by_size.items()}
    halves = {size: both for size, both in halves.items() if all(both)}
    if not halves:
        print(f"{name}: too few games")
        return
    if not scale.dice:
        for sizes in [[size] for size in halves], [list(halves)]:  # a slope for each size, or one for all
            groups = [[one.judged for size in some for one in halves[size][0]] for some in sizes]
            slopes, steeper = fit(groups, steepens=bool(scale.steeper))
            for some, group, slope in zip(sizes, groups, slopes, strict=True):
                print(f"{name} {' '.join(map(str, some))}: slope {slope:.3f} of {len(group)} positions")
            if scale.steeper:
                print(f"{name}: steeper by {steeper:.2f}")
    for some in [*([size] for size in halves), list(halves)]:
        others = [(one.expected, one.judged.points) for size in some for one in halves[size][1]]
        print(
            f"{name} {' '.join(map(str, some))}: in use: surprise {surprise(others):.4f} of {len(others)}", flush=True
        )
    shown = bins([(one.game, one.expected, one.judged.points) for one in found if one.game % 2])
    title = f"{name}: what the champion expects, and what is made of it ({len(games) // 2} games)"
    (pictures / f"{name}-reliability.svg").write_bytes(plot.reliability(shown, title=title, form="svg"))
    for expected, made, low, high, number in shown:
        print(f"  expected {expected:.2f}  made {made:.2f} ({low:.2f} to {high:.2f})  {number} positions")


if __name__ == "__main__":
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("names", nargs="*", metavar="GAME", help=f"of {', '.join(SCALES)}; else all")
    reader.add_argument("--games", type=int, default=200)
    reader.add_argument("--first", type=int, default=0, help="the number of the first game: other numbers, other games")
    reader.add_argument("--nodes", type=int, default=20_000)
    reader.add_argument("--pictures", type=Path, default=PICTURES)
    given = reader.parse_args()
    if unknown := set(given.names) - set(SCALES):
        reader.error(f"no game {min(unknown)!r}; there are {', '.join(SCALES)}")
    for each in given.names or SCALES:
        report(each, range(given.first, given.first + given.games), Limits(nodes=given.nodes), given.pictures)
