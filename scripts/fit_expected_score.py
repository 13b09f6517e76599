"""Find the slopes of src/harena/arena/expected.py again.

    python scripts/fit_expected_score.py [GAME ...] [--games N]

In every game both sides play the champion's search with the same budget, 1000 or 5000 nodes a move, after up to three
random plies for each row of the board. Every position in which a player decides is judged with 20000 nodes; those that this proves won or lost are left
out, since no curve is needed there.
"""

import argparse
import random
from math import exp, log

import harena
from harena.agents.judging import Judge, logistic
from harena.api import State
from harena.arena.expected import SCALES, fit, surprise
from harena.contract import CHANCE
from harena.kernel.rng import generator
from harena.search.result import Limits

SIZES = {"isolation": (6, 7, 8), "colosseum": (6, 8, 10, 12), "tiles": (6, 8, 10), "trap": (5, 7, 8)}
SETUPS = {"isolation": "start", "colosseum": None, "tiles": "random", "trap": None}
STRENGTHS = (1000, 5000)
JUDGED = Limits(nodes=20_000)
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


def judged(positions: list[tuple[State, float]], slope: float, dice: bool) -> list[tuple[float, float, str]]:
    """(what the judge says, points, size) of every position that it does not prove."""
    found, judges = [], {}
    for state, points in positions:
        if state.game not in judges:
            judges[state.game] = Judge(harena.player("champion", state.game), slope, dice=dice)
        judge = judges[state.game]
        judge.player.forget()
        best = judge.player.think(state, JUDGED).root[0]
        said = judge.score(best) if dice else best.value
        if best.proven is None and said is not None:
            found.append((said, points, str(state.game.options["size"])))
    return found


def report(name: str, games: int) -> None:
    """Print the slope of a game, how well it predicts, and the slopes of its sizes."""
    positions = [one for seed in range(games) for one in played(name, seed)]
    if SCALES[name].dice:
        for slope in SLOPES:
            pairs = [(score, points) for score, points, _ in judged(positions, slope, True)]
            print(f"{name}: slope {slope:.3f} surprise {surprise(pairs):.4f} ({len(pairs)} positions)", flush=True)
        return
    found = judged(positions, 1.0, False)
    slope = fit([(value, points) for value, points, _ in found])
    scores = [(logistic(slope * value), points) for value, points, _ in found]
    print(f"{name}: slope {slope:.3f} surprise {surprise(scores):.4f} ({len(found)} positions of {games} games)")
    for size in sorted({size for *_, size in found}, key=int):
        own = [(value, points) for value, points, one in found if one == size]
        print(f"  size {size}: slope {fit(own):.3f} ({len(own)} positions)", flush=True)


if __name__ == "__main__":
    reader = argparse.ArgumentParser()
    reader.add_argument("names", nargs="*", default=list(SCALES))
    reader.add_argument("--games", type=int, default=200)
    given = reader.parse_args()
    for each in given.names:
        report(each, given.games)
