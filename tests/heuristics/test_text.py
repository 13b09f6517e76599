"""Heuristics as text: sums, weights, signs, phases; and one plain line for what is none."""

from pathlib import Path

import pytest

import harena
from harena.agents.spec import parse_agent
from harena.errors import BadText, UnknownName, UsageError
from harena.heuristics.combine import Null, Phased
from harena.heuristics.mobility import Ground, Mobility
from harena.heuristics.names import TABLES, heuristic
from heuristics.support import at, random_positions, value

POSITIONS = random_positions("isolation", 6, 20, size=7)
SAME = {  # a text: its parts, each with its weight, in words of their own
    "improved": {"improved": 1},
    "+improved": {"improved": 1},
    "-improved": {"improved": -1},
    "--improved": {"improved": 1},
    "0.5*improved+0.5*improved": {"improved": 1},
    "improved - improved": {},
    "2*open - 3*aggressive + .5*proximity": {"open": 2, "aggressive": -3, "proximity": 0.5},
    "2*3*open": {"open": 6},
    "1.*open": {"open": 1},
    "open+improved": {"open": 1, "improved": 1},
    "open-improved": {"open": 1, "improved": -1},
    "open - -improved": {"open": 1, "improved": 1},
    "  open\t+\n2 *  lookahead ": {"open": 1, "lookahead": 2},
    "0*open + reach": {"reach": 1},
    "lookahead - 0.5*outlook + 3*territory + horizon": {"lookahead": 1, "outlook": -0.5, "territory": 3, "horizon": 1},
    "improved + 4*null": {"improved": 1},
    "combo_advantage_near": {"net_advantage": 1, "proximity": 1},
}


@pytest.mark.parametrize(("text", "parts"), SAME.items())
def test_a_sum_is_the_sum_of_its_parts(text: str, parts: dict[str, float]) -> None:
    for state in POSITIONS:
        for me in (0, 1):
            expected = sum(weight * value(name, state, me) for name, weight in parts.items())
            assert value(text, state, me) == pytest.approx(expected, abs=1e-12), state.text


def test_sums_of_one_family_are_one_value_again_so_they_share_a_compiled_search() -> None:
    assert heuristic("isolation", "0.5*improved+0.5*improved") == heuristic("isolation", "improved")
    assert heuristic("isolation", "open - 2*offensive") == Mobility(mine=1.0, offensive=-2.0)
    assert heuristic("trap", "horizon+reach") == Ground(horizon=1.0, reach=1.0)
    assert heuristic("isolation", "3*null") == Null()
    assert type(heuristic("isolation", "reach+open")) is type(heuristic("isolation", "open - 7*horizon"))


def test_the_order_of_a_sum_does_not_matter() -> None:
    assert heuristic("isolation", "open + reach") == heuristic("isolation", "reach + open")


def test_phases_of_two_parts_change_at_one_half() -> None:
    """1 reaches b3 and c2, 2 three cells, b1, c2 and c4."""
    early = at("isolation", "1.../..x./2.../..xx 1", size=4)  # 11 of 16 cells blank
    late = at("isolation", "1.x./xx../2.xx/x..x 1", size=4)  # 7 of 16
    half = at("isolation", "1.../xx../2.xx/x..x 1", size=4)  # 8 of 16: neither above nor below, so the later part
    for state, name in ((early, "open"), (late, "proximity"), (half, "proximity")):
        for me in (0, 1):
            assert value("phased(open, proximity)", state, me) == value(name, state, me), state.text
            assert value("open", state, me) != value("proximity", state, me)


def test_phases_of_three_parts_change_at_two_thirds_and_one_third() -> None:
    boards = {".../..1/..2": "open", "x../..1/..2": "null", "1.x/xx./2.x": "null", "1xx/xx./2.x": "proximity"}
    for board, name in boards.items():
        state = at("isolation", f"{board} 1", size=3)
        assert value("phased(open, null, proximity)", state, 0) == value(name, state, 0), board


def test_phases_are_parts_of_sums_and_of_other_phases() -> None:
    boards = {
        ".../..1/..2": "3*open",  # 7 of 9 cells blank
        "x../..1/..2": "2*open + improved",  # 6
        "1x./x../2.x": "3*improved",  # 4
        "1xx/xx./2.x": "proximity - improved",  # 2
    }
    text = "2*phased(open, phased(proximity, improved, null)) + phased(open, improved, proximity - improved)"
    for board, same in boards.items():
        state = at("isolation", f"{board} 1", size=3)
        assert value(text, state, 0) == value(same, state, 0), board


def test_a_phase_may_be_a_sum_with_signs() -> None:
    phases = heuristic("isolation", "phased( -open + 2*improved , reach )")
    assert isinstance(phases, Phased)
    assert phases.early == Mobility(mine=1.0, theirs=-2.0) and phases.late == Ground(reach=1.0)


def test_a_games_own_phased_needs_no_parts_and_takes_a_weight() -> None:
    for state in POSITIONS:
        assert value("-2*phased", state, 0) == -2 * value("phased", state, 0)


WRONG = {
    "": "a name is missing at the end",
    "   ": "a name is missing at the end",
    "improved +": "a name is missing at the end",
    "2*": "a name is missing at the end",
    "improved improved": "'improved' does not belong there",
    "improved, open": "',' does not belong there",
    "improved)": "')' does not belong there",
    "2 improved": "'*' is missing",
    "2": "'*' is missing at the end",
    "*improved": "a name is missing before '*'",
    "improved*2": "a weight stands before the name, as in 2*improved",
    "mine.py": "name the function too, as in mine.py:my_score",
    "phased(": "a name is missing at the end",
    "phased()": "a name is missing before ')'",
    "phased(open": "')' is missing at the end",
    "phased(open)": "phased takes two parts (early, late) or three, not 1",
    "phased(open,open,open,open)": "or three, not 4",
    "phased(open,)": "a name is missing before ')'",
    "(improved)": "a name is missing before '('",
    "improved / 2": "cannot read '/ 2'",
    "1e*improved": "'*' is missing",
    "imporved": "did you mean 'improved'?",
    "left": "the heuristic left is tiles's; here there are: null, open",
    "zzzz": "there are: null, open, improved",
}


@pytest.mark.parametrize(("text", "message"), WRONG.items())
def test_a_text_that_is_no_heuristic_gets_one_plain_line(text: str, message: str) -> None:
    with pytest.raises(UsageError) as error:
        heuristic("isolation", text)
    assert message in str(error.value) and "\n" not in str(error.value)
    assert isinstance(error.value, (BadText, UnknownName))


def test_the_message_repeats_the_text_that_was_read() -> None:
    with pytest.raises(BadText, match=r"heuristic 'open \+ \+': a name is missing at the end"):
        heuristic("isolation", "open + +")


def test_each_game_knows_its_own_names_only() -> None:
    for game, name in (("tiles", "improved"), ("isolation", "balance"), ("trap", "area"), ("tiles", "phased")):
        assert name not in TABLES[game]
        with pytest.raises(BadText, match=f"the heuristic {name} is .+'s; here there are: null"):
            heuristic(game, name)


def test_a_game_of_ones_own_has_the_null_heuristic() -> None:
    assert heuristic("tictactoe", "null") == Null()
    with pytest.raises(BadText, match="is isolation's; here there are: null"):
        heuristic("tictactoe", "improved")


MINE = "def mine(state, me, w=1.0):\n    return w\n"


@pytest.mark.parametrize(
    "text", ["sp ace/heur.py:mine(w=3)", "null - -3*sp  ace 2/my heur.py:mine", "sp-a ce.py:mine(w=3)"]
)
def test_a_path_may_have_blanks(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / text.removeprefix("null - -3*").partition(":")[0]
    file.parent.mkdir(exist_ok=True)
    file.write_text(MINE)
    assert value(text, POSITIONS[0], 0) == 3
    assert parse_agent(f"id(heuristic=open + {text.removeprefix('null - ')}, depth=1)").paths() == [
        str(file.relative_to(tmp_path))
    ]


@pytest.mark.parametrize("name", ["h(1).py", "a,b/h.py", "one+two.py", "a=b.py", "2*3.py"])
def test_a_sign_in_a_path_is_named(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(MINE)
    signs = " or ".join(sign for sign in "=*(),+" if sign in name)
    wanted = f"{name}: a path here may not have {signs} in it; rename it"
    game = harena.game("isolation", size=5)
    for text in (f"open + {name}:mine", f"2*{tmp_path}/{name}:mine(w=2)"):
        with pytest.raises(UsageError) as told:
            heuristic("isolation", text)
        assert str(told.value).endswith(wanted)
    for text in (f"{name}:Mine", f"{name}:Mine(c=2)", f"{tmp_path}/{name}:Mine", f"id(heuristic={name}:mine)"):
        with pytest.raises(UsageError) as told:
            harena.player(text, game)
        assert str(told.value).endswith(wanted)
