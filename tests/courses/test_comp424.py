"""Agents of COMP 424 as students hand them in, in processes of their own against the referee."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from harena.arena.contest import Contest, Spec
from harena.arena.record import Record
from harena.arena.replay import states
from harena.arena.slot import Slot
from harena.courses.hosting.comp424_finding import find_file, registered_in, root_of, sight
from harena.courses.hosting.host import writable
from harena.courses.hosting.importing import CannotLoad
from harena.errors import BadOption

AGENTS = Path(__file__).parent / "agents" / "comp424"
GOOD = (
    *("lone_random/student_agent.py", "lone_random", "greedy_checkout", "minimax", "mcts_repository", "old_numpy"),
    *("own_names", "own_names/bot.py:Mason", "nested", "data_files/agents/student_agent.py", "year_2022", "mutating"),
    *("printing", "stateful", "libraries", "relatives", "relatives:student_agent", "seeded", "numpy_answers"),
    *("unloadable/two_classes:left", "unloadable/two_files/left", "own_modules", "greedy_checkout/agents"),
)
FORM = "is not of the form ((row, column), side)"
FAULTS = {
    "template": ("illegal move", "that side has a wall already"),
    "faults:off_board": ("illegal move", "((-1, 3), 2): that cell is not on a board of 6x6"),
    "faults:walled": ("illegal move", "((0, 0), 0): that side has a wall already"),
    "faults:far": ("illegal move", "more than 3 steps from "),
    "faults:onto": ("illegal move", "the adversary stands there"),
    "faults:fifth_side": ("illegal move", "a side is 0, 1, 2 or 3"),
    "faults:nothing": ("unreadable answer", f"None {FORM}"),
    "faults:one_thing": ("unreadable answer", FORM),
    "faults:three_things": ("unreadable answer", FORM),
    "faults:float_side": ("unreadable answer", FORM),
    "faults:bool_side": ("unreadable answer", f"True) {FORM}"),
    "faults:numpy_bool_side": ("unreadable answer", FORM),
    "faults:letters": ("unreadable answer", f"(('a', 'b'), 'u') {FORM}"),
    "faults:not_a_number": ("unreadable answer", f"((nan, 1), 0) {FORM}"),
    "faults:huge": ("unreadable answer", FORM),
    "faults:divides": ("crash", "ZeroDivisionError: integer division or modulo by zero (student_agent.py, line 45)"),
    "faults:leaves": ("crash", "it called exit('no more') (student_agent.py, line 46)"),
    "faults:asks": (
        "crash",
        "EOFError: EOF when reading a line; input() has nobody to ask: an agent returns its move "
        "(student_agent.py, line 47)",
    ),
    "faults:recurses": ("crash", "RecursionError: maximum recursion depth exceeded (student_agent.py, line 48)"),
    "faults:stillborn": ("crash", "ValueError: no, thank you (student_agent.py, line 54)"),
    "faults:late": ("crash", "KeyError: 'second turn' (student_agent.py, line 69)"),
    "faults:dies": ("crash", "exit code 3"),
}
UNLOADABLE = {
    "unloadable/syntax": "student_agent.py cannot be imported: SyntaxError: Missing parentheses in call to 'print'. "
    "Did you mean print(...)? (student_agent.py, line 8)",
    "unloadable/imports": "student_agent.py cannot be imported: ModuleNotFoundError: "
    "No module named 'a_library_that_nobody_has' (student_agent.py, line 3); install it "
    "(harena course env comp424 --with a_library_that_nobody_has, "
    "or with pip where harena runs) or leave the import out; "
    "hand in modules of your own with the agent",
    "unloadable/nothing": "no agent in this folder: no class with a method step "
    "(looked for student_agent.py and then any other; found homework.py)",
    "unloadable/nothing/homework.py": "homework.py has no agent: no class with a method step",
    "unloadable/two_classes": "student_agent.py has several agents: left, right; add :NAME to choose one",
    "unloadable/two_classes:up": "student_agent.py has no agent 'up': left, right, Left, Right",
    "unloadable/nothing:up": "no agent in this folder: no class with a method step "
    "(looked for student_agent.py and then any other; found homework.py)",
    "unloadable/two_classes/student_agent.py:up": "student_agent.py has no agent 'up': left, right, Left, Right",
    "unloadable/two_files": "several agents in this folder (left/left_agent.py, right/right_agent.py): "
    "name the file of one",
    "unloadable/arguments": "student_agent.py: StudentAgent() cannot be made without arguments: "
    "missing a required argument: 'depth'",
    "unloadable/leaves": "student_agent.py cannot be imported: it called exit('run me with the simulator') "
    "(student_agent.py, line 3)",
    "unloadable/twice": "student_agent.py cannot be imported: AssertionError: "
    "an agent named 'student_agent' is registered already (student_agent.py, line 10)",
    "broken_helper": "student_agent.py cannot be imported: SyntaxError: expected ':' (helper.py, line 1)",
}


def played(agent: str, games: int = 1, *, size: int = 6, **spec: Any) -> list[Record]:
    """Games of an agent against the random agent, seats swapped from game to game."""
    text = f"comp424:{AGENTS / agent}"
    given: dict[str, Any] = {"limits": {"seconds": 60.0}, "local": True} | spec
    contest = Contest(Spec(game="colosseum", variants=[{"size": size}], agents=[text, "random_agent"], **given))
    contestants: dict[int, Any] = {}
    slots = [Slot(a=0, b=1, pair=number // 2, swapped=number % 2 == 1) for number in range(games)]
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
@pytest.mark.parametrize("size", [2, 12])
def test_boards_of_all_sizes(size: int) -> None:
    assert all(record.reason == "rules" for record in played("greedy_checkout", 2, size=size))


@pytest.mark.process
@pytest.mark.parametrize("agent", FAULTS)
def test_a_fault_loses_with_its_reason(agent: str) -> None:
    reason, detail = FAULTS[agent]
    (record,) = played(agent)
    assert (record.reason, record.winner) == (reason, 1) and detail in record.detail


@pytest.mark.process
def test_a_fault_ends_a_game_and_not_the_agent() -> None:
    records = played("faults:late", 3)
    assert [len([ply for ply in record.plies if record.seats[ply.by] != "random_agent"]) for record in records] == [
        1
    ] * 3


@pytest.mark.process
@pytest.mark.parametrize("agent", UNLOADABLE)
def test_what_cannot_be_loaded_says_why_in_one_line(agent: str) -> None:
    first, second = played(agent, 2)
    assert (first.reason, first.winner, second.winner) == ("did not load", 1, 0)
    assert first.detail == second.detail == UNLOADABLE[agent]


@pytest.mark.process
def test_the_seed_of_a_game_decides_it_even_if_the_agent_seeds_its_own_generators() -> None:
    assert [record.plies for record in _without_time("seeded")] == [record.plies for record in _without_time("seeded")]
    one, other = _without_time("lone_random", seed=1), _without_time("lone_random", seed=2)
    assert one == _without_time("lone_random", seed=1) and one != other


def _without_time(agent: str, seed: int = 0) -> list[Any]:
    records = played(agent, 2, seed=seed)
    return [Plain(record) for record in records]


class Plain:
    """What is the same in every repetition of a game."""

    def __init__(self, record: Record) -> None:
        self.start, self.plies = record.start, [(ply.by, ply.move) for ply in record.plies]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Plain) and (self.start, self.plies) == (other.start, other.plies)

    __hash__ = None  # type: ignore[assignment]


@pytest.mark.process
def test_nothing_is_written_into_the_submission() -> None:
    before = sorted(AGENTS.rglob("*"))
    played("data_files")
    assert sorted(AGENTS.rglob("*")) == before


def test_the_course_gives_two_seconds_and_500_megabytes_unless_something_else_is_said() -> None:
    text = f"comp424:{AGENTS / 'lone_random'}"
    contest = Contest(Spec(game="colosseum", variants=[{"size": 6}], agents=[text, "random_agent"]))
    assert (contest.terms[0].limits.seconds, contest.memory_of(text)) == (2.0, 500.0)
    with pytest.raises(BadOption, match="plays colosseum, and this is trap"):
        Contest(Spec(game="trap", variants=[{}], agents=[text, "random"]))


# Finding an agent


def test_a_repository_is_searched_from_the_likeliest_place_down(tmp_path: Path) -> None:
    agent = "class Mine:\n    def step(self, board, me, adv, steps):\n        return me, 0\n"
    order = [
        ("a/b/agents/student_agent.py", agent),
        ("a/student_agent.py", agent),
        ("a/named.py", f"from store import register_agent\n@register_agent('student_agent')\n{agent}"),
        ("x/agents/other.py", agent),
        ("deep/er/any.py", agent),
    ]
    for ignored in ("tests/student_agent.py", "world.py", "agents/random_agent.py", ".git/student_agent.py"):
        _write(tmp_path / ignored, agent)
    _write(tmp_path / "__MACOSX/agents/student_agent.py", agent)
    _write(tmp_path / "agents/._student_agent.py", agent)
    for place, text in reversed(order):
        _write(tmp_path / place, text)
        assert find_file(tmp_path, "") == tmp_path / place
    assert find_file(tmp_path, "student_agent") == tmp_path / "a/named.py"
    assert find_file(tmp_path, "made_when_it_runs") == tmp_path / order[0][0]


def test_many_agents_alike_are_not_all_listed(tmp_path: Path) -> None:
    for number in range(7):
        _write(tmp_path / f"{number}.py", "class A(Agent): pass")
    with pytest.raises(CannotLoad, match=r"\(0.py, 1.py, 2.py, 3.py, 4.py \.\.\.\): name the file of one"):
        find_file(tmp_path, "")


def test_the_working_folder_is_the_checkout_or_the_agents_own(tmp_path: Path) -> None:
    for place, root in {
        "repo/agents/student_agent.py": "repo",
        "repo/agents/old/mine.py": "repo",
        "repo/bots/mine.py": "repo",
        "plain/code/mine.py": "plain/code",
        "agents/mine.py": "agents",
    }.items():
        _write(tmp_path / place, "")
        folder = tmp_path / place.split("/", maxsplit=1)[0]
        assert root_of(tmp_path / place, folder) == tmp_path / root


def test_names_are_read_from_files_that_do_not_even_parse(tmp_path: Path) -> None:
    _write(tmp_path / "a.py", "@register_agent('one')\nclass One(Agent: pass\n")
    _write(tmp_path / "b.py", "@store.register_agent('two')\nclass Two: pass\nregister_agent(name)(One)\n")
    _write(tmp_path / "c.py", "@register_agent('one')\nclass Three: pass\n")
    assert registered_in(tmp_path) == {"one": tmp_path / "a.py", "two": tmp_path / "b.py"}
    assert sight(tmp_path / "a.py").classes == ("One",)
    assert not sight(tmp_path / "there is none.py").has("")


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


# The private copy


def test_a_large_folder_is_not_copied_and_a_copy_leaves_out_what_is_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    folder = tmp_path / "submission"
    _write(folder / "student_agent.py", "pass\n")
    _write(folder / ".git" / "objects", "x")
    import os

    os.mkfifo(folder / "pipe")
    copy = writable(folder)
    assert sorted(one.name for one in copy.iterdir()) == ["student_agent.py"] and copy.name == "submission"
    shutil.rmtree(copy.parent)
    with (folder / "large.bin").open("wb") as file:
        file.truncate(40 << 20)
    assert writable(folder) == folder
