"""Records and bare lists of moves are played again under the rules; what the rules forbid is named by ply and move."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from harena.api import State
from harena.arena.movelist import MoveList, read_moves
from harena.arena.record import Ply, Record
from harena.arena.replay import BadGame, as_text, from_text, rerecord, states
from harena.errors import BadFile, BadText, HarenaError
from harena.find import game
from harena.games.catalogue import CATALOGUE
from harena.kernel.rng import generator
from harena.kernel.trusted import only_trusted
from harena.termination import Termination

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "tictactoe.py")
TRACES = Path(__file__).parents[1] / "data" / "traces"
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("isolation", {}),
    ("isolation", {"size": "5x7", "setup": "random-placements"}),
    ("trap", {}),
    ("colosseum", {"size": 8}),
    ("tiles", {"size": 6, "setup": "random", "first": "B"}),
    (EXAMPLE, {}),
]


def random_record(name: str, seed: int = 0, plies: int | None = None, **options: Any) -> Record:
    """A game of random moves; cut short after so many plies, if given."""
    rng = generator(seed)
    line = [game(name, **options).initial(seed)]
    while not line[-1].is_over and (plies is None or len(line) <= plies):
        line.append(line[-1].play(line[-1].random_move(rng)))
    outcome = line[-1].outcome
    return Record(
        game=name,
        options=options,
        start=line[0].text,
        seats=("random", "random(2)"),
        plies=tuple(
            Ply(by=before.mover, move=str(after.last_move), seconds=0.001 * number)
            for number, (before, after) in enumerate(pairwise(line), 1)
        ),
        winner=outcome.winner if outcome else 1,
        score=outcome.score if outcome else None,
        reason=Termination.RULES if outcome else Termination.TIME,
        detail="" if outcome else "12 ms over",
        seed=seed,
        conditions={"limits": {"seconds": 0.15}},
    )


@pytest.mark.parametrize(("name", "options"), GAMES)
@pytest.mark.parametrize("plies", [None, 3])
def test_a_record_plays_again_byte_for_byte(name: str, options: dict[str, Any], plies: int | None) -> None:
    for seed in range(5):
        record = random_record(name, seed, plies, **options)
        text = as_text(record)
        again = from_text(text)
        with only_trusted([] if name in CATALOGUE else [f"unchecked:{name}"]):
            line = list(states(again))
            assert as_text(rerecord(again)) == text
        assert len(line) == len(record.plies) + 1
        assert line[-1].is_over == (plies is None)


def test_other_spellings_are_played_and_come_back_in_ours() -> None:
    record = random_record("isolation")
    loud = replace(record, plies=tuple(replace(ply, move=ply.move.upper()) for ply in record.plies))
    assert rerecord(loud) == record


def test_a_file_that_the_options_name_need_not_exist() -> None:
    record = random_record("tiles", size=4)
    moved = replace(record, options={"setup": "/gone/board.txt", "first": "R"})
    assert list(states(moved)) == list(states(record))


def change(record: Record, number: int, **changes: Any) -> Record:
    plies = list(record.plies)
    plies[number - 1] = replace(plies[number - 1], **changes)
    return replace(record, plies=tuple(plies))


def landing(record: Record) -> int:
    return next(number for number, ply in enumerate(record.plies, 1) if ply.by == 2)


WRONG: dict[str, tuple[Callable[[], Record], str]] = {
    "illegal": (
        lambda: change(random_record("isolation"), 4, move=random_record("isolation").plies[0].move),
        r"^ply 4, \w\d: that cell is taken",
    ),
    "unreadable": (lambda: change(random_record("isolation"), 3, move="??"), r"^ply 3, .*'\?\?' is no cell"),
    "mover": (
        lambda: change(random_record("isolation"), 2, by=0),
        r"^ply 2, \w\d: it was for player 2, not player 1, to move",
    ),
    "chance by a player": (
        lambda: change(random_record("trap"), landing(random_record("trap")), by=0),
        r"it was for chance, not player 1, to move",
    ),
    "impossible landing": (
        lambda: change(
            replace(random_record("trap"), plies=(*random_record("trap").plies[:2], Ply(by=2, move="!a1"))),
            2,
            move="@g4",
        ),
        r"^ply 3, !a1: a throw at g4 cannot land there",
    ),
    "too long": (
        lambda: replace(random_record("isolation"), plies=(*random_record("isolation").plies, Ply(by=0, move="a1"))),
        r"^ply \d+, a1: the game is over",
    ),
    "too short": (
        lambda: replace(random_record("isolation"), plies=random_record("isolation").plies[:-1]),
        r"^after ply \d+ the game is not over",
    ),
    "winner": (
        lambda: replace(random_record("isolation"), winner=None),
        r"the game ends with: player . wins; the record says: draw",
    ),
    "score": (lambda: replace(random_record("colosseum"), score=(1, 2)), r"the record says: .* \(1, 2\)"),
    "fault of nobody": (lambda: replace(random_record("isolation", plies=3), winner=None), "has a loser"),
    "fault after the end": (
        lambda: replace(random_record("isolation"), reason=Termination.TIME),
        "leaves a game unfinished",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_the_rules_contradict_is_named(what: str) -> None:
    make, words = WRONG[what]
    with pytest.raises(BadGame, match=words) as error:
        rerecord(make())
    assert "\n" not in str(error.value)


def test_positions_before_a_wrong_move_can_be_seen() -> None:
    record = change(random_record("isolation"), 3, move="a1")
    seen: list[State] = []
    with pytest.raises(BadGame):
        for state in states(record):
            seen.append(state)
    assert len(seen) == 3


@pytest.mark.parametrize(
    ("changes", "kind"),
    [({"game": "chess"}, HarenaError), ({"game": "/gone/mine.py"}, BadFile), ({"start": "what?"}, BadText)],
)
def test_a_record_of_an_unknown_game_or_position_is_refused(changes: dict[str, Any], kind: type[Exception]) -> None:
    with pytest.raises(kind):
        list(states(replace(random_record("isolation"), **changes)))


# Bare lists of moves


def traced() -> list[list[list[int]]]:
    """Games of the course's own program."""
    lines = (TRACES / "isolation.jsonl").read_text("utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    return [[ply["move"] for ply in one["plies"]] for one in found if (one["rows"], one["columns"]) == (7, 7)][:20]


def rounds(moves: list[Any]) -> list[list[Any]]:
    return [moves[number : number + 2] for number in range(0, len(moves), 2)]


def test_the_courses_lists_are_read_in_all_their_forms() -> None:
    start = game("isolation").initial()
    assert len(traced()) > 5
    for moves in traced():
        line = list(read_moves(json.dumps(moves)).states(start))
        assert len(line) == len(moves) + 1
        ours = [str(state.last_move) for state in line[1:]]
        pairs = [tuple(move) for move in moves]
        for text in (
            json.dumps(rounds(moves)),
            repr(pairs),
            repr(rounds(pairs)),
            json.dumps(ours),
            " ".join(ours),
            ", ".join(ours),
            "\n".join(ours) + "\n",
            " ".join(f"{row},{column}" for row, column in moves),
        ):
            assert list(read_moves(text).states(start)) == line
        for lost in ([-1, -1], None):
            for text in (json.dumps(rounds([*moves, lost])), json.dumps([*moves, lost]), repr(rounds([*pairs, lost]))):
                found = read_moves(text)
                assert found.gave_up and list(found.states(start)) == line


def test_a_list_of_any_game_is_read() -> None:
    record = random_record("trap")
    found = read_moves(json.dumps([ply.move for ply in record.plies]))
    assert list(found.states(game("trap").initial())) == list(states(record))
    assert read_moves("") == read_moves("[]") == MoveList(moves=())


def test_an_illegal_move_of_a_list_is_named() -> None:
    with pytest.raises(BadGame, match=r"^ply 3, d4: that cell is taken"):
        list(read_moves("[[3, 3], [2, 1], [3, 3]]").states(game("isolation").initial()))
    with pytest.raises(BadGame, match=r"^ply 2, 'j1' is off the board|^ply 2, j1: .*off the board"):
        list(read_moves("[[3, 3], [0, 9]]").states(game("isolation").initial()))


BAD = {
    "[[3, 3], [2": "neither JSON nor Python",
    "[" * 10_000: "neither JSON nor Python",
    "[__import__('os')]": "neither JSON nor Python",
    '{"moves": []}': "a list like",
    "[[3, 3], [2]]": r"move 2, \[2\], is none",
    "[[3, 3], [-1, -1], [2, 2]]": "move 2",
    "[[3, 3], [true, 1]]": "move 2",
    "[[3, 3], [1, 99]]": "move 2",
    "[3, 3]": "move 1, 3, is none",
    '["d4", ""]': "move 2",
    "[[3.0, 3]]": "move 1",
}


@pytest.mark.parametrize("text", BAD, ids=lambda text: text[:20])
def test_what_is_no_list_of_moves_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(BadText, match=BAD[text]) as error:
        read_moves(text)
    assert "\n" not in str(error.value) and len(str(error.value)) < 150
