"""Every mistake in what people give and type: the message is one line and says what is wrong."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import harena
from games.support import REFERENCES, Options, random_game, read
from harena import BadOption, BadText, HarenaError, IllegalMove, State, UnknownName

BOARD_4 = "1.../..../..../...2"


def message_of(caught: pytest.ExceptionInfo[HarenaError]) -> str:
    message = str(caught.value)
    assert "\n" not in message
    return message


OPTIONS = [
    ("isolaton", {}, UnknownName, "no game 'isolaton'; did you mean 'isolation'?"),
    ("chess", {}, UnknownName, "no game 'chess'; there are: trap, colosseum, isolation, tiles"),
    ("", {}, UnknownName, "no game ''"),
    ("trap", {"sise": 7}, UnknownName, "no option 'sise'; did you mean 'size'?"),
    ("trap", {"speed": 7}, UnknownName, "no option 'speed'"),
    ("isolation", {"size": 2}, BadOption, "isolation has sizes from 3 to 8, not 2"),
    ("isolation", {"size": "3x9"}, BadOption, "isolation has sizes from 3 to 8, not 3x9"),
    ("colosseum", {"size": 1}, BadOption, "colosseum has sizes from 2 to 12, not 1"),
    ("colosseum", {"size": 13}, BadOption, "colosseum has sizes from 2 to 12, not 13"),
    ("trap", {"size": 3}, BadOption, "trap has sizes from 4 to 8, not 3"),
    ("trap", {"size": 9}, BadOption, "trap has sizes from 4 to 8, not 9"),
    ("tiles", {"size": 1}, BadOption, "tiles has sizes from 2 to 10, not 1"),
    ("tiles", {"size": -4}, BadOption, "not -4"),
    ("tiles", {"size": 11}, BadOption, "tiles has sizes from 2 to 10, not 11"),
    ("trap", {"size": "5x6"}, BadOption, "trap is played on a square board, not 5x6"),
    ("colosseum", {"size": (6, 7)}, BadOption, "colosseum is played on a square board, not 6x7"),
    ("tiles", {"size": (4, 5)}, BadOption, "tiles is played on a square board, not 4x5"),
    ("isolation", {"size": "seven"}, BadOption, "'seven' is no size of isolation: write 7, or 5x7"),
    ("isolation", {"size": "5x"}, BadOption, "'5x' is no size"),
    ("isolation", {"size": "5x6x7"}, BadOption, "'5x6x7' is no size"),
    ("isolation", {"size": (5, 6, 7)}, BadOption, "(5, 6, 7) is no size"),
    ("isolation", {"size": 6.5}, BadOption, "6.5 is no size"),
    ("isolation", {"size": ""}, BadOption, "'' is no size"),
    ("isolation", {"size": True}, BadOption, "True is no size"),
    (
        "isolation",
        {"setup": "random"},
        UnknownName,
        "'random'; did you mean 'random-placements'?",
    ),
    ("colosseum", {"setup": "2021"}, UnknownName, "no set-up of colosseum '2021'; did you mean '202"),
    ("colosseum", {"setup": "none"}, UnknownName, "no set-up of colosseum 'none'; there are: 2023, 2022, empty"),
    ("trap", {"setup": "other"}, UnknownName, "no set-up of trap 'other'; there are: standard"),
    ("tiles", {"setup": "chequerboard"}, UnknownName, "did you mean 'checkerboard'?"),
    ("colosseum", {"size": 2, "setup": "2022"}, BadOption, "the set-up '2022' needs a size of 3 or more"),
    ("isolation", {"first": "R"}, BadOption, "isolation has no option 'first'"),
    ("colosseum", {"first": "R"}, BadOption, "colosseum has no option 'first'"),
    ("trap", {"first": "R"}, BadOption, "trap has no option 'first'"),
    ("tiles", {"first": "G"}, BadOption, "'G' is no colour: write R or B"),
    ("tiles", {"first": "RB"}, BadOption, "'RB' is no colour"),
]


@pytest.mark.parametrize(("name", "options", "error", "message"), OPTIONS)
def test_options(name: str, options: Options, error: type[HarenaError], message: str) -> None:
    with pytest.raises(error) as caught:
        harena.game(name, **options)
    assert message in message_of(caught)


@pytest.mark.parametrize("seed", ["1", 1.0, True, None])
def test_seeds(seed: object) -> None:
    with pytest.raises(BadOption) as caught:
        harena.game("colosseum").initial(seed)  # type: ignore[arg-type]
    assert message_of(caught) == f"a seed is a whole number, not {seed!r}"


POSITIONS = [
    ("isolation", "", "a position is <rows> <player to move>: 2 fields, not 0"),
    ("isolation", ".../.../... 1 1", "2 fields, not 3"),
    ("isolation", ".../../... 1", "row 2 of the board has 2 cells, row 1 has 3"),
    ("isolation", ".../...//... 1", "row 3 of the board has 0 cells"),
    ("isolation", ".../.3./... 1", "row 2 of the board contains '3': only . x 1 2 are allowed"),
    ("isolation", "1../1../... 1", "player 1 stands on more than one cell"),
    ("isolation", ".../22./... 1", "player 2 stands on more than one cell"),
    ("isolation", "../.. 1", "isolation has sizes from 3 to 8, not 2"),
    ("isolation", ".../.../... 3", "'3' is no player to move: write 1 or 2"),
    ("colosseum", "4 a1 d4 1", "a position is <size> <cell of player 1> <cell of player 2> <player to move> <walls>"),
    ("colosseum", "x a1 d4 1 -", "'x' is no size"),
    ("colosseum", "13 a1 d4 1 -", "colosseum has sizes from 2 to 12, not 13"),
    ("colosseum", "4 a1 e4 1 -", "'e4' is off the board: its cells are a1 to d4"),
    ("colosseum", "4 a0 d4 1 -", "'a0' is no cell: write a letter and a number like c4"),
    ("colosseum", "4 b2 b2 1 -", "both players stand on b2"),
    ("colosseum", "4 a1 d4 0 -", "'0' is no player to move"),
    ("colosseum", "4 a1 d4 1 b2", "'b2' is no wall: write cell and side like c4r"),
    ("colosseum", "4 a1 d4 1 b2x", "'b2x' is no wall"),
    ("colosseum", "4 a1 d4 1 b2r,", "'' is no wall"),
    ("colosseum", "4 a1 d4 1 r", "'' is no cell"),
    ("colosseum", "4 a1 d4 1 e1d", "'e1' is off the board"),
    ("colosseum", "4 a1 d4 1 a1u", "the wall a1u lies on the border, which is always closed"),
    ("colosseum", "4 a1 d4 1 a1l", "the wall a1l lies on the border"),
    ("colosseum", "4 a1 d4 1 d4r", "the wall d4r lies on the border"),
    ("colosseum", "4 a1 d4 1 d4d", "the wall d4d lies on the border"),
    ("colosseum", "4 a1 d4 1 b2r,b2r", "the wall b2r is there twice"),
    ("colosseum", "4 a1 d4 1 b2r,c2l", "the wall c2l is there twice"),
    ("trap", f"{BOARD_4} 1 walk", "a position is <rows> <player to move> <stage> <half-turns>: 4 fields, not 3"),
    ("trap", "1.../..../..?./...2 1 walk 0", "row 3 of the board contains '?'"),
    ("trap", "1../.../..2 1 walk 0", "trap has sizes from 4 to 8, not 3"),
    ("trap", "1..../...../...../....2 1 walk 0", "trap is played on a square board, not 4x5"),
    ("trap", "1.../..../..../.... 1 walk 0", "both players must stand on the board, as 1 and 2"),
    ("trap", "..../..../..../...2 1 walk 0", "both players must stand on the board"),
    ("trap", "1.../1.../..../...2 1 walk 0", "player 1 stands on more than one cell"),
    ("trap", f"{BOARD_4} 3 walk 0", "'3' is no player to move"),
    ("trap", f"{BOARD_4} 1 throw 0", "'throw' is no stage: write walk, aim, or @c4"),
    ("trap", f"{BOARD_4} 1 @e5 0", "'e5' is off the board: its cells are a1 to d4"),
    ("trap", f"{BOARD_4} 1 @ 0", "'' is no cell"),
    ("trap", f"{BOARD_4} 1 @a1 0", "the throw @a1 is aimed at a player's cell"),
    ("trap", f"{BOARD_4} 1 @d4 0", "the throw @d4 is aimed at a player's cell"),
    ("trap", f"{BOARD_4} 1 walk 151", "'151' is no number of half-turns: write 0 to 150"),
    ("trap", f"{BOARD_4} 1 walk -1", "'-1' is no number of half-turns"),
    ("trap", f"{BOARD_4} 1 walk x", "'x' is no number of half-turns"),
    ("tiles", "RB/BR R", "a position is <rows> <colour to move> <player to move>: 3 fields, not 2"),
    ("tiles", "RB/B. R 1", "row 2 of the board contains '.': only R B X are allowed"),
    ("tiles", "RB/bR R 1", "row 2 of the board contains 'b'"),
    ("tiles", "RBR/BRB R 1", "tiles is played on a square board, not 2x3"),
    ("tiles", "R R 1", "tiles has sizes from 2 to 10, not 1"),
    ("tiles", "RB/BR G 1", "'G' is no colour: write R or B"),
    ("tiles", "RB/BR R X", "'X' is no player to move"),
]


@pytest.mark.parametrize(("name", "position", "message"), POSITIONS)
def test_positions(name: str, position: str, message: str) -> None:
    with pytest.raises((BadText, BadOption)) as caught:
        harena.game(name).position(position)
    assert message in message_of(caught)


@pytest.mark.parametrize(
    ("name", "position", "size"),
    [
        ("isolation", ".../.../.../... 1", "'4x3'"),
        ("colosseum", "4 a1 d4 1 -", "4"),
        ("trap", f"{BOARD_4} 1 walk 0", "4"),
        ("tiles", "RB/BR R 1", "2"),
    ],
)
def test_a_position_of_another_size_than_the_game_is(name: str, position: str, size: str) -> None:
    with pytest.raises(BadText) as caught:
        harena.game(name).position(position)
    assert message_of(caught) == f"this position is of size {size.strip(chr(39))}: make the game with size={size}"


STARTS = {
    "isolation": "......./......./......./......./......./......./....... 1",
    "colosseum": "6 c4 f6 1 -",
    "trap": f"{BOARD_4} 1 walk 0",
    "tiles": "BRBR/RBRB/BRBR/RBRB B 1",
}
MOVES = [
    ("isolation", "", "'' is no cell"),
    ("isolation", "4c", "'4c' is no cell: write a letter and a number like c4, or row,column from 0 like 3,2"),
    ("isolation", "c0", "'c0' is no cell"),
    ("isolation", "3 2", "'3 2' is no cell"),
    ("isolation", "-1,2", "'-1,2' is no cell"),
    ("isolation", "h1", "'h1' is off the board: its cells are a1 to g7"),
    ("isolation", "7,0", "'7,0' is off the board"),
    ("isolation", "a99", "'a99' is off the board"),
    ("colosseum", "c4", "'c4' is no move: write cell and side like c4u, or row,column,side from 0 like 3,2,u"),
    ("colosseum", "c4x", "'c4x' is no move"),
    ("colosseum", "3,2", "'3,2' is no move"),
    ("colosseum", "c07u", "'c07' is no cell"),
    ("colosseum", "g1u", "'g1' is off the board: its cells are a1 to f6"),
    ("colosseum", "6,0,u", "'6,0' is off the board"),
    ("trap", "", "'' is no cell"),
    ("trap", "@", "'' is no cell"),
    ("trap", "@e5", "'e5' is off the board: its cells are a1 to d4"),
    ("trap", "#c4", "'#c4' is no cell"),
    ("tiles", "e1", "'e1' is off the board: its cells are a1 to d4"),
    ("tiles", "tile", "'tile' is no tile"),
    ("tiles", "0 1", "'0 1' is off the board: rows and columns count from 1 to 4"),
    ("tiles", "5 1", "'5 1' is off the board"),
    ("tiles", "1 5", "'1 5' is off the board"),
    ("tiles", "3,2", "'3,2' is no tile: write c4, or row and column from 1 with a blank between, like 4 3"),
]


@pytest.mark.parametrize(("name", "move", "message"), MOVES)
def test_moves_that_make_no_sense(name: str, move: str, message: str) -> None:
    with pytest.raises(BadText) as caught:
        read(name, STARTS[name]).play(move)
    assert message in message_of(caught)


ILLEGAL = [
    ("isolation", "1../.../..2 1", -1, "-1: there is no such cell"),
    ("isolation", "1../.../..2 1", 3, "3: there is no such cell"),
    ("isolation", "1../.../..2 1", 24, "24: there is no such cell"),
    ("isolation", "1../.../..2 1", 64, "64: there is no such cell"),
    ("isolation", "1../.../..2 1", "c3", "c3: that cell is taken or has been visited"),
    ("isolation", "1../.../.x2 1", "b3", "b3: that cell is taken or has been visited"),
    ("isolation", ".../.../x.. 1", "a3", "a3: that cell is taken or has been visited"),
    ("isolation", "1../.../..2 1", "b2", "b2: a knight on a1 does not reach it"),
    ("colosseum", "4 a1 d4 1 -", -1, "-1: there is no such cell"),
    ("colosseum", "4 a1 d4 1 -", 16, "16: there is no such cell"),
    ("colosseum", "4 a1 d4 1 -", 4 * 32, "128: there is no such cell"),
    ("colosseum", "4 c4 d4 1 -", "d4u", "d4u: the opponent stands there"),
    ("colosseum", "4 a1 d4 1 a1r", "a1r", "a1r: that side has a wall already"),
    ("colosseum", "4 a1 d4 1 a1r", "b1l", "b1l: that side has a wall already"),
    ("colosseum", "4 a1 d4 1 a1d", "a2u", "a2u: that side has a wall already"),
    ("colosseum", "4 a1 d4 1 -", "a1u", "a1u: that side has a wall already"),
    ("colosseum", "4 a1 d4 1 -", "a1l", "a1l: that side has a wall already"),
    ("colosseum", "4 d3 a1 1 -", "d3r", "d3r: that side has a wall already"),
    ("colosseum", "4 c4 a1 1 -", "3,2,d", "3,2,d: that side has a wall already"),
    ("colosseum", "4 a1 d4 1 -", "c3r", "c3r: it is more than 2 steps away, or behind walls"),
    ("colosseum", "12 a1 l12 1 a1r", "g2u", "g2u: it is more than 6 steps away, or behind walls"),
    ("trap", f"{BOARD_4} 1 walk 0", -1, "-1: there is no such cell"),
    ("trap", f"{BOARD_4} 1 walk 0", 192, "192: there is no such cell"),
    ("trap", f"{BOARD_4} 1 walk 0", 4, "4: there is no such cell"),
    ("trap", f"{BOARD_4} 1 aim 0", 64 + 32, "96: there is no such cell"),
    ("trap", f"{BOARD_4} 1 walk 0", "@b1", "@b1: now it is a walk, like c4"),
    ("trap", f"{BOARD_4} 1 walk 0", "!b1", "!b1: now it is a walk, like c4"),
    ("trap", f"{BOARD_4} 1 aim 0", "!b1", "!b1: now it is an aim, like @c4"),
    ("trap", f"{BOARD_4} 1 @c3 0", "@b1", "@b1: now it is a landing, like !c4"),
    ("trap", f"{BOARD_4} 1 walk 0", "a1", "a1: a player stands there"),
    ("trap", "12../..../..../.... 1 walk 0", "b1", "b1: a player stands there"),
    ("trap", f"{BOARD_4} 1 aim 0", "d4", "d4: a player stands there"),
    ("trap", f"{BOARD_4} 1 @c3 0", "!d4", "!d4: a player stands there"),
    ("trap", f"{BOARD_4} 1 @c3 0", "!a2", "!a2: a throw at c3 cannot land there"),
    ("trap", f"{BOARD_4} 1 @a2 0", "!a3", "!a3: a throw at a2 cannot land there"),
    ("trap", "1x../..../..../...2 1 walk 0", "b1", "b1: there is a trap"),
    ("trap", f"{BOARD_4} 1 walk 0", "c1", "c1: it is not next to a1"),
    ("tiles", "BR/RB B 1", -1, "-1: there is no such cell"),
    ("tiles", "BR/RB B 1", 2, "2: there is no such cell"),
    ("tiles", "BR/RB B 1", 16, "16: there is no such cell"),
    ("tiles", "BX/RB B 1", "b1", "b1: that cell is empty"),
    ("tiles", "BR/RB B 1", "1 2", "1 2: that tile is R, and B is to move"),
    ("tiles", "BR/RB R 2", "a1", "a1: that tile is B, and R is to move"),
]


@pytest.mark.parametrize(("name", "position", "move", "message"), ILLEGAL)
def test_moves_that_the_rules_forbid(name: str, position: str, move: int | str, message: str) -> None:
    state = read(name, position)
    with pytest.raises(IllegalMove) as caught:
        state.play(move)
    assert message_of(caught) == message
    assert state.text == position


@pytest.mark.parametrize("move", [1.0, None, True, (3, 2), b"c4"])
def test_things_that_are_no_moves(move: object) -> None:
    with pytest.raises(IllegalMove) as caught:
        harena.game("isolation").initial().play(move)  # type: ignore[arg-type]
    assert message_of(caught) == f"{move!r} is no move: give its text or its number"


@pytest.mark.parametrize("name", REFERENCES)
def test_playing_on_when_the_game_is_over(name: str) -> None:
    *_, before, last = random_game(harena.game(name), 0)
    legal = before.moves()[0]
    for move in (int(legal), legal, legal.text):
        with pytest.raises(IllegalMove) as caught:
            last.play(move)
        assert message_of(caught) == f"{legal.text}: the game is over: {last.outcome}"


@pytest.mark.slow
@pytest.mark.parametrize("name", REFERENCES)
def test_whatever_is_typed_is_read_or_refused_in_one_line(name: str) -> None:
    """Texts at random, and good texts with a few characters replaced."""
    good = STARTS[name]
    state = read(name, good)
    letters = st.sampled_from(" /,-.@!()0129abcdfhlruRBXx\n٣²") | st.characters()

    @settings(max_examples=200)
    @given(text=st.text(letters, max_size=12), start=st.integers(0, len(good)), length=st.integers(0, 3))
    def check(text: str, start: int, length: int) -> None:
        attempts: list[Callable[[], State]] = [
            lambda: state.play(text),
            lambda: state.game.position(text),
            lambda: state.game.position(good[:start] + text[:4] + good[start + length :]),
        ]
        for attempt in attempts:
            try:
                found = attempt()
            except HarenaError as error:
                assert len(str(error).splitlines()) == 1
            else:
                assert state.game.position(found.text) == found

    check()
