"""Agents that are not ours, wherever a player can be named."""

import threading
import time
import zipfile
from pathlib import Path

import numpy as np
import psutil
import pytest

import harena
from harena import Limits
from harena.agents.stranger import NoSearch, Stranger
from harena.errors import BadFile, BadOption, HarenaError, UsageError

pytestmark = pytest.mark.process

CENTRE = str(Path(__file__).parents[2] / "examples" / "agents" / "centre.py")
PATIENT = Limits(seconds=60)  # no agent is late because the machine is busy
COUNTING = """
from harena.agents.bot import run
count = lambda turn: turn.memory.update(n=turn.memory.get("n", 0) + 1)
run(lambda turn: count(turn) or {"move": turn.legal[0], "value": turn.memory["n"]})
"""
SLOW_AT_FIRST = """
import os, pathlib, time
from harena.agents.bot import run
asked = pathlib.Path(__file__).with_suffix(".asked")
def answer(turn):
    if not asked.exists():
        asked.write_text(str(os.getpid()))
        time.sleep(3600)
    return turn.legal[0]
run(answer)
"""


def test_a_file_thinks_as_a_player_does() -> None:
    game = harena.game("isolation", size=5)
    state = game.initial()
    player = harena.player(CENTRE, game)
    result = player.think(state, PATIENT)
    assert (str(state.named(result.move)), result.stopped, result.line) == ("c3", "answered", (result.move,))
    assert str(player.choose(state.play("c3").play("a1"), PATIENT)) in {"b1", "d1", "a2", "e2", "a4", "e4", "b5", "d5"}


def test_it_keeps_what_it_knows_as_long_as_the_game_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "counting.py"
    file.write_text(COUNTING)
    game = harena.game("isolation", size=5)
    player, state = harena.player(str(file), game), game.initial()
    values = []
    for _ in range(3):
        found = player.think(state, PATIENT)
        values.append(found.value)
        state = state.play(found.move)
        state = state.play(state.moves()[0])
    assert values == [1, 2, 3]
    assert player.think(game.initial(), PATIENT).value == 1


def test_it_is_told_what_is_left_of_a_whole_turn_where_turns_are_timed(tmp_path: Path) -> None:
    file = tmp_path / "timed.py"
    file.write_text(
        'from harena.agents.bot import run\nrun(lambda turn: {"move": turn.legal[0], "value": turn.turn_seconds})\n'
    )
    game = harena.game("trap", size=4)
    player, state = harena.player(str(file), game), game.initial()
    found = player.think(state, PATIENT, turn_seconds=120.0)
    assert found.value == 120.0
    state = state.play(found.move)
    assert player.think(state, PATIENT).value is None  # not what it was told before


def test_what_goes_wrong_is_said_in_a_line(tmp_path: Path) -> None:
    game = harena.game("isolation", size=5)
    with pytest.raises(BadFile, match="there is no such file"):
        harena.player("nobody.py", game)
    with pytest.raises(BadFile, match="there is no such file or folder"):
        harena.player("aind:nobody.py", game)
    with zipfile.ZipFile(tmp_path / "mine.zip", "w") as packed:
        packed.writestr("game_agent.py", "")
    with pytest.raises(BadFile, match="is a zip: unpack it first; `harena check` and `harena grade` do"):
        harena.player(f"aind:{tmp_path / 'mine.zip'}", game)
    with pytest.raises(BadOption, match="plays colosseum, and this is isolation"):
        harena.player(f"comp424:{tmp_path}", game)
    (tmp_path / "mine.py").write_text("class Agent:\n    def get_move(self, game, time_left): ...")
    with pytest.raises(BadFile, match=r"mine\.py looks like an agent of a course: write aind:"):
        harena.player(str(tmp_path / "mine.py"), game)
    with pytest.raises(BadFile, match="is a folder: name a file in it"):
        harena.player(f"{tmp_path}/", game)
    (tmp_path / "ends.py").write_text("raise SystemExit('no')")
    with pytest.raises(HarenaError, match=r"ends\.py did not load: exit code 1; no"):
        harena.player(str(tmp_path / "ends.py"), game).think(game.initial())
    (tmp_path / "lies.py").write_text("from harena.agents.bot import run\nrun(lambda turn: 1 / 0)")
    with pytest.raises(HarenaError, match="crash"):
        harena.player(str(tmp_path / "lies.py"), game).think(game.initial(), PATIENT)
    with pytest.raises(UsageError, match="no search"):
        NoSearch().run(game.initial().value, Limits())


def test_one_that_nobody_waits_for_ends_and_can_be_asked_again(tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    file.write_text(SLOW_AT_FIRST)
    game, flag = harena.game("isolation", size=5), np.zeros(1, np.int64)
    player, asked = Stranger(str(file), game, "off"), file.with_suffix(".asked")
    faults: list[str] = []

    def think() -> None:
        with pytest.raises(HarenaError) as fault:
            player.think(game.initial(), PATIENT, flag=flag)
        faults.append(str(fault.value))

    thinking = threading.Thread(target=think)
    thinking.start()
    while not (asked.exists() and asked.read_text()):
        assert thinking.is_alive()
        time.sleep(0.01)
    flag[0] = 1
    thinking.join(60)
    assert "stopped before it answered" in faults[0] and not psutil.pid_exists(int(asked.read_text()))
    flag[0] = 0
    assert player.think(game.initial(), PATIENT, flag=flag).move == 0
    player.agent.close()
