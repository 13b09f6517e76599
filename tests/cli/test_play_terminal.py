"""`harena play` in a real terminal: its window, its keys, and signals."""

import re
import signal
from pathlib import Path

import pytest

from cli.terminal import Terminal
from cli.test_play import TWO, left

pytestmark = pytest.mark.process


def test_a_large_board_stays_in_a_low_window(path: Path) -> None:
    for size, row in (("12", " 12 |___"), ("8", "8 ┃")):
        with Terminal("play", "colosseum", *TWO, "--size", size, rows="24") as terminal:
            assert f"\n{row}" in re.sub(r"\x1b\[[\d;]*m", "", terminal.press("", "player 1> "))
            assert terminal.end("quit\r") == 0


def test_ctrl_c_makes_an_agent_move_at_once_and_then_leaves(path: Path) -> None:
    with Terminal("play", "tiles", "--size", "10", "--seconds", "300") as terminal:
        terminal.press("", "player 1> ")
        terminal.press("b1\r", "is thinking")
        terminal.press("\x03", "player 1> ")
        terminal.press("hint\r", "is thinking")
        terminal.press("\x03", "hint: ")
        terminal.press("\x03", "saved; go on")
        assert terminal.end("") == 0
    assert len(left(path)) == 1


def test_ctrl_d_leaves_and_the_end_of_the_process_saves(path: Path) -> None:
    with Terminal("play", "tiles", *TWO) as terminal:
        terminal.press("", "player 1> ")
        terminal.press("b1\r", "player 2> ")
        terminal.press("\x04", "saved; go on")
        assert terminal.end("") == 0
    with Terminal("play", "--resume") as terminal:
        terminal.press("", "player 2> ")
        terminal.press("c1\r", "player 1> ")
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.end("") == 143
    assert '"c1"' in left(path)[0].read_text()


def test_ctrl_c_ends_the_game_of_two_agents(path: Path) -> None:
    with Terminal("play", "isolation", "--first", "random", "--second", "mcts", "--seconds", "300") as terminal:
        terminal.press("", "mcts is thinking")
        terminal.press("\x03", "saved; go on")
        assert terminal.end("") == 0
    assert len(left(path)) == 1
