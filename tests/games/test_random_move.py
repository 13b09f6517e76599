"""`random_move` draws legal moves only, every one of them, all equally likely; chance outcomes by their probability."""

from collections import Counter

import pytest

import harena
from games.support import Options, chi_square_limit, every_variant, random_game, read, some_states
from harena import CHANCE, IllegalMove, State

MIDDLE_GAMES = {
    "isolation placement": ("isolation", "......./......./......./......./......./......./....... 1"),
    "isolation jump": ("isolation", "......./...2.../.x...../...1.../......./..x..../....... 1"),
    "colosseum on one word": ("colosseum", "6 b2 e5 1 a2d,b1r,c3r,d4d,e2d"),
    "colosseum on two words": ("colosseum", "10 e5 f6 2 e5r,f5d,a1r,j9d,e6r"),
    "colosseum on three words": ("colosseum", "12 f10 a1 1 f10r,g10d,e9d,l11d"),
    "trap walk": ("trap", "......./..x.x../..x1.../......./...2.../......./....... 1 walk 4"),
    "trap aim": ("trap", "......./..x.x../..x1.../......./...2.../......./....... 1 aim 4"),
    "trap landing": ("trap", "1....../......./......./......./...2.../......./....... 1 @g7 4"),
    "trap landing beside a player": ("trap", "...1.../......./......./......./......./..x.x../...2... 1 @d6 4"),
    "tiles on one word": ("tiles", "RBBR/RXRB/BRXR/BBRR B 2"),
    "tiles on two words": ("tiles", "/".join(["RBXRBRBRBX", "BRBXBRBRXR"] * 5) + " R 1"),
}


def expected_shares(state: State) -> dict[str, float]:
    if state.mover == CHANCE:
        return {str(move): chance for move, chance in state.chances()}
    return {str(move): 1 / len(state.moves()) for move in state.moves()}


@pytest.mark.parametrize("case", MIDDLE_GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_draws_follow_the_probabilities(case: str, seed: int) -> None:
    state = read(*MIDDLE_GAMES[case])
    shares = expected_shares(state)
    draws = max(2000, 100 * len(shares))
    rng = harena.generator(seed)
    drawn = Counter(str(state.random_move(rng)) for _ in range(draws))
    assert set(drawn) == set(shares)
    chi_square = sum((drawn[move] - draws * share) ** 2 / (draws * share) for move, share in shares.items())
    assert chi_square < chi_square_limit(len(shares) - 1)


@every_variant
def test_every_draw_is_legal(name: str, options: Options) -> None:
    rng = harena.generator(3)
    for state in some_states(name, options, games=3):
        if not state.is_over:
            move = state.random_move(rng)
            assert move in state.moves()
            assert str(move) in map(str, state.moves())


@every_variant
def test_one_seed_gives_one_game(name: str, options: Options) -> None:
    def game_of(seed: int) -> str:
        rng, state = harena.generator(seed), harena.game(name, **options).initial(4)
        while not state.is_over:
            state = state.play(state.random_move(rng))
        return " ".join(str(one.last_move) for one in state.history())

    assert game_of(8) == game_of(8)
    assert len({game_of(seed) for seed in range(20)}) > 1


def test_a_certain_hit_is_always_drawn() -> None:
    state = read("trap", "......./......./......./...1.../......./......./...2... 1 @d5 0")
    rng = harena.generator(0)
    assert {str(state.random_move(rng)) for _ in range(200)} == {"!d5"}


@every_variant
def test_a_finished_game_has_no_random_move(name: str, options: Options) -> None:
    *_, last = random_game(harena.game(name, **options), 0)
    with pytest.raises(IllegalMove, match=r"^the game is over: (draw|player [12] wins)"):
        last.random_move(harena.generator(0))
