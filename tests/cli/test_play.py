"""`harena play`: people and agents at a terminal, or at a pipe."""

import io
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import harena as library
from cli.support import Answer, run
from harena.arena.record import Record
from harena.arena.replay import states
from harena.arena.schedule import drawn
from harena.arena.store import Store
from harena.cli.resume import RESUME
from harena.cli.talk import SCORES
from harena.games.catalogue import CATALOGUE
from harena.kernel.trusted import only_trusted

Harena = Callable[..., Answer]
GAMES = {"isolation": {"size": 4}, "colosseum": {"size": 4}, "trap": {"size": 4}, "tiles": {"size": 3}}
TWO = ("--first", "human", "--second", "human")
CENTRE = str(Path(__file__).parents[2] / "examples" / "agents" / "centre.py")


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, path: Path) -> Harena:
    def played(typed: str, *words: str) -> Answer:
        """What `harena play WORDS` answers to these words, one a line; _ is a blank, and they end with the input."""
        lines = "".join(f"{line.replace('_', ' ')}\n" for line in typed.split())
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        return run(capsys, monkeypatch, "play", *words)

    return played


def stored(path: Path, number: int = 1) -> Record:
    """A stored game, which the rules allow."""
    with Store(path, writing=False) as store:
        record = store.record(number)
        assert store.run(store.row(number).run).kind == "play"
        assert store.latest_unfinished(RESUME) is None  # nothing that `harena resume` would take for its own
    with only_trusted([] if record.game in CATALOGUE else [record.game]):
        list(states(record))
    return record


def moves_of(record: Record) -> list[str]:
    return [ply.move for ply in record.plies]


def left(path: Path) -> list[Path]:
    return sorted(Path(f"{path}.unfinished").glob("*"))


def a_game(name: str, seed: int) -> tuple[list[str], list[str]]:
    """Random moves of a whole game with the throws of its seed: all of them, and those that humans make."""
    state = library.game(name, **GAMES[name]).initial(seed)
    every, typed = list[str](), list[str]()
    while not state.is_over:
        key = drawn(seed, "dice", len(every)) if state.mover == library.CHANCE else 1000 + len(every)
        move = state.random_move(library.generator(key))
        if state.mover != library.CHANCE:
            typed.append(str(move))
        every.append(str(move))
        state = state.play(move)
    return every, typed


def as_in_the_course(name: str, move: str) -> str:
    """The same move as the courses' programs have it typed."""
    cell = move.lstrip("@")
    row, column = int(cell[1]), "abcd".index(cell[0])
    if name == "tiles":
        return f"{row}_{column + 1}"
    return f"{row - 1},{column}" + (f",{cell[2]}" if name == "colosseum" else "")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("course", [False, True])
def test_two_humans_play_a_game_to_its_end(play: Harena, path: Path, name: str, course: bool) -> None:
    every, typed = a_game(name, 5)
    words = [as_in_the_course(name, move) for move in typed] if course else typed
    answer = play(" ".join(words), name, *TWO, "--size", str(GAMES[name]["size"]), "--seed", "5")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.endswith("\nstored as game 1; see it again: harena replay 1\n")
    assert all(len(line) <= 80 for line in answer.out.splitlines())
    record = stored(path)
    assert moves_of(record) == every and record.seats == ("human", "human") and record.seed == 5
    assert not left(path)


@pytest.mark.parametrize("name", GAMES)
def test_two_agents_play_without_anybody(play: Harena, path: Path, name: str) -> None:
    words = (name, "--first", "random", "--second", "mcts", "--nodes", "100", "--seed", "2", "--size", "4")
    answer = play("", *words)
    assert answer.code == 0 and ">" not in answer.out.replace(">1<", "").replace(">2<", "")
    record = stored(path)
    assert record.seats == ("random", "mcts") and record.conditions["limits"] == {"nodes": 100}
    assert any(ply.nodes for ply in record.plies)
    play("", *words)
    assert moves_of(stored(path, 2)) == moves_of(record)


def test_the_human_begins_against_the_champion(play: Harena, path: Path) -> None:
    answer = play("d4 moves resign", "isolation", "--nodes", "100")
    assert "player 1: human\nplayer 2: champion\n" in answer.out
    assert "player 1> d4\n\nplayer 1 plays d4\n" in answer.out and "\nplayer 2 plays " in answer.out
    assert "player 2 wins: resigned\nstored as game 1" in answer.out
    record = stored(path)
    assert (record.winner, record.reason, len(record.plies)) == (1, "resigned", 2)


@pytest.mark.parametrize(
    ("words", "seats"),
    [
        (["--second", "human"], ("champion", "human")),
        (["--first", "greedy"], ("greedy", "human")),
        (["--second", "greedy"], ("human", "greedy")),
    ],
)
def test_one_seat_named_leaves_the_other_to_the_human_or_the_champion(
    play: Harena, words: list[str], seats: tuple[str, str]
) -> None:
    answer = play("", "tiles", "--nodes", "50", *words)
    assert f"player 1: {seats[0]}\nplayer 2: {seats[1]}\n" in answer.out


def test_lines_are_as_wide_as_the_window(play: Harena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    listed = play("moves", "isolation", *TWO).out.partition(" moves: ")[2].splitlines()
    assert len(listed[0]) > 80 and max(map(len, listed)) < 120


def test_wrong_input_is_answered_in_a_line_and_asked_again(play: Harena) -> None:
    answer = play(f"zz a1 9,9 moves? c\x1b[2J4 {'x' * 5000} d4", "isolation", *TWO, "--size", "5")
    said = answer.out.split("player 1> ")
    assert said[1].splitlines()[1].startswith("'zz' is no cell")
    assert "\nplayer 1 plays a1\n" in said[2]
    said = answer.out.split("player 2> ")
    assert said[1].splitlines()[1] == "'9,9' is off the board: its cells are a1 to e5"
    assert all(len(one.splitlines()) == 2 for one in said[1:5])
    assert "\x1b" not in answer.out and "that is no move: help lists" in said[4]
    assert "\nplayer 2 plays d4\n" in said[5]


def test_a_mistyped_command_is_offered(play: Harena) -> None:
    out = play("hintt mvoes a1 resgin resign", "isolation", *TWO, "--size", "5").out
    for name in ("hint", "moves", "resign"):
        assert f"\nno move, and no command: did you mean {name}?\n" in out


def test_an_illegal_move_says_why(play: Harena) -> None:
    assert "\na2: a knight on a1 does not reach it\n" in play("a1 e5 a2", "isolation", *TWO, "--size", "5").out


def test_help_and_moves_and_board(play: Harena) -> None:
    answer = play("help ? BOARD quit", "tiles", *TWO)
    for command in ("moves", "hint", "undo", "resign", "quit", "row column from 1: 4 3"):
        assert command in answer.out
    assert "8 moves: b1 d1 a2 c2 b3 d3 a4 c4\n" in answer.out
    assert answer.out.count("player 1 (R) to move") == 2
    assert answer.out.endswith("player 1> quit\nnothing was played, nothing is saved\n")


def test_undo_goes_back_to_the_humans_last_decision(play: Harena, path: Path) -> None:
    answer = play("undo d4 undo c3 undo resign", "isolation", "--nodes", "50")
    assert answer.out.count("there is nothing to take back") == 1
    assert answer.out.count("took back 2 plies") == 2
    record = stored(path)
    assert record.plies == () and record.conditions["undone"] == 2


def test_undo_among_humans_takes_back_a_ply(play: Harena, path: Path) -> None:
    play("a1 c4 undo undo b1 resign", "isolation", *TWO)
    assert moves_of(stored(path)) == ["b1"]


def test_undo_in_trap_goes_back_to_the_aim_and_meets_the_same_dice(play: Harena, path: Path) -> None:
    play("d2 @d6 undo @d6 resign", "trap", "--second", "hard", "--seed", "8")
    play("d2 @d6 resign", "trap", "--second", "hard", "--seed", "8")
    assert moves_of(stored(path, 1)) == moves_of(stored(path, 2)) and len(stored(path).plies) == 6


@pytest.mark.parametrize("name", GAMES)
def test_a_hint_is_a_legal_move_with_a_reason(play: Harena, path: Path, name: str) -> None:
    answer = play("hint resign", name, "--nodes", "3000", "--seed", "1")
    (hint,) = (line for line in answer.out.splitlines() if line.startswith("hint: "))
    library.game(name).initial(1).play(hint.split()[1])
    assert "expected score" in hint or "proven" in hint
    assert stored(path).conditions["hints"] == 1


SAID = {  # what agents say of their moves: on which scale, if on any
    "champion": ("champion", "colosseum", r"expected score \d+ %"),
    "in dice": ("champion", "trap", r"expected score \d+ %"),
    "playouts": ("mcts(iterations=50)", "colosseum", r"expected score \d+ %"),
    "draws that count less": ("uct1000(iterations=50)", "tiles", r"mean reward -?[\d.]+ on its own scale"),
    "heuristic": ("greedy", "isolation", r"value -?[\d.]+ on its own scale"),
}


@pytest.mark.parametrize(("agent", "name", "words"), SAID.values(), ids=SAID)
def test_agents_say_what_score_they_expect_where_that_is_known(play: Harena, agent: str, name: str, words: str) -> None:
    out = play("resign", name, "--first", agent, "--second", "human", "--nodes", "500", "--seed", "1").out
    said = [line for line in out.splitlines() if line.startswith("player 1 plays ")]
    assert said and all(re.fullmatch(rf"player 1 plays \S+, {words}", line) for line in said)
    assert (SCORES in out) == ("expected" in words)


def test_what_is_proven_is_said_to_be(play: Harena) -> None:
    out = play("resign", "tiles", "--size", "3", "--first", "champion", "--second", "human", "--seed", "1").out
    assert re.search(r"^player 1 plays \S+, proven (win|draw|loss)$", out, re.MULTILINE)


@pytest.mark.process
def test_a_strangers_value_is_on_its_own_scale(play: Harena, tmp_path: Path) -> None:
    agent = tmp_path / "sure.py"
    lines = ["from harena.agents.bot import run", 'run(lambda turn: {"move": turn.legal[0], "value": 20000})']
    agent.write_text("\n".join(lines), "utf-8")
    out = play("resign", "isolation", "--size", "4", "--first", str(agent), "--second", "human").out
    assert "value 20,000 on its own scale" in out and "win" not in out.split("player 1 plays")[1].split("\n")[0]


def test_a_throw_shows_its_chance_and_where_it_lands(play: Harena, path: Path) -> None:
    answer = play("d2 moves @d5", "trap", *TWO, "--seed", "4")
    assert "47 moves with the chance of a hit: @a1:85% @b1:90%" in answer.out
    assert "player 1 plays @d5\n@d5 hits with 90 %\na " in answer.out
    missed = [play("d2 @d7 @a7", "trap", *TWO, "--seed", str(seed)).out for seed in range(12)]
    assert all("\n@d7: a player stands there\n" in out for out in missed)
    assert any("a miss: the trap lands on " in out for out in missed)
    assert any("a hit: the trap lands on a7" in out for out in missed)


def test_tiles_are_shown_after_the_removal_and_after_its_side_effects(play: Harena, tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text("3\nXBR\nRRB\nBBR\n")
    answer = play("2_2", "tiles", *TWO, "--setup", str(file))
    after_removal, after_all = (
        answer.out.split("player 1 plays b2\n")[1].split("player 2 (B)")[0].split("b2 is removed")
    )
    assert "R" in after_removal.splitlines()[4] and "◄·►" in after_removal and "▼" not in after_removal
    assert "◄·►" in after_all and "▼" in after_all


def test_tiles_are_shown_once_where_nothing_falls(play: Harena) -> None:
    answer = play("1_2", "tiles", *TWO)
    assert "player 1 plays b1\n" in answer.out and "is removed" not in answer.out


def test_the_course_shows_tiles_twice_in_any_case(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, path: Path
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("first\nR\n1 2\n"))
    answer = run(capsys, monkeypatch, "tiles", "--agent", "human")
    assert "b1 is removed; nothing falls with it:" in answer.out


def test_advice_at_the_board_is_that_of_the_game(play: Harena) -> None:
    assert "'xyz' is no cell: write a letter and a number like c4, or row,column from 0 like 3,2\n" in (
        play("xyz", "isolation", *TWO).out
    )
    for text in ("xyz", "3,2"):
        assert "write c4, or row and column from 1 with a blank between, like 4 3\n" in (
            play(text, "tiles", *TWO).out.replace("a letter and a number like ", "")
        )


@pytest.mark.parametrize(("seat", "colour", "first"), [("first", "B", "B"), ("second", "r", "B"), ("second", "B", "R")])
def test_the_human_chooses_order_and_colour(play: Harena, seat: str, colour: str, first: str) -> None:
    answer = play("", "tiles", f"--{seat}", "human", "--colour", colour, "--nodes", "50")
    assert f"player 1 ({first}) to move" in answer.out


def test_a_game_that_was_left_goes_on_as_if_it_had_not(play: Harena, path: Path) -> None:
    every, typed = a_game("trap", 5)
    words = ("trap", *TWO, "--size", "4", "--seed", "5")
    first = play(" ".join([*typed[:3], "quit", "d4"]), *words)
    assert first.out.endswith("player 2> quit\nsaved; go on with: harena play --resume\n") and len(left(path)) == 1
    second = play(" ".join(typed[3:5]), "--resume")  # the input ends
    assert second.code == 0 and second.out.endswith("player 1> \nsaved; go on with: harena play --resume\n")
    third = play(" ".join(typed[5:]), "--resume", "trap")
    assert third.out.endswith("stored as game 1; see it again: harena replay 1\n")
    assert moves_of(stored(path)) == every and not left(path)


def test_the_game_left_last_goes_on_first(play: Harena, path: Path) -> None:
    play("a1", "isolation", *TWO)
    play("b1", "tiles", *TWO, "--nodes", "77")
    assert "isolation, seed" in play("undo", "--resume", "isolation").out
    os.utime(left(path)[0], (1, 1))
    os.utime(left(path)[1], (2, 2))
    later = left(path)[1].read_text()
    assert f"{'tiles' if 'tiles' in later else 'isolation'}, seed" in play("", "--resume").out
    assert len(left(path)) == 2
    assert '"nodes":77' in "".join(file.read_text() for file in left(path))


def test_a_damaged_file_is_named(play: Harena, path: Path) -> None:
    play("a1", "isolation", *TWO)
    (file,) = left(path)
    file.write_text(file.read_text().replace('"a1"', '"a9"'))
    answer = play("", "--resume")
    assert answer.code == 2 and answer.err.count("\n") == 1 and "cannot go on: ply 1" in answer.err
    file.write_text("{")
    answer = play("", "--resume")
    assert answer.code == 2 and answer.err.count("\n") == 1 and str(file) in answer.err


ERRORS = {
    "": "which game? There are: trap",
    "--resume": "there is no unfinished game: `harena play GAME` begins one",
    "--resume --size 4": "leave --size out",
    "izolation": "did you mean 'isolation'?",
    "isolation --colour R": "isolation has no colours",
    "tiles --second human --colour G": "'G' is no colour",
    "tiles --first chmpion": "did you mean 'champion'?",
    "tiles --second nowhere.py": "there is no such file",
    "tiles --seconds 0": "more than 0",
}


@pytest.mark.process
@pytest.mark.parametrize("words", ERRORS)
def test_wrong_words_are_one_line(play: Harena, words: str) -> None:
    answer = play("", *words.split())
    assert answer.code == 2 and answer.out == ""
    assert answer.err.startswith("harena: ") and answer.err.count("\n") == 1 and ERRORS[words] in answer.err


@pytest.mark.process
def test_an_agent_of_a_file_plays_and_undo_starts_it_anew(play: Harena, path: Path) -> None:
    answer = play("a1 undo a2 resign", "isolation", "--second", CENTRE)
    assert answer.code == 0 and moves_of(stored(path)) == ["a2", "d4"]


@pytest.mark.process
def test_an_agent_that_fails_loses(play: Harena, path: Path, tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text("from harena.agents.bot import run\nrun(lambda turn: 'a1', name='wrong')\n")
    assert "player 1 wins: illegal move (a1: " in play("a1", "isolation", "--second", str(file)).out
    assert (stored(path).winner, stored(path).reason) == (0, "illegal move")


def test_the_store_is_named_where_it_was_given(play: Harena, tmp_path: Path) -> None:
    where = ("--store", str(tmp_path / "other.sqlite"))
    assert play("a1", "isolation", *TWO, *where).out.endswith(f"--resume --store {where[1]}\n")
    assert play("resign", "--resume", *where).out.endswith(f"replay 1 --store {where[1]}\n")


@pytest.mark.process
def test_a_pipe_in_ascii_with_bytes_that_are_no_text(path: Path) -> None:
    command = [sys.executable, "-m", "harena", "play", "trap", *TWO]
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run(
        command, input=b"\xff\xfe\nd\xc3\xa92\nd2\n@d6\n", capture_output=True, env=environment, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.isascii() and b">1<" in done.stdout and b"saved; go on" in done.stdout


def test_a_game_of_ones_own_is_played_against_mcts(play: Harena, path: Path) -> None:
    own = str(Path(__file__).parents[2] / "examples" / "tictactoe.py")
    answer = play("b2 hint undo a1 resign", own, "--iterations", "50")
    assert "player 2: mcts\n" in answer.out and "expected score" in answer.out and "own scale" not in answer.out
    assert moves_of(stored(path))[0] == "a1" and len(stored(path).plies) == 2


def test_a_game_with_files_goes_on_when_they_are_typed_again(
    play: Harena, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mine = Path("mine.py")
    mine.write_text("class Mine:\n    def run(self, state, limits, turn):\n        return state.moves()[0]\n")
    own = str(Path(__file__).parents[2] / "examples" / "tictactoe.py")
    first = play("b2", own, "--second", "mine.py:Mine", "--nodes", "1")
    command = f"{own} --resume --second mine.py:Mine"
    assert first.out.endswith(f"saved; go on with: harena play {command}\n")
    for typed in (["--resume"], [own, "--resume"]):
        refused = play("", *typed)
        assert (refused.code, refused.out) == (2, "") and f"type: harena play {command}\n" in refused.err
    second = play("", *command.split())
    assert second.code == 0 and "going on after ply 2" in second.out
    mine.write_text(f"{mine.read_text()}# changed\n")
    assert "mine.py:Mine has changed since this game was left" in play("", *command.split()).err


@pytest.mark.slow
def test_a_text_that_a_game_of_the_users_own_cannot_read_is_a_sentence(play: Harena, tmp_path: Path) -> None:
    example = (Path(__file__).parents[2] / "examples" / "tictactoe.py").read_text("utf-8")
    old = "        row, column = notation.parse_cell(text, 3, 3)\n"
    assert old in example
    mine = tmp_path / "mine.py"
    mine.write_text(example.replace(old, "        row, column = int(text[1]) - 1, 'abc'.index(text[0])\n"), "utf-8")
    answer = play("zz z a1 quit", str(mine), *TWO)
    assert answer.code == 0, answer.err
    assert "'zz' is no move of tictactoe" in answer.out and "'z' is no move of tictactoe" in answer.out
    assert "player 2 to move" in answer.out
