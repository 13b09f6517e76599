"""The modules that agents of W4701 import: their interface, and their rules beside ours."""

import importlib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import harena
from harena.courses.hosting.importing import MODULES

OURS = MODULES / "w4701"
GREEDY = Path(__file__).parent / "agents" / "w4701" / "greedy"
NAMES = ("BaseAI", "Grid", "Utils", "ComputerAI", "BaseDisplayer", "Displayer", "Game")
LEVELS = ("EasyAI", "MediumAI", "MinimaxAI", "HardAI", "SuperAI")
START = "...1.../......./......./......./......./......./...2..."


@pytest.fixture
def course(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The course's modules by name, importable for a test only."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(OURS))
    players = {name: importlib.import_module(f"test_players.{name}") for name in LEVELS}
    yield SimpleNamespace(**{name: importlib.import_module(name) for name in NAMES}, players=players)
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(OURS)):
            del sys.modules[name]


def grid_of(course: Any, rows: str) -> Any:
    """The grid of the rows of a position."""
    lines = rows.split("/")
    grid = course.Grid.Grid(len(lines))
    for row, line in enumerate(lines):
        for column, sign in enumerate(line):
            grid.setCellValue((row, column), {".": 0, "x": -1, "1": 1, "2": 2}[sign])
    return grid


def text_of(cell: tuple[int, int]) -> str:
    return "abcdefgh"[cell[1]] + str(cell[0] + 1)


# Grid


def test_a_grid_is_what_the_course_had(course: Any, capsys: pytest.CaptureFixture[str]) -> None:
    grid = course.Grid.Grid()
    assert (grid.dim, grid.map.shape, grid.map.dtype) == (7, (7, 7), np.float64)
    assert grid.getMap() is grid.map and course.Grid.Grid(N=5).dim == 5
    assert len(grid.getAvailableCells()) == 49
    assert grid.move((0, 3), 1).move((6, 3), 2).trap((1, 3)) is grid
    assert grid.getAvailableCells()[:4] == [(0, 0), (0, 1), (0, 2), (0, 4)]
    assert {type(line) for cell in grid.getAvailableCells() for line in cell} == {np.int64}
    assert grid.find(2) == (6, 3) and {type(line) for line in grid.find(1)} == {np.int64}
    assert grid.getCellValue(grid.find(1)) == 1 and grid.getCellValue((1, 3)) == -1
    copy = grid.clone()
    copy.move((5, 5), 1).setCellValue((3, 3), -1)
    assert copy.find(1) == (5, 5) and copy.getCellValue((0, 3)) == 0
    assert grid.find(1) == (0, 3) and grid.getCellValue((3, 3)) == 0
    grid.print_grid()
    assert capsys.readouterr().out.count("\n") == 7


def test_whoever_is_not_on_the_grid_cannot_be_found(course: Any) -> None:
    grid = grid_of(course, START).trap((0, 3))
    for error in (IndexError, UnboundLocalError):
        with pytest.raises(error, match="player 1 is not on the grid"):
            grid.find(1)
    with pytest.raises(IndexError):
        grid.find(0)


@pytest.mark.parametrize("cell", [(0, 0), (0, 3), (3, 3), (6, 6), (np.int64(5), np.int64(0))])
def test_neighbours_come_as_a_set_of_tuples_gives_them(course: Any, cell: tuple[int, int]) -> None:
    rows, columns = (range(max(line - 1, 0), min(line + 2, 7)) for line in cell)
    found = course.Grid.Grid().get_neighbors(cell)
    assert found == list({(row, column) for row in rows for column in columns} - {cell})
    assert {type(line) for one in found for line in one} == {int}


def test_free_neighbours_are_the_legal_walks_by_both_spellings(course: Any) -> None:
    rng = harena.generator(4)
    for size in (4, 7, 8):
        state = harena.game("trap", size=size).initial()
        while not state.is_over:
            rows, _, stage, _ = state.text.split(" ")
            if stage == "walk":
                grid = grid_of(course, rows)
                here = grid.find(state.mover + 1)
                free = grid.get_neighbors(here, only_available=True)
                assert {text_of(cell) for cell in free} == {str(move) for move in state.moves()}
                assert free == grid.get_neighbors(here, available_only=True) == grid.get_neighbors(here, True)
            state = state.play(state.random_move(rng))


def test_the_rest(course: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert course.Utils.manhattan_distance((1, 5), (4, 3)) == 5
    base = course.BaseAI.BaseAI()
    assert (base.getMove(None), base.getTrap(None), base.setPosition((0, 0)), base.setPlayerNum(1)) == (None,) * 4
    assert course.BaseDisplayer.BaseDisplayer().display(None) is None
    grid = grid_of(course, "1x../..../..../...2")
    course.Displayer.Displayer().unixDisplay(grid)
    first, *_ = capsys.readouterr().out.split("\n\n")
    assert first == ("\x1b[102m   1   \x1b[0m\x1b[40m   x   \x1b[0m\x1b[100m       \x1b[0m\x1b[100m       \x1b[0m")
    course.Displayer.Displayer().winDisplay(grid)
    assert capsys.readouterr().out.splitlines()[:3] == ["-" * 17, "| 1 | x |   |   |", "-" * 17]


# Game


class Scripted:
    """An agent that answers what it was given, and remembers what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.asked = list(answers), list[str]()

    def setPosition(self, pos: Any) -> None:  # noqa: N802
        self.pos = pos

    def getPosition(self) -> Any:  # noqa: N802
        return self.pos

    def setPlayerNum(self, num: int) -> None:  # noqa: N802
        self.number = num

    def getMove(self, grid: Any) -> Any:  # noqa: N802
        self.asked.append("walk")
        return self.answers.pop(0)

    def getTrap(self, grid: Any) -> Any:  # noqa: N802
        self.asked.append("aim")
        return self.answers.pop(0)


def game_from(course: Any, rows: str, one: Any, two: Any) -> Any:
    """A game of these agents that begins at a position, player 1 to walk; throws always hit."""

    class Here(course.Game.Game):  # type: ignore[misc]
        def initialize_game(self) -> None:
            self.grid = grid_of(course, rows)
            for number, player in ((1, one), (2, two)):
                player.setPosition(self.grid.find(number))
                player.setPlayerNum(number)

        def throw(self, player: Any, grid: Any, intended_position: Any) -> Any:
            return tuple(intended_position)

    return Here(playerAI=one, computerAI=two, N=rows.count("/") + 1)


ENDS = {  # position, walks and aims of player 1 and of player 2, winner, and what was asked last
    "the opponent is stuck after my walk": ("1.../..../xx../2x..", [(1, 0)], [], 1, "walk"),
    "the opponent is stuck after my throw": ("1.../..../.x../2x..", [(0, 1), (2, 0)], [], 1, "aim"),
    "both are stuck, and the mover wins": ("x.1x/xx.x/xx.x/xxx2", [(1, 2), (2, 2)], [], 1, "aim"),
    "I am stuck by my own throw, and still after his walk": (
        *(".1x./xx../..../...2", [(0, 0), (0, 1)], [(2, 2)], 2),
        "walk",
    ),
    "I am stuck by my own throw, he frees me and takes it again": (
        *(".1x./x2../..../....", [(0, 0), (0, 1)], [(1, 2), (1, 1)], 2),
        "aim",
    ),
    "my turn begins with the opponent already stuck": (
        *("..../.1../xx../2x..", [(1, 0)], [], 1),
        "walk",
    ),
}


@pytest.mark.parametrize("case", ENDS)
def test_games_end_as_in_the_grading_program_and_as_here(course: Any, case: str) -> None:
    rows, first, second, winner, last = ENDS[case]
    one, two = Scripted(*first), Scripted(*second)
    assert game_from(course, rows, one, two).play() == winner
    assert not one.answers and not two.answers
    assert (one if winner == 1 else two).asked[-1] == last
    state = harena.game("trap", size=4).position(f"{rows} 1 walk 0")
    for walk, *aims in (turn for turn in (first, second) if turn):
        state = state.play(text_of(walk))
        for aim in aims:
            state = state.play(f"@{text_of(aim)}").play(f"!{text_of(aim)}")
    assert state.outcome is not None and state.outcome.winner == winner - 1


FAULTS = {
    "a walk that stays": ([(0, 3)], "Tried to move to (0, 3)\nInvalid move!"),
    "a walk that is none": ([None], "Tried to move to None\nInvalid move!"),
    "an aim at a player": ([(1, 3), (6, 3)], "Tried to put trap in (6, 3)\nInvalid trap!"),
    "an aim at oneself": ([(1, 3), (1, 3)], "Tried to put trap in (1, 3)\nInvalid trap!"),
    "a negative aim": ([(1, 3), (-1, 2)], "Tried to put trap in (-1, 2)\nInvalid trap!"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_loses_the_courses_game_too(course: Any, capsys: pytest.CaptureFixture[str], case: str) -> None:
    answers, said = FAULTS[case]
    assert course.Game.Game(Scripted(*answers)).play() == 2
    assert capsys.readouterr().out.endswith(f"{said}\n")


def test_a_game_of_random_players_is_played_and_shown(course: Any, capsys: pytest.CaptureFixture[str]) -> None:
    game = course.Game.Game(displayer=course.Displayer.Displayer())
    assert game.play() in (0, 1, 2) and game.over
    assert capsys.readouterr().out.count("Moving to") >= 5


def test_the_clock_and_the_last_turn(course: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course.Game, "maxHalfTurns", 3)
    assert course.Game.Game().play() == 0
    monkeypatch.setattr(course.Game, "timeLimit", -2.0)
    assert course.Game.Game().play() == 2


@pytest.mark.parametrize(
    ("rows", "target"),
    [
        ("1....../......./......./......./......./......./...2...", (6, 6)),
        (START, (5, 3)),
        ("....1../...x.2./....x../......./......./......./.......", (1, 4)),
        ("1....../......./......./......./......./......./...2...", (0, 1)),
    ],
)
def test_throws_land_as_often_as_the_rules_say(course: Any, rows: str, target: tuple[int, int]) -> None:
    grid, player, throws = grid_of(course, rows), Scripted(), 8_000
    player.setPosition(tuple(int(line) for line in grid.find(1)))
    np.random.seed(12)
    game = course.Game.Game()
    landed = Counter(text_of(game.throw(player, grid, target)) for _ in range(throws))
    state = harena.game("trap").position(f"{rows} 1 @{text_of(target)} 0")
    exact = {str(move).lstrip("!"): chance for move, chance in state.chances()}
    assert set(landed) == set(exact)
    for cell, chance in exact.items():
        assert abs(landed[cell] / throws - chance) <= 4.5 * (chance * (1 - chance) / throws) ** 0.5, cell


@pytest.mark.process
def test_the_courses_game_starts_a_students_player(tmp_path: Path) -> None:
    places = os.pathsep.join((str(GREEDY), str(OURS)))
    environment = os.environ | {"PYTHONPATH": places, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, str(OURS / "Game.py")],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines()[-1] in ("Player 1 wins!", "Player 2 wins!", "A draw.")


# Opponents


def placed(course: Any, name: str, grid: Any, number: int) -> Any:
    """An opponent who knows his place."""
    module = course.players[name]
    player = getattr(module, name)()
    player.setPosition(tuple(int(line) for line in grid.find(number)))
    player.setPlayerNum(number)
    return player


@pytest.mark.slow
@pytest.mark.parametrize("name", LEVELS)
def test_opponents_are_legal_and_aim_near_the_other_player(course: Any, name: str) -> None:
    rng = harena.generator(7)
    state = harena.game("trap", size=5).initial()
    while not state.is_over:
        rows, player, stage, _ = state.text.split(" ")
        if state.mover == harena.CHANCE:
            state = state.play(state.random_move(rng))
            continue
        grid = grid_of(course, rows)
        one = placed(course, name, grid, int(player))
        cell = one.getMove(grid.clone()) if stage == "walk" else one.getTrap(grid.clone())
        if stage == "aim":
            assert cell in grid.get_neighbors(grid.find(3 - int(player)))
        state = state.play(text_of(cell))


@pytest.mark.parametrize("name", LEVELS)
def test_opponents_walk_even_when_the_other_player_is_stuck(course: Any, name: str) -> None:
    grid = grid_of(course, "..../.1../xx../2x..")
    assert placed(course, name, grid, 1).getMove(grid) in grid.get_neighbors((1, 1), only_available=True)


def test_easy_aims_anywhere_when_no_neighbour_is_free(course: Any) -> None:
    grid = grid_of(course, "..../.1../xx../2x..")
    assert placed(course, "EasyAI", grid, 1).getTrap(grid) in grid.getAvailableCells()


def test_medium_looks_one_ply_ahead(course: Any) -> None:
    grid = grid_of(course, "x1.../xx.../x..../...../..2..")
    assert placed(course, "MediumAI", grid, 1).getMove(grid) == (1, 2)
    near = grid_of(course, "...../...../...../.1x../...2.")
    assert placed(course, "MediumAI", near, 1).getTrap(near) in {(4, 4), (3, 3), (3, 4)}  # and not (4, 2), my own


@pytest.mark.parametrize("name", ["MinimaxAI", "HardAI", "SuperAI"])
def test_searchers_close_the_last_exit_and_avoid_being_closed_in(course: Any, name: str) -> None:
    grid = grid_of(course, "...../...../...../xx1../2....")
    assert placed(course, name, grid, 1).getTrap(grid) == (4, 1)
    narrow = grid_of(course, ".xx../.1.../.xx../.xx../x..2.")
    walk = placed(course, name, narrow, 1).getMove(narrow)
    assert walk == (1, 2)


def whole_tree(one: Any, grid: Any, mode: str, depth: int, scale: Any) -> float:
    """The utility of the tree of walks or of throws, in which nothing is cut off; `scale` is the chance of a hit."""
    me, other = one.player_num, 3 - one.player_num
    if one.terminal_test(grid, 0.0, depth, mode):
        return float(one._value(grid, mode))
    is_mine, mover = depth % 2 == 0, me if depth % 2 == 0 else other
    if is_mine == (mode == "move"):  # a walk
        cells = grid.get_neighbors(grid.find(mover), only_available=True)
        values = [whole_tree(one, grid.clone().move(cell, mover), mode, depth + 1, scale) for cell in cells]
    else:
        cells = grid.get_neighbors(grid.find(3 - mover), only_available=not is_mine)
        cells = [cell for cell in cells if grid.getCellValue(cell) <= 0]
        chances = [scale(grid.find(mover), cell) for cell in cells]
        after = [whole_tree(one, grid.clone().trap(cell), mode, depth + 1, scale) for cell in cells]
        values = [chance * value for chance, value in zip(chances, after, strict=True)]
    return max(values) if is_mine else min(values)


@pytest.mark.parametrize("name", ["MinimaxAI", "HardAI", "SuperAI"])
@pytest.mark.parametrize("rows", ["1.x./..../.x.2/....", ".x../1.../x2x./...."])
def test_searchers_find_the_utility_of_the_whole_tree(course: Any, name: str, rows: str) -> None:
    grid = grid_of(course, rows)
    one = placed(course, name, grid, 1)
    scale = (lambda position, target: 1.0) if name == "MinimaxAI" else course.players["HardAI"].compute_p
    for best, mode in ((one._best_move, "move"), (one._best_trap, "trap")):
        assert best(grid)[1] == pytest.approx(whole_tree(one, grid, mode, 0, scale))


def test_utilities_are_those_of_the_description(course: Any) -> None:
    grid = grid_of(course, "1.x./..../.x.2/....")
    hard, minimax = (placed(course, name, grid, 1) for name in ("HardAI", "MinimaxAI"))
    assert hard.utility(grid) == 3 + 0.5 * (3 + 4 + 4)  # b1, a2 and b2 are free, and their free neighbours
    assert hard.utility(grid, "trap") == 2 * 3 - 5
    assert minimax.utility(grid) == 3 - 5
    assert placed(course, "SuperAI", grid, 1).utility(grid) == 1.5 * 3 - 5
    stuck = grid_of(course, "1x../xx../..../...2")
    assert [placed(course, "HardAI", stuck, number).utility(stuck) for number in (1, 2)] == [-1000, 1000]


def test_the_class_of_minimax_is_called_hard(course: Any) -> None:
    assert course.players["MinimaxAI"].HardAI is course.players["MinimaxAI"].MinimaxAI
    assert course.players["HardAI"].HardAI is not course.players["MinimaxAI"].HardAI
