"""Agents of W4701 as students hand them in, in processes of their own against the referee."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harena.arena.contest import Contest, Spec
from harena.arena.record import Record
from harena.arena.referee import Terms
from harena.arena.replay import states
from harena.arena.slot import Slot
from harena.courses.hosting.importing import CannotLoad
from harena.courses.hosting.w4701 import cell_of
from harena.courses.hosting.w4701_finding import find
from harena.errors import BadOption
from harena.search.result import Limits

AGENTS = Path(__file__).parent / "agents" / "w4701"
TEMPLATE = AGENTS / "template" / "PlayerAI.py"
GOOD = (
    *("random_walker", "greedy", "expectiminimax", "mcts", "old_numpy", "own_name", "repository", "data_file"),
    *("mutating", "counters", "course_modules", "own_grid"),
)
FAULTS = {
    "template": ("unreadable answer", "None from getMove is no cell", 0),
    "none": ("unreadable answer", "None from getTrap is no cell: answer (row, column), two integers", 1),
    "floats": ("unreadable answer", "(1.0, 2.0) from getMove is no cell", 0),
    "illegal_walk": ("illegal move", "(0, 3) from getMove: a player stands there", 0),
    "illegal_aim": ("illegal move", "(6, 3) from getTrap: a player stands there", 1),
    "negative_aim": ("illegal move", "(-1, 2) from getTrap: it is off the board, whose rows and columns are 0 to 6", 1),
    "crash": ("crash", "KeyError: 7 (PlayerAI.py, line 29)", 1),
    "exits": ("crash", "it called exit('I give up') (PlayerAI.py, line 29)", 1),
    "broken/several.py:Bold": ("illegal move", "(7, 7) from getTrap: it is off the board", 1),
    "own_name:Thinker": ("crash", "NotImplementedError (squid.py, line 23)", 1),
}
UNLOADABLE = {
    "nothing": "no Python file here has a class with getMove and getTrap",
    "two_agents": "there are several agents here, first/PlayerAI.py, second/PlayerAI.py: keep or name one of them",
    "own_grid_broken": "Grid.py cannot be imported: ValueError: not yet (Grid.py, line 27)",
    "nothing/README.md": "README.md is no Python file",
    "own_name/squid.py:Squid": "squid.py has no class Squid; it has: Thinker, SquidGamer",
    "own_name:Squid": "no Python file here has a class Squid",
    "broken/arguments.py": "PlayerAI cannot be made without arguments: give depth, budget a default",
    "broken/asks.py": "asks.py cannot be imported: EOFError: EOF when reading a line; "
    "input() has nobody to ask: an agent returns its move (asks.py, line 1)",
    "broken/constructor.py": "PlayerAI() fails: FileNotFoundError: [Errno 2] No such file or directory: 'table.bin'",
    "broken/exits_at_import.py": "exits_at_import.py cannot be imported: it called exit(3)",
    "broken/missing_import.py": "ModuleNotFoundError: No module named 'tensorflow_of_mine' (missing_import.py, line 1)",
    "broken/no_class.py": "no_class.py has no class with getMove and getTrap",
    "broken/no_trap.py": "PlayerAI has no getTrap",
    "broken/python2.py": "python2.py cannot be imported: SyntaxError: Missing parentheses in call to 'print'",
    "broken/several.py": "several.py has several agents, Cautious, Bold: add :Cautious to the path",
}


def played(agent: str, games: int = 1, *, course: str = "w4701", size: int = 7, **spec: Any) -> list[Record]:
    """Games of an agent against a random player, seats swapped from game to game."""
    text = f"{course}:{AGENTS / agent}"
    contest = Contest(Spec(game="trap", variants=[{"size": size}], agents=[text, "random"], local=True, **spec))
    contestants: dict[int, Any] = {}
    slots = [Slot(a=0, b=1, pair=number // 2, swapped=number % 2 == 1) for number in range(games)]
    contest.probe.start()  # a machine that stands still is no fault of an agent
    try:
        records = [contest.play(slot, contestants) for slot in slots]
    finally:
        for one in contestants.values():
            one.close()
        contest.probe.stop()
    for record in records:
        list(states(record))  # every move is legal
    return records


@pytest.mark.process
@pytest.mark.parametrize("agent", GOOD)
def test_an_agent_plays_as_it_is_in_both_seats(agent: str) -> None:
    for record in played(agent, 2):
        assert (record.reason, record.detail) == ("rules", "")
        assert any(ply.seconds for ply in record.plies)


@pytest.mark.process
@pytest.mark.parametrize(("agent", "size"), [("greedy", 8), ("repository", 5), ("course_modules", 4)])
def test_boards_of_other_sizes(agent: str, size: int) -> None:
    assert [record.reason for record in played(agent, 2, size=size)] == ["rules", "rules"]


@pytest.mark.process
@pytest.mark.parametrize("agent", FAULTS)
def test_a_fault_loses_with_its_own_reason(agent: str) -> None:
    reason, detail, plies = FAULTS[agent]
    first, second = played(agent, 2, seed=3)
    assert (first.reason, first.winner, len(first.plies)) == (reason, 1, plies)
    assert detail in first.detail
    assert (second.reason, second.winner) == (reason, 0)


@pytest.mark.process
@pytest.mark.parametrize("agent", UNLOADABLE)
def test_what_cannot_be_loaded_says_why_in_a_line(agent: str) -> None:
    (record,) = played(agent)
    assert (record.reason, record.winner, record.plies) == ("did not load", 1, ())
    assert UNLOADABLE[agent] in record.detail and "\n" not in record.detail


@pytest.mark.process
@pytest.mark.parametrize("agent", ["own_name/squid.py:SquidGamer", "broken/several.py:Cautious", "broken:Cautious"])
def test_a_class_is_picked_by_its_name(agent: str) -> None:
    (record,) = played(agent, size=5)
    assert record.reason == "rules"


@pytest.mark.process
def test_the_clock_is_of_walk_and_aim_together() -> None:
    contest = Contest(Spec(game="trap", variants=[{}], agents=[f"w4701:{AGENTS / 'greedy'}", "random"]))
    contest.probe.stop()
    assert contest.terms[0] == Terms(limits=Limits(seconds=5.0), by_turn=True)
    (record,) = played("slow_walk", limits={"seconds": 2.0}, by_turn=True)  # it takes 1.4 s for each
    assert (record.reason, record.winner) == ("time", 1)
    assert [ply.by for ply in record.plies] == [0]


@pytest.mark.process
def test_every_game_has_an_instance_of_its_own_unless_one_is_reused() -> None:
    assert [record.reason for record in played("counters", 3, size=5)] == ["rules"] * 3
    first, second, third = played("counters", 3, course="w4701-reused", size=5)
    assert (first.reason, second.reason) == ("rules", "rules")  # as player 2 it meets a trap at its first turn
    assert (third.reason, third.plies) == ("crash", ())
    assert "on a board without traps (PlayerAI.py, line 28)" in third.detail


@pytest.mark.process
def test_a_game_from_a_position_knows_where_its_players_stand() -> None:
    for opening in (
        "1....../......./...xx../......./......./......./....2.. 2 walk 7",
        "......./.1...../......./......./......./..2..../xxx.... 1 aim 8",
    ):
        first, second = played("mutating", 2, openings=[opening])
        assert (first.reason, second.reason, first.start) == ("rules", "rules", opening)


@pytest.mark.process
def test_games_are_repeated_by_their_seed() -> None:
    one, again, other = (played("mcts", size=5, seed=seed)[0] for seed in (1, 1, 2))
    assert [ply.move for ply in one.plies] == [ply.move for ply in again.plies] != [ply.move for ply in other.plies]


@pytest.mark.process
def test_the_submission_is_not_written_to() -> None:
    played("data_file", size=4)
    assert sorted(file.name for file in (AGENTS / "data_file").iterdir()) == ["PlayerAI.py", "book", "weights.json"]


def test_it_plays_no_other_game() -> None:
    with pytest.raises(BadOption, match="plays trap, and this is isolation"):
        Contest(Spec(game="isolation", variants=[{}], agents=[f"w4701:{AGENTS / 'greedy'}", "random"]))


@pytest.mark.parametrize(
    ("answer", "cell"),
    [
        ((1, 2), (1, 2)),
        ([1, 2], (1, 2)),
        (np.array([1, 2]), (1, 2)),
        ((np.int64(1), np.uint8(2)), (1, 2)),
        ([np.array(1), 2], (1, 2)),
        ((-1, 99), (-1, 99)),
        (np.array([1.0, 2.0]), None),
        (np.array([[1, 2], [3, 4]]), None),
        (np.array(1), None),
        ((1, 2, 3), None),
        ((True, False), None),
        ((np.True_, np.False_), None),
        (("1", "2"), None),
        ("12", None),
        ({1, 2}, None),
        (None, None),
        (3, None),
    ],
)
def test_what_a_cell_is(answer: Any, cell: tuple[int, int] | None) -> None:
    assert cell_of(answer) == cell


def agent_file(folder: Path, name: str, aim: str = "(0, 0)") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text(
        f"class PlayerAI:\n    def getMove(self, grid): return (0, 0)\n    def getTrap(self, grid): return {aim}, 1\n"
    )
    return file


def template_file(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "PlayerAI.py"
    file.write_text(TEMPLATE.read_text())
    return file


def test_player_ai_is_preferred_and_the_authors_folder_before_others(tmp_path: Path) -> None:
    other = agent_file(tmp_path / "src" / "deep", "best.py")
    assert find(tmp_path, "") == other
    empty = template_file(tmp_path)
    assert find(tmp_path, "") == other, "a template plays nothing"
    deep = agent_file(tmp_path / "src" / "deep", "PlayerAI.py")
    assert find(tmp_path, "") == deep
    agent_file(tmp_path / "test_players", "PlayerAI.py")
    agent_file(tmp_path / ".old", "PlayerAI.py")
    agent_file(tmp_path / "venv" / "lib", "PlayerAI.py")
    assert find(tmp_path, "") == deep
    upper = agent_file(tmp_path / "game", "PlayerAI.py", "(1, 1)")
    assert find(tmp_path, "") == upper
    authors = agent_file(tmp_path / "handed in" / "xy12_abc3456", "PlayerAI.py", "(2, 2)")
    assert find(tmp_path, "") == authors
    assert find(empty.parent, "PlayerAI") == authors


def test_copies_of_one_agent_are_one_and_a_broken_one_is_not_passed_over(tmp_path: Path) -> None:
    one = agent_file(tmp_path / "a", "PlayerAI.py")
    agent_file(tmp_path / "b", "PlayerAI.py")
    assert find(tmp_path, "") == one
    agent_file(tmp_path / "c", "PlayerAI.py", "(1, 1)")
    with pytest.raises(CannotLoad, match="several agents here"):
        find(tmp_path, "")
    broken = tmp_path / "PlayerAI.py"
    broken.write_text("class PlayerAI(:\n")
    assert find(tmp_path, "") == broken
