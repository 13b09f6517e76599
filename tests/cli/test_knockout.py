"""The bracket of a knockout, and its winner, as they are printed."""

import io

import pytest
from rich.console import Console

from harena.arena.bracket import rows, winner
from harena.arena.contest import Spec
from harena.arena.record import Record
from harena.arena.runs.display import print_blocks
from harena.arena.runs.tournament import Tournament
from harena.arena.slot import Slot

AGENTS = ["/x/alice/mine.py", "/x/bob/mine.py", "random"]


def table(kind: str, *games: tuple[int, int, int, int | None]) -> Tournament:
    """A tournament after pairs of games (a, b, number, and who wins both, or None: all draws)."""
    spec = Spec(game="isolation", variants=[{}], agents=AGENTS)
    records = {}
    for a, b, number, best in games:
        for swapped in (False, True):
            slot = Slot(a=a, b=b, pair=number, swapped=swapped)
            won = None if best is None else slot.seats.index(best)
            records[slot] = Record(game="isolation", options={}, start="", seats=("", ""), plies=(), winner=won)
    return Tournament(spec=spec, type=kind).add_all(records.items())


def printed(found: Tournament) -> str:
    out = io.StringIO()
    print_blocks(Console(file=out, width=80), found.bracket_blocks())
    return out.getvalue()


NAMES = {AGENTS[0]: "A", AGENTS[1]: "B", AGENTS[2]: "C"}
BYE = ("semi-final", "A", "", "", "no opponent")


def test_a_bracket_begins_with_questions() -> None:
    found = table("knockout").bracket()
    assert rows(found, NAMES) == [BYE, ("semi-final", "B", "0 : 0", "C", "not decided"), ("final", "A", "", "?", "")]
    assert winner(found, NAMES) == "there is no winner yet"


def test_the_winner_is_named() -> None:
    found = table("knockout", (1, 2, 0, 2), (0, 2, 4, 2))
    assert rows(found.bracket(), NAMES)[1:] == [
        ("semi-final", "B", "0 : 2", "C", "C goes on"),
        ("final", "A", "0 : 2", "C", "C wins"),
    ]
    assert printed(found).endswith("\n\nwinner: random\n\n")
    assert "alice/mine.py" in printed(found)


def test_who_is_level_goes_on_by_seed() -> None:
    level = [(1, 2, number, None) for number in range(4)]
    assert rows(table("knockout", *level).bracket(), NAMES)[1][2:] == (
        "4 : 4",
        "C",
        "B goes on: level, and named first",
    )


@pytest.mark.parametrize("kind", ["round-robin", "swiss", "gauntlet"])
def test_nothing_else_has_a_bracket(kind: str) -> None:
    assert printed(table(kind, (0, 1, 0, 1))) == ""
