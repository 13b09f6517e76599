"""`harena check`: every line says what is so, about good agents and about bad ones that fail in one way each."""

import shlex
import shutil
from pathlib import Path

import pytest

from cli.support import run
from courses.checking import HERE, LONG, lines, marks, of
from harena.courses.check import examine
from harena.courses.finding import NOTE, OK, RED, Finding
from harena.courses.forbidden import broken_rules, rules_of
from harena.courses.hosting.importing import MODULES
from harena.courses.subject import subject

# Good agents are in test_new.py; these fail in one way each


@pytest.mark.process
def test_an_agent_that_only_stays_where_it_is_does_nothing_wrong() -> None:
    found = lines(of("comp424/stays.py"))
    assert marks(found, OK) == {
        *("loads", "legal", "time", "constructor", "memory", "when lost", "one move", "same twice", "imports"),
        *("registered", "output"),
    }
    assert marks(found, NOTE) == {"files"}
    missing = "agents/student_agent.py, authors.yaml, a report"
    assert found["files"].text == f"to be handed in, and not here: {missing}"
    assert found["legal"].text == "in 3 positions (sizes 6 to 12; start, middle and late)"
    assert found["memory"].text.endswith("MB at most, of 500 MB")
    assert found["same twice"].text == "3 answers the same in a fresh process"


@pytest.mark.process
def test_an_illegal_move_in_one_phase_is_found_and_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = lines(of("comp424/illegal_late.py"))
    assert "legal" in marks(found, RED)
    assert (
        "1 of 3 answers is no legal move, the first in size 6, late: illegal move: ((3, 3), 0): " in found["legal"].text
    )
    assert "moves that the rules allow" in found["legal"].advice
    shown = run(capsys, monkeypatch, *shlex.split(found["legal"].command)[1:])
    assert shown.code == 0 and "player 1 to move" in shown.out


@pytest.mark.process
@pytest.mark.parametrize(
    ("name", "fault", "advice"),
    [
        ("wrong_form", "unreadable answer", "answer ((row, column), side)"),
        ("crashes", "crash: ValueError: no idea (crashes.py, line 23)", "the error is in your code"),
        ("exits", "exit: it ended by itself", "no sys.exit"),
        ("leaves", "crash: it called exit() (leaves.py, line 23)", "no sys.exit"),
        (
            "reads_outside",
            "crash: FileNotFoundError: [Errno 2] No such file or directory: '/nowhere/of/mine/weights.npy' "
            "(reads_outside.py, line 23); files outside of the submission are not visible behind the walls",
            "put the file beside your agent, and name it by a relative path",
        ),
    ],
)
def test_other_faults_are_told_with_their_reason(name: str, fault: str, advice: str) -> None:
    found = lines(of(f"comp424/{name}.py"))
    assert {"legal", "when lost", "one move"} <= marks(found, RED)
    assert "3 of 3 answers are no legal move, the first in size 6, start: " + fault in found["legal"].text
    assert found["legal"].advice.startswith(advice)
    if name != "wrong_form":  # which says something else each time
        assert found["when lost"].text == found["one move"].text == "2 of 2 positions went wrong, as above"
        assert not found["when lost"].command
    assert found["time"].text == "no answer" and found["same twice"].text == "no answer to compare"


@pytest.mark.process
def test_one_that_ends_again_and_again_is_given_up() -> None:
    found = lines(of("comp424/exits.py"), sizes=(6, 7, 8))
    assert found["legal"].text.endswith("exit: it ended by itself; given up, 2 positions not asked")
    assert found["when lost"].text == "not asked: it was given up before"


@pytest.mark.process
def test_one_that_crashes_when_lost_does_well_elsewhere() -> None:
    found = lines(of("aind/resigns.py"))
    assert marks(found, RED) == {"when lost"}
    assert "resigned: (-1, -1) from get_move while there are 3 moves" in found["when lost"].text
    assert "not with (-1, -1) or None" in found["when lost"].advice
    assert found["class"].text == "there is no function custom_score" and found["class"].mark == NOTE


@pytest.mark.process
def test_one_that_thinks_it_has_won_is_asked_with_the_opponent_stuck() -> None:
    found = lines(of("w4701/thinks_it_has_won.py"))
    assert marks(found, RED) == {"other stuck"}
    assert "2 of 2 positions went wrong: illegal move: (0, 0) from getMove" in found["other stuck"].text
    assert "walk and aim" in found["time"].text


@pytest.mark.process
def test_what_the_course_forbids_is_seen_in_the_text() -> None:
    found = lines(of("comp424/imports.py"))
    assert marks(found, RED) == {"imports"}
    assert found["imports"].text.startswith("the course does not allow random (line 8), helper (line 9), ")
    assert found["imports"].text.endswith("agents.random_agent (line 10), __import__ (line 11), ...")
    named = lines(of("comp424/other_name.py"))
    assert marks(named, RED) == {"registered"} and named["registered"].text == "as my_agent"
    helped = lines(of("w4701/helped"))
    assert marks(helped, RED) == {"imports", "class"}
    assert helped["imports"].text == "files beside it: helpers (line 2)"
    assert helped["files"].text == "to be handed in, and not here: helped.txt"
    other = lines(of("aind/other_class.py"))
    assert marks(other, RED) == {"class"}


def test_what_is_handed_in_beside_the_agent_is_looked_at(tmp_path: Path) -> None:
    def told() -> dict[str, Finding]:
        return {line.what: line for line in rules_of(subject(str(tmp_path), "comp424", None, None))}

    (tmp_path / "agents").mkdir()
    shutil.copy(HERE / "comp424" / "stays.py", tmp_path / "agents" / "student_agent.py")
    (tmp_path / "authors.yaml").write_text("- us\n")
    for name in ("README.md", "requirements.txt"):
        (tmp_path / name).write_text("no report\n")
    assert (told()["files"].mark, told()["files"].text) == (
        NOTE,
        "to be handed in, and not here: a report",
    )
    (tmp_path / "report").mkdir()
    assert told()["files"].mark == NOTE
    (tmp_path / "report" / "final.pdf").write_bytes(b"%PDF")
    assert (told()["files"].mark, told()["files"].text.count("a report")) == (OK, 1)
    shutil.rmtree(tmp_path / "report")
    (tmp_path / "Our findings.docx").write_bytes(b"")
    assert told()["files"].mark == OK


def test_a_file_that_python_cannot_take_in_hides_nothing(tmp_path: Path) -> None:
    agent = tmp_path / "agents" / "student_agent.py"
    agent.parent.mkdir()
    agent.write_text("import socket\n" + (HERE / "comp424" / "stays.py").read_text("utf-8"))
    before = broken_rules(f"comp424:{tmp_path}")
    (tmp_path / "world.py").write_text("x = " + "-" * 200_000 + "1\n")
    assert broken_rules(f"comp424:{tmp_path}") == before and "socket (line 1)" in before


def test_files_of_the_course_that_were_changed_are_noted(tmp_path: Path) -> None:
    def told(course: str = "comp424") -> Finding | None:
        lines = rules_of(subject(str(tmp_path / course), course, None, None))
        return next((line for line in lines if line.what == "course files"), None)

    shutil.copytree(MODULES / "comp424", tmp_path / "comp424")
    shutil.copy(HERE / "comp424" / "stays.py", tmp_path / "comp424" / "agents" / "student_agent.py")
    assert told() is None  # as they are
    methods = "__init__ get_current_player update_player_time step check_valid_step check_endgame check_boundary "
    methods += "set_barrier random_walk render"  # of the course's own, in both years
    lines = [f"    def {name}(self): pass" for name in methods.split()]
    world = tmp_path / "comp424" / "world.py"
    world.write_text("\n".join(["class World:", *lines, ""]))
    assert told() is None
    world.write_text("\n".join(["class World:", *lines, "    def undo(self): pass", "def area(): pass", ""]))
    (tmp_path / "comp424" / "utils.py").write_text("import logging\n")
    found = told()
    assert found is not None and found.mark == NOTE and "leave these alone" in found.advice
    assert found.text == "world.py also defines World.undo, area; utils.py does not define all_logging_disabled"
    world.unlink()
    (tmp_path / "comp424" / "utils.py").unlink()
    (tmp_path / "comp424" / "agents" / "utils.py").write_text("def my_helper(): pass\n")
    assert told() is None  # not the course's, which lies above
    shutil.copytree(HERE / "w4701" / "helped", tmp_path / "w4701")
    shutil.copy(MODULES / "w4701" / "Grid.py", tmp_path / "w4701")
    assert told("w4701") is None
    (tmp_path / "w4701" / "Grid.py").write_text("class Grid:\n    def area(self): pass\n")
    found = told("w4701")
    assert found is not None and found.text == "Grid.py also defines Grid.area"


@pytest.mark.parametrize(
    ("name", "mark"), [("ab1234", OK), ("ab1234_cde99", OK), ("mine", NOTE), ("ab1234-cd5678", NOTE)]
)
def test_a_folder_of_w4701_is_named_by_its_authors(tmp_path: Path, name: str, mark: str) -> None:
    shutil.copytree(HERE / "w4701" / "helped", tmp_path / name)
    found = {line.what: line for line in rules_of(subject(str(tmp_path / name), "w4701", None, None))}
    assert found["folder"].mark == mark and found["folder"].text.endswith(name)
    assert mark == OK or "joined with _" in found["folder"].advice


@pytest.mark.process
def test_an_agent_registered_nowhere_is_red(tmp_path: Path) -> None:
    file = tmp_path / "student_agent.py"
    file.write_text("class StudentAgent:\n    def step(self, board, mine, theirs, steps):\n        return mine, 0\n")
    found = lines(subject(str(file), None, None, LONG))
    assert found["registered"].mark == RED and found["registered"].text == "not at all"


@pytest.mark.process
def test_what_it_prints_and_writes_is_noted() -> None:
    found = lines(of("comp424/prints.py"))
    assert marks(found, NOTE) == {"files", "output"}
    assert "it prints, the last line: thinking about" in found["output"].text
    assert "it writes files: open (line 24), savetxt (line 26)" in found["output"].text


@pytest.mark.process
def test_one_that_draws_at_random_is_told_so_and_not_blamed() -> None:
    found = lines(of("comp424/draws.py"), sizes=(12,))
    assert found["same twice"].mark == OK and "differed when asked again" in found["same twice"].text


@pytest.mark.process
def test_one_that_does_not_load_is_told_why() -> None:
    found = lines(of("comp424/syntax.py"))
    assert found["loads"].mark == RED and "SyntaxError" in found["loads"].text and list(found) == ["loads"]
    assert found["loads"].advice.startswith("mend that line")
    missing = lines(of("comp424/needs_a_library.py"))
    assert missing["loads"].text.endswith("No module named 'torchlike' (needs_a_library.py, line 8)")
    ways = "harena course env comp424 --with torchlike, or with pip where harena runs"
    assert missing["loads"].advice.startswith(f"install it ({ways}) or leave the import out")
    assert {"imports", "registered", "files"} < set(missing)  # its text can be read all the same


@pytest.mark.process
def test_one_that_never_gets_ready_is_asked_for_a_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harena.agents.contestant.LOAD_SECONDS", 1.5)
    found = lines(of("comp424/loops.py"))
    assert found["loads"].mark == RED and found["loads"].text == "not ready after 1.5 s"
    assert found["loads"].advice.startswith("is there a loop at the top level of the file")


def test_data_files_that_the_grader_does_not_have_are_noted(tmp_path: Path) -> None:
    (tmp_path / "weights.txt").write_text("1 2 3")
    text = (HERE / "comp424" / "stays.py").read_text()
    for more, shown in {
        'np.loadtxt("weights.txt")': "loadtxt (line {line}), weights.txt (line {line})",
        'sys.path.join = "weights.txt"': "weights.txt (line {line})",
        "open(sys.argv[0]).close()": "open (line {line})",
        "open(__file__).close()": "",
        "if False:\n    np.load(sys.argv[0])": "load (line {next})",
        'if False:\n    open("x", "w").write("student_agent.py")': "",
    }.items():
        (tmp_path / "student_agent.py").write_text(f"{text}\n{more}\n")
        line = text.count("\n") + 2
        agent = subject(str(tmp_path), None, None, LONG)
        found = {one.what: one for one in rules_of(agent)}
        if not shown:
            assert "data files" not in found
            continue
        assert found["data files"].mark == NOTE
        assert found["data files"].text == f"it reads files: {shown.format(line=line, next=line + 1)}"
        assert "plays student_agent.py alone" in found["data files"].advice
    (tmp_path / "PlayerAI.py").write_text('class PlayerAI:\n    table = open("weights.txt").read()\n')
    helped = {one.what: one for one in rules_of(subject(str(tmp_path / "PlayerAI.py"), None, None, LONG))}
    assert "plays PlayerAI.py alone" in helped["data files"].advice


@pytest.mark.process
def test_one_that_cannot_start_again_after_a_fault_says_so(tmp_path: Path) -> None:
    file = tmp_path / "student_agent.py"
    file.write_bytes((HERE / "comp424" / "exits.py").read_bytes())
    found = examine(subject(str(file), None, None, LONG), walls="off", sizes=(6,))
    assert next(found).what == "loads"
    file.write_text("1 +")
    told = {line.what: line for line in found}
    assert "3 of 3 answers are no legal move, the first in size 6, start: exit" in told["legal"].text
    assert "did not load: student_agent.py cannot be imported: SyntaxError" in told["when lost"].text
    assert told["when lost"].advice.startswith("it has to start again after a fault, and could not")


@pytest.mark.process
def test_agents_in_our_own_protocol_are_asked_too() -> None:
    found = lines(of("garbage.py", game="tiles"))
    assert marks(found, RED) == {"legal", "when lost", "one move"}
    assert found["legal"].advice.startswith("answer the text of a legal move")
