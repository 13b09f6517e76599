"""`harena tiles`: order, colour, row and column, as the tiles course has them."""

import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import harena as library
from cli.support import Answer, run
from cli.terminal import Terminal
from harena.arena.record import Record
from harena.arena.store import Store

Harena = Callable[..., Answer]
FIGURE = "4\n. R B .\nB R B R\nR R B B\n. . . .\n".replace(".", "X")  # the assignment's example of a side effect
AGENTS = Path(__file__).parent / "agents" / "w4701"
SNAPSHOT = Path(__file__).parent / "snapshots" / "tiles.txt"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HARENA_STORE", str(tmp_path / "games.sqlite"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "games.sqlite"


@pytest.fixture
def figure(tmp_path: Path) -> str:
    file = tmp_path / "board.txt"
    file.write_text(FIGURE)
    return str(file)


@pytest.fixture
def session(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, path: Path) -> Harena:
    def played(lines: list[str], *words: str) -> Answer:
        """What `harena tiles WORDS` answers to these lines, which end with the input."""
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return run(capsys, monkeypatch, "tiles", *words)

    return played


def stored(path: Path) -> Record:
    with Store(path, writing=False) as store:
        return store.record(1)


def boards(told: str, move: str) -> tuple[list[str], list[str]]:
    """The rows of the two boards that follow a move: after the removal, and after its side effects."""
    after = told.split(f" plays {move}")[1]
    first, rest = after.split("then what it held falls:", maxsplit=1)
    return rows(first), rows(rest)[:4]


def rows(text: str) -> list[str]:
    """The rows of a drawn board, as letters."""
    lines = [line for line in text.splitlines() if line[:2].strip().isdigit()]
    return ["".join(letter for letter in line[2:] if letter in "RB·") for line in lines]


def test_the_board_is_shown_after_the_removal_and_after_its_side_effects(session: Harena, figure: str) -> None:
    answer = session(["first", "R", "2 2"], "--board", figure, "--agent", "greedy", "--seed", "3")
    removed, fallen = boards(answer.out, "b2")
    assert removed == ["·RB·", "B·BR", "RRBB", "····"]
    assert fallen == ["··B·", "··BR", "R·BB", "····"]
    reply = answer.out.split("player 2 plays ")[1].split(",")[0]
    assert len(boards(answer.out, reply)[0]) == len(boards(answer.out, reply)[1]) == 4
    assert answer.code == 0 and answer.out.endswith("player 1> \nsaved; go on with: harena play --resume\n")


@pytest.mark.parametrize("order", ["first", "SECOND", "1", "2"])
@pytest.mark.parametrize("colour", ["R", "blue"])
def test_order_and_colour_are_always_the_humans_choice(session: Harena, order: str, colour: str) -> None:
    answer = session([order, colour], "--agent", "greedy", "--seed", "1")
    is_first = order in ("first", "1")
    seats = ("human", "greedy") if is_first else ("greedy", "human")
    assert answer.out.startswith(
        f"order, first or second> {order}\ncolour, R or B> {colour}\na move is a row and a column"
    )
    assert f"player 1: {seats[0]}\nplayer 2: {seats[1]}\n" in answer.out
    first = colour[0].upper() if is_first else {"R": "B", "b": "R"}[colour[0]]
    assert f"player 1 ({first}) to move" in answer.out and "size=4 first=" + first in answer.out


def test_a_game_against_the_courses_player_to_its_end(session: Harena, path: Path) -> None:
    board = path.parent / "two.txt"
    board.write_text("2\nRB\nBR")
    answer = session(["first", "R", "1 1", "2 2", "quit"], "--board", str(board), "--seed", "5")
    record = stored(path)
    assert record.seats == ("human", "uct1000") and record.reason == "rules"
    state = library.game("tiles", size=2).position("RB/BR R 1")
    assert record.start == state.text and record.plies[0].move == "a1"
    for ply in record.plies:
        state = state.play(ply.move)
    assert state.is_over and str(state.outcome) in answer.out and "stored as game 1" in answer.out


def test_wrong_input_gets_a_line_and_a_new_prompt(session: Harena, path: Path) -> None:
    lines = ["", "third", "second", "\x1b[2Jgreen", "x" * 500, "B", "zz", "0 1", "5 1", "1,1", "1", "1 1", "resign"]
    answer = session(lines, "--agent", "human", "--seed", "1")
    assert (
        "order, first or second> third\n'third' is no order: type first or second, or quit\norder, first or"
        in answer.out
    )
    assert "colour, R or B> ?[2Jgreen\n'?[2Jgreen' is no colour: type R or B, or quit\ncolour, R or B>" in answer.out
    assert "player 1> 0 1\n'0 1' is off the board: rows and columns count from 1 to 4\nplayer 1>" in answer.out
    assert "player 1> 5 1\n'5 1' is off the board" in answer.out and "player 1> 1,1\n'1,1' is no tile" in answer.out
    assert "\x1b" not in answer.out and stored(path).reason == "resigned"


@pytest.mark.parametrize("lines", [[], ["first"], ["quit"], ["first", "exit"], ["first", "R"]])
def test_whoever_leaves_before_a_move_has_not_played(session: Harena, path: Path, lines: list[str]) -> None:
    answer = session(lines, "--agent", "human")
    assert (answer.code, answer.err) == (0, "")
    assert "\nnothing was played" in answer.out
    assert not Path(f"{path}.unfinished").exists()


def test_mistakes_of_the_command_are_one_line_before_anything_is_asked(session: Harena, tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text("2\nRG\nBR\n")
    guest = f"w4701:{AGENTS / 'greedy'}"
    for words, said in (
        (["--board", str(bad)], "line 2: 'G' is no tile"),
        (["--board", str(tmp_path / "none.txt")], "No such file"),
        (["--agent", "uct100"], "did you mean 'uct1000'?"),
        (["--agent", "nowhere.py"], "there is no such file"),
        (["--agent", guest], "plays trap, and this is tiles"),
    ):
        answer = session(["first", "R"], *words)
        assert (answer.code, answer.out) == (2, "") and answer.err.count("\n") == 1 and said in answer.err


def test_a_session_is_left_and_taken_up_again_from_another_folder(
    session: Harena,
    figure: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    session(["first", "R", "2 2"], "--board", "board.txt", "--agent", "greedy")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.setattr(sys, "stdin", io.StringIO("resign\n"))
    answer = run(capsys, monkeypatch, "play", "--resume")
    assert answer.code == 0 and "player 2 wins: resigned" in answer.out


@pytest.mark.process
def test_a_pipe_in_ascii_with_bytes_that_are_no_text(path: Path, figure: str) -> None:
    command = [sys.executable, "-m", "harena", "tiles", "--board", figure, "--agent", "greedy", "--seed", "3"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        command,
        input=b"\xff\xfe\nfirst\nr\n\xff\n2 2\n",
        capture_output=True,
        env=environment,
        check=False,
        timeout=300,
    )
    told = done.stdout.decode("ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert told == SNAPSHOT.read_text("ascii").replace("BOARD", figure)


@pytest.mark.process
def test_ctrl_c_at_a_question_and_ctrl_d_at_a_move_are_clean(path: Path) -> None:
    with Terminal("tiles", "--agent", "greedy") as terminal:
        terminal.press("", "order, first or second> ")
        terminal.press("first\r", "colour, R or B> ")
        terminal.press("\x03", "nothing was played")
        assert terminal.end("") == 0
    with Terminal("tiles", "--agent", "greedy") as terminal:
        terminal.press("", "order, first or second> ")
        terminal.press("2\r", "colour, R or B> ")
        terminal.press("R\r", "player 2> ")
        terminal.press("\x04", "saved; go on with: harena play --resume")
        assert terminal.end("") == 0
