"""Uniform random playouts to the end, one thread, beside the same loop in C measured in the same run.

Both sides take turns in short rounds, so that a noisy machine is noisy for both. They draw from the same generator in
the same order and so must play the very same games: the tallies are compared, and a difference is an error.
"""

import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from harena.api import State
from harena.bench import limit
from harena.errors import HarenaError
from harena.find import game
from harena.kernel.rng import generator
from harena.search.playout import playouts

ROUNDS = 5


@dataclass(frozen=True, kw_only=True)
class Case:
    """A game, a size, and the position that every playout starts from."""

    game: str
    size: int
    setup: str | None = None
    position: str | None = None

    def start(self) -> State:
        """The position."""
        found = game(self.game, size=self.size, setup=self.setup)
        return found.position(self.position) if self.position else found.initial()


CASES = (
    Case(game="isolation", size=7, position="......./...2.../......./...1.../......./......./....... 1"),
    Case(game="colosseum", size=6, setup="empty"),
    Case(game="colosseum", size=12, setup="empty"),
    Case(game="trap", size=7),
    Case(game="tiles", size=4),
    Case(game="tiles", size=10),
)


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """Medians over the rounds; the C figures are None where there is no compiler."""

    game: str
    size: int
    playouts_per_second: float
    plies_per_playout: float
    c_playouts_per_second: float | None
    ratio_to_c: float | None


def measure(case: Case, seconds: float) -> Measurement:
    """Run one case; each side gets about this many seconds."""
    with tempfile.TemporaryDirectory(prefix="harena-bench-") as folder:
        compiler = limit.find_compiler()
        program = limit.build(case.game, case.size, compiler, Path(folder)) if compiler else None
        return _measure(case, program, seconds)


def _measure(case: Case, program: limit.Program | None, seconds: float) -> Measurement:
    state = case.start()
    games = _games_for(state, seconds / ROUNDS)
    rates, c_rates, ratios, plies = [], [], [], 0
    for number in range(ROUNDS):
        rng = generator(number)
        rng_state = int(rng[0])
        begin = time.perf_counter()
        tally = playouts(state.value, rng, games)
        rates.append(games / (time.perf_counter() - begin))
        plies += tally[3]
        if program:
            c_tally, c_seconds = program.run(rng_state, games)
            if tuple(tally) != c_tally:
                raise HarenaError(f"{case.game} {case.size}: C played other games: {c_tally}, not {tuple(tally)}")
            c_rates.append(games / c_seconds)
            ratios.append(rates[-1] / c_rates[-1])
    return Measurement(
        game=case.game,
        size=case.size,
        playouts_per_second=round(statistics.median(rates), 1),
        plies_per_playout=round(plies / (games * ROUNDS), 2),
        c_playouts_per_second=round(statistics.median(c_rates), 1) if c_rates else None,
        ratio_to_c=round(statistics.median(ratios), 3) if ratios else None,
    )


def _games_for(state: State, seconds: float) -> int:
    """How many games take about this long."""
    playouts(state.value, generator(0), 1)  # compiles
    games = 64
    while True:
        begin = time.perf_counter()
        playouts(state.value, generator(0), games)
        taken = time.perf_counter() - begin
        if taken > min(0.02, seconds):
            return max(1, round(games * seconds / taken))
        games *= 4
