"""`harena simulator`: the course's command, with our players, agents of a checkout, and people."""

import io
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import harena
from cli.support import Answer, run
from cli.terminal import Terminal
from harena.cli.simulator import Human
from harena.courses.simulator import Competitor, Series, checked_sizes, competitor, player_text, start_of
from harena.errors import BadOption, UsageError
from harena.games.picture import PLAYER_1, PLAYER_2, Picture
from harena.render import compact, svg, text

AGENTS = Path(__file__).parent / "agents" / "comp424"
TIME = re.compile(r"\d+\.\d{5}")
LOG = """\
INFO:Initialize the game world
INFO:Registering p0 agent : random_agent
INFO:Registering p1 agent : random_agent
INFO:Setting board size to 3x3
WARNING:The course's boards have sizes from 6 to 12: 3 is outside of that
INFO:Seed 3
INFO:Player A moves to [2 0] facing Right. Time taken this turn (in seconds): T
INFO:Player B moves to [0 2] facing Down. Time taken this turn (in seconds): T
INFO:Player A moves to [2 0] facing Up. Time taken this turn (in seconds): T
INFO:Game ends! Player B wins having control over 8 cells!
INFO:Run finished. Player A: 1, Player B: 8
"""
LAST_BOARD = """\
    0   1   2
  ┏━━━━━━━━━━━┓
0 ┃        ▐2▌┃
  ┃   ·   ╺━━━┫
1 ┃           ┃
  ◆═══◆   ·   ┃
2 ┃►1◄┃       ┃
  ┗━━━┻━━━━━━━┛
  A (1) random_agent, B (2) random_agent
  max steps 2; A has moved
  B wins, 1 : 8
"""
COMPACT = """\
      0   1   2
     ___ ___ ___
  0 |         2 |
  1 |    ___    |
  2 |_1_|___ ___|
    one
    two
"""
REPORT = """\
WARNING:The course's boards have sizes from 6 to 12: 2 is outside of that
INFO:10 games, seed 5: player 1 won 5, player 2 won 2, 3 tied
INFO:cannot tell player 1 and player 2 apart: +108 Elo (95 %: -81 to +277), 65.0 % of 10 games; about 22 more games \
needed if the score stays
INFO:Player 1, agent random_agent, win percentage: 0.65. Maximum turn time was T seconds.
INFO:Player 2, agent random_agent, win percentage: 0.35. Maximum turn time was T seconds.
"""
ODD_PROGRAM = """\
import json, sys
answers = {answers!r}
is_short = not answers
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        print(json.dumps({{"type": "ready", "harena": 1, "name": "odd", "begins": is_short}}), flush=True)
    elif told["type"] == "new" and is_short:
        sys.exit(1)
    elif told["type"] == "go":
        move = answers.pop(0) if answers else told["legal"][0]
        print(json.dumps({{"type": "move", "id": told["id"], "move": move}}), flush=True)
"""
Simulator = Callable[..., Answer]


@pytest.fixture
def simulator(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Answer]:
    """Runs the command in a copy of a checkout (or in an empty folder), with these lines typed."""
    monkeypatch.setenv("COLUMNS", "80")

    def simulated(*words: str, checkout: str = "", typed: str = "") -> Answer:
        folder = tmp_path / (checkout or "empty")
        if checkout and not folder.exists():
            shutil.copytree(AGENTS / checkout, folder)
        folder.mkdir(exist_ok=True)
        monkeypatch.chdir(folder)
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        answer = run(capsys, monkeypatch, "simulator", *words)
        return Answer(answer.code, answer.out, TIME.sub("T", answer.err))

    return simulated


# One game


def test_a_game_is_logged_as_the_course_logs_it(simulator: Simulator) -> None:
    answer = simulator("--board_size", "3", "--seed", "3")
    assert (answer.code, answer.out, answer.err) == (0, "", LOG)
    assert "INFO:Game ends! It is a tie!" in simulator("--board_size", "3", "--seed", "1").err


def test_without_a_size_it_is_drawn_and_without_a_seed_each_run_is_another(simulator: Simulator) -> None:
    first, second = simulator(), simulator()
    size = re.search(r"INFO:No board size specified. Randomly generating size : (\d+)x\1\n", first.err)
    assert size is not None and 6 <= int(size[1]) <= 12
    assert first.err != second.err


def test_the_board_is_shown_frame_by_frame(simulator: Simulator) -> None:
    answer = simulator("--board_size", "3", "--seed", "3", "--display", "--display_delay", "0.001")
    assert answer.err == LOG and answer.out.endswith(LAST_BOARD)
    assert answer.out.count("max steps 2") == 4 and "has moved" not in answer.out.split("0   1   2")[1]


def test_pictures_are_written_without_a_display(simulator: Simulator) -> None:
    answer = simulator("--board_size", "3", "--seed", "1", "--display_save", "--player_2", "greedy(c1=2)")
    assert answer.code == 0 and answer.out == ""
    pictures = list(Path("plots").iterdir())
    assert f"INFO:Wrote {len(pictures)} pictures to plots\n" in answer.err and len(pictures) > 2
    numbers = range(len(pictures))
    assert {one.name for one in pictures} == {f"random_agent_greedy-c1-2_{number}.svg" for number in numbers}
    assert "B (2) greedy(c1=2)" in Path("plots/random_agent_greedy-c1-2_0.svg").read_text("utf-8")


def test_a_folder_that_cannot_be_written_is_one_line(simulator: Simulator) -> None:
    answer = simulator("--board_size", "3", "--display_save", "--display_save_path", "/dev/null/x")
    assert answer.code == 2 and answer.err.endswith("harena: '/dev/null/x' cannot be written: Not a directory\n")


def test_rows_and_columns_from_0_in_both_renderings() -> None:
    picture = Picture(rows=11, columns=11, cells={(0, 10): PLAYER_1}, walls=frozenset(), counted=True)
    drawn = text.draw(picture).splitlines()
    assert drawn[0].split() == [str(number) for number in range(11)] and drawn[-2].startswith("10 ")
    labels = re.findall(r'class="label"[^>]*>(\d+)<', svg.draw(picture))
    assert labels == [str(number) for number in (*range(11), *range(11))]
    assert "player 1: (0, 10)." in svg.draw(picture)


# People


def test_a_human_is_asked_as_in_the_course(simulator: Simulator) -> None:
    typed = "1,1\n1,1,x\n5,0,u\n1,a,u\n-1,0,u\n1,1,U\n 0, 0 ,u\n2,2,q\n"
    answer = simulator("--player_1", "human_agent", "--board_size", "3", "--seed", "3", typed=typed)
    assert answer.code == 0
    assert answer.out.count("Your move (x,y,dir) or input q to quit: ") == 8
    assert answer.out.count("Please write row, column and side: two numbers from 0 to 2 and one of u, r, d, l\n") == 6
    assert "Player A (human_agent) failed: illegal move: 0,0,u: that side has a wall already. Execute" in answer.out
    assert "INFO:Player A moves to" in answer.err and "Run finished" not in answer.err


def test_a_human_plays_to_the_end_or_until_nothing_more_comes(simulator: Simulator) -> None:
    words = ("--player_1", "human_agent", "--player_2", "human_agent", "--board_size", "2", "--seed", "1")
    start = start_of(1, 0, (2, 2))
    state, typed = start, ""
    while not state.is_over:
        move = str(state.moves()[0])
        typed += f"{int(move[1]) - 1},{'ab'.index(move[0])},{move[2]}\n"
        state = state.play(move)
    assert "INFO:Run finished." in simulator(*words, typed=typed).err
    left = simulator(*words, typed=typed.split("\n")[0] + "\n")
    assert left.code == 0 and "INFO:Player A moves to" in left.err and "Run finished" not in left.err


@pytest.mark.process
def test_a_terminal_is_cleared_for_each_frame_and_waits_at_the_end() -> None:
    words = ("simulator", "--board_size", "3", "--seed", "3", "--display", "--display_delay", "0")
    with Terminal(*words) as terminal:
        terminal.press("", "Press Enter to leave ")
        terminal.press("\n", "\n")
        assert terminal.process.wait(30) == 0


@pytest.mark.process
@pytest.mark.parametrize(
    ("rows", "size", "shown"),
    [
        ("24", "7", "  6 |___ "),  # one row a line
        ("14", "7", "this window has 14 rows, and the board needs 19"),
    ],
)
def test_nothing_scrolls_away_in_a_window_of_few_rows(
    rows: str, size: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("simulator", "--board_size", size, "--seed", "3", "--display", "--display_delay", "0")
    with Terminal(*words, rows=rows) as terminal:
        screen = terminal.press("", "Press Enter to leave ").replace("\r\n", "\n")
        assert terminal.end("\n") == 0
    last = screen.rpartition("\x1b[2J")[2]
    assert shown in last and last.count("\n") < int(rows)
    logged = re.findall(r"INFO:Player . moves to [^:]*:(\s+)\d\.\d{5}\n", screen)
    assert logged and max(map(len, screen.splitlines())) <= 80


def test_a_compact_board_has_all_walls_and_players() -> None:
    walls = frozenset({(1, 1, "d"), (2, 0, "r")})
    cells = {(2, 0): PLAYER_1, (0, 2): PLAYER_2}
    picture = Picture(rows=3, columns=3, cells=cells, walls=walls, counted=True, caption="one\ntwo")
    assert compact.draw(picture) == COMPACT.rstrip("\n")


# Autoplay


def test_a_series_is_reported_and_a_tie_is_half_a_win(simulator: Simulator) -> None:
    words = ("--autoplay", "--autoplay_runs", "10", "--board_size_min", "2", "--board_size_max", "2", "--seed", "5")
    answer = simulator(*words)
    assert (answer.code, answer.out, answer.err) == (0, "", REPORT)


def test_what_autoplay_refuses_and_leaves_out(simulator: Simulator) -> None:
    few = ("--autoplay", "--autoplay_runs", "1", "--board_size_max", "6")
    for words, complaint in {
        ("--player_1", "human_agent", *few): "human_agent does not play by itself: leave --autoplay out",
        (*few, "--board_size_min", "7"): "--board_size_min 7 is more than --board_size_max 6",
        (*few, "--board_size_min", "1"): "colosseum has sizes from 2 to 12, not 1",
        (*few, "--autoplay_runs", "0"): "--autoplay_runs is at least 1, not 0",
        ("--board_size", "13"): "colosseum has sizes from 2 to 12, not 13",
        ("--sandbox", "glass"): "no sandbox 'glass'",
    }.items():
        answer = simulator(*words)
        assert answer.code == 2 and complaint in answer.err and answer.err.count("\n") == 1, answer.err
    answer = simulator(*few, "--display", "--board_size", "9")
    assert answer.err.startswith("WARNING:autoplay shows no boards: --display and --display_save are left out\nINFO:1 ")
    assert answer.out == "" and not Path("plots").exists()


def test_sizes_are_drawn_with_both_ends_and_boards_differ() -> None:
    starts = [start_of(1, number, (6, 12)) for number in range(60)]
    assert {state.value.size for state in starts} == set(range(6, 13))
    assert len({state.text for state in starts}) == len(starts)
    assert checked_sizes(6, 6) == (6, 6)


def test_roles_alternate_and_player_1_begins() -> None:
    one, other = (competitor("random_agent", (3, 3), "auto", Human()) for _ in range(2))
    series = Series((one, other), (3, 3), 1)
    firsts = [next(iter(list(series.play(number))))[0] for number in range(4)]
    assert firsts == [one, other, one, other] and series.tally.games == 4
    assert Series((one, other), (3, 3), 1).report() == []


# In a checkout of the course


@pytest.mark.process
def test_the_grading_command_runs_unchanged_in_a_checkout(simulator: Simulator) -> None:
    words = ("--player_1", "random_agent", "--player_2", "student_agent", "--autoplay", "--autoplay_runs", "4")
    answer = simulator(*words, "--board_size_max", "6", checkout="template")
    lines = answer.err.splitlines()
    assert answer.code == 0
    assert re.fullmatch(r"INFO:Player 1, agent random_agent, win percentage: [\d.]+. Maximum .* T seconds\.", lines[-2])
    assert re.fullmatch(
        r"INFO:Player 2, agent student_agent, win percentage: [\d.]+. Maximum .* T seconds\.", lines[-1]
    )
    counted = re.search(r"Player 2, agent student_agent: (\d+) answers? became .* \(illegal move (\d+)\)", answer.err)
    assert counted is not None and counted[1] == counted[2]
    told = [line for line in answer.out.splitlines() if line.endswith("Execute Random Walk!")]
    assert len(told) == min(10, int(counted[1])) and "that side has a wall already" in told[0]
    assert ("only counted" in answer.out) == (int(counted[1]) >= 10)


@pytest.mark.process
def test_the_same_by_a_file_of_one_line(tmp_path: Path) -> None:
    folder = shutil.copytree(AGENTS / "relatives", tmp_path / "checkout")
    (folder / "simulator.py").write_text("from harena.courses.simulator import main; main()\n", "utf-8")
    words = ["--player_1", "second_agent", "--player_2", "student_agent", "--board_size", "6", "--seed", "1"]
    done = subprocess.run(
        [sys.executable, "simulator.py", *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0 and "INFO:Run finished. Player A: " in done.stderr
    assert "Player A (second_agent) failed: illegal move: ((99, 99), 0)" in done.stdout


def test_names_of_a_checkout(simulator: Simulator, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(AGENTS / "relatives")
    assert player_text("second_agent") == "comp424:agents/second_agent.py:second_agent"
    assert player_text("random_agent") == "random_agent" and player_text("greedy(c1=2)") == "greedy(c1=2)"
    assert player_text("agents/second_agent.py") == "comp424:agents/second_agent.py"
    monkeypatch.chdir(AGENTS)
    assert player_text("relatives") == "comp424:relatives"
    assert player_text("relatives:second_agent") == "comp424:relatives:second_agent"
    (tmp_path / "mcts").mkdir()
    monkeypatch.chdir(tmp_path)
    assert player_text("mcts") == "mcts"
    monkeypatch.chdir(AGENTS / "broken_helper")
    assert player_text("helper") == "comp424:agents/helper.py"
    for name, complaint in {
        "student_agnt": "no player 'student_agnt'; did you mean 'student_agent'\\?$",
        "greedy(width=2)": "no option of course_greedy 'width'",
        "w4701:agents/helper.py": "w4701:agents/helper.py plays trap, and this is colosseum",
        "comp424:nowhere": "nowhere: there is no such file or folder",
    }.items():
        with pytest.raises(UsageError, match=complaint):
            player_text(name)
    answer = simulator("--player_2", "student_agent")
    hint = "here is no ./agents here: run this in the course's checkout, or write comp424:PATH\n"
    assert answer.code == 2 and answer.err.endswith(f"did you mean 'human_agent'? T{hint}")
    assert simulator("--player_2", "xyzzy").err.endswith(f"; t{hint}")


# Answers that fail


@pytest.mark.process
def test_an_agent_that_cannot_be_loaded_is_one_line(simulator: Simulator) -> None:
    answer = simulator("--player_2", "student_agent", checkout="broken_helper")
    assert (answer.code, answer.out) == (2, "")
    assert answer.err == (
        "harena: student_agent: did not load: student_agent.py cannot be imported: "
        "SyntaxError: expected ':' (helper.py, line 1)\n"
    )


@pytest.mark.process
@pytest.mark.parametrize("fault", ["dies", "divides", "nothing", "stillborn"])
def test_whatever_fails_becomes_a_random_walk(simulator: Simulator, fault: str) -> None:
    reason = "unreadable answer" if fault == "nothing" else "crash"
    name = f"comp424:{AGENTS / 'faults'}:{fault}"
    answer = simulator("--player_2", name, "--board_size", "2", "--seed", "1")
    number = answer.out.count("Execute Random Walk!")
    assert answer.code == 0 and number and f"failed: {reason}: " in answer.out
    became = "1 answer became a random walk" if number == 1 else f"{number} answers became random walks"
    assert f"INFO:Player B, agent {name}: {became} ({reason} {number})\n" in answer.err


@pytest.mark.process
def test_a_program_that_answers_nonsense_plays_on(simulator: Simulator) -> None:
    simulator("--board_size", "2")  # in its folder
    Path("odd.py").write_text(ODD_PROGRAM.format(answers=["zz", "a9u"]), "utf-8")
    answer = simulator("--player_1", "odd.py", "--player_2", "odd.py", "--board_size", "3", "--seed", "3")
    assert "Player A (odd.py) failed: unreadable answer: 'zz' is no move. Execute" in answer.out
    assert answer.code == 0 and "Player A, agent odd.py: 2 answers became random walks" in answer.err, answer.out
    Path("odd.py").write_text(ODD_PROGRAM.format(answers=[]), "utf-8")
    answer = simulator("--player_1", "odd.py")
    assert answer.code == 2 and answer.err.endswith("harena: odd.py: crash: exit code 1\n")


@pytest.mark.process
def test_ctrl_c_reports_what_was_played(tmp_path: Path) -> None:
    folder = shutil.copytree(AGENTS / "template", tmp_path / "checkout")
    words = [sys.executable, "-m", "harena", "simulator", "--player_2", "student_agent", "--autoplay"]
    sizes = ["--board_size_min", "3", "--board_size_max", "3"]
    with subprocess.Popen(
        [*words, *sizes], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        while "only counted" not in (line := process.stdout.readline()):
            assert line, process.stderr.read()
        os.kill(process.pid, signal.SIGINT)
        told = process.stderr.read().splitlines()
        assert process.wait() == 130
    assert told[1] == "WARNING:stopped"
    assert [line.split(",")[0] for line in told[-2:]] == ["INFO:Player 1", "INFO:Player 2"]


def test_a_search_of_ours_plays(simulator: Simulator) -> None:
    answer = simulator("--player_1", "champion(nodes=50)", "--board_size", "3", "--seed", "3")
    assert answer.code == 0 and "INFO:Run finished." in answer.err


def test_a_player_of_another_game_is_refused() -> None:
    assert harena.game("colosseum").name == "colosseum"
    with pytest.raises(BadOption, match="plays isolation, and this is colosseum"):
        player_text(f"aind:{AGENTS}")
    assert isinstance(competitor("human_agent", (6, 6), "auto", Human()), Competitor)
