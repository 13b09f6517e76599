"""Players as text: what a text stands for, and the one plain line that each mistake gets."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import harena
from harena.agents.names import PLAYERS
from harena.agents.player import Player, resolve
from harena.agents.spec import player
from harena.agents.text import split
from harena.heuristics.names import heuristic as read_heuristic
from harena.search.deepening import Deepening
from harena.search.mcts import Mcts
from harena.search.result import Limits, Result, Turn
from harena.search.uct import AT_ONCE, BY_HALVES, IN_ORDER

ISOLATION = harena.game("isolation", size=5)
COLOSSEUM = harena.game("colosseum", size=4)
TRAP = harena.game("trap", size=4)
TILES = harena.game("tiles", size=4)

MISTAKES = [
    (ISOLATION, "mm_improvd", "no player 'mm_improvd'; did you mean 'mm_improved'?"),
    (ISOLATION, "MCTS", "did you mean 'mcts'?"),
    (ISOLATION, "uct1000", "the player uct1000 is tiles's; here there are: mcts, "),
    (ISOLATION, "zzzzzz", "no player 'zzzzzz'; there are: "),
    (ISOLATION, "lookahed2", "no player 'lookahed2'; lookahead2 is colosseum's; here there are: id_lookahead, "),
    (ISOLATION, "Beam", "no player 'Beam'; a search of your own is named with its file, as file.py:Beam"),
    (ISOLATION, "Qqq(c=1)", "no player 'Qqq'; a search of your own is named with its file, as file.py:Qqq"),
    (ISOLATION, "Random", "no player 'Random'; did you mean 'random'?"),
    (ISOLATION, "Easy", "no player 'Easy'; easy is trap's; here there are: "),
    (ISOLATION, "spar_depp", "no player 'spar_depp'; did you mean 'spar_deep'?"),
    (ISOLATION, "spar_star", "the player spar_star is trap's; here there are: spar_deep, spar_territory, spar_mcts"),
    (TILES, "spar_chaser", "the player spar_chaser is for colosseum and trap; here there are: spar_deep, spar_mirror"),
    (TILES, "spar_chasr", "no player 'spar_chasr'; spar_chaser is for colosseum and trap; here there are: spar_deep"),
    (TRAP, "spar_teritory", "no player 'spar_teritory'; spar_territory is isolation's; here there are: spar_deep"),
    (TRAP, "spar_zzzz", "no player 'spar_zzzz'; there are: spar_deep, spar_local"),
    (ISOLATION, "", "'' is no player: write name or name"),
    (ISOLATION, "mm-improved", "is no player: write name or name"),
    (ISOLATION, "mcts(expansio=all)", "no option of mcts 'expansio'; did you mean 'expansion'?"),
    (ISOLATION, "mcts(second=1)", "did you mean 'seconds'?"),
    (ISOLATION, "mm_improved(hueristic=open)", "no option of minimax 'hueristic'; did you mean 'heuristic'?"),
    (ISOLATION, "random(c=1)", "no option of random 'c'"),
    (ISOLATION, "mcts(c=fast)", "c is a number, not 'fast'"),
    (ISOLATION, "mcts(c=1_0)", "c is a number, not '1_0'"),
    (ISOLATION, "mcts(c=nan)", "c is a number, not 'nan'"),
    (ISOLATION, "mcts(seconds=inf)", "seconds is a number, not 'inf'"),
    (ISOLATION, "mcts(plies=2.5)", "plies is all or a whole number, not '2.5'"),
    (ISOLATION, "minimax(depth=three)", "depth is a whole number, not 'three'"),
    (ISOLATION, "minimax(depth=0)", "a limit of depth is more than 0, not 0"),
    (ISOLATION, "mcts(seconds=-1)", "a limit of seconds is more than 0, not -1.0"),
    (ISOLATION, "mcts(c=1, c=2)", "c is given twice"),
    (ISOLATION, "mcts(c=1", "is no player: write name or name"),
    (ISOLATION, "mcts(c=1))", "a parenthesis is missing"),
    (ISOLATION, "id(heuristic=phased(open, improved)", "a parenthesis is missing"),
    (ISOLATION, "mcts c=1", "is no player: write name or name"),
    (ISOLATION, "mcts(c)", "'c' is not of the form key=value"),
    (ISOLATION, "mcts(c=)", "'c=' is not of the form key=value"),
    (ISOLATION, "mcts(=1)", "'=1' is not of the form key=value"),
    (ISOLATION, "mcts(c=1,)", "'' is not of the form key=value"),
    (ISOLATION, "mcts(c=1,\n\nd)", "'d' is not of the form key=value"),
    (ISOLATION, "mcts(expansion=most)", "expansion is order, random, all or half, not 'most'"),
    (ISOLATION, "mcts(choice=best)", "choice is visits, mean or wins, not 'best'"),
    (ISOLATION, "mcts(solver=maybe)", "solver is true or false, not 'maybe'"),
    (ISOLATION, "mcts(greed=1.5)", "greed is 0 to 1, not 1.5"),
    (ISOLATION, "mcts(scale=0)", "scale is more than 0, not 0"),
    (ISOLATION, "mcts(memory=-1)", "memory is more than 0, not -1"),
    (ISOLATION, "mcts(plies=-1)", "plies is"),
    (ISOLATION, "mcts(handicap=20)", "colosseum"),
    (ISOLATION, "id(heuristic=improvd)", "no heuristic 'improvd'; did you mean 'improved'?"),
    (ISOLATION, "id(heuristic=2*)", "a name is missing at the end"),
    (TILES, "id(heuristic=improved)", "the heuristic improved is isolation's; here there are: null"),
    (COLOSSEUM, "greedy(c2=1)", "no option of course_greedy 'c2'; did you mean"),
    (TRAP, "trees(candidates=9)", "candidates is near, all or a radius from 1 to 8, not '9'"),
    (TRAP, "trees(candidates=0)", "candidates is near, all or a radius from 1 to 8, not '0'"),
    (TRAP, "trees(misses=some)", "misses is exact, ignored or none, not 'some'"),
    (TRAP, "trees(split=1)", "split, the walk's share of the time, is between 0 and 1, not 1"),
    (ISOLATION, "trees(depth=1)", "the player trees is trap's"),
]


@pytest.mark.parametrize(("game", "text", "words"), MISTAKES, ids=[text for _, text, _ in MISTAKES])
def test_every_mistake_gets_one_plain_line(game: harena.Game, text: str, words: str) -> None:
    with pytest.raises(harena.HarenaError) as caught:
        player(text, game)
    assert words in str(caught.value) and len(str(caught.value).splitlines()) == 1


BIG = "9" * 20
TOO_MUCH = [
    (ISOLATION, f"mcts(iterations={'9' * 400})"),
    (ISOLATION, f"mcts(iterations={BIG}, seconds=0.01, heuristic=improved)"),
    (ISOLATION, f"id(nodes={BIG}, depth=1)"),
    (ISOLATION, "id(seconds=1e10, depth=1)"),
    (ISOLATION, f"mcts(plies={BIG}, iterations=5, heuristic=improved)"),
    (ISOLATION, "id(memory=1e300, depth=1)"),
    (COLOSSEUM, "mcts(handicap=-20, iterations=5)"),
    (COLOSSEUM, "greedy(c1=0.00001)"),
]


@pytest.mark.parametrize(("game", "text"), TOO_MUCH, ids=[text[:40] for _, text in TOO_MUCH])
def test_a_number_of_any_size_is_accepted_or_refused_in_words(game: harena.Game, text: str) -> None:
    try:
        given = player(text, game)
    except (harena.BadOption, harena.BadText) as error:
        assert "phased" not in str(error)  # nobody wrote that
        return
    assert "handicap" not in text
    assert given.choose(game.initial()) in game.initial().moves()


WORDS = [
    "mcts",
    "id",
    "(",
    ")",
    ",",
    "=",
    "c",
    "heuristic",
    "phased",
    "open",
    "*",
    "+",
    "-",
    "0.5",
    "2",
    " ",
    "é",
    "\n",
]


@given(parts=st.lists(st.sampled_from([*WORDS, "seconds", "depth", "true", "all", "expansion", "."]), max_size=14))
@settings(max_examples=300)
def test_no_text_gets_anything_but_a_player_or_a_line(parts: list[str]) -> None:
    try:
        assert isinstance(player("".join(parts), ISOLATION), Player)
    except harena.HarenaError as error:
        assert len(str(error).splitlines()) == 1


@given(
    name=st.from_regex(r"[a-z_][a-z_0-9]*", fullmatch=True),
    options=st.dictionaries(
        st.from_regex(r"[a-z_][a-z_0-9]*", fullmatch=True),
        st.sampled_from(["1", "-0.5", "phased(open, 2*improved)", "a.py:f", "0.5*open + reach"]),
    ),
    blank=st.sampled_from(["", " ", "\t"]),
)
@settings(max_examples=50)
def test_a_text_is_split_into_name_and_options(name: str, options: dict[str, str], blank: str) -> None:
    inside = f"{blank},{blank}".join(f"{key}{blank}={blank}{value}" for key, value in options.items())
    assert split(f"{blank}{name}{blank}({blank}{inside}{blank}){blank}") == (name, options)
    assert split(name) == (name, {})


# ---- what a text stands for


class Recorder:
    """A search that notes what it is told."""

    bounded_by = ("seconds", "nodes", "depth")

    def __init__(self) -> None:
        self.told: list[tuple[Limits, Turn]] = []

    def run(self, state: Any, limits: Limits, turn: Turn) -> Result:
        self.told.append((limits, turn))
        return Result(move=int(ISOLATION.initial().moves()[0]))


@pytest.mark.parametrize(
    ("own", "asked", "allowed"),
    [
        (Limits(), Limits(), Limits(seconds=1.0)),
        (Limits(), Limits(nodes=7), Limits(nodes=7)),
        (Limits(depth=3), Limits(), Limits(depth=3)),
        (Limits(depth=3), Limits(depth=9, nodes=7), Limits(depth=3, nodes=7)),
        (Limits(seconds=2), Limits(seconds=1), Limits(seconds=2)),
    ],
)
def test_limits_of_the_text_win_over_those_of_the_command(own: Limits, asked: Limits, allowed: Limits) -> None:
    search = Recorder()
    thinker = Player("x", ISOLATION, search, own)
    thinker.is_ready = True
    thinker.think(ISOLATION.initial(), asked, seed=5)
    ((limits, turn),) = search.told
    assert (limits, turn.seed, turn.path) == (allowed, 5, None)


def test_the_path_since_the_last_search_is_told() -> None:
    search = Recorder()
    thinker = Player("x", ISOLATION, search, Limits())
    thinker.is_ready = True
    start = ISOLATION.initial()
    later = start.play("a1").play("b2")
    for state in (start, later, later, start, ISOLATION.position(later.text)):
        thinker.think(state)
    moves = tuple(int(move) for move in (later.previous.last_move, later.last_move))  # type: ignore[union-attr,arg-type]
    assert [turn.path for _, turn in search.told] == [None, moves, None, None, None]


def test_limits_are_read_from_the_text() -> None:
    given = player("mcts(seconds=0.5, nodes=3, iterations=4, depth=5, c=0.25)", ISOLATION)
    assert given.limits == Limits(seconds=0.5, nodes=3, iterations=4, depth=5)


def test_every_option_of_mcts_arrives() -> None:
    text = (
        "mcts(c=0.5, win=3, loss=-3, draw=-2, expansion=all, choice=wins, heuristic=area, greed=0.25, plies=9, "
        "scale=4, rave=yes, rave_visits=50, bias=2, handicap=7, solver=no, reuse=0, memory=3)"
    )
    search = player(text, COLOSSEUM).search
    assert isinstance(search, Mcts)
    assert tuple(search.options) == (0.5, 3.0, -3.0, -2.0, AT_ONCE, 9, 0.25, 4.0, 50.0, 2.0, False)
    assert (search.choice, search.megabytes, search.keeps, tuple(search.rule)) == ("wins", 3.0, False, (7,))
    assert type(search.heuristic).__name__.startswith("Zones")


def test_options_of_a_named_player_can_be_overridden() -> None:
    assert resolve("mm_improved", "isolation") == ("minimax", {"depth": "3", "heuristic": "improved"})
    assert resolve("mm_improved(depth=4)", "isolation") == ("minimax", {"depth": "4", "heuristic": "improved"})
    given = player("id_open(heuristic=improved, settled=true, seconds=2)", ISOLATION)
    assert isinstance(given.search, Deepening) and given.search.settled and given.limits == Limits(seconds=2)
    assert given.search.heuristic == read_heuristic("isolation", "improved")


def test_a_heuristic_with_commas_is_one_value() -> None:
    given = player("id(heuristic=phased(open, 0.5*improved + open, open), depth=2)", ISOLATION)
    assert isinstance(given.search, Deepening) and given.limits == Limits(depth=2)
    assert given.search.heuristic.middle == read_heuristic("isolation", "open")._replace(mine=1.5, theirs=-0.5)


# ---- the players of the courses, as their list says


@pytest.mark.parametrize("heuristic", ["null", "open", "improved"])
def test_the_isolation_levels_are_minimax_3_and_alphabeta_5(heuristic: str) -> None:
    for name, algorithm, depth in ((f"mm_{heuristic}", "Minimax", 3), (f"ab_{heuristic}", "AlphaBeta", 5)):
        given = player(name, ISOLATION)
        assert isinstance(given.search, Deepening) and given.search.fixed and given.allowed() == Limits(depth=depth)
        assert type(given.search.algorithm).__name__.startswith(algorithm)
        assert given.search.heuristic == read_heuristic("isolation", heuristic)


def test_every_heuristic_of_isolation_has_a_deepening_player_of_150_milliseconds() -> None:
    names = [name.removeprefix("id_") for name in PLAYERS["isolation"] if name.startswith("id_")]
    assert {"null", "open", "improved", "aggressive", "lookahead", "horizon", "phased"} <= set(names)
    for name in names:
        given = player(f"id_{name}", ISOLATION)
        assert isinstance(given.search, Deepening) and not given.search.fixed and not given.search.settled
        assert given.allowed() == Limits(seconds=0.15) and given.search.heuristic == read_heuristic("isolation", name)


def test_the_monte_carlo_players_of_the_courses_have_their_options() -> None:
    uct, thousand = player("uct", COLOSSEUM), player("uct1000", TILES)
    assert isinstance(uct.search, Mcts) and isinstance(thousand.search, Mcts)
    assert (
        uct.search.options._asdict() | {"c": 0.1, "expansion": IN_ORDER, "solver": False}
        == uct.search.options._asdict()
    )
    assert (uct.search.options.win, uct.search.options.loss, uct.search.options.draw) == (1.0, 0.0, 0.5)
    assert (uct.search.choice, tuple(uct.search.rule), uct.search.keeps) == ("wins", (20,), False)
    assert uct.allowed() == Limits(seconds=1.8)
    options = thousand.search.options
    assert (options.c, options.win, options.loss, options.draw) == (1.0, 3.0, -3.0, -2.0)
    assert (options.expansion, options.solver, thousand.search.choice) == (BY_HALVES, False, "mean")
    assert thousand.allowed() == Limits(iterations=1000)


def test_every_game_has_the_players_of_its_course() -> None:
    wanted = {
        "isolation": {"random", "mm_null", "ab_improved", "id_phased", "champion"},
        "colosseum": {"random_agent", "random", "greedy", "uct", "lookahead2", "champion"},
        "trap": {"random", "easy", "medium", "minimax", "hard", "expectiminimax", "champion"},
        "tiles": {"random", "greedy", "uct1000", "champion"},
    }
    assert all(names <= set(PLAYERS[game]) for game, names in wanted.items())
    for game, entries in PLAYERS.items():
        for name, entry in entries.items():
            made = player(name, harena.game(game))
            assert made.text == name and entry.about and entry.origin and name in repr(made)


def test_a_limit_of_a_command_wins_over_a_name_and_one_that_is_typed_over_both() -> None:
    named, typed = player("uct", COLOSSEUM), player("uct(seconds=3)", COLOSSEUM)
    assert named.allowed() == Limits(seconds=1.8) and named.allowed(Limits(seconds=0.05)) == Limits(seconds=0.05)
    assert typed.allowed(Limits(seconds=0.05, nodes=7)) == Limits(seconds=3, nodes=7)
