"""The courses' heuristics against values counted by hand, and seen from both sides."""

import pytest

import harena
from harena.heuristics.combine import Phased, Sum
from harena.heuristics.features import halved
from harena.heuristics.mobility import Ground, Mobility
from heuristics.support import score

# 1 on a1 can go to b3 and c2; 2 on c3 (not to move) can go to a2 and b1; the middle is visited.
SMALL = harena.game("isolation", size=3).position("1../.x./..2 1")


@pytest.mark.parametrize(
    ("heuristic", "for_first", "for_second"),
    [
        (Mobility(), 0, 0),
        (Mobility(mine=1.0), 2, 2),
        (Mobility(mine=1.0, theirs=-1.0), 0, 0),
        (Mobility(mine=1.0, theirs=-2.0), -2, -2),
        (Mobility(net_advantage=1.0), 0, 0),  # they share no cell
        (Mobility(net_mobility=1.0), 0, 0),
        (Mobility(offensive=1.0), 0, 0),
        (Mobility(proximity=1.0), -1, -1),  # two rows and two columns apart: one hop
    ],
)
def test_values_counted_by_hand(heuristic: Mobility, for_first: float, for_second: float) -> None:
    assert score(heuristic, SMALL.value, 0) == for_first
    assert score(heuristic, SMALL.value, 1) == for_second


# The same with b1 visited: 2 can go to a2 only. The free cells lie on one path, a3 c2 (1) b3 c1 a2 (2).
SHORTER = harena.game("isolation", size=3).position("1x./.x./..2 1")


@pytest.mark.parametrize(
    ("heuristic", "for_first", "for_second", "shorter_for_first", "shorter_for_second"),
    [
        (Ground(), 0, 0, 0, 0),
        (Ground(outlook=1.0), 2, 2, 2, 1),
        (Ground(lookahead=1.0), 0, 0, 1, -1),
        (Ground(horizon=1.0), 0, 0, 0.75, -0.75),  # 2/2 + 2/4 + 1/8 less 1/2 + 1/4 + 1/8
        (Ground(reach=1.0), 0, 0, 2, -2),  # five cells and three
        (Ground(territory=1.0), 2, -2, 3, -3),  # c1 and a3, then c1 alone, are equally far: they go to the mover
        (Ground(lookahead=2.0, outlook=-1.0, horizon=4.0, reach=0.5, territory=1.0), 0, -4, 7, -10),
    ],
)
def test_ground_counted_by_hand(
    heuristic: Ground, for_first: float, for_second: float, shorter_for_first: float, shorter_for_second: float
) -> None:
    assert [score(heuristic, SMALL.value, me) for me in (0, 1)] == [for_first, for_second]
    assert [score(heuristic, SHORTER.value, me) for me in (0, 1)] == [shorter_for_first, shorter_for_second]


def test_shared_cells() -> None:
    """1 on a1 and 2 on a3 on 3x3: both reach c2; 1 also b3, 2 also b1."""
    state = harena.game("isolation", size=3).position("1../.../2.. 1")
    assert score(Mobility(offensive=1.0), state.value, 0) == 1
    assert score(Mobility(offensive=1.0), state.value, 1) == -1
    assert score(Mobility(net_advantage=1.0), state.value, 0) == 0
    assert score(Mobility(net_advantage=1.0), state.value, 1) == -1  # one of its two cells is shared


def test_sums_and_phases() -> None:
    mine, theirs = Mobility(mine=1.0), Mobility(theirs=1.0)
    assert score(Sum(mine, 2.0, theirs, 0.5), SMALL.value, 0) == 5
    share = 6 / 9  # of the cells are blank
    assert score(Phased(mine, theirs, theirs, share - 0.1, 0.1), SMALL.value, 0) == 2
    assert score(Phased(Mobility(), Mobility(), mine, 0.9, share + 0.1), SMALL.value, 0) == 2


def test_halves_are_rounded_as_python_does() -> None:
    assert [halved(number) for number in range(17)] == [round(number / 2) for number in range(17)]
