"""The contract battery: what every game must keep, tried on random games.

One call ends a game's tests:

from harena.testing import check_game

def test_contract():
    check_game("path/to/mygame.py")
"""

import warnings
from collections.abc import Collection

import numpy as np

from harena import calls, contract
from harena.api import Game, State
from harena.contract import CHANCE, DRAW, FIRST, RUNNING, SECOND
from harena.errors import HarenaError, IllegalMove, KernelError
from harena.find import game as find_game
from harena.games.face import read_move
from harena.kernel.rng import generator
from harena.kernel.values import coerce

CANARY = -7
MOST_GAMES = 200  # that are played for the sake of an end that was not seen yet
ENDS = {FIRST: "a win of the first player", SECOND: "a win of the second player", DRAW: "a draw"}
ROOM = 5  # places before and behind the scratch space, which must stay untouched


class ContractBroken(AssertionError):
    """A game that does not keep the contract; the message is a sentence with the position in question."""


class EndNotSeen(UserWarning):
    """No random game came to one of the ends that `check_game` looks for, so nothing is known about that end."""


def check_game(
    game: Game | str,
    *,
    games: int = 5,
    seed: int = 0,
    longest: int = 10_000,
    ends: Collection[int] = (FIRST, SECOND, DRAW),
) -> int:
    """Play random games and check every state on the way; return how many states were checked.

    Compiled and interpreted rules are compared too, so this is slow: some hundred states a second. Then up to
    MOST_GAMES further games are played quickly, and their last states checked, until each of `ends` was seen; the
    warning EndNotSeen says which was not. Name the ends that your game has, such as (FIRST, SECOND) without draws.
    """
    found = find_game(game) if isinstance(game, str) else game
    checked = 0
    seen: set[int] = set()
    keys: dict[int, State] = {}
    for number in range(games):
        _require(
            found.initial(seed + number) == found.initial(seed + number), "initial gave two positions for one seed"
        )
        state, rng = found.initial(seed + number), generator(seed, number)
        bound = calls.look(state.value).max_moves
        for _ in range(longest):
            _check_state(state, bound, seed)
            other = keys.setdefault(state.key, state)
            _require(other == state, f"the key is that of another state too: {other.text}", state)
            checked += 1
            if state.is_over:
                seen.add(calls.look(state.value).result)
                break
            state = state.play(state.random_move(rng))
        else:
            raise ContractBroken(f"a random game did not end within {longest} plies")
    return checked + _check_other_ends(found, seen, ends, seed, longest)


def _check_other_ends(game: Game, seen: set[int], ends: Collection[int], seed: int, longest: int) -> int:
    """Play until every end was seen, checking last states only; warn of ends that were not, return what was checked."""
    checked = 0
    for number in range(MOST_GAMES):
        if seen.issuperset(ends):
            return checked
        state, rng = game.initial(seed + number), generator(seed, number, 1)
        bound = calls.look(state.value).max_moves
        for _ in range(longest):
            if _is_over(state) or not state.moves():
                break
            state = state.play(state.random_move(rng))
        else:
            raise ContractBroken(f"a random game did not end within {longest} plies")
        _check_state(state, bound, seed)
        checked += 1
        seen.add(calls.look(state.value).result)
    unseen = " or ".join(ENDS[end] for end in (FIRST, SECOND, DRAW) if end in ends and end not in seen)
    if unseen:
        advice = "if the rules have no such end, say so with ends=(...)"
        warnings.warn(
            f"{game.name}: of {MOST_GAMES} random games none ended with {unseen}, which is not checked; {advice}",
            EndNotSeen,
            stacklevel=3,
        )
    return checked


def _is_over(state: State) -> bool:
    try:
        return state.is_over
    except TypeError as error:  # compiled code that returns a value on some paths only
        raise ContractBroken(f"outcome does not return an Outcome: {error} (in {state.text})") from error


def _check_state(state: State, bound: int, seed: int) -> None:
    _is_over(state)
    try:
        state.moves()
    except KernelError as error:
        raise ContractBroken(f"{error} (in {state.text})") from error
    _check_outcome(state)
    _check_texts(state)
    if not state.is_over:
        numbers = _check_moves(state, bound)
        _check_random_move(state, numbers, seed)
        _check_chances(state, numbers)
        _check_children(state, numbers)


def _check_outcome(state: State) -> None:
    look = calls.look(state.value)
    mover, result = look.mover, look.result
    _require(mover in (FIRST, SECOND, CHANCE), f"mover is {mover}: it must be 0, 1 or CHANCE", state)
    _require(result in (FIRST, SECOND, DRAW, RUNNING), f"outcome's result is {result}: it must be 0 to 3", state)
    with np.errstate(over="ignore"):
        plain = contract.outcome(state.value)
        _require(plain is not None, "outcome returns nothing", state)
        plain_mover, plain_key = contract.mover(state.value), int(contract.key(state.value))
    _require(look[:4] == (plain_mover, *plain), "compiled and plain outcome or mover differ", state)
    _require(plain_key == state.key, "compiled and plain key differ", state)
    if state.is_over:
        _require(state.moves() == [], "there are moves although the game is over", state)
        _require_illegal(state, 0)


def _check_texts(state: State) -> None:
    for text in (state.text, str(state)):
        try:
            read = state.game.position(text)
        except HarenaError as error:
            raise ContractBroken(f"the text {text!r} of a position cannot be read: {error}") from error
        _require(read == state, f"the text {text!r} is read as another position", state)
    _require("\n" not in state.text, "the position's text has more than one line", state)
    for move in state.moves():
        try:
            number = read_move(state.game.face, state.value, str(move))
        except HarenaError as error:
            raise ContractBroken(f"the text {str(move)!r} of a move cannot be read: {error}") from error
        _require(number == move, f"the move {int(move)} is written {str(move)!r}, which is read as {number}", state)


def _check_moves(state: State, bound: int) -> list[int]:
    space = calls.look(state.value).max_moves
    listings = []
    for list_moves in (calls.list_moves, contract.moves):
        out = np.full(space + 2 * ROOM, CANARY, np.int64)
        with np.errstate(over="ignore"):
            count = int(list_moves(state.value, out, ROOM))
        _require(count > 0, "the game runs, but there is no move", state)
        _require(count <= space <= bound, f"{count} moves, but max_moves is {space} here and was {bound}", state)
        inside = out[ROOM : ROOM + count]
        _require(bool((out[:ROOM] == CANARY).all()), "moves wrote before its place in the scratch space", state)
        _require(bool((inside >= 0).all()), "a move is negative, or was counted but not written", state)
        _require(bool((out[ROOM + count :] == CANARY).all()), "moves wrote more than it counted", state)
        listings.append(inside.tolist())
    _require(listings[0] == listings[1], "compiled and plain rules list different moves", state)
    _require(len(set(listings[0])) == len(listings[0]), "a move is listed twice", state)
    _require_illegal(state, max(listings[0]) + 1)
    return [int(number) for number in listings[0]]


def _check_random_move(state: State, numbers: list[int], seed: int) -> None:
    rng, same = generator(seed, state.key), generator(seed, state.key)
    drawn = {int(state.random_move(rng)) for _ in range(3 * len(numbers))}
    _require(drawn <= set(numbers), f"random_move drew {sorted(drawn - set(numbers))}, which are no moves", state)
    with np.errstate(over="ignore"):
        plain = {int(contract.random_move(state.value, same)) for _ in range(3 * len(numbers))}
    _require(plain == drawn, "compiled and plain random_move differ", state)
    if state.mover != CHANCE:
        drawn |= {int(state.random_move(rng)) for _ in range(37 * len(numbers))}  # misses one with 4e-18 each
        _require(drawn == set(numbers), f"random_move never draws {sorted(set(numbers) - drawn)}", state)


def _check_chances(state: State, numbers: list[int]) -> None:
    pairs = state.chances()
    if state.mover != CHANCE:
        return
    _require([int(move) for move, _ in pairs] == numbers, "chances and moves list different outcomes", state)
    _require(all(chance > 0 for _, chance in pairs), "an outcome has probability 0 or less", state)
    total = sum(chance for _, chance in pairs)
    _require(abs(total - 1) < 1e-9, f"the probabilities sum to {total}", state)


def _check_children(state: State, numbers: list[int]) -> None:
    before = tuple(state.value)
    for number in numbers:
        child = state.play(number)
        _require(child == state.play(number), f"play gave two different states for the move {number}", state)
        _require(child.key != state.key, f"the key is the same after the move {number}", state)
        with np.errstate(over="ignore"):
            plain = coerce(contract.play(state.value, number))
        _require(plain == child.value, f"compiled and plain play differ for the move {number}", state)
    _require(tuple(state.value) == before, "play changed the state it was given", state)


def _require_illegal(state: State, number: int) -> None:
    try:
        state.play(number)
    except IllegalMove:
        return
    except HarenaError as error:
        raise ContractBroken(f"the illegal move {number} raised {error!r} in place of IllegalMove") from error
    raise ContractBroken(f"the illegal move {number} was played in {state.text}")


def _require(holds: bool, sentence: str, state: State | None = None) -> None:
    if not holds:
        raise ContractBroken(sentence + (f" (in {state.text})" if state is not None else ""))
