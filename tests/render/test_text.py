"""What each look of the text renderer promises."""

import re
import subprocess
import sys
import unicodedata
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as some

from harena.games.picture import (
    AIMED_AT,
    BLOCKED,
    BLUE,
    CAME_FROM,
    FELL,
    FREE,
    GAP,
    LANDED_ON,
    MOVED_TO,
    PLAYER_1,
    PLAYER_2,
    RED,
    REMOVED,
    TRAP,
    Cell,
    Picture,
    Side,
)
from harena.render import compact
from harena.render.text import JOINTS, draw

LOOKS = {"colour": {"colour": True}, "unicode": {}, "ascii": {"ascii_only": True}}
CONTENTS = [FREE, BLOCKED, TRAP, GAP, PLAYER_1, PLAYER_2, RED, BLUE, "X", "O", "x", "o", "R", "B"]
MARKS = [CAME_FROM, MOVED_TO, AIMED_AT, LANDED_ON, REMOVED, FELL]
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")

every_look = pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)


def stripped(text: str) -> str:
    return ESCAPE.sub("", text)


def board(rows: int = 4, columns: int = 4, **fields: object) -> Picture:
    return Picture(rows=rows, columns=columns, **{"cells": {}, **fields})  # type: ignore[arg-type]


def single(content: str, *marks: str) -> Picture:
    return board(1, 1, cells={(0, 0): content}, marks={(0, 0): frozenset(marks)})


def inside(text: str, cell: Cell) -> str:
    """The three characters of a cell, on a board of fewer than ten rows."""
    return stripped(text).split("\n")[2 * cell[0] + 2][4 * cell[1] + 3 : 4 * cell[1] + 6]


def between(text: str, side: Side) -> str:
    """What is drawn on a side, between its two joints."""
    row, column, direction = side
    lines = stripped(text).split("\n")
    if direction == "r":
        return lines[2 * row + 2][4 * column + 6]
    return lines[2 * row + 3][4 * column + 3 : 4 * column + 6]


def sides(rows: int, columns: int) -> list[Side]:
    """All sides inside a board."""
    rights = [(row, column, "r") for row in range(rows) for column in range(columns - 1)]
    return rights + [(row, column, "d") for row in range(rows - 1) for column in range(columns)]


@some.composite
def pictures(choose: some.DrawFn) -> Picture:
    rows, columns = choose(some.integers(1, 12)), choose(some.integers(1, 12))
    cells = some.tuples(some.integers(0, rows - 1), some.integers(0, columns - 1))
    walls = choose(some.none() | some.frozensets(some.sampled_from(sides(rows, columns) or [(0, 0, "r")])))
    return Picture(
        rows=rows,
        columns=columns,
        cells=choose(some.dictionaries(cells, some.sampled_from(CONTENTS) | some.text(max_size=4))),
        walls=walls,
        new_wall=choose(some.none() | some.sampled_from(sorted(walls))) if walls else None,
        marks=choose(some.dictionaries(cells, some.frozensets(some.sampled_from(MARKS)))),
        caption=choose(some.text()),
    )


@pytest.mark.slow
@every_look
@given(picture=pictures())
def test_any_picture_is_drawn_without_trailing_space_or_stray_escape(look: dict[str, bool], picture: Picture) -> None:
    text = draw(picture, **look)
    lines = stripped(text).split("\n")
    assert all(line == line.rstrip() for line in lines)
    assert not text.endswith("\n")
    assert all(character.isprintable() or character == "\n" for character in stripped(text))
    if not look.get("colour"):
        assert "\x1b" not in text
    if look.get("ascii_only"):
        assert text.isascii()


@pytest.mark.slow
@given(picture=pictures())
def test_colour_paints_the_unicode_look_without_moving_anything(picture: Picture) -> None:
    painted, plain = stripped(draw(picture, colour=True)), draw(picture)
    assert len(painted) == len(plain)
    changes = {(old, new) for old, new in zip(plain, painted, strict=True) if old != new}
    assert changes <= {(edge, " ") for edge in "▐▌▓░"}  # a piece is a coloured field, not an outline


def test_ascii_overrides_colour() -> None:
    picture = single(PLAYER_1, MOVED_TO)
    assert draw(picture, colour=True, ascii_only=True) == draw(picture, ascii_only=True)


def test_the_three_looks_differ() -> None:
    picture = board(cells={(0, 0): PLAYER_1})
    assert len({draw(picture, **look) for look in LOOKS.values()}) == 3


@every_look
def test_every_content_is_told_apart(look: dict[str, bool]) -> None:
    drawn = {content: draw(single(content), **look) for content in CONTENTS}
    assert len(set(drawn.values())) == len(CONTENTS)


@every_look
@pytest.mark.parametrize("content", CONTENTS)
def test_every_mark_is_told_apart_on_every_content(look: dict[str, bool], content: str) -> None:
    walks = [(), (CAME_FROM,), (MOVED_TO,), (REMOVED,), (FELL,)]
    throws = [(), (AIMED_AT,), (LANDED_ON,), (AIMED_AT, LANDED_ON)]
    drawn = [draw(single(content, *walk, *throw), **look) for walk, throw in product(walks, throws)]
    assert len(set(drawn)) == len(drawn)


def test_a_player_who_stays_is_shown_as_moved() -> None:
    assert draw(single(PLAYER_1, CAME_FROM, MOVED_TO)) == draw(single(PLAYER_1, MOVED_TO))


@every_look
def test_a_missed_throw_shows_aim_and_landing(look: dict[str, bool]) -> None:
    miss = board(
        cells={(1, 1): TRAP, (3, 3): TRAP}, marks={(1, 2): frozenset({AIMED_AT}), (1, 1): frozenset({LANDED_ON})}
    )
    hit = replace(miss, marks={(1, 1): frozenset({AIMED_AT, LANDED_ON})})
    text = draw(miss, **look)
    landed, aimed, old, free = (inside(text, cell) for cell in ((1, 1), (1, 2), (3, 3), (0, 0)))
    assert len({landed, aimed, old, free}) == 4
    assert inside(draw(hit, **look), (1, 1)) not in (landed, aimed, old)


def test_cells_of_the_plain_looks() -> None:
    picture = board(2, 2, cells={(0, 0): RED, (0, 1): BLUE, (1, 0): PLAYER_2, (1, 1): TRAP})
    cells = list(product(range(2), range(2)))
    assert [inside(draw(picture), cell) for cell in cells] == ["▓R▓", "░B░", "▐2▌", " ╳ "]
    assert [inside(draw(picture, ascii_only=True), cell) for cell in cells] == ["[R]", ":B:", "[2]", "#x#"]


@every_look
def test_a_wall_stands_at_its_side_only(look: dict[str, bool]) -> None:
    for wall in sides(3, 4):
        text = draw(board(3, 4, walls=frozenset({wall})), **look)
        built = {side for side in sides(3, 4) if between(text, side).strip()}
        assert built == {wall}


@every_look
def test_the_new_wall_stands_out_from_end_to_end(look: dict[str, bool]) -> None:
    wall, other = (1, 1, "r"), (2, 2, "d")
    old = board(walls=frozenset({wall, other}))
    before, after = draw(old, **look), draw(replace(old, new_wall=wall), **look)
    old_lines, new_lines = (stripped(text).split("\n") for text in (before, after))
    places = [(row, column) for row, line in enumerate(old_lines) for column in range(len(line))]
    changed = [(row, column) for row, column in places if old_lines[row][column] != new_lines[row][column]]
    assert changed == [(3, 10), (4, 10), (5, 10)]  # post, wall, post
    posts = {new_lines[row][10] for row in (3, 5)}
    assert len(posts) == 1 and not posts & set("".join(old_lines))
    assert draw(replace(old, walls=frozenset({other}), new_wall=wall), **look) == after


def arms_of(joint: str) -> tuple[int, ...]:
    """The weights of the arms up, right, down and left, by the character's Unicode name."""
    directions = {"UP": "u", "RIGHT": "r", "DOWN": "d", "LEFT": "l", "VERTICAL": "ud", "HORIZONTAL": "rl"}
    weights = {"LIGHT": 1, "HEAVY": 2}
    words = unicodedata.name(joint).removeprefix("BOX DRAWINGS ").replace(" AND ", " ").split()
    if words[0] not in weights:  # DOWN LIGHT AND RIGHT UP HEAVY: backwards each weight precedes its directions
        words.reverse()
    arms, weight = dict.fromkeys("urdl", 0), 0
    for word in words:
        weight = weights.get(word, weight)
        arms |= dict.fromkeys(directions.get(word, ""), weight)
    return tuple(arms.values())


def test_every_joint_has_the_arms_of_its_number() -> None:
    assert [arms_of(joint) for joint in JOINTS[1:]] == list(product((0, 1, 2), repeat=4))[1:]


@given(picture=pictures())
def test_every_joint_of_a_drawing_continues_its_lines(picture: Picture) -> None:
    lines = draw(replace(picture, cells={}, marks={}, new_wall=None, caption="")).split("\n")[1:]
    margin = len(str(picture.rows)) + 1
    canvas = {(row, column): drawn for row, line in enumerate(lines) for column, drawn in enumerate(line)}
    weights = {"─": 1, "│": 1, "━": 2, "┃": 2}
    for row, column in product(range(0, 2 * picture.rows + 1, 2), range(margin, 4 * picture.columns + margin + 1, 4)):
        around = ((row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1))
        expected = tuple(weights.get(canvas.get(place, " "), 0) for place in around)
        joint = canvas[row, column]
        assert (arms_of(joint) if joint != "·" else (0, 0, 0, 0)) == expected


def test_lines_between_gaps_vanish_and_no_others() -> None:
    text = draw(board(cells={(1, 1): GAP, (1, 2): GAP, (2, 1): GAP}))
    gone = {side for side in sides(4, 4) if not between(text, side).strip()}
    assert gone == {(1, 1, "r"), (1, 1, "d")}


@every_look
@pytest.mark.parametrize(("rows", "columns"), [(12, 12), (2, 5), (5, 2), (11, 3), (1, 1)])
def test_coordinates_stand_over_the_middle_of_columns_and_beside_rows(
    look: dict[str, bool], rows: int, columns: int
) -> None:
    corner = (rows - 1, columns - 1)
    lines = stripped(draw(board(rows, columns, cells={corner: "@"}), **look)).split("\n")
    assert lines[0].split() == list("abcdefghijkl"[:columns])
    assert [line.split()[0] for line in lines[2::2]] == [str(row) for row in range(1, rows + 1)]
    assert lines[2 * rows].index("@") == lines[0].index("abcdefghijkl"[columns - 1])


def test_columns_after_z_have_two_letters() -> None:
    assert draw(board(1, 28)).split("\n")[0].split()[25:] == ["z", "aa", "ab"]


@every_look
def test_the_largest_board_fits_a_terminal(look: dict[str, bool]) -> None:
    texts = {(0, 0): "a long text of the game"}
    picture = board(12, 12, cells=texts, walls=frozenset(sides(12, 12)), caption="player 1 to move " * 8)
    lines = stripped(draw(picture, **look)).split("\n")
    assert len(lines) <= 30
    assert max(map(len, lines)) <= 80
    assert max(map(len, stripped(draw(board(19, 19), **look)).split("\n"))) == 80


def test_texts_of_a_game_widen_the_cells_and_are_cut_where_the_terminal_ends() -> None:
    picture = board(2, 2, cells={(0, 0): "2048", (1, 1): "2"}, marks={(0, 0): frozenset({MOVED_TO})})
    assert draw(picture).split("\n")[2::2] == ["1 │►2048 ◄│       │", "2 │       │   2   │"]
    assert draw(board(1, 12, cells={(0, 0): "2048"})).split("\n")[2].startswith("1 │ 20… │")
    assert draw(board(1, 12, cells={(0, 0): "2048"}), ascii_only=True).split("\n")[2].startswith("1 | 20~ |")


def test_wide_characters_keep_the_columns() -> None:
    lines = draw(board(1, 2, cells={(0, 0): "漢"})).split("\n")
    assert len(lines[2]) == len(lines[1]) - 1  # one character takes two columns


@every_look
def test_rows_close_together_are_the_same_rows(look: dict[str, bool]) -> None:
    for picture in (board(cells={(0, 0): PLAYER_1, (2, 1): TRAP}, caption="one"), board(2, 3)):
        lines, close = draw(picture, **look).splitlines(), compact.draw(picture, **look).splitlines()
        assert close == [
            line for number, line in enumerate(lines) if number % 2 == 0 or number in (1, 2 * picture.rows + 1)
        ]
        assert len(close) == compact.height(picture) + len(picture.caption.splitlines())


def test_a_compact_board_with_walls_shows_whatever_its_cells_hold() -> None:
    walled = board(2, 3, cells={(0, 0): PLAYER_1, (1, 1): TRAP, (0, 2): "knight"}, walls=frozenset({(0, 0, "d")}))
    lines = ["      a   b   c", "     ___ ___ ___", "  1 |_1_     kni|", "  2 |___ _x_ ___|"]
    assert compact.draw(walled).splitlines() == lines and compact.height(walled) == len(lines)
    for side, row in (((0, 0, "d"), "  1 |=1=     kni|"), ((0, 1, "r"), "  1 |_1_    #kni|")):
        assert compact.draw(replace(walled, new_wall=side)).splitlines()[2] == row


@every_look
def test_a_caption_keeps_its_lines_but_not_its_control_characters(look: dict[str, bool]) -> None:
    lines = stripped(draw(board(2, 2, caption="first\x1b[2J\nsecond\xa0line"), **look)).split("\n")
    assert [line.strip() for line in lines[-2:]] == ["first?[2J", "second line"]


def test_marks_never_hide_each_other_in_pairs_of_a_walk_and_a_throw() -> None:
    for walk, throw in product((CAME_FROM, MOVED_TO), (AIMED_AT, LANDED_ON)):
        left, right = inside(draw(single(TRAP, walk)), (0, 0)), inside(draw(single(TRAP, throw)), (0, 0))
        assert inside(draw(single(TRAP, walk, throw)), (0, 0)) == left[0] + "╳" + right[2]


@pytest.mark.process
def test_renderers_load_without_the_compiler() -> None:
    script = "import sys, harena.render.text, harena.render.svg; sys.exit('numba' in sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_every_content_has_its_own_colours() -> None:
    painted = {content: tuple(ESCAPE.findall(draw(single(content), colour=True))) for content in CONTENTS[:9]}
    assert len(set(painted.values())) == len(painted)
