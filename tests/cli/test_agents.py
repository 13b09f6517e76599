"""`harena agents` lists what there is, each name once, and what it stands for."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cli.support import Answer, run
from harena.agents.names import PLAYERS
from harena.agents.player import builders, options_of
from harena.agents.spec import player
from harena.games.catalogue import CATALOGUE
from harena.heuristics.catalogue import HEURISTICS
from harena.heuristics.names import TABLES

Harena = Callable[..., Answer]


@pytest.fixture
def harena(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Harena:
    monkeypatch.setenv("COLUMNS", "200")
    return lambda *words: run(capsys, monkeypatch, *words)


def first_words(text: str) -> list[str]:
    return [line.split()[0] for line in text.splitlines() if line.strip() and not line.startswith(" ")]


def listed(players: str) -> set[str]:
    """The names in the first column; `id_NAME` and `spar_NAME` stand for players whose names their rows end with."""
    names = set(first_words(players))
    if "id_NAME" in names:
        names |= {f"id_{word}" for word in players.split() if word in HEURISTICS["isolation"]}
    if "spar_NAME" in names:
        names |= {f"spar_{word}" for word in players.partition("against:")[2].split() if word != "Harena"}
    return names - {"id_NAME", "spar_NAME"}


def test_all_games_with_all_their_players(harena: Harena) -> None:
    answer = harena("agents")
    assert (answer.code, answer.err) == (0, "")
    *games, hint = answer.out.strip().split("\n\n")
    assert [text.split(":")[0] for text in games] == list(CATALOGUE)
    for game, text in zip(CATALOGUE, games, strict=True):
        assert listed(text) - {f"{game}:"} == set(PLAYERS[game])
        for name, entry in PLAYERS[game].items():
            assert name.startswith(("id_", "spar_")) or entry.about in text
            assert entry.origin in text
    assert hint.startswith("harena agents GAME shows")


@pytest.mark.parametrize("game", CATALOGUE)
def test_one_game_with_what_its_names_stand_for_its_searches_and_its_heuristics(harena: Harena, game: str) -> None:
    answer = harena("agents", game)
    assert (answer.code, answer.err) == (0, "")
    players, _, rest = answer.out.partition("\nsearches, with their options\n")
    searches, _, heuristics = rest.partition("\nheuristics\n")
    assert listed(players) - {f"{game}:"} == set(PLAYERS[game])
    for name, entry in PLAYERS[game].items():
        assert name.startswith("id_") or entry.text in " ".join(players.split())
    own = {name: build for name, build in builders(game).items() if not name.startswith("spar_")}
    assert set(first_words(searches)) >= set(own)
    for build in own.values():
        assert all(option.name in searches for option in options_of(build))
    assert "seconds, nodes, iterations, depth" in searches
    assert first_words(heuristics)[:-2] == list(TABLES[game]) == list(HEURISTICS[game])
    for about in HEURISTICS[game].values():
        assert about in heuristics
    assert "mine.py:my_score" in heuristics


@pytest.mark.parametrize("game", CATALOGUE)
def test_every_listed_player_exists(game: str) -> None:
    import harena

    for name in PLAYERS[game]:
        assert player(name, harena.game(game)).text == name


@pytest.mark.parametrize("game", CATALOGUE)
def test_nothing_is_cut_off_on_a_terminal_of_80_columns(
    harena: Harena, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    answer = harena("agents", game)
    assert answer.code == 0 and "…" not in answer.out
    assert max(map(len, answer.out.splitlines())) <= 80


def test_every_search_of_a_game_can_be_used_with_its_defaults() -> None:
    import harena

    for game in CATALOGUE:
        for name in builders(game):
            assert player(name, harena.game(game)).text == name


@pytest.mark.parametrize(
    ("word", "message"),
    [("isolatoin", "no game 'isolatoin'; did you mean 'isolation'?"), ("chess", "there are: trap, colosseum")],
)
def test_an_unknown_game_gets_one_line(harena: Harena, word: str, message: str) -> None:
    answer = harena("agents", word)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("harena: ") and answer.err.count("\n") == 1 and message in answer.err


def test_a_game_of_ones_own_has_the_searches(harena: Harena) -> None:
    answer = harena("agents", str(Path(__file__).parents[2] / "examples" / "tictactoe.py"))
    assert answer.code == 0 and "mcts" in answer.out and "null" in answer.out
