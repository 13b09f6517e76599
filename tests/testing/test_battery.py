"""The contract battery passes all five games, and notices each way to break the contract."""

from pathlib import Path

import pytest

import harena
from harena.contract import FIRST, SECOND
from harena.testing import ContractBroken, EndNotSeen, check_game

EXAMPLE = Path(__file__).parents[2] / "examples" / "tictactoe.py"

GAMES = [
    harena.game("trap", size=4),
    harena.game("isolation", size="5x6"),
    harena.game("isolation", setup="random-placements"),
    harena.game("colosseum", size=4),
    harena.game("colosseum", size=9),
    harena.game("colosseum", size=11, setup="2022"),
    harena.game("tiles"),
    harena.game("tiles", size=8, setup="random", first="B"),
    harena.game("tiles", size=9),
    harena.game(str(EXAMPLE)),
]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_every_game_keeps_the_contract(game: harena.Game) -> None:
    ends = (FIRST, SECOND) if game.name != "colosseum" else ()  # random games on its larger boards take long
    assert check_game(game, games=1 if game.name == "colosseum" else 2, seed=3, ends=ends) > 3


BREAKS = {
    "mover is 5": ("    return state.player\n", "    return 5\n"),
    "outcome's result is 9": ("without_points(1 - state.player)", "without_points(9)"),
    "max_moves says 7": ("    return 9\n", "    return 7\n"),
    "listed twice": ("        out[index] = lowest(free)\n", "        out[index] = lowest(BOARD & ~state.mine)\n"),
    "no move": ("    return count\n", "    return 0\n"),
    "wrote more than it counted": ("    return count\n", "    return count - 1\n"),
    "before its place": ("        out[index] = lowest(free)\n", "        out[index - at] = lowest(free)\n"),
    "is read as another position": (
        "(value.mine, value.theirs) if value.player == 0",
        "(value.mine, value.theirs) if value.player",
    ),
    "which is read as": ("        return 3 * row + column\n", "        return 3 * column + row\n"),
    "the key is the same": (
        "    return mix(mix(mix(state.mine) ^ state.theirs) ^ np.uint64(state.player))\n",
        "    return mix(BOARD)\n",
    ),
    "outcome does not return an Outcome": (
        "    return without_points(DRAW if state.mine | state.theirs == BOARD else RUNNING)\n",
        "    if state.mine | state.theirs != BOARD:\n        return without_points(RUNNING)\n",
    ),
    "the game runs, but there is no move": (
        "    return without_points(DRAW if state.mine | state.theirs == BOARD else RUNNING)\n",
        "    return without_points(RUNNING)\n",
    ),
    "the text 'a1' of a move cannot be read": (
        "        row, column = notation.parse_cell(text, 3, 3)\n",
        "        row, column = text.split(',')\n",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("message", "change"), BREAKS.items(), ids=BREAKS)
def test_the_battery_notices(message: str, change: tuple[str, str], tmp_path: Path) -> None:
    source = EXAMPLE.read_text("utf-8")
    assert change[0] in source
    broken = tmp_path / "broken.py"
    broken.write_text(source.replace(*change), "utf-8")
    with pytest.raises(ContractBroken, match=message):
        check_game(str(broken), games=3)


def test_the_battery_notices_a_game_without_end() -> None:
    with pytest.raises(ContractBroken, match="did not end within 3 plies"):
        check_game("tiles", games=1, longest=3)


@pytest.mark.slow
def test_an_end_that_no_game_came_to_is_named(tmp_path: Path) -> None:
    source = EXAMPLE.read_text("utf-8")
    same = tmp_path / "nobody_draws.py"
    same.write_text(source.replace("without_points(DRAW if", "without_points(0 if"), "utf-8")
    with pytest.warns(EndNotSeen, match=r"none ended with a draw, which is not checked; .* ends=\(\.\.\.\)"):
        check_game(str(same), games=1)
    assert check_game(str(same), games=1, ends=(FIRST, SECOND))


@pytest.mark.slow
def test_parsing_methods_get_a_line_and_may_raise_what_python_raises(tmp_path: Path) -> None:
    """The contract says a line: so `parse_position` may split it, whatever is given to `Game.position`."""
    old = '        board, player_text = notation.parse_fields(text, ("rows", "player to move"))\n'
    source = EXAMPLE.read_text("utf-8")
    assert old in source
    mine = tmp_path / "mine.py"
    mine.write_text(source.replace(old, '        board, player_text = text.split(" ")\n'), "utf-8")
    game = harena.game(str(mine))
    assert check_game(game, games=1)
    start = game.initial(0)
    assert game.position(f"{start}\n") == game.position(f" {start.text} ") == start
    with pytest.raises(harena.BadText, match="'x' is no position of tictactoe"):
        game.position("x")
