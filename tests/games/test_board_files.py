"""Board files of tiles: the course's format, and errors that name the file and the line."""

from pathlib import Path

import pytest

import harena
from games.support import result
from harena import BadOption, BadText, UnknownName

CHECKERBOARD = "BRBR/RBRB/BRBR/RBRB"
GOOD = {
    "as the course writes it": ("4\nB R B R\nR B R B\nB R B R\nR B R B\n", CHECKERBOARD),
    "no newline at the end": ("4\nB R B R\nR B R B\nB R B R\nR B R B", CHECKERBOARD),
    "no blanks": ("4\nBRBR\nRBRB\nBRBR\nRBRB\n", CHECKERBOARD),
    "blanks, tabs and blank lines anywhere": ("\n 4 \n\nB  RBR\n\tRBRB\n \nBRB R  \n\nRBRB\n\n\n", CHECKERBOARD),
    "lines that end as on Windows": ("4\r\nB R B R\r\nR B R B\r\nB R B R\r\nR B R B\r\n", CHECKERBOARD),
    "empty cells": ("3\nRXB\nXXX\nBXR\n", "RXB/XXX/BXR"),
    "an empty board": ("2\nXX\nXX\n", "XX/XX"),
    "the largest": ("10\n" + "RBRBRBRBRB\n" * 10, "/".join(["RBRBRBRBRB"] * 10)),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "board.txt"


@pytest.mark.parametrize("case", GOOD)
def test_good_files(case: str, file: Path) -> None:
    text, board = GOOD[case]
    file.write_bytes(text.encode())
    game = harena.game("tiles", setup=str(file))
    assert game.initial().text == f"{board} R 1"
    assert game.initial(5) == game.initial(6)
    assert eval(repr(game.initial()), {"harena": harena}) == game.initial()


def test_a_board_may_be_played_with_either_colour_first(file: Path) -> None:
    file.write_text("2\nRB\nRR\n")
    game = harena.game("tiles", setup=str(file), first="B", size=2)
    assert game.initial().text == "RB/RR B 1"
    assert result(game.initial().play("b1")) == (0, None)


def test_equal_boards_are_equal_games(file: Path) -> None:
    file.write_text("2\nRB\nRR\n")
    first = harena.game("tiles", setup=str(file))
    file.write_text("2\nR B\nR R")
    assert harena.game("tiles", setup=str(file)) == first
    file.write_text("2\nRB\nRB\n")
    assert harena.game("tiles", setup=str(file)) != first


BAD = {
    "an unknown letter": ("2\nRB\nRQ\n", ", line 3: 'Q' is no tile; only R, B and X are allowed"),
    "a small letter": ("2\nRb\nRB\n", ", line 2: 'b' is no tile"),
    "an unknown letter in the middle": ("3\nRBR\nR.R\nRBR\n", ", line 3: '.' is no tile"),
    "blank lines count": ("\n\n2\n\nRB\n\nRQ\n", ", line 7: 'Q' is no tile"),
    "a short row": ("3\nRBR\nRB\nRBR\n", ", line 3: 2 cells, but the size is 3"),
    "a long row": ("2\nRBR\nRB\n", ", line 2: 3 cells, but the size is 2"),
    "too many rows": ("2\nRB\nBR\nRB\n", ", line 4: more than 2 rows"),
    "too few rows": ("3\nRBR\nBRB\n", ", line 3: the file ends after 2 of 3 rows"),
    "only the size": ("3", ", line 1: the file ends after 0 of 3 rows"),
    "no size": ("RB\nBR\n", ", line 1: the first line must be the size, 2 to 10"),
    "a negative size": ("-2\nRB\nBR\n", ", line 1: the first line must be the size"),
    "too small a size": ("1\nR\n", ", line 1: the first line must be the size"),
    "too large a size": ("\n11\n", ", line 2: the first line must be the size"),
    "nothing": ("", ", line 1: the first line must be the size"),
    "blanks only": ("\n  \n", ", line 1: the first line must be the size"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_files(case: str, file: Path) -> None:
    text, message = BAD[case]
    file.write_text(text)
    with pytest.raises(BadText) as caught:
        harena.game("tiles", setup=str(file))
    assert "\n" not in str(caught.value)
    assert f"{file}{message}" in str(caught.value)


def test_a_file_that_is_no_text(file: Path) -> None:
    file.write_bytes(b"\x894\xff\xfe\n")
    with pytest.raises(BadText) as caught:
        harena.game("tiles", setup=str(file))
    assert str(caught.value) == f"{file}: cannot be read as a board file: it is no text file"


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(BadText, match=r": cannot be read as a board file: Is a directory$"):
        harena.game("tiles", setup=str(tmp_path))


def test_no_such_file(file: Path) -> None:
    with pytest.raises(BadText, match=r": cannot be read as a board file: No such file or directory$"):
        harena.game("tiles", setup=str(file))


def test_a_name_without_a_suffix_is_taken_for_a_set_up() -> None:
    with pytest.raises(UnknownName) as caught:
        harena.game("tiles", setup="moon")
    assert str(caught.value) == "no set-up of tiles (nor board file) 'moon'; there are: checkerboard, random"


def test_a_size_that_is_not_the_boards(file: Path) -> None:
    file.write_text("2\nRB\nRR\n")
    with pytest.raises(BadOption) as caught:
        harena.game("tiles", setup=str(file), size=4)
    assert str(caught.value) == f"the board in {file} has size 2, not 4"
