"""Isolation by symmetry: what it claims is true, and the champion lives by it."""

import pytest

import harena
from harena.champions.isolation_symmetry import is_mirrored, mirroring_move
from harena.kernel.rng import generator


def second_of(game: harena.Game) -> tuple[harena.Player, harena.Player]:
    return harena.player("id_improved(nodes=500)", game), harena.player("champion(nodes=100)", game)


@pytest.mark.parametrize(("size", "first"), [("3x4", ""), ("4x4", ""), ("4x5", ""), ("3x5", "c2"), ("5x5", "c3")])
def test_every_move_that_it_names_wins(size: str, first: str) -> None:
    game, found = harena.game("isolation", size=size), 0
    begin = game.initial().play(first) if first else game.initial()
    for seed in range(60):
        state, rng = begin, generator(seed)
        while not state.is_over:
            move = mirroring_move(state.value)
            if move is not None:
                found += 1
                after = state.play(move)
                assert is_mirrored(after.value)
                assert after.is_over or harena.solve(after).value == -1
            state = state.play(state.random_move(rng))
    assert found > 5


@pytest.mark.parametrize(
    ("size", "is_lost"), [("3x4", True), ("4x4", True), ("8x8", True), ("3x3", False), ("5x5", False)]
)
def test_an_empty_board_without_a_middle_is_lost_and_the_champion_says_so(size: str, is_lost: bool) -> None:
    empty = harena.game("isolation", size=size).initial()
    assert is_mirrored(empty.value) == is_lost
    assert not is_mirrored(empty.play("a1").value)
    if is_lost:
        found = harena.player("champion(nodes=100)", empty.game).think(empty)
        assert {found.proven, *(one.proven for one in found.root)} == {-1}


def test_the_middle_has_to_be_taken() -> None:
    game = harena.game("isolation", size="5x5")
    assert mirroring_move(game.initial().play("b1").value) is None  # d5 would be opposite, but c3 is free
    assert mirroring_move(game.initial().value) is None
    taken = game.initial().play("c3").play("b1")
    assert str(taken.named(mirroring_move(taken.value) or 0)) == "d5"


@pytest.mark.parametrize("seed", range(3))
def test_on_an_even_board_the_second_player_wins(seed: int) -> None:
    game = harena.game("isolation", size="8x8")
    state, players = game.initial(), second_of(game)
    state = state.play(state.random_move(generator(seed)))
    while not state.is_over:
        state = state.play(players[state.mover].think(state).move)
    assert state.outcome is not None and state.outcome.winner == 1


def test_the_middle_and_a_jump_from_it_is_won_by_the_hunted() -> None:
    game = harena.game("isolation")
    state, players = game.initial().play("d4").play("c2"), second_of(game)
    first = players[1].think(state)
    assert str(state.named(first.move)) == "e6" and first.proven == 1
    while not state.is_over:
        state = state.play(players[1 - state.mover].think(state).move)
    assert state.outcome is not None and state.outcome.winner == 0
