"""The champion of colosseum: what it counts, and how it plays."""

from collections import deque
from typing import Any

import numpy as np
import pytest

import harena
from harena import calls
from harena.champions import colosseum
from harena.champions.colosseum_cut import wins_at_once
from harena.champions.colosseum_evaluation import count_all
from harena.champions.colosseum_search import Enclosure, bring_known_forward
from harena.champions.colosseum_sparring import PARTNERS, half_turned
from harena.errors import BadOption
from harena.kernel.boards import has, width
from harena.kernel.compile import kernel
from harena.search.principal import less_deep
from harena.search.result import Limits, Turn
from harena.search.table import find, is_complete, is_known
from harena.search.workspace import HORIZON, STOPPED, WIN, evaluate, new_workspace, search

CHAMPION = "champion(nodes=400)"


def positions(size: int, seeds: range) -> list[Any]:
    """States of random games that go on as long as they can."""
    found = []
    game = harena.game("colosseum", size=size)
    for seed in seeds:
        state = game.initial(seed=seed)
        for number in range(60):
            moves = state.moves()
            later = [state.play(moves[(7 * number + 13 * turn + seed) % len(moves)]) for turn in range(12)]
            running = [one for one in later if not one.is_over]
            if not running:
                break
            found.append(state)
            state = running[0]
    return found


def neighbours(state: Any, cell: int) -> list[int]:
    """The cells beyond the open sides."""
    stride = width(state.rights)
    sides = (
        (cell + 1, state.rights, cell),
        (cell + stride, state.downs, cell),
        (cell - 1, state.rights, cell - 1),
        (cell - stride, state.downs, cell - stride),
    )
    return [beyond for beyond, board, anchor in sides if anchor >= 0 and has(board, anchor)]


def steps_from(state: Any, cell: int) -> dict[int, int]:
    """How many steps it takes to each cell."""
    steps, queue = {cell: 0}, deque([cell])
    while queue:
        here = queue.popleft()
        for beyond in neighbours(state, here):
            if beyond not in steps:
                steps[beyond] = steps[here] + 1
                queue.append(beyond)
    return steps


def plain_counts(state: Any) -> list[float]:
    """What `count_all` says, cell by cell."""
    mine, theirs = steps_from(state, state.mine), steps_from(state, state.theirs)
    ground = {cell for cell in mine if mine[cell] <= theirs[cell]}
    other = set(mine) - ground

    def sides(cells: set[int]) -> int:
        return sum(int(has(state.rights, cell)) + int(has(state.downs, cell)) for cell in cells)

    return [1.0, float(len(ground) - len(other)), float(sides(ground) - sides(other))]


@pytest.mark.parametrize(("size", "seeds"), [(5, range(4)), (8, range(2)), (10, range(1)), (12, range(1))])
def test_counts_are_those_of_a_plain_search(size: int, seeds: range) -> None:
    for state in positions(size, seeds)[::3]:
        assert list(count_all(state.value)) == plain_counts(state.value)


def test_what_is_good_for_one_is_bad_for_the_other() -> None:
    heuristic = colosseum.WEIGHTS
    for state in positions(6, range(3))[::5]:
        assert evaluate(heuristic, state.value, 0) == -evaluate(heuristic, state.value, 1)


@kernel
def foreseen(state: Any) -> bool:
    """What the champion sees at its horizon."""
    return wins_at_once(state)


def wins(state: Any) -> bool:
    """Whether the mover has a move that ends the game in his favour."""
    ends = (after for move in state.moves() if (after := state.play(move)).is_over)
    return any(after.outcome.winner == state.mover for after in ends)


@pytest.mark.parametrize(
    ("size", "seeds"), [(4, range(12)), (5, range(6)), (8, range(3)), (10, range(2)), (12, range(1))]
)
def test_it_foresees_exactly_the_walls_that_win_at_once(size: int, seeds: range) -> None:
    seen = [(foreseen(state.value), wins(state)) for state in positions(size, seeds)]
    assert all(said == true for said, true in seen)
    assert {true for _, true in seen} == {False, True}


def looked_ahead(state: Any, me: int, depth: int) -> float:
    """The value by trying everything; at the horizon a win at once counts."""
    if state.is_over:
        winner = state.outcome.winner
        return 0.0 if winner is None else (WIN if winner == me else -WIN)
    if depth == 0:
        sign = 1 if state.mover == me else -1
        return sign * WIN if wins(state) else evaluate(colosseum.WEIGHTS, state.value, me)
    values = (looked_ahead(state.play(move), me, depth - 1) for move in state.moves())
    return max(values) if state.mover == me else min(values)


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, 2])
def test_looking_for_wins_only_where_it_matters_changes_no_value(depth: int) -> None:
    game = harena.game("colosseum", size=4)
    champion = harena.player(f"champion(depth={depth})", game)
    for state in positions(4, range(3))[::3]:
        assert champion.think(state).value == pytest.approx(looked_ahead(state, state.mover, depth))


def test_it_takes_a_win_and_says_that_it_is_proven() -> None:
    game = harena.game("colosseum", size=6)
    champion = harena.player(CHAMPION, game)
    won = [state for state in positions(6, range(8)) if wins(state)]
    assert won
    for state in won[:10]:
        result = champion.think(state)
        assert result.proven == 1
        assert state.play(result.move).outcome.winner == state.mover


def test_what_it_calls_proven_is_what_the_full_search_finds() -> None:
    game = harena.game("colosseum", size=4)
    champion, full = harena.player("champion(depth=3)", game), harena.player("id(heuristic=null, depth=4)", game)
    cases = 0
    for state in positions(4, range(4))[::2]:
        said, found = champion.think(state).proven, full.think(state).proven
        assert found is None or said is None or said == found
        cases += found is not None and said is not None
    assert cases > 3


@pytest.mark.slow
@pytest.mark.parametrize("size", [4, 5])
def test_what_it_calls_proven_is_so_though_it_leaves_moves_out(size: int) -> None:
    champion = harena.player("champion(depth=5)", harena.game("colosseum", size=size))
    proven = []
    for state in positions(size, range(8)):
        said = champion.think(state).proven
        if said is not None:
            solution = harena.solve(state, harena.Limits(nodes=300_000))
            assert solution.value is None or solution.value == said
            proven += [said] if solution.value is not None else []
    assert proven.count(-1) > 3 and proven.count(1) > 3


@kernel
def bring_forward(work: Any, hint: int, end: int) -> int:
    """Of ply 1, where the moves begin at 0."""
    return bring_known_forward(work, 1, hint, np.int64(0), end)


def test_what_was_good_elsewhere_goes_first() -> None:
    work, state = new_workspace(200), harena.game("colosseum", size=6).initial(seed=1).value
    end = calls.list_moves(state, work.out, 0)
    all_moves = sorted(work.out[:end].tolist())
    hint, first, unknown = int(work.out[5]), int(work.out[end - 1]), 4 * 63
    work.order.killers[2:4] = first, unknown
    assert bring_forward(work, hint, end) == 2
    assert work.out[:2].tolist() == [hint, first]
    assert sorted(work.out[:end].tolist()) == all_moves


@kernel
def searched(state: Any, depth: int, alpha: float, beta: float, work: Any) -> float:
    """The champion's search of a position, for its mover."""
    return search(Enclosure(), state, state.player, colosseum.WEIGHTS, depth, alpha, beta, work, np.int64(1))


def test_a_search_that_has_to_stop_stores_nothing() -> None:
    state = harena.game("colosseum", size=6).initial(seed=2)
    stops = 0
    for nodes in range(1, 90):
        work = new_workspace(200, nodes=nodes, megabytes=1.0)
        work.order.killers[2] = int(state.moves()[3])
        searched(state.value, 2, 5.0, 6.0, work)  # it stops in the first move, or while it judges the others
        if work.counters[STOPPED]:
            stops += 1
            assert not is_known(find(work.table, calls.hash_of(state.value)))
    assert 20 < stops < 89


def test_what_leaves_moves_out_is_not_complete() -> None:
    cases = 0
    for state in positions(4, range(30)):
        ends = {move: state.play(move) for move in state.moves()}
        drawn = [int(move) for move, after in ends.items() if after.is_over and after.outcome.winner is None]
        if not drawn or wins(state):
            continue
        work = new_workspace(200, megabytes=1.0)
        work.order.killers[2] = drawn[0]  # searched first, and it is complete
        value = searched(state.value, 2, 50.0, 51.0, work)  # nothing else is hoped for
        entry = find(work.table, calls.hash_of(state.value))
        assert value <= 50.0 and is_known(entry)
        assert is_complete(entry) == (len(ends) == 1)
        assert work.counters[HORIZON] == (len(ends) > 1)
        cases += len(ends) > 1
    assert cases > 3


def test_late_moves_are_searched_less_deep() -> None:
    assert [less_deep(2, 90, 10, 30)] + [less_deep(3, late, 10, 30) for late in (9, 10, 90)] == [0, 0, 1, 1]
    assert [less_deep(4, late, 10, 30) for late in (9, 29, 30)] == [0, 1, 2]


def test_it_beats_random_players() -> None:
    game = harena.game("colosseum", size=6)
    players = [harena.player(CHAMPION, game), harena.player("random_agent", game)]
    for seed in range(4):
        state = game.initial(seed=seed)
        while not state.is_over:
            state = state.play(players[(state.mover + seed) % 2].choose(state, seed=seed))
        assert state.outcome is not None and state.outcome.winner == seed % 2


def test_half_turns() -> None:
    state = harena.game("colosseum", size=7).initial(seed=3)
    for move in state.moves():
        assert half_turned(state.value, half_turned(state.value, move)) == move
    assert half_turned(state.value, 4 * state.value.mine) == 4 * state.value.theirs + 2


@pytest.mark.parametrize("name", PARTNERS)
def test_partners_play_legal_games(name: str) -> None:
    how, about = PARTNERS[name]
    assert name.startswith("spar_") and about
    game = harena.game("colosseum", size=6)
    search = harena.player(how, game).search if isinstance(how, str) else how("colosseum")
    state, path = game.initial(seed=5), None
    while not state.is_over:
        move = search.run(state.value, Limits(nodes=300, iterations=50), Turn(path=path)).move
        state, path = state.play(move), (move,)


def test_levels_are_read_and_bad_options_are_refused() -> None:
    game = harena.game("colosseum", size=6)
    for level in range(1, 11):
        harena.player(f"champion(level={level})", game)
    for text in ("level=0", "level=11", "threads=3", "memory=0.5", "memory=401"):
        with pytest.raises(BadOption) as error:
            harena.player(f"champion({text})", game)
        assert "\n" not in str(error.value)
