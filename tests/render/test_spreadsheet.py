"""CSV cells: no spreadsheet runs them, numbers stay numbers, and any reader of CSV gets the text back."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harena.render.spreadsheet import csv_cell, csv_text

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=30)


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r=", "\n@", " =", "＝", "\x00="])
def test_a_formula_is_text(start: str) -> None:
    cell = csv_cell(f"{start}cmd|' /C calc'!A0")
    assert cell[0] in "'?" and cell.isprintable()


@pytest.mark.parametrize("number", [-12.5, 0, 1e-9, "-12.5", "+3", "-1e-05", "-inf", -7])
def test_numbers_stay_numbers(number: object) -> None:
    assert csv_cell(number) == str(number)


def test_none_is_empty_and_other_texts_are_untouched() -> None:
    assert [csv_cell(one) for one in (None, "ada", "a-b", "Zoë; =1", True)] == ["", "ada", "a-b", "Zoë; =1", "True"]
    assert csv_text([["a", "b;=1", 'say "x"', "c,d", -1]]) == 'a,"b;=1","say ""x""","c,d",-1\n'


@given(st.lists(st.lists(ANY_TEXT, min_size=2, max_size=4), max_size=4))
def test_whatever_is_written_is_read_back_harmless(rows: list[list[str]]) -> None:
    text = csv_text(rows)
    text.encode()  # no half of a surrogate pair
    assert list(csv.reader(io.StringIO(text))) == [[csv_cell(cell) for cell in row] for row in rows]
    for cell in (cell for row in csv.reader(io.StringIO(text)) for cell in row):
        assert cell.isprintable()
        assert not cell.lstrip().startswith(("=", "@"))
        if cell.startswith(("+", "-")):
            float(cell)
