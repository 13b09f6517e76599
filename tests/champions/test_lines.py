"""What champions say about their search: a line that can be played, and no proof of what was not looked at."""

import pytest

import harena
from harena.agents.informed import informed
from harena.kernel.rng import generator

STARTS = {"isolation": (6, 7), "colosseum": (2, 8), "trap": (0, 7), "tiles": (4, 8)}  # plies at random, and the size


@pytest.mark.parametrize("game", STARTS)
def test_the_expected_line_can_be_played(game: str) -> None:
    plies, size = STARTS[game]
    state, rng = harena.game(game, size=size).initial(3), generator(3)
    for _ in range(plies):
        state = state.play(state.random_move(rng))
    champion = harena.player("champion", state.game)
    found = (champion if game != "isolation" else informed(champion)).think(state, harena.Limits(nodes=1_500_000))
    assert len(found.line) > 1 and found.line[0] == found.move
    for move in found.line:
        assert move in state.moves()
        state = state.play(move)


def test_what_was_not_looked_at_is_not_proven() -> None:
    state = harena.game("isolation", size=5).position("..x../...xx/1x2xx/x.xxx/.xx.x 2")
    assert harena.solve(state).value == 1
    found = informed(harena.player("champion", state.game)).think(state, harena.Limits(nodes=1))
    assert found.proven != -1
