"""The positions that an agent is asked in before it is handed in."""

import pytest

from harena.agents.analysis import solve
from harena.api import State
from harena.courses.sampling import LOST, ONE_MOVE, STUCK, SURVEYS, samples, situation
from harena.search.result import Limits


@pytest.mark.parametrize("game", SURVEYS)
def test_samples_are_the_same_always_and_of_every_size_phase_and_player(game: str) -> None:
    found = samples(game)
    assert [one.state.text for one in found] == [one.state.text for one in samples(game)]
    assert {one.state.game.options["size"] for one in found} == set(SURVEYS[game].sizes)
    assert {one.where.split(", ")[1] for one in found} == set(SURVEYS[game].phases)
    assert {one.state.mover for one in found} == {0, 1}
    assert not any(one.state.is_over for one in found)
    assert len({one.state.text for one in found}) == len(found) >= 7


@pytest.mark.parametrize("game", SURVEYS)
def test_situations_are_what_they_are_called(game: str) -> None:
    for one in situation(game, LOST):
        assert len(one.state.moves()) > 1 and solve(one.state, Limits(seconds=60)).value == -1
    for one in situation(game, ONE_MOVE):
        assert len(one.state.moves()) == 1
    stuck = situation(game, STUCK)
    assert bool(stuck) == (game in ("trap", "isolation"))
    assert all(len(one.state.moves()) > 1 and len(other_to_move(one.state).moves()) == 0 for one in stuck)


def other_to_move(state: State) -> State:
    board, player, *rest = state.text.split()
    return state.game.position(" ".join([board, "1" if player == "2" else "2", *rest]))
