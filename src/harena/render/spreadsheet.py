"""Tables as CSV text that a spreadsheet shows and never runs.

A cell that begins as a formula does (= + - @, also after blanks) gets an apostrophe in front, which tells spreadsheets
that it is text. Control characters, halves of surrogate pairs and characters that turn the direction of text are
replaced. Numbers stay numbers, negative ones too.
"""

import re
from collections.abc import Iterable, Sequence

FORMULA = re.compile(r"\s*[=+\-@＝＋－＠]")  # also in the wide letters that some spreadsheets read alike
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|[-+]?(inf|nan)", re.ASCII)
SEPARATORS = frozenset(",;|\"'\t")  # of this file, and of the same file where a comma is a decimal point


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """The rows as the text of a CSV file, each on a line."""
    return "".join(csv_line(row) for row in rows)


def csv_line(row: Sequence[object]) -> str:
    """One row, with the end of its line; None is an empty cell."""
    return ",".join(_quoted(csv_cell(cell)) for cell in row) + "\n"


def csv_cell(cell: object) -> str:
    """The text of a cell, on one line, which no spreadsheet takes for a formula."""
    if cell is None:
        return ""
    text = "".join(letter if letter.isprintable() else " " if letter.isspace() else "?" for letter in str(cell))
    return f"'{text}" if FORMULA.match(text) and not NUMBER.fullmatch(text) else text


def _quoted(text: str) -> str:
    if not SEPARATORS.intersection(text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'
