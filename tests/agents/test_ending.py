"""Whether games by a user's own rules end: asked of each file as it is, and rules that fail are told elsewhere."""

from pathlib import Path

import pytest

import harena
from harena.agents.ending import check_end
from harena.agents.player import player
from harena.errors import KernelError

EXAMPLE = (Path(__file__).parents[2] / "examples" / "tictactoe.py").read_text("utf-8")
ENDLESS = (
    EXAMPLE.replace("DRAW if state.mine | state.theirs == BOARD else RUNNING", "RUNNING")
    .replace("if has_line(state.theirs):", "if False:")
    .replace("free = BOARD & ~(state.mine | state.theirs)", "free = BOARD")
)


@pytest.mark.slow
def test_a_file_that_was_mended_and_another_of_that_name_are_asked_anew(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine.py", tmp_path / "other.py"
    mine.write_text(ENDLESS, "utf-8")
    other.write_text(EXAMPLE, "utf-8")
    for _ in range(2):
        with pytest.raises(KernelError, match=r"mine\.py: a random game has not ended after 10,000 moves"):
            player("mcts", harena.game(mine))
    assert harena.game(other) == harena.game(mine), "as games go"
    player("mcts", harena.game(other))
    mine.write_text(EXAMPLE + "\n# mended\n", "utf-8")
    player("mcts", harena.game(mine))


@pytest.mark.slow
@pytest.mark.parametrize("word", ["initial", "random_move"])
def test_rules_that_fail_are_no_rules_without_end(tmp_path: Path, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(EXAMPLE + f"\n# {word}\n", "utf-8")
    game = harena.game(mine)
    search = player("random", harena.game("isolation")).search
    monkeypatch.setattr(harena.Game if word == "initial" else harena.State, word, lambda *_: {}["nothing"])
    check_end(game, search)
