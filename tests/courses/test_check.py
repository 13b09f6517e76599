"""`harena check`: every line says what is so, about good agents and about bad ones that fail in one way each."""

import shlex
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

import pytest

from cli.support import run
from harena.agents.analysis import solve
from harena.agents.process import AgentFault
from harena.api import State
from harena.arena.record import TIME
from harena.courses import opponents
from harena.courses.asking import Asker, Turn
from harena.courses.check import Answers, _in_situation, examine, nobody
from harena.courses.finding import NOTE, OK, RED, Finding
from harena.courses.forbidden import rules_of
from harena.courses.opponents import Schedule, play_levels, short_games
from harena.courses.sampling import LOST, ONE_MOVE, STUCK, SURVEYS, Sample, samples, situation
from harena.courses.subject import Subject, subject
from harena.errors import BadFile, UnknownName, UsageError
from harena.search.result import Limits

HERE = Path(__file__).parent / "agents" / "check"
LONG = 20.0  # seconds: no agent is late because the machine is busy
GAMES = ("v. ", "strength")


def of(name: str, *, seconds: float = LONG, memory: float | None = None, game: str | None = None) -> Subject:
    found = subject(str(HERE / name), None, game, seconds)
    return found if memory is None else replace(found, clock=replace(found.clock, memory=memory))


def lines(agent: Subject, sizes: tuple[int, ...] = (6,)) -> dict[str, Finding]:
    """What is said of it, but for its games."""
    size = sizes if agent.game == "colosseum" else ()
    found = takewhile(lambda line: not line.what.startswith(GAMES), examine(agent, walls="off", sizes=size))
    return {line.what: line for line in found}


def marks(found: dict[str, Finding], mark: str) -> set[str]:
    return {what for what, line in found.items() if line.mark == mark}


# Positions


@pytest.mark.parametrize("game", SURVEYS)
def test_samples_are_the_same_always_and_of_every_size_phase_and_player(game: str) -> None:
    found = samples(game)
    assert [one.state.text for one in found] == [one.state.text for one in samples(game)]
    assert {one.state.game.options["size"] for one in found} == set(SURVEYS[game].sizes)
    assert {one.where.split(", ")[1] for one in found} == set(SURVEYS[game].phases)
    assert {one.state.mover for one in found} == {0, 1}
    assert not any(one.state.is_over for one in found)
    assert len({one.state.text for one in found}) == len(found) >= 7


@pytest.mark.parametrize("game", SURVEYS)
def test_situations_are_what_they_are_called(game: str) -> None:
    for one in situation(game, LOST):
        assert len(one.state.moves()) > 1 and solve(one.state, Limits(seconds=60)).value == -1
    for one in situation(game, ONE_MOVE):
        assert len(one.state.moves()) == 1
    stuck = situation(game, STUCK)
    assert bool(stuck) == (game in ("trap", "isolation"))
    assert all(len(one.state.moves()) > 1 and len(other_to_move(one.state).moves()) == 0 for one in stuck)


def other_to_move(state: State) -> State:
    board, player, *rest = state.text.split()
    return state.game.position(" ".join([board, "1" if player == "2" else "2", *rest]))


# Good agents are in test_new.py; these fail in one way each


def test_an_agent_that_only_stays_where_it_is_does_nothing_wrong() -> None:
    found = lines(of("comp424/stays.py"))
    assert marks(found, OK) == {
        *("loads", "legal", "time", "memory", "when lost", "one move", "same twice", "imports", "registered", "output"),
    }
    assert marks(found, NOTE) == {"files"}
    assert found["files"].text == "to be handed in, and not here: agents/student_agent.py, authors.yaml"
    assert found["legal"].text == "in 3 positions (sizes 6 to 12; start, middle and late)"
    assert found["memory"].text.endswith("MB at most, of 500 MB")
    assert found["same twice"].text == "3 answers the same in a fresh process"


def test_one_that_hangs_is_cut_and_given_up_after_three_times() -> None:
    found = lines(of("comp424/hangs.py", seconds=0.2), sizes=(6, 7))
    assert marks(found, RED) == {"time"}
    assert "3 of 3 turns took longer than 200 ms a move, the first in size 6, start; no answer" in found["time"].text
    assert found["time"].text.endswith("given up, 3 positions not asked")
    assert "clock" in found["time"].advice
    assert found["legal"].mark == NOTE and "no answer to look at" in found["legal"].text
    assert found["memory"].mark == NOTE
    assert found["when lost"].text == found["one move"].text == "not asked: it was given up before"


def test_answers_that_come_too_late_are_measured() -> None:
    found = lines(of("comp424/late.py", seconds=0.55), sizes=(6, 7))
    assert marks(found, RED) == {"time"}
    assert "3 of 3 turns" in found["time"].text and "median " in found["time"].text
    assert found["legal"].mark == OK and "in 3 positions" in found["legal"].text


def test_one_that_is_late_when_first_asked_gets_a_note() -> None:
    found = lines(of("comp424/late_once.py", seconds=1.0))
    assert marks(found, RED) == set()
    assert found["time"].mark == NOTE
    assert found["time"].text.endswith("of 1 s a move; 1 turn late, and in time when asked again")


def test_a_busy_machine_is_no_fault_of_an_agent() -> None:
    agent = of("comp424/stays.py", seconds=2.0)
    asker = Asker(agent, "off", [])
    sample = samples("colosseum", (6,))[0]
    late = Turn(sample=sample, moves=("a1u",), seconds=2.5, fault=AgentFault(TIME))
    begin = time.perf_counter() - 9.0
    waited = asker._excused(late, begin, begin + 2.5, 0.6)
    assert waited.is_excused and waited.reason == TIME and not waited.is_late
    assert not asker._excused(late, begin, begin + 2.5, 0.4).is_excused
    asker.probe.stalls.append((begin + 0.9, 0.6))
    assert not asker._excused(late, begin, begin + 2.5, 0.0).is_excused  # it could see that on the clock
    asker.probe.stalls.append((begin + 1.9, 0.6))
    assert asker._excused(late, begin, begin + 2.5, 0.0).is_excused  # it stood still when the answer was due
    fine = replace(waited, fault=None, seconds=1.0, is_excused=False, slipped=True)
    told = Answers(agent, asker, [fine, fine], 2).time()
    busy = "this machine was busy: 2 turns late while it kept the agent waiting for up to 600 ms, "
    assert told.mark == NOTE and told.text.endswith(f"; {busy}in time when asked again") and "close" in told.advice
    told = Answers(agent, asker, [fine, waited], 2).time()
    assert told.mark == NOTE and told.text.endswith(f"; {busy}1 still when asked again")


class Hindered(Asker):
    """Asks on a machine that is busy for its first questions."""

    def __init__(self, agent: Subject, busy: int) -> None:
        super().__init__(agent, "off", [])
        self.busy, self.margins = busy, list[float]()

    def _turn(self, sample: Sample) -> Turn:
        self.margins.append(self.contestant.margin)
        self.busy -= 1
        if self.busy < 0:
            return Turn(sample=sample, moves=("a1u",), seconds=0.1)
        return Turn(sample=sample, fault=AgentFault(TIME), waited=0.5, is_excused=True)


def test_turns_that_the_machine_delays_are_asked_again_with_more_patience() -> None:
    agent = of("comp424/stays.py", seconds=2.0)
    asked = samples("colosseum", (6, 7))
    asker = Hindered(agent, 2)
    turn = asker.ask(asked[0])
    assert turn.moves and turn.slipped and turn.waited == 0.5 and not turn.is_excused
    assert asker.margins == [1.0, 5.0, 9.0] and asker.contestant.margin == 1.0
    always = Hindered(agent, 99)
    turns = list(always.ask_all(asked))
    assert all(turn.is_excused and not turn.is_late for turn in turns) and len(turns) == len(asked) == 6
    assert len(always.margins) == 6 + 12 and not always.has_given_up  # it ends, and blames nobody
    (line,) = _in_situation(agent, Hindered(agent, 99), LOST, set(), nobody)
    assert line.mark == NOTE and line.text.startswith("this machine was busy: 2 turns late")


def test_what_is_near_a_limit_gets_a_note() -> None:
    agent = of("comp424/stays.py", seconds=2.0)
    asker = Asker(agent, "off", [])
    asker.peak = 480.0
    turns = [Turn(sample=one, moves=("a1u",), seconds=1.95) for one in samples("colosseum", (6,))]
    answers = Answers(agent, asker, turns, 3)
    assert answers.time().mark == answers.memory().mark == NOTE
    assert answers.time().text == "median 1.95 s, longest 1.95 s of 2 s a move" and "close" in answers.time().advice
    assert answers.memory().text == "480 MB at most, of 500 MB" and "close" in answers.memory().advice


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


def test_one_that_ends_again_and_again_is_given_up() -> None:
    found = lines(of("comp424/exits.py"), sizes=(6, 7, 8))
    assert found["legal"].text.endswith("exit: it ended by itself; given up, 2 positions not asked")
    assert found["when lost"].text == "not asked: it was given up before"


@pytest.mark.parametrize("name", ["eats", "eats_quickly"])
def test_one_that_eats_memory_is_found_while_it_thinks_or_afterwards(name: str) -> None:
    found = lines(of(f"comp424/{name}.py", memory=140.0))
    assert "memory" in marks(found, RED) and found["legal"].mark != RED
    assert "of 140" in found["memory"].text and "keep less" in found["memory"].advice


def test_one_that_crashes_when_lost_does_well_elsewhere() -> None:
    found = lines(of("aind/resigns.py"))
    assert marks(found, RED) == {"when lost"}
    assert "resigned: (-1, -1) from get_move while there are 3 moves" in found["when lost"].text
    assert "not with (-1, -1) or None" in found["when lost"].advice
    assert found["class"].text == "there is no function custom_score" and found["class"].mark == NOTE


def test_one_that_thinks_it_has_won_is_asked_with_the_opponent_stuck() -> None:
    found = lines(of("w4701/thinks_it_has_won.py"))
    assert marks(found, RED) == {"other stuck"}
    assert "2 of 2 positions went wrong: illegal move: (0, 0) from getMove" in found["other stuck"].text
    assert "walk and aim" in found["time"].text


def test_what_the_course_forbids_is_seen_in_the_text() -> None:
    found = lines(of("comp424/imports.py"))
    assert marks(found, RED) == {"imports"}
    assert found["imports"].text.startswith("beyond the template's: random (line 8), helper (line 9), ")
    assert found["imports"].text.endswith("agents.random_agent (line 10), __import__ (line 11), ...")
    named = lines(of("comp424/other_name.py"))
    assert marks(named, RED) == {"registered"} and named["registered"].text == "as my_agent"
    helped = lines(of("w4701/helped"))
    assert marks(helped, RED) == {"imports", "class"}
    assert helped["imports"].text == "files beside it: helpers (line 2)"
    assert helped["files"].text == "to be handed in, and not here: helped.txt"
    other = lines(of("aind/other_class.py"))
    assert marks(other, RED) == {"class"}


def test_an_agent_registered_nowhere_is_red(tmp_path: Path) -> None:
    file = tmp_path / "student_agent.py"
    file.write_text("class StudentAgent:\n    def step(self, board, mine, theirs, steps):\n        return mine, 0\n")
    found = lines(subject(str(file), None, None, LONG))
    assert found["registered"].mark == RED and found["registered"].text == "not at all"


def test_what_it_prints_and_writes_is_noted() -> None:
    found = lines(of("comp424/prints.py"))
    assert marks(found, NOTE) == {"files", "output"}
    assert "it prints, the last line: thinking about" in found["output"].text
    assert "it writes files: open (line 24), savetxt (line 26)" in found["output"].text


def test_one_that_draws_at_random_is_told_so_and_not_blamed() -> None:
    found = lines(of("comp424/draws.py"), sizes=(12,))
    assert found["same twice"].mark == OK and "differed when asked again" in found["same twice"].text


def test_one_that_does_not_load_is_told_why() -> None:
    found = lines(of("comp424/syntax.py"))
    assert found["loads"].mark == RED and "SyntaxError" in found["loads"].text and list(found) == ["loads"]
    assert found["loads"].advice.startswith("mend that line")
    missing = lines(of("comp424/needs_a_library.py"))
    assert "No module named 'torchlike'" in missing["loads"].text
    assert {"imports", "registered", "files"} < set(missing)  # its text can be read all the same


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


def test_agents_in_our_own_protocol_are_asked_too() -> None:
    found = lines(of("garbage.py", game="tiles"))
    assert marks(found, RED) == {"legal", "when lost", "one move"}
    assert found["legal"].advice.startswith("answer the text of a legal move")


# Games


def games(name: str, game: str, levels: tuple[str, ...], **more: object) -> list[Finding]:
    found = of(name, game=game if not name.count("/") else None)
    schedule = Schedule(levels=levels, sizes=SURVEYS[found.game].sizes[:1], pairs=6, **more)  # type: ignore[arg-type]
    return list(play_levels(found, schedule, walls="off", watch=nobody))


def test_losing_to_random_players_is_red_or_a_note() -> None:
    lost = games("w4701/thinks_it_has_won.py", "trap", ("easy",))
    assert lost[0].mark == RED and lost[0].text.startswith("0.0 % of 12 short games (95 %: 0 to ")
    assert "is the sign of your score right?" in lost[0].advice
    poor = games("loses.py", "tiles", ("random",))
    assert poor[0].mark in (NOTE, RED) and "random" in poor[0].advice


def test_faults_in_games_are_red_and_overruns_of_short_ones_a_note() -> None:
    (found,) = games("aind/resigns.py", "isolation", ("ab_improved",))
    assert found.mark == RED and "lost by faults: resigned" in found.text and "(-1, -1) from get_move" in found.text
    slow = replace(of("comp424/hangs.py"), clock=replace(of("comp424/hangs.py").clock, seconds=0.1))
    schedule = Schedule(levels=("random_agent",), sizes=(6,), pairs=1)
    (short,) = play_levels(slow, schedule, walls="off", watch=nobody)
    assert short.mark == NOTE and "lost by faults: time 2" in short.text
    (whole,) = play_levels(slow, replace(schedule, seconds=float("inf")), walls="off", watch=nobody)
    assert whole.mark == RED


def test_whole_games_of_trap_are_held_against_the_pass_marks() -> None:
    found = games("w4701/thinks_it_has_won.py", "trap", ("medium", "easy"), seconds=float("inf"))
    assert [line.mark for line in found] == [RED, RED]
    assert found[0].text.endswith("won; the course asks for 4") and "replay" in found[0].advice


def test_short_games_end_when_their_time_is_over_and_slow_agents_play_none() -> None:
    (found,) = games("comp424/stays.py", "colosseum", ("greedy",), seconds=0.0)
    assert " of 2 short games " in found.text
    (slow,) = short_games(of("comp424/stays.py"), 2.0, walls="off", watch=nobody)
    assert slow.mark == NOTE and slow.text == "two games would take about 36 s" and "--thorough" in slow.advice


# What it is pointed at


def test_the_course_is_found_out(tmp_path: Path) -> None:
    for name, course in (("comp424/stays.py", "comp424"), ("w4701/helped", "w4701"), ("aind/resigns.py", "aind")):
        found = of(name)
        assert (found.course, found.text) == (course, f"{course}:{HERE / name}")
    assert subject(f"w4701-reused:{HERE / 'w4701' / 'helped'}", None, None, None).course == "w4701-reused"
    assert subject(str(HERE / "aind" / "resigns.py"), "aind", None, None).course == "aind"
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "student_agent.py").write_text("class Me:\n    def step(self): ...\n")
    (tmp_path / "helper.py").write_text("class Me:\n    def get_move(self): ...\n")
    found = subject(str(tmp_path), None, None, None)
    assert found.course == "comp424" and found.file == tmp_path / "src" / "student_agent.py"
    (tmp_path / "src" / "student_agent.py").rename(tmp_path / "src" / "agent_of_mine.py")
    assert subject(str(tmp_path), "w4701", None, None).file is None  # loading will say that there is none
    with pytest.raises(UsageError, match="several courses: say --course aind or --course comp424"):
        subject(str(tmp_path), None, None, None)


MISTAKES: dict[str, tuple[tuple[str | None, str | None, str | None], type[Exception], str]] = {
    "both": (("x", "aind", "tiles"), UsageError, "give one of them"),
    "missing": (("nowhere.py", None, None), BadFile, "there is no such file or folder"),
    "missing own": (("nowhere.py", None, "tiles"), BadFile, "there is no such file"),
    "game": (("garbage.py", None, "tile"), UnknownName, "did you mean 'tiles'?"),
    "course": (("aind/resigns.py", "comp244", None), UnknownName, "did you mean 'comp424'?"),
    "guest as own": (("aind:aind/resigns.py", None, "isolation"), UsageError, "leave --game out"),
    "two courses": (("aind:aind/resigns.py", "w4701", None), UsageError, "and --course says w4701"),
    "own without a game": (("garbage.py", None, None), UsageError, "say which game it plays"),
    "nothing": (("comp424/helper.py", None, None), UsageError, "say --course comp424, w4701"),
    "binary": (("comp424", "chess", None), UnknownName, "no course 'chess'"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told_in_one_line(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)
    (path, course, game), kind, message = MISTAKES[name]
    with pytest.raises(kind) as found:
        subject(str(path), course, game, None)
    assert message in str(found.value) and "\n" not in str(found.value)


# The command


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(opponents, "QUICK", {"tiles": Schedule(levels=("random",), sizes=(4,), pairs=1)})
    monkeypatch.setattr(
        "harena.courses.check.THOROUGH", {"tiles": Schedule(levels=("random", "greedy"), sizes=(4,), pairs=1)}
    )
    yield


@pytest.mark.usefixtures("few_games")
def test_the_command_prints_a_line_each_and_its_exit_code_says_whether_one_is_red(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    good = run(capsys, monkeypatch, "check", str(HERE / "loses.py"), "--game", "tiles", "--sandbox", "off")
    assert good.code == 0 and good.err == ""
    assert good.out.splitlines()[0].endswith("loses.py: tiles, 1 s a move")
    assert "\nok    one move         the only one is played (2 positions)\n" in good.out
    assert "\nnothing red in " in good.out
    bad = run(
        *(capsys, monkeypatch, "check", str(HERE / "garbage.py")),
        *("--game", "tiles", "--sandbox", "off", "--seconds", "9"),
    )
    assert bad.code == 1 and "garbage.py: tiles, 9 s a move" in bad.out
    assert "RED   legal            18 of 18 answers are no legal move, the first in size" in bad.out
    assert "\n      harena show tiles --position 'BRBR/BRRB/BBRR/BRRB R 1'\n" in bad.out
    assert "\n3 of 9 lines are red: see what they advise\n" in bad.out
    assert max(len(line) for line in bad.out.splitlines()[1:]) <= 80
    assert not any(line.endswith(" ") for line in bad.out.splitlines())
    broken = run(capsys, monkeypatch, "check", str(HERE / "comp424" / "syntax.py"), "--sandbox", "off")
    assert broken.code == 1 and broken.out.endswith("\n1 of 1 line is red: see what it advises\n")


@pytest.mark.usefixtures("few_games")
def test_thorough_plays_all_levels(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    found = run(
        *(capsys, monkeypatch, "check", str(HERE / "loses.py")),
        *("--game", "tiles", "--sandbox", "off", "--thorough"),
    )
    assert "v. random" in found.out and "v. greedy" in found.out


def test_mistakes_of_usage_have_their_own_exit_code(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for words in (["nowhere.py"], [str(HERE / "garbage.py")], [str(HERE / "comp424" / "stays.py"), "--sandbox", "x"]):
        answer = run(capsys, monkeypatch, "check", *words)
        assert answer.code == 2 and answer.err.startswith("harena: ") and answer.err.count("\n") == 1
