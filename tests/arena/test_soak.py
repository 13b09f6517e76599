"""Long runs of the arena, for `make soak`: what a tight clock costs on busy cores."""

import pytest

from harena.bench.matches import measure
from harena.cli.bench_arena import lines

GAMES, MARGIN = 2000, 0.005


@pytest.mark.soak
def test_two_thousand_games_at_10_ms_with_5_ms_of_margin_on_busy_cores(capsys: pytest.CaptureFixture[str]) -> None:
    found = measure(GAMES, margin=MARGIN)
    with capsys.disabled():
        print()
        for name, text in lines(found):
            print(f"{name:>20}  {text}")
    assert found.games == GAMES
    assert found.time_losses == 0  # whatever overran, the machine's own stalls explained
