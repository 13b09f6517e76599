"""Each command does what it says, and each wrong argument gets one line and exit code 2."""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli.support import Answer, run
from harena.agents.names import PLAYERS
from harena.cli import demo
from harena.games.catalogue import CATALOGUE

EXAMPLE = str(Path(__file__).parents[2] / "examples" / "tictactoe.py")
Harena = Callable[..., Answer]


@pytest.fixture
def harena(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Harena:
    return lambda *words: run(capsys, monkeypatch, *words)


def test_games_lists_names_sizes_setups_and_notation(harena: Harena) -> None:
    answer = harena("games")
    assert answer.code == 0
    for name, entry in CATALOGUE.items():
        assert name in answer.out
        assert f"default {entry.default_size}" in answer.out
        for setup in entry.setups:
            assert setup in answer.out
    assert "R moves first (default), --first B otherwise" in answer.out
    assert "c4u" in answer.out and "!c5" in answer.out


@pytest.mark.parametrize("name", [*CATALOGUE, EXAMPLE])
def test_show_draws_the_board_and_lists_the_moves(harena: Harena, name: str) -> None:
    answer = harena("show", name)
    assert answer.code == 0
    assert "position: " in answer.out and " moves: " in answer.out and "player 1" in answer.out


def test_show_takes_a_position_of_any_size_and_prints_it_back(harena: Harena) -> None:
    position = "5 a1 e5 2 b2r,c3d"
    answer = harena("show", "colosseum", "--position", position)
    assert f"position: {position}" in answer.out


def test_show_lists_outcomes_with_their_probabilities(harena: Harena) -> None:
    answer = harena("show", "trap", "--position", "1.../..../..../...2 1 @d3 0")
    assert "outcomes: " in answer.out and "!d3 0.8" in answer.out


def test_show_knows_every_option(harena: Harena) -> None:
    answer = harena("show", "tiles", "--size", "3", "--setup", "random", "--first", "B", "--seed", "4")
    assert answer.out.strip().splitlines()[-2].endswith(" B 1")
    assert harena("show", "isolation", "--size", "3x5").out.count("position: ...../...../..... 1") == 1


def test_show_writes_a_valid_svg_file(harena: Harena, tmp_path: Path) -> None:
    target = tmp_path / "board.svg"
    assert harena("show", "colosseum", "--seed", "7", "--svg", str(target)).code == 0
    assert ElementTree.parse(target).getroot().tag.endswith("svg")


def test_perft_counts_and_divides(harena: Harena) -> None:
    counted = harena("perft", EXAMPLE, "5")
    assert counted.code == 0 and "15,120" in counted.out
    divided = harena("perft", EXAMPLE, "5", "--divide")
    assert divided.out.count("1,680") == 9 and divided.out.splitlines()[-1].split() == ["total", "15,120"]


def test_perft_of_depth_0_divide_is_refused(harena: Harena) -> None:
    assert harena("perft", EXAMPLE, "0", "--divide").code == 2


@pytest.mark.process
def test_bench_prints_rates_and_ratios_as_json(harena: Harena) -> None:
    answer = harena("bench", "tiles", "--seconds", "0.05", "--json")
    report = json.loads(answer.out)
    assert [(one["game"], one["size"]) for one in report["playouts"]] == [("tiles", 4), ("tiles", 10)]
    for one in report["playouts"]:
        assert one["playouts_per_second"] > 0 and one["ratio_to_c"] > 0
    assert report["starts"][0]["cold_seconds"] > 0 and report["starts"][0]["warm_seconds"] > 0


@pytest.mark.process
def test_bench_without_a_compiler_has_no_ratio(harena: Harena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harena.bench.limit.find_compiler", lambda: None)
    monkeypatch.setattr("harena.cli.bench.find_compiler", lambda: None)
    answer = harena("bench", "isolation", "--seconds", "0.05")
    assert answer.code == 0 and "no C compiler here" in answer.out


@pytest.mark.process
@pytest.mark.slow
def test_demo_plays_a_tournament_of_each_game(harena: Harena, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two players, whose processes take the time; that the others are there is seen before."""
    fields = {}
    for name, (variant, agents) in demo.FIELDS.items():
        assert agents[-1] == "champion" and set(agents) <= set(PLAYERS[name])
        fields[name] = (variant, agents[-2:])
    monkeypatch.setattr(demo, "FIELDS", fields)
    answer = harena("demo", "--games", "2")
    assert answer.code == 0
    for entry in CATALOGUE.values():
        assert f"{entry.title}: 2 games in " in answer.out
    assert answer.out.startswith("Four small tournaments, about ")
    assert answer.out.count("champion") > 4 and answer.out.count("the last game:") == 4
    pages = [Path(line) for line in answer.out.splitlines() if line.endswith(".html")]
    assert [page.stem for page in pages] == list(CATALOGUE)
    assert all("rated highest" in page.read_text("utf-8") for page in pages)
    command = answer.out.splitlines()[-1]
    assert len(command) <= 80 and command.endswith(f"replay 1 --store {pages[0].parent / 'games.sqlite'}")
    assert harena(*command.split()[1:]).code == 0


def test_a_demo_removes_what_earlier_ones_left(tmp_path: Path) -> None:
    old, new, other = (tmp_path / name for name in ("harena-demo-old", "harena-demo-new", "harena-else"))
    link = tmp_path / "harena-demo-link"
    for folder in (old, new, other):
        folder.mkdir()
        (folder / "games.sqlite").touch()
    link.symlink_to(other)
    long_ago = time.time() - 2 * demo.LONGEST_DEMO
    for folder in (old, other):
        os.utime(folder, (long_ago, long_ago))
    os.utime(link, (long_ago, long_ago), follow_symlinks=False)
    demo.remove_earlier(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {new.name, other.name, link.name}


def test_a_demo_that_is_stopped_leaves_nothing(harena: Harena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*words: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "_play", stop)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    harena("demo", "--games", "2")
    assert not list(tmp_path.glob("harena-demo-*"))


WRONG = {
    "shwo": "did you mean 'show'",
    "show": "show needs GAME, for instance: harena show isolation",
    "show isolatoin": "no game 'isolatoin'; did you mean 'isolation'?",
    "show chess": "there are: trap, colosseum, isolation, tiles",
    "show isolation --sise 7": "show has no --sise; did you mean --seed or --setup or --size?",
    "show isolation --size 9": "isolation has sizes from 3 to 8, not 9",
    "show isolation --size 3x9": "not 3x9",
    "show isolation --size seven": "is no size of isolation",
    "show trap --size 5x6": "square board",
    "show colosseum --setup 2024": "did you mean '2023'",
    "show colosseum --setup 2022 --size 2": "needs a size of 3 or more",
    "show tiles --setup checkers": "did you mean 'checkerboard'",
    "show tiles --setup missing.txt": "cannot be read as a board file",
    "show tiles --first G": "'G' is no colour",
    "show trap --first R": "trap has no option 'first'",
    "show trap --seed x": "--seed is a whole number, not x",
    "show trap --position nonsense": "4 fields, not 1",
    "show trap --position x --setup standard": "--position says it all",
    "show isolation --position .../.../... --size 4": "2 fields",
    "show trap --svg missing/folder/board.svg": "cannot be written",
    "show missing.py": "cannot be read",
    "show harena.nowhere:Face": "no module named",
    "show harena.games.faces.trap:Face": "no face named 'face'; there are: trapface",
    "perft trap": "perft needs GAME DEPTH, for instance: harena perft isolation 3",
    "perft trap x": "DEPTH is a whole number, not x",
    "perft trap 65": "0 to 64",
    "perft trap -1": "DEPTH is 0 to 64, never below 0, for instance: harena perft isolation 3",
    "replay -42": "a game's number is 1 or more, never below 0, for instance: harena replay 12",
    "bench chess": "no game 'chess'",
    "bench trap --seconds 0": "0.01 to 600",
}


@pytest.mark.parametrize(("words", "message"), WRONG.items())
def test_a_wrong_argument_gets_one_line(harena: Harena, words: str, message: str) -> None:
    answer = harena(*words.split())
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.count("\n") == 1 and answer.err.startswith("harena: ")
    assert message in answer.err.lower() or message in answer.err


@pytest.mark.process
def test_an_exception_of_the_users_own_code_names_its_line(harena: Harena, tmp_path: Path) -> None:
    source = Path(EXAMPLE).read_text("utf-8").replace("        marks = self.marks(value)\n", "        marks = {}[0]\n")
    mine = tmp_path / "mine.py"
    mine.write_text(source, "utf-8")
    answer = harena("show", str(mine))
    line = source.splitlines().index("        marks = {}[0]") + 1
    assert answer.code == 2
    assert answer.err == f"harena: {mine}:{line}: KeyError: 0\n"


def test_a_bug_of_ours_says_so(harena: Harena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harena.cli.games.CATALOGUE", None)
    monkeypatch.setattr("harena.cli.main.user_files", list)  # other tests of this process have loaded some
    answer = harena("games")
    assert answer.code == 70 and "please report it" in answer.err


def test_ctrl_c_ends_without_a_traceback(harena: Harena, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("harena.cli.games.list_games", interrupt)
    answer = harena("games")
    assert answer.code == 130 and "Traceback" not in answer.err
