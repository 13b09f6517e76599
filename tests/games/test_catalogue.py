"""The table of games: what it promises of each is what the game does."""

import pytest

import harena
from games.positions import ALL_OPTIONS
from harena import CATALOGUE, BadOption, BadText, Entry, UnknownName
from harena.games.catalogue import entry
from harena.games.notation import parse_rows


@pytest.mark.parametrize("name", CATALOGUE)
def test_defaults_sizes_and_set_ups_are_those_of_the_game(name: str) -> None:
    found = entry(name)
    assert found is CATALOGUE[name]
    assert found.name == name
    assert found.sizes is not None
    game = harena.game(name)
    assert game == harena.game(name, size=found.default_size, setup=next(iter(found.setups)))
    assert game.face.entry is found
    sides = {side for options in ALL_OPTIONS[name] for side in _sides(options["size"])}
    assert (min(sides), max(sides)) == found.sizes
    assert {options.get("setup", "standard") for options in ALL_OPTIONS[name]} == set(found.setups)


def _sides(size: int | tuple[int, int]) -> tuple[int, ...]:
    return size if isinstance(size, tuple) else (size,)


def test_an_unknown_name() -> None:
    with pytest.raises(UnknownName, match=r"^no game 'tile'; did you mean 'tiles'\?$"):
        entry("tile")


def test_a_game_of_one_size_takes_no_size() -> None:
    with pytest.raises(BadOption, match=r"^mine has only one size$"):
        Entry(name="mine", title="Mine", summary="").rows_and_columns(3)


def test_rows_of_a_board_whose_size_is_known() -> None:
    assert parse_rows("xo/ox", "xo", "board", 2, 2) == ["xo", "ox"]
    with pytest.raises(BadText, match=r"^the board is 2x3 cells, not 3x3$"):
        parse_rows("xox/oxo", "xo", "board", 3, 3)


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_marks_of_rules_are_in_pairs_and_not_at_the_terminal(name: str) -> None:
    entry = CATALOGUE[name]
    assert all(sentence.count("*") % 2 == 0 for sentence in entry.rules) and any("*" in one for one in entry.rules)
    assert not any("*" in sentence for sentence in entry.plain_rules)
