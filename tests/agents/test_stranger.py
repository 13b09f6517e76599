"""Agents that are not ours, wherever a player can be named."""

from pathlib import Path

import pytest

import harena
from harena import Limits
from harena.agents.stranger import NoSearch
from harena.errors import BadFile, BadOption, HarenaError, UsageError

CENTRE = str(Path(__file__).parents[2] / "examples" / "agents" / "centre.py")
COUNTING = """
from harena.agents.bot import run
count = lambda turn: turn.memory.update(n=turn.memory.get("n", 0) + 1)
run(lambda turn: count(turn) or {"move": turn.legal[0], "value": turn.memory["n"]})
"""


def test_a_file_thinks_as_a_player_does() -> None:
    game = harena.game("isolation", size=5)
    state = game.initial()
    player = harena.player(CENTRE, game)
    result = player.think(state, Limits(seconds=5))
    assert (str(state.named(result.move)), result.stopped, result.line) == ("c3", "answered", (result.move,))
    assert str(player.choose(state.play("c3").play("a1"))) in {"b1", "d1", "a2", "e2", "a4", "e4", "b5", "d5"}


def test_it_keeps_what_it_knows_as_long_as_the_game_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "counting.py"
    file.write_text(COUNTING)
    game = harena.game("isolation", size=5)
    player, state = harena.player(str(file), game), game.initial()
    values = []
    for _ in range(3):
        found = player.think(state)
        values.append(found.value)
        state = state.play(found.move)
        state = state.play(state.moves()[0])
    assert values == [1, 2, 3]
    assert player.think(game.initial()).value == 1


def test_what_goes_wrong_is_said_in_a_line(tmp_path: Path) -> None:
    game = harena.game("isolation", size=5)
    with pytest.raises(BadFile, match="there is no such file"):
        harena.player("nobody.py", game)
    with pytest.raises(BadFile, match="there is no such file or folder"):
        harena.player("aind:nobody.py", game)
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
        harena.player(str(tmp_path / "lies.py"), game).think(game.initial())
    with pytest.raises(UsageError, match="no search"):
        NoSearch().run(game.initial().value, Limits())
