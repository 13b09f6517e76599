"""Find the slopes of src/harena/arena/expected.py again.

    python scripts/fit_expected_score.py [GAME ...] [--games N] [--nodes N]

In every game both sides play the champion's search with the same budget, 1000 or 5000 nodes a move, after up to three
random plies for each row of the board. Every position in which a player decides is judged with `--nodes`; those that
this proves won or lost are left out, since no curve is needed there.
"""

import argparse
import random
from collections.abc import Callable
from dataclasses import replace
from math import exp, log
from statistics import mean

import harena
from harena.agents.judging import Judge, logistic
from harena.api import Game, State
from harena.arena.expected import SCALES, fit, surprise
from harena.contract import CHANCE
from harena.kernel.rng import generator
from harena.search.result import Limits

SIZES = {"isolation": (6, 7, 8), "colosseum": (6, 8, 10, 12), "tiles": (6, 8, 10), "trap": (5, 7, 8)}
SETUPS = {"isolation": "start", "colosseum": None, "tiles": "random", "trap": None}
STRENGTHS = (1000, 5000)
SLOPES = [0.05 * exp(step * log(40) / 7) for step in range(8)]  # 0.05 to 2, for games with dice


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


def judges(slope: float, dice: bool) -> Callable[[State], Judge]:
    """The champion as a judge, one for each game."""
    made: dict[Game, Judge] = {}

    def of(state: State) -> Judge:
        if state.game not in made:
            made[state.game] = Judge(harena.player("champion", state.game), slope, dice=dice)
        return made[state.game]

    return of


def values(judge: Judge, state: State, limits: Limits) -> list[float] | None:
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


def report_dice(name: str, positions: list[tuple[State, float]], limits: Limits) -> None:
    """Print how much each slope is surprised."""
    for slope in SLOPES:
        judge_of, pairs = judges(slope, True), []
        for state, points in positions:
            found = judge_of(state).judge(state, limits)
            if found.result.proven is None:
                pairs.append((max(found.scores.values()), points))
        print(f"{name}: slope {slope:.3f} surprise {surprise(pairs):.4f} ({len(pairs)} positions)", flush=True)


def report(name: str, games: int, limits: Limits) -> None:
    """Print the slope of a game, how well it predicts, and the slopes of its sizes."""
    positions = [one for seed in range(games) for one in played(name, seed)]
    if SCALES[name].dice:
        report_dice(name, positions, limits)
        return
    judge_of = judges(1.0, False)
    found = [
        (values(judge_of(state), state, limits), points, state.game.options["size"]) for state, points in positions
    ]
    open_ones = [(said, points, size) for said, points, size in found if said is not None]
    for size in (None, *SIZES[name]):
        own = [(said, points) for said, points, one in open_ones if size in (None, one)]
        slope = fit(own)
        scores = [(mean(logistic(slope * value) for value in said), points) for said, points in own]
        print(f"{name} {size or 'all sizes'}: slope {slope:.3f} surprise {surprise(scores):.4f} ({len(own)} positions)")


if __name__ == "__main__":
    reader = argparse.ArgumentParser()
    reader.add_argument("names", nargs="*", default=list(SCALES))
    reader.add_argument("--games", type=int, default=200)
    reader.add_argument("--nodes", type=int, default=20_000)
    given = reader.parse_args()
    for each in given.names:
        report(each, given.games, Limits(nodes=given.nodes))
