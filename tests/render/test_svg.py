"""What the SVG renderer promises."""

import re
from collections import Counter
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import pytest

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
    Picture,
)
from harena.render.svg import STYLES, UNIT, draw

NAMESPACE = "{http://www.w3.org/2000/svg}"
SHAPES = {
    BLOCKED: "blocked",
    TRAP: "trap",
    GAP: "gap",
    PLAYER_1: "player-1",
    PLAYER_2: "player-2",
    RED: "red",
    BLUE: "blue",
    "X": "text",
}
MARKS = (CAME_FROM, MOVED_TO, AIMED_AT, LANDED_ON, REMOVED, FELL)
HOSTILE = "</text><script>alert('x')</script>&\"\x00\x1b[2J\ud800\uffff"


def board(rows: int = 4, columns: int = 4, **fields: object) -> Picture:
    return Picture(rows=rows, columns=columns, **{"cells": {}, **fields})  # type: ignore[arg-type]


def parsed(picture: Picture) -> ElementTree.Element:
    return ElementTree.fromstring(draw(picture))


def classes(picture: Picture) -> Counter[str]:
    """How many elements of each class the drawing has."""
    return Counter(element.get("class", "") for element in parsed(picture).iter())


def lines(picture: Picture, name: str) -> list[str]:
    """The course of every path or polyline of a class."""
    elements = [element for element in parsed(picture).iter() if element.get("class") == name]
    return [course for element in elements if (course := element.get("d") or element.get("points"))]


def texts(picture: Picture, name: str) -> list[str | None]:
    return [element.text for element in parsed(picture).iter(f"{NAMESPACE}text") if element.get("class") == name]


def test_the_document_is_an_image_with_a_title_and_a_description() -> None:
    picture = board(
        cells={(0, 0): PLAYER_1, (3, 1): TRAP}, marks={(0, 0): frozenset({MOVED_TO})}, caption="player 2 to move"
    )
    root = parsed(picture)
    assert (root.tag, root.get("role")) == (f"{NAMESPACE}svg", "img")
    assert [root[0].tag, root[1].tag] == [f"{NAMESPACE}title", f"{NAMESPACE}desc"]
    assert root[0].text == "player 2 to move"
    assert root[1].text == "4 rows, 4 columns. player 1: a1. trap: b4. last turn moved to: a1."


def test_the_description_counts_walls_and_names_the_new_one() -> None:
    root = parsed(board(walls=frozenset({(0, 0, "r"), (1, 2, "d")}), new_wall=(1, 2, "d")))
    assert root[0].text == "Board of 4 rows and 4 columns"
    assert root[1].text == "4 rows, 4 columns. walls: 2. New wall below c2."
    first = parsed(board(walls=frozenset(), new_wall=(0, 0, "r")))
    assert first[1].text == "4 rows, 4 columns. walls: 1. New wall right of a1."


@pytest.mark.parametrize("content", [FREE, *SHAPES, HOSTILE, ""])
def test_every_combination_of_content_and_marks_is_well_formed_and_styled(content: str) -> None:
    for count in range(len(MARKS) + 1):
        for marks in combinations(MARKS, count):
            names = classes(board(2, 2, cells={(0, 1): content}, marks={(0, 1): frozenset(marks)}, caption=HOSTILE))
            assert set(names) <= {*STYLES, "harena", ""}
            for mark in marks:
                assert names[mark.replace(" ", "-")] == 1


@pytest.mark.parametrize(("content", "shape"), SHAPES.items())
def test_each_content_is_one_shape(content: str, shape: str) -> None:
    cells = {(0, 0): content, (1, 2): content, (3, 3): content}
    assert classes(board(cells=cells))[shape] == 3
    assert classes(board())[shape] == 0


def test_pieces_carry_numbers_and_letters_beside_their_colours() -> None:
    picture = board(cells={(0, 0): PLAYER_1, (0, 1): PLAYER_2, (0, 2): RED, (0, 3): BLUE})
    assert (texts(picture, "number-1"), texts(picture, "number-2")) == (["1"], ["2"])
    assert texts(picture, "letter") == ["R", "B"]


def test_foreign_texts_are_escaped_and_cleaned() -> None:
    picture = board(8, 8, cells={(0, 0): HOSTILE}, caption=HOSTILE)
    cleaned = "</text><script>alert('x')</script>&\"??[2J??"
    assert texts(picture, "text") == [cleaned]
    assert "".join(text or "" for text in texts(picture, "caption")) == cleaned
    assert not list(parsed(picture).iter(f"{NAMESPACE}script"))


def test_the_document_stands_alone_and_beside_others() -> None:
    text = draw(board(cells={(0, 0): PLAYER_1}, walls=frozenset({(0, 0, "r")}), new_wall=(0, 0, "r")))
    assert not re.search(r"\bid=|href|url\(|<script|@import|@font-face", text)
    rules = re.findall(r"^(\..*?) \{", text, re.MULTILINE)
    assert rules == [f".harena .{name}" for name in STYLES]


@pytest.mark.parametrize(("rows", "columns"), [(12, 12), (2, 5), (7, 3), (1, 28)])
def test_coordinates_and_cells_have_their_names(rows: int, columns: int) -> None:
    letters = [*"abcdefghijklmnopqrstuvwxyz", "aa", "ab"][:columns]
    picture = board(rows, columns)
    numbers = [str(row) for row in range(1, rows + 1)]
    assert texts(picture, "label") == letters + numbers
    names = [element.get("data-cell") for element in parsed(picture).iter() if element.get("class") == "cell"]
    assert names == [letter + number for number in numbers for letter in letters]


def test_walls_are_one_line_each_at_their_sides() -> None:
    picture = board(walls=frozenset({(1, 2, "r"), (0, 3, "d"), (2, 0, "r")}))
    assert lines(picture, "wall") == ["M144 48h48", "M144 48v48", "M48 96v48"]
    assert classes(picture)["wall"] == 3 + 1  # and the border
    assert classes(board())["wall"] == 0
    assert classes(board())["border"] == 1


def test_walls_on_the_border_are_part_of_it() -> None:
    assert lines(board(walls=frozenset({(0, 3, "r"), (3, 0, "d"), (-1, 0, "d"), (0, -1, "r")})), "wall") == []


def test_the_new_wall_is_highlighted_and_drawn_once() -> None:
    old, new = (1, 1, "r"), (2, 2, "d")
    listed = board(walls=frozenset({old, new}), new_wall=new)
    assert lines(listed, "wall") == ["M96 48v48"]
    assert lines(listed, "new-wall") == lines(listed, "glow") == lines(listed, "core") == ["M96 144h48"]
    assert draw(replace(listed, walls=frozenset({old}))) == draw(listed)


def test_an_arrow_leads_from_cell_to_cell() -> None:
    picture = board(marks={(0, 0): frozenset({CAME_FROM}), (0, 3): frozenset({MOVED_TO})})
    assert lines(picture, "path") == ["24.0,24.0 139.0,24.0"]
    assert lines(picture, "head") == ["149.0,24.0 139.0,31.0 139.0,17.0"]


@pytest.mark.parametrize(
    "marks",
    [
        {(0, 0): frozenset({CAME_FROM, MOVED_TO})},
        {(0, 0): frozenset({CAME_FROM})},
        {(0, 0): frozenset({CAME_FROM}), (1, 1): frozenset({CAME_FROM}), (2, 2): frozenset({MOVED_TO})},
    ],
    ids=["stayed", "gone", "ambiguous"],
)
def test_no_arrow_without_two_ends(marks: dict[tuple[int, int], frozenset[str]]) -> None:
    assert lines(board(marks=marks), "path") == []


def middles(*cells: tuple[int, int]) -> str:
    return " ".join(f"{(column + 0.5) * UNIT:.1f},{(row + 0.5) * UNIT:.1f}" for row, column in cells)


def test_the_arrow_goes_around_walls_and_pieces_but_through_the_wall_built_after_it() -> None:
    marks = {(0, 0): frozenset({CAME_FROM}), (0, 1): frozenset({MOVED_TO})}
    walls = frozenset({(0, 0, "r"), (1, 0, "r")})
    around = board(3, 3, walls=walls, marks=marks, cells={(0, 1): PLAYER_1})
    assert lines(around, "path")[0].startswith(middles((0, 0), (1, 0), (2, 0), (2, 1), (1, 1)))
    assert lines(replace(around, new_wall=(0, 0, "r")), "path") == ["24.0,24.0 43.0,24.0"]
    blocked = replace(around, cells={(0, 1): PLAYER_1, (1, 1): PLAYER_2})
    assert lines(blocked, "path")[0].startswith(middles((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2)))


def test_the_arrow_is_straight_if_no_way_is_open() -> None:
    marks = {(0, 0): frozenset({CAME_FROM}), (0, 1): frozenset({MOVED_TO})}
    walls = frozenset({(0, 0, "r"), (0, 0, "d")})
    assert lines(board(walls=walls, marks=marks), "path") == ["24.0,24.0 43.0,24.0"]


def test_only_a_missed_throw_has_a_line_from_aim_to_landing() -> None:
    miss = board(cells={(1, 1): TRAP}, marks={(1, 2): frozenset({AIMED_AT}), (1, 1): frozenset({LANDED_ON})})
    assert lines(miss, "flight") == ["M120.0,72.0L72.0,72.0"]
    assert (classes(miss)["aimed-at"], classes(miss)["landed-on"]) == (1, 1)
    hit = replace(miss, marks={(1, 1): frozenset({AIMED_AT, LANDED_ON})})
    assert lines(hit, "flight") == []
    assert (classes(hit)["aimed-at"], classes(hit)["landed-on"]) == (1, 1)


def test_what_lies_off_the_board_is_not_drawn() -> None:
    assert classes(board(2, 2, cells={(5, 5): TRAP}, marks={(5, 5): frozenset({FELL})})) == classes(board(2, 2))


def test_the_size_of_a_cell_scales_the_whole() -> None:
    picture = board(10, 10, caption="player 1 to move")
    small, large = (ElementTree.fromstring(draw(picture, cell=cell)) for cell in (24, 96))
    assert small.get("viewBox") == large.get("viewBox")
    assert float(large.get("width", "")) == 4 * float(small.get("width", ""))
    assert float(large.get("height", "")) == 4 * float(small.get("height", ""))


def test_long_captions_are_broken_into_lines_and_make_room() -> None:
    short, long = board(caption="draw"), board(caption="player 1 wins by 30 cells to 6\nafter 40 half-turns of play")
    assert texts(long, "caption") == ["player 1 wins by 30 cells", "to 6", "after 40 half-turns of", "play"]
    heights = [float(parsed(picture).get("height", "")) for picture in (board(), short, long)]
    assert heights[0] < heights[1] < heights[2]


def test_long_texts_shrink_to_their_cell() -> None:
    sizes = [
        float(element.get("font-size", ""))
        for element in parsed(board(1, 3, cells={(0, 0): "X", (0, 1): "2048", (0, 2): "漢字"})).iter()
        if element.get("class") == "text"
    ]
    assert sizes[0] > sizes[2] > sizes[1]
