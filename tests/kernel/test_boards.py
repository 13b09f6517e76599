"""Boards of one, two and three words against sets of (row, column), compiled and as plain Python."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harena.kernel.boards import (
    Large,
    Medium,
    Small,
    board_key,
    both,
    count,
    down,
    either,
    has,
    is_empty,
    left,
    minus,
    nth_cell,
    right,
    single,
    up,
    width,
)
from harena.kernel.compile import kernel

Cells = frozenset[tuple[int, int]]
LAYOUTS = {Small: (8, 8, 64), Medium: (10, 12, 60), Large: (15, 12, 60)}  # rows, columns, bits in a word

every_class = pytest.mark.parametrize("cls", LAYOUTS, ids=lambda cls: cls.__name__)


@kernel
def combine(board: Any, other: Any) -> Any:
    return both(board, other), either(board, other), minus(board, other)


@kernel
def shift_over(board: Any, layout: Any) -> Any:
    """A step up leaves rubbish beyond the cells of the layout, which callers mask."""
    return right(board), left(board), both(up(board), layout), down(board)


@kernel
def measure(board: Any) -> Any:
    return width(board), count(board), is_empty(board), board_key(board)


@kernel
def ask(board: Any, cell: int) -> Any:
    return single(board, cell), has(board, cell)


@kernel
def pick(board: Any, index: int) -> Any:
    return nth_cell(board, index)


def both_forms(function: Any, *arguments: Any) -> Any:
    compiled = function(*arguments)
    with np.errstate(over="ignore"):
        interpreted = function.py_func(*arguments)
    assert compiled == interpreted
    return compiled


def cells_in(cls: type, columns: range | None = None) -> st.SearchStrategy[Cells]:
    """Sets of cells of this layout, dense ones too."""
    rows, wide, _ = LAYOUTS[cls]
    every = [(row, column) for row in range(rows) for column in columns or range(wide)]
    some = st.frozensets(st.sampled_from(every))
    return some | some.map(lambda cells: frozenset(every) - cells)


def board_of(cls: Any, cells: Cells) -> Any:
    _, wide, bits = LAYOUTS[cls]
    numbers = [wide * row + column for row, column in cells]
    words = [
        sum(1 << number % bits for number in numbers if number // bits == part) for part in range(len(cls._fields))
    ]
    return cls(*map(np.uint64, words))


def cells_of(board: Any) -> Cells:
    _, wide, bits = LAYOUTS[type(board)]
    assert all(int(word) < 2**bits for word in board), "a bit that belongs to no cell"
    numbers = [
        bits * part + place for part, word in enumerate(board) for place in range(bits) if int(word) >> place & 1
    ]
    return frozenset(divmod(number, wide) for number in numbers)


def both_forms_of_shift(board: Any) -> Any:
    rows, wide, _ = LAYOUTS[type(board)]
    whole = frozenset((row, column) for row in range(rows) for column in range(wide))
    return both_forms(shift_over, board, board_of(type(board), whole))


@every_class
@given(data=st.data())
def test_combining_is_that_of_sets(cls: type, data: st.DataObject) -> None:
    one, other = data.draw(cells_in(cls)), data.draw(cells_in(cls))
    results = both_forms(combine, board_of(cls, one), board_of(cls, other))
    assert [cells_of(board) for board in results] == [one & other, one | other, one - other]


@every_class
@given(data=st.data())
def test_a_step_moves_every_cell(cls: type, data: st.DataObject) -> None:
    rows, wide, _ = LAYOUTS[cls]
    cells = data.draw(cells_in(cls, range(1, wide - 1)))  # neither edge column: those wrap round, as documented
    rightwards, leftwards, upwards, downwards = map(cells_of, both_forms_of_shift(board_of(cls, cells)))
    assert rightwards == {(row, column + 1) for row, column in cells}
    assert leftwards == {(row, column - 1) for row, column in cells}
    assert upwards == {(row - 1, column) for row, column in cells if row > 0}
    assert downwards == {(row + 1, column) for row, column in cells if row < rows - 1}


@pytest.mark.slow
@every_class
@given(data=st.data())
def test_up_and_down_hold_for_the_edge_columns_too(cls: type, data: st.DataObject) -> None:
    rows, _, _ = LAYOUTS[cls]
    cells = data.draw(cells_in(cls))
    upwards, downwards = map(cells_of, both_forms_of_shift(board_of(cls, cells))[2:])
    assert upwards == {(row - 1, column) for row, column in cells if row > 0}
    assert downwards == {(row + 1, column) for row, column in cells if row < rows - 1}


@every_class
@given(data=st.data())
def test_the_cells_of_a_smaller_board_stay_on_it_after_a_mask(cls: type, data: st.DataObject) -> None:
    """How the rules use `right` and `left`: the last column of the layout kept out, the result masked."""
    _, wide, _ = LAYOUTS[cls]
    columns = range(wide - 1)
    cells, mask = data.draw(cells_in(cls, columns)), data.draw(cells_in(cls, columns))
    rightwards, leftwards, _, _ = map(cells_of, both_forms_of_shift(board_of(cls, cells)))
    assert rightwards == {(row, column + 1) for row, column in cells}
    assert leftwards & mask == {(row, column - 1) for row, column in cells} & mask


@every_class
@given(data=st.data())
def test_counting(cls: type, data: st.DataObject) -> None:
    cells = data.draw(cells_in(cls))
    wide, number, empty, _ = both_forms(measure, board_of(cls, cells))
    assert (wide, number, empty) == (LAYOUTS[cls][1], len(cells), not cells)


@every_class
@given(data=st.data())
def test_a_single_cell_and_membership(cls: Any, data: st.DataObject) -> None:
    rows, wide, _ = LAYOUTS[cls]
    cells = data.draw(cells_in(cls))
    number = data.draw(st.integers(0, rows * wide - 1))
    alone, inside = both_forms(ask, board_of(cls, cells), number)
    assert type(alone) is cls
    assert cells_of(alone) == {divmod(number, wide)}
    assert inside == (divmod(number, wide) in cells)


@every_class
@given(data=st.data())
def test_the_cells_by_index_come_in_row_major_order(cls: type, data: st.DataObject) -> None:
    cells = data.draw(cells_in(cls).filter(bool))
    board, wide = board_of(cls, cells), LAYOUTS[cls][1]
    found = [divmod(both_forms(pick, board, index), wide) for index in range(len(cells))]
    assert found == sorted(cells)


@pytest.mark.slow
@every_class
@given(data=st.data())
def test_different_sets_have_different_keys(cls: type, data: st.DataObject) -> None:
    one, other = data.draw(cells_in(cls)), data.draw(cells_in(cls))
    keys = [both_forms(measure, board_of(cls, cells))[3] for cells in (one, other)]
    assert (keys[0] == keys[1]) == (one == other)


def test_the_words_of_a_key_do_not_cancel_out() -> None:
    """The same words in another order are another set."""
    first, second, nothing = np.uint64(0b1011), np.uint64(0b110000), np.uint64(0)
    boards = [Large(*words) for words in ((first, second, nothing), (second, first, nothing), (nothing, first, second))]
    assert len({both_forms(measure, board)[3] for board in boards}) == 3
    assert both_forms(measure, Medium(first, first))[3] != both_forms(measure, Medium(nothing, nothing))[3]
