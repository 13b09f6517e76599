"""Agents of the Isolation course as students write them, in processes of their own: legal moves and exact ends."""

from pathlib import Path
from typing import Any

import pytest

from harena.agents.contestant import ProcessContestant
from harena.agents.fault import AgentFault
from harena.arena.contest import Contest, Spec
from harena.arena.record import Record
from harena.arena.replay import states
from harena.arena.slot import Slot

pytestmark = pytest.mark.process

AGENTS = Path(__file__).parent / "agents" / "aind"
BOARD: dict[str, Any] = {"size": "5", "setup": "random-placements"}
PATIENT = 5.0  # seconds of margin: this machine may be busy, and time is not what is tested


def played(text: str, opponent: str = "random", pairs: int = 1, **more: Any) -> list[Record]:
    """Pairs of games, the agent first in the first of each."""
    given: dict[str, Any] = {"limits": {"seconds": 0.06}, "margin": PATIENT, "seed": 5, "variants": [BOARD]} | more
    contest = Contest(Spec(game="isolation", agents=[f"aind:{text}", opponent], local=True, **given))
    contestants = {0: contest.contestant(0), 1: contest.contestant(1)}
    contest.probe.start()  # a machine that stands still is no fault of an agent
    try:
        return [
            contest.play(Slot(a=0, b=1, pair=pair, swapped=swapped), contestants)
            for pair in range(pairs)
            for swapped in (False, True)
        ]
    finally:
        for one in contestants.values():
            one.close()
        contest.probe.stop()


def unloadable(folder: Path, game: str = "isolation") -> str:
    """The one line that says why nothing here can play."""
    agent = ProcessContestant(f"aind:{folder}", game, [{}], margin=PATIENT)
    try:
        with pytest.raises(AgentFault) as told:
            agent.start()
    finally:
        agent.close()
    assert told.value.reason == "did not load" and "\n" not in told.value.detail
    return told.value.detail


GOOD = (
    "template_g2",
    "template_g2/game_agent.py:MinimaxPlayer",
    "template_g1",
    "ordered_g1",
    "flat_g1c/game_agent.py",
    "hashing_g2",
    "mcts_helpers",
    "numpy_old",
    "spoils",
    "data_files",
    "repository",
    "own_board",
    "competition",
    "other_names",
    "optional_imports",
    "on_samples/game_agent.py",
    "on_samples/game_agent.py:GreedyPlayer",
    "odd_answers/game_agent.py:Floats",
)


@pytest.mark.parametrize("name", GOOD)
def test_an_agent_plays_its_games_to_the_end(name: str) -> None:
    for seat, record in enumerate(played(str(AGENTS / name))):
        assert (record.reason, record.detail) == ("rules", "")
        assert record.seats[seat] == f"aind:{AGENTS / name}"
        assert sum(1 for _ in states(record)) == len(record.plies) + 1


@pytest.mark.parametrize("name", ["template_g1", "ordered_g1", "flat_g1c", "template_g2", "hashing_g2", "own_board"])
def test_an_agent_places_its_knight_on_boards_of_any_size(name: str) -> None:
    for record in played(str(AGENTS / name), variants=[{"size": "4x6"}]):
        assert (record.reason, record.detail) == ("rules", "")


def test_a_start_may_have_visited_cells_and_either_player_to_move() -> None:
    openings = [".x..2/xx.../..1x./...../x.... 2", "...../...x./x...x/.x.../..... 1", "..x../2...x/x...x/.x.../..... 1"]
    for name in ("ordered_g1", "flat_g1c", "hashing_g2", "own_board"):
        for record in played(str(AGENTS / name), pairs=3, openings=openings, variants=[{"size": "5"}]):
            assert (record.reason, record.detail) == ("rules", ""), record.start


def test_without_a_limit_of_time_an_agent_has_the_course_s_150_milliseconds() -> None:
    records = played(str(AGENTS / "competition"), limits={"nodes": 10})
    assert [record.conditions["seats"][seat] for seat, record in enumerate(records)] == 2 * [
        {"seconds": 0.15, "nodes": 10}
    ]
    slow = [ply.seconds or 0 for seat, record in enumerate(records) for ply in record.plies if ply.by == seat]
    assert max(slow) >= 0.04  # it waits until 100 ms are left


def test_a_constructor_is_not_on_the_clock() -> None:
    for record in played(str(AGENTS / "slow_start"), limits={"seconds": 0.05}, margin=0.7):  # it takes 0.9 s
        assert record.reason == "rules"


def test_who_sees_that_all_is_lost_and_gives_up_has_resigned() -> None:
    records = played(str(AGENTS / "resigns"), "ab_improved", pairs=4, limits={"seconds": 1.0})
    assert {record.reason for record in records} == {"rules", "resigned"}
    lost = [(seat % 2, record) for seat, record in enumerate(records) if record.reason == "resigned"]
    for seat, record in lost:
        *_, last = states(record)
        assert record.winner == 1 - seat and last.mover == seat
        moves = len(last.moves())
        left = "is 1 move" if moves == 1 else f"are {moves} moves"
        assert record.detail == f"(-1, -1) from get_move while there {left}"


ENDS = {
    "resigns_with_none": ("resigned", "None from get_move while there "),
    "cheats": ("illegal move", "from get_move: a knight does not get there"),
    "crashes": ("crash", "ZeroDivisionError: integer division or modulo by zero (game_agent.py, line 4)"),
    "hogs": ("time", "no answer after"),
    "odd_answers/game_agent.py:OffBoard": (
        "illegal move",
        "(3, -2) from get_move: it is off the board, which ends at (4, 4)",
    ),
    "odd_answers/game_agent.py:Visited": ("illegal move", "that cell is taken or has been visited"),
    "odd_answers/game_agent.py:Unreached": ("illegal move", "a knight does not get there"),
    "odd_answers/game_agent.py:Text": ("unreadable answer", "'c3' from get_move is no cell: answer (row, column)"),
    "odd_answers/game_agent.py:Number": ("unreadable answer", "7 from get_move is no cell"),
    "odd_answers/game_agent.py:Halves": ("unreadable answer", "(0.5, 1.5) from get_move is no cell"),
    "odd_answers/game_agent.py:Three": ("unreadable answer", "(1, 2, 3) from get_move is no cell"),
    "odd_answers/game_agent.py:Unprintable": ("unreadable answer", "what cannot be printed (ValueError) from get_move"),
    "odd_answers/game_agent.py:Leaves": ("crash", "it called exit(0) (game_agent.py, line 60)"),
    "odd_answers/game_agent.py:Human": ("crash", "HumanPlayer asks at a terminal, and nobody is there"),
    "other_names/knight_master.py:Sleeper": ("illegal move", "a knight does not get there"),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_fault_has_its_own_reason_and_says_what_it_was(name: str) -> None:
    reason, detail = ENDS[name]
    margin = 0.2 if name == "hogs" else PATIENT
    for seat, record in enumerate(played(str(AGENTS / name), margin=margin)):
        assert (record.reason, record.winner) == (reason, 1 - seat), record.detail
        assert detail in record.detail and "\n" not in record.detail


FILES = {
    "def f(:\n": "game_agent.py cannot be imported: SyntaxError: invalid syntax (game_agent.py, line 1)",
    "import tensorflow_of_2017\n": "ModuleNotFoundError: No module named 'tensorflow_of_2017' (game_agent.py, line 1)",
    "1 / 0\n": "ZeroDivisionError: division by zero (game_agent.py, line 1)",
    "exit(3)\n": "game_agent.py cannot be imported: it called exit(3) (game_agent.py, line 1)",
    "class A: pass\n": "game_agent.py has no class with get_move",
    "class A:\n    def __init__(self, colour): pass\n    def get_move(self, game, time_left): pass\n": (
        "A cannot be made: the course gives nothing for 'colour'; give it a default"
    ),
    "class A:\n    def __init__(self): self.x = y\n    def get_move(self, game, time_left): pass\n": (
        "A() fails: NameError: name 'y' is not defined (game_agent.py, line 2)"
    ),
    "class CustomPlayer:\n    def __init__(self, score_fn): pass\n    def get_move(self, game, time_left): pass\n": (
        "CustomPlayer cannot be made: the course gives nothing for 'score_fn'; give it a default"
    ),
}


@pytest.mark.parametrize("text", FILES)
def test_what_cannot_be_loaded_is_told_in_one_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "game_agent.py").write_text(text)
    assert FILES[text] in unloadable(tmp_path / "game_agent.py")


PLAYS = "class A:\n    def get_move(self, game, time_left): return game.get_legal_moves()[0]\n"
LATER = "class CustomPlayer:\n    def get_action(self, state): pass\n"
FOLDERS: dict[str, tuple[dict[str, str], str]] = {
    "nothing": ({"notes.py": "x = 1\n"}, "no Python file here has a class with get_move"),
    "later": ({"my_custom_player.py": LATER}, "the agent here has get_action, of the later 11x9 project"),
    "two": (
        {"one/game_agent.py": PLAYS, "two/game_agent.py": f"{PLAYS}\n"},
        "there are several agents here, one/game_agent.py, two/game_agent.py: keep or name one of them",
    ),
    "data": (
        {"game_agent.py": PLAYS.replace("A:", "A:\n    def __init__(self, data): pass"), "data.json": "{"},
        "data.json cannot be read: JSONDecodeError",
    ),
    "board": (
        {"game_agent.py": PLAYS, "isolation/isolation.py": "class Board:\n    def bits(self): pass\n"},
        "isolation.py has a Board of its own without _board_state",
    ),
    "broken board": (
        {"game_agent.py": PLAYS, "isolation/isolation.py": "class Board:\n    def bits(self): pass\n1 / 0\n"},
        "isolation.py cannot be imported: ZeroDivisionError: division by zero (isolation.py, line 3)",
    ),
}


@pytest.mark.parametrize("kind", FOLDERS)
def test_a_folder_without_an_agent_says_what_it_lacks(kind: str, tmp_path: Path) -> None:
    files, line = FOLDERS[kind]
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert line in unloadable(tmp_path)


def test_a_name_or_a_file_that_is_no_agent_says_what_there_is(tmp_path: Path) -> None:
    (tmp_path / "agent.txt").write_text("I play well")
    assert unloadable(tmp_path / "agent.txt") == "agent.txt is no Python file"
    assert "game_agent.py has no class Champion with get_move; it has: MinimaxPlayer, AlphaBetaPlayer" in unloadable(
        AGENTS / "template_g2" / "game_agent.py:Champion"
    )
    assert "no Python file here has a class Champion" in unloadable(Path(f"{AGENTS / 'template_g2'}:Champion"))
    assert "plays isolation, not trap" in unloadable(AGENTS / "template_g2", "trap")


def test_two_equal_copies_of_an_agent_are_one(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "game_agent.py").write_text(PLAYS)
    assert {record.reason for record in played(str(tmp_path))} == {"rules"}


def test_an_agent_called_like_a_library_leaves_the_library_alone(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text(f"import copy, isolation\nassert copy.deepcopy\n{PLAYS}")
    assert {record.reason for record in played(str(tmp_path / "random.py"))} == {"rules"}
