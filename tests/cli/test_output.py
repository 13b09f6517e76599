"""`harena match --output`: what agents print, game by game, by real processes."""

import re
from pathlib import Path

import pytest

from cli.conftest import Harena
from harena.arena import outputs
from harena.arena.outputs import Outputs
from harena.arena.store import Store

pytestmark = pytest.mark.process

AGENT = """
import sys
from harena.agents.bot import run

print("loading", file=sys.stderr)

def choose(turn):
    print("I see", len(turn.legal), "moves")
    print("to stderr \\x1b[2J", file=sys.stderr)
    BODY
    return turn.legal[0]

run(choose)
"""


def program(folder: Path, body: str = "pass", name: str = "mine.py") -> str:
    (folder / name).write_text(AGENT.replace("BODY", body))
    return str(folder / name)


def played(harena: Harena, folder: Path, agent: str, *words: str, other: str = "random", games: str = "2") -> str:
    answer = harena(
        *("match", "isolation", agent, other, "--size", "4", "--games", games, "--seconds", "2"),
        *("--output", str(folder), *words),
    )
    assert answer.code == 0, answer.err
    return " ".join(answer.out.split())


def test_what_an_agent_prints_is_kept_game_by_game(path: Path, harena: Harena, tmp_path: Path) -> None:
    folder = tmp_path / "said" / "here"
    out = played(harena, folder, program(tmp_path), "--concurrency", "2", games="4")
    assert f"what agents printed: {folder}/1-mine.py.log" in out and [one.name for one in folder.iterdir()] == [
        "1-mine.py.log"
    ]
    text = (folder / "1-mine.py.log").read_text()
    blocks = re.split(r"(?m)^--- (.+) ---$", text)
    heads = blocks[1::2]
    with Store(path) as store:
        rows = list(store.rows())
        for row in rows:
            seat = row.seats.index(str(tmp_path / "mine.py"))
            result = "a draw" if row.winner is None else f"player {row.winner + 1} won"
            place = heads.index(f"game {row.id}, {result}; as player {seat + 1}")
            moves = [ply for ply in store.record(row.id).plies if ply.by == seat]
            assert blocks[2 * place + 2].count("I see") == blocks[2 * place + 2].count("to stderr") == len(moves)
    assert len(rows) == 4 and 1 <= text.count("loading") <= 2 and "\x1b" not in text and "to stderr ?[2J" in text


def test_the_last_words_before_a_crash_are_there(path: Path, harena: Harena, tmp_path: Path) -> None:
    out = played(harena, tmp_path / "said", program(tmp_path, "raise ValueError('lost my way')"))
    assert "crash 2" in out
    text = (tmp_path / "said" / "1-mine.py.log").read_text()
    assert text.count("won: crash; as player") == 2 and text.count("ValueError: lost my way") == 2
    assert "Traceback" in text and text.count("loading") == 2


def test_an_agent_that_does_not_start_has_its_traceback_kept(path: Path, harena: Harena, tmp_path: Path) -> None:
    agent = tmp_path / "broken.py"
    agent.write_text("import harena.agents.bot\nimport nothing_like_this\n")
    answer = harena("match", "isolation", str(agent), "random", "--games", "2", "--output", str(tmp_path / "said"))
    assert answer.code == 2 and "nothing_like_this" in answer.err
    file = tmp_path / "said" / "1-broken.py.log"
    assert f"what agents printed: {file}" in answer.err
    text = file.read_text()
    assert text.startswith("--- before or after a game ---\n") and "ModuleNotFoundError" in text


def test_a_flood_is_cut_and_the_file_says_where(path: Path, harena: Harena, tmp_path: Path) -> None:
    flood = "print('x' * 99 + chr(10), end='', file=sys.stderr); [print('y' * 999) for _ in range(600)]"
    played(harena, tmp_path / "said", program(tmp_path, flood))
    data = (tmp_path / "said" / "1-mine.py.log").read_bytes()
    note = b"\n--- cut here: 1,048,576 bytes are kept ---\n"
    assert data.endswith(note) and len(data) == outputs.MOST + len(note) and data.count(b"cut here") == 1


def test_who_prints_nothing_has_no_file_and_old_ones_go(path: Path, harena: Harena, tmp_path: Path) -> None:
    folder = tmp_path / "said"
    folder.mkdir()
    for name in ("1-random.log", "1-other.py.log", "2-elder.log", "notes.txt"):
        (folder / name).write_text("--- game 1, a draw ---\n")
    (folder / "1-chapter.log").write_text("somebody else's")
    out = played(harena, folder, "random")
    assert "no agent printed anything to standard error" in out
    assert sorted(one.name for one in folder.iterdir()) == ["1-chapter.log", "notes.txt"]


def test_mistakes_are_one_line(path: Path, harena: Harena, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    base = ("match", "isolation", "random", "greedy", "--games", "2")
    for words, said in (
        (("--output", str(tmp_path / "file" / "x")), "cannot be written to"),
        (("--output", str(tmp_path / "x"), "--local"), "leave --local out"),
    ):
        answer = harena(*base, *words)
        assert answer.code == 2 and said in answer.err and answer.err.count("\n") == 1
    with Store(path) as store:
        assert store.runs() == []


def test_agents_of_one_text_have_files_of_their_own(tmp_path: Path) -> None:
    kept = Outputs(str(tmp_path), ["a/mine.py", "a/mine.py", "mcts(c=0.5, rave=true)", "aind:x/game_agent.py:Custom"])
    names = [kept.file(agent).name for agent in range(4)]
    assert names == ["1-mine.py.log", "2-mine.py.log", "3-mcts_c_0.5_rave_true.log", "4-aind_game_agent.py_Custom.log"]
    kept.heard("0-1/0/0", 1, 0, b"never stored\n\n")
    kept.close()
    assert kept.files == [tmp_path / names[1]]
    assert kept.files[0].read_text() == "--- a game that did not end; as player 1 ---\nnever stored\n"
