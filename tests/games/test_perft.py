"""Perft against the tables in tests/data/perft; a wrong count prints the moves after which the rules disagree."""

from pathlib import Path
from typing import Any

import pytest

import harena
from data.perft.generate import divide as slow_divide
from games.support import REFERENCES, random_game, read
from harena import BadOption, State
from harena.testing.perft import divide, perft

FOLDER = Path(__file__).parents[1] / "data" / "perft"
TOO_MANY = 5_000_000  # sequences: the reference would take hours to divide them


def tables() -> list[Any]:
    """Each line of each file as a case: game, position and counts by depth."""
    cases = []
    for file in sorted(FOLDER.glob("*.txt")):
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            if not line.startswith("#"):
                name, position, counts, source = (field.strip() for field in line.split("|"))
                by_depth = {int(depth): int(count) for depth, count in (one.split("=") for one in counts.split())}
                cases.append(pytest.param(name, position, by_depth, id=f"{name}:{number} {source}"))
    return cases


def disagreements(state: State, reference: Any, depth: int) -> list[str]:
    """The first moves after which the kernel and the slow rules count differently."""
    ours = {str(move): count for move, count in divide(state, depth).items()}
    theirs = slow_divide(reference, depth)
    return [
        f"{move}: {ours.get(move, 'no move')} here, {theirs.get(move, 'no move')} in the reference"
        for move in sorted(ours | theirs)
        if ours.get(move) != theirs.get(move)
    ]


@pytest.mark.parametrize(("name", "position", "counts"), tables())
def test_counts(name: str, position: str, counts: dict[int, int]) -> None:
    state = read(name, position)
    for depth, expected in counts.items():
        found = perft(state, depth)
        if found != expected:
            splits = []
            if max(found, expected) < TOO_MANY:
                splits = disagreements(state, REFERENCES[name].from_text(position), depth)
            pytest.fail("\n".join([f"depth {depth}: {found}, not {expected}", *splits]))


def test_every_line_has_counts() -> None:
    cases = tables()
    assert {case.values[0] for case in cases} == set(REFERENCES)
    assert all(case.values[2] for case in cases)


def test_a_disagreement_names_the_moves() -> None:
    state = read("isolation", "..../..../1.../...2 1")
    other = REFERENCES["isolation"].from_text("..../..x./1.../...2 1")
    assert disagreements(state, REFERENCES["isolation"].from_text(state.text), 2) == []
    assert disagreements(state, other, 2) == [
        "b1: 2 here, 1 in the reference",
        "c2: 1 here, no move in the reference",
        "c4: 2 here, 1 in the reference",
    ]


@pytest.mark.parametrize("name", REFERENCES)
def test_the_parts_add_up(name: str) -> None:
    state = harena.game(name, size=5).initial(2)
    split = divide(state, 3)
    assert list(split) == state.moves()
    assert sum(split.values()) == perft(state, 3)


@pytest.mark.parametrize("name", REFERENCES)
def test_depth_0_counts_one_and_a_finished_game_goes_on_nowhere(name: str) -> None:
    first, *_, last = random_game(harena.game(name, size=4), 0)
    assert (perft(first, 0), perft(last, 0), perft(last, 1), divide(last, 1)) == (1, 1, 0, {})
    assert perft(first, 1) == len(first.moves())


@pytest.mark.parametrize("depth", [-1, 65])
def test_depths_out_of_range(depth: int) -> None:
    with pytest.raises(BadOption, match=f"^the depth of perft is 0 to 64, not {depth}$"):
        perft(harena.game("tiles").initial(), depth)


def test_a_divide_needs_a_first_move() -> None:
    with pytest.raises(BadOption, match=r"^divide needs a depth of 1 or more, not 0$"):
        divide(harena.game("tiles").initial(), 0)
