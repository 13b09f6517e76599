"""The champion of tiles: its evaluation against a slow one, its proofs against the solver, and how it plays."""

from typing import Any

import numpy as np
import pytest

import harena
from harena import calls
from harena.agents.plain import score
from harena.champions import tiles
from harena.champions.tiles_evaluation import TRAITS, Traits, both_traits
from harena.champions.tiles_master import TilesMastery
from harena.champions.tiles_proof import FLOOR, promise, settle_moves, shape_key
from harena.champions.tiles_sparring import PARTNERS
from harena.errors import BadOption
from harena.games.layout import cells_of
from harena.search.result import Limits, Turn
from harena.search.solver import Solver
from harena.search.workspace import NEVER, NODES, TOP, new_workspace

Cell = tuple[int, int]
FIGURE = "RBBR/RBRB/BRBR/BBRR"
FEW = Limits(nodes=40_000)


def positions(size: int, seeds: range, least: float = 0.0) -> list[harena.State]:
    """One position of each random game, at a random moment with more than this share of the tiles left."""
    found = []
    for seed in seeds:
        state, draws = harena.game("tiles", size=size, setup="random").initial(seed), np.random.default_rng(seed)
        target = draws.uniform(least, 1) * size * size
        while not state.is_over and left(state) > target:
            following = state.play(draws.choice(state.moves()))
            if following.is_over:
                break
            state = following
        found.append(state)
    return found


def late(size: int, seed: int, tiles_left: int) -> harena.State:
    """The first position of a random game with at most so many tiles."""
    state, draws = harena.game("tiles", size=size, setup="random").initial(seed), np.random.default_rng(seed)
    while left(state) > tiles_left:
        state = state.play(draws.choice(state.moves()))
    assert not state.is_over
    return state


def left(state: harena.State) -> int:
    """The tiles on the board."""
    return len(cells_of(state.value.mine)) + len(cells_of(state.value.theirs))


def around(cell: Cell) -> list[Cell]:
    row, column = cell
    return [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]


def slow_traits(own: set[Cell], other: set[Cell], gaps: set[Cell]) -> Traits:
    """The traits of one colour, cell by cell."""
    exposed = {cell for cell in own | other if gaps & set(around(cell))}
    near = {cell: set(around(cell)) for cell in own}
    fragile = {cell: len(near[cell] & own & exposed) for cell in own}
    harmed = {cell: len(near[cell] & other & exposed) for cell in own}
    safe = {cell: len(near[cell] & own - exposed) for cell in own}
    hubs = {cell for cell in own if len(near[cell] & own) >= 3}
    sweeping = {cell for cell in own if fragile[cell] >= 2 and harmed[cell] == 0}
    gain = max((fragile[cell] - harmed[cell] for cell in own), default=-9)
    return Traits(
        len(own),
        len(own & exposed),
        sum(bool(near[cell] & own) for cell in own),
        sum(cell in hubs or bool(near[cell] & hubs) for cell in own),
        *(sum(safe[cell] >= number for cell in own) for number in (1, 2, 3)),
        *(sum(len(near[cell] & other) >= number for cell in own) for number in (1, 2)),
        sum(not near[cell] & (own | other) for cell in own),
        sum(cell in exposed and bool(near[cell] & sweeping) for cell in own),
        sum(harmed[cell] == 0 for cell in own),
        *(int(gain >= number) for number in (0, 1, 2, 3)),
    )


@pytest.mark.parametrize("size", [3, 5, 8, 10])
def test_traits_are_what_a_slow_count_says(size: int) -> None:
    for state in positions(size, range(12)):
        mine, theirs, gaps = (set(cells_of(board)) for board in state.value[:3])
        assert both_traits(state.value) == (slow_traits(mine, theirs, gaps), slow_traits(theirs, mine, gaps))


def test_what_one_gains_the_other_loses() -> None:
    for state in positions(8, range(5)):
        assert score(tiles.weights(), state.value, 0) == -score(tiles.weights(), state.value, 1)


def test_fewer_tiles_of_mine_are_better_and_the_file_is_complete() -> None:
    table = tiles.weights().weights
    assert table.shape == (101, 2 * TRAITS + 1) and np.isfinite(table).all()
    assert (table[:, 0] < 0).all() and (table[:, TRAITS] > 0).all()
    assert tiles.WEIGHTS.read_text().startswith("# fitted 20")


def shape(text: str) -> int:
    with np.errstate(over="ignore"):
        return int(shape_key(harena.game("tiles", size=len(text.split("/"))).position(f"{text} R 1").value))


def test_a_key_is_that_of_the_groups_wherever_they_lie() -> None:
    one = shape("XXXXX/XRBXX/XXRXX/XXXXX/BXXXR")
    assert one == shape("RXXXX/XXRBX/XXXRX/XXXXX/XXXBX")
    assert one != shape("RXXXX/XXBRX/XXXBX/XXXXX/XXXBX")  # other colours
    assert one != shape("XXXXX/XRBXX/XXRXX/XXXXX/BXXXX")  # a lone tile less
    assert shape("RBX/RXX/XXX") != shape("XXX/RBX/RXX")  # walls hold the corner's tile
    assert shape("XRB/XXR/XXX") != shape("XXX/RBX/XRX")
    assert shape("XXXXXXXXXX/" * 6 + "XXRBXXXXXX/XXXRXXXXXX/XXXXXXXXXX/BXXXXXXXXR") == shape(
        "RXXXXXXXXX/XXXXXXXXXB/XXXXXXXXXX/XXXXXXXXXX/XXXXXXRBXX/XXXXXXXRXX" + "/XXXXXXXXXX" * 4
    )


def bounds_of(state: harena.State) -> dict[int, tuple[int, int]]:
    """What the proof says of each move."""
    root = np.array([int(move) for move in state.moves()], np.int64)
    low, high = np.full(len(root), -1, np.int64), np.full(len(root), 1, np.int64)
    work = new_workspace(100, megabytes=8)
    assert settle_moves(state.value, tiles.weights(), root, low, high, work)
    return {int(move): (int(a), int(b)) for move, a, b in zip(root, low, high, strict=True)}


@pytest.mark.parametrize(("size", "least", "number"), [(3, 0.5, 6), (4, 0.9, 8), (8, 0.2, 8), (10, 0.15, 8)])
def test_proofs_agree_with_the_solver(size: int, least: float, number: int) -> None:
    for state in positions(size, range(number), least):
        if left(state) > 24 or state.is_over:
            continue
        solution = Solver(megabytes=8.0, complete=True).run(state.value, Limits())
        values = {one.move: int(one.value or 0) for one in solution.root}
        proven = bounds_of(state)
        assert max(low for low, _ in proven.values()) == solution.value
        assert all(low <= values[move] <= high for move, (low, high) in proven.items())
        if solution.value < 1:  # then all of them are settled
            assert all(low == high for low, high in proven.values())


def value_of(state: harena.State, player: int) -> int:
    """Of a position for a player, by the solver: won 1, drawn 0, lost -1."""
    if state.is_over:
        winner = state.outcome.winner
        return 0 if winner is None else (1 if winner == player else -1)
    value = int(Solver(megabytes=8.0).run(state.value, Limits()).value or 0)
    return value if state.mover == player else -value


def plain_promise(state: harena.State, move: harena.Move) -> float:
    """The score of a move against somebody who errs as the evaluation does, by the solver."""
    child, total, weights = state.play(move), 0.0, 0.0
    if child.is_over:
        return 0.5 if child.outcome.winner is None else 0.0
    for reply in child.moves():
        after, hope = child.play(reply), 0.5
        if not after.is_over:
            hope = 1 / (1 + np.exp(-score(tiles.weights(), after.value, state.mover)))
        weight = (1 - hope) ** 2 + FLOOR
        total += weight * {1: 1.0, 0: 0.25 + 0.5 * hope, -1: 0.0}[value_of(after, state.mover)]
        weights += weight
    return total / weights


@pytest.mark.parametrize(("size", "tiles_left"), [(5, 16), (8, 20)])
def test_a_promise_is_what_a_slow_one_says(size: int, tiles_left: int) -> None:
    for seed in range(3):
        state, work = late(size, seed, tiles_left), new_workspace(100, megabytes=1)
        for move in state.moves():
            found = promise(state.value, int(move), tiles.weights(), work, TOP)
            assert found == pytest.approx(plain_promise(state, move))


@pytest.mark.parametrize(("first", "losing"), [("R", "a1 d3 c4 d4"), ("B", "a4")])
def test_the_figure_of_the_assignment(first: str, losing: str) -> None:
    state = harena.game("tiles", size=4).position(f"{FIGURE} {first} 1")
    proven = bounds_of(state)
    assert {str(move) for move in state.moves() if proven[int(move)] == (-1, -1)} == set(losing.split())
    assert {proven[int(move)] for move in state.moves()} == {(-1, -1), (0, 0)}


@pytest.mark.parametrize(("size", "limits"), [(4, FEW), (5, Limits(nodes=600_000))])
@pytest.mark.parametrize("opponent", ["random", "greedy", "uct1000(iterations=200)"])
def test_no_result_is_ever_given_away_where_proofs_reach(opponent: str, size: int, limits: Limits) -> None:
    for seed in range(4):
        game = harena.game("tiles", size=size, setup="random" if seed else "checkerboard")
        state = game.initial(seed)
        pair = [harena.player("champion", game), harena.player(opponent, game)]
        value = Solver(megabytes=8.0).run(state.value, Limits()).value
        promised = (-1 if seed % 2 else 1) * (value or 0.0)
        while not state.is_over:
            player = pair[(state.mover + seed) % 2]
            state = state.play(player.think(state, limits, seed=seed).move)
        winner = state.outcome.winner
        reached = 0 if winner is None else (1 if (winner + seed) % 2 == 0 else -1)
        assert reached >= promised


def test_a_proof_is_said_and_played() -> None:
    state = harena.game("tiles", size=4).initial()
    result = harena.player("champion", state.game).think(state, FEW)
    assert (result.proven, result.value, result.stopped) == (0, 0.0, "exhausted") and result.nodes > 0
    won = harena.game("tiles", size=3).position("RXB/XXX/BXB R 1")
    assert harena.player("champion", won.game).think(won, FEW).stopped == "only move"
    won = harena.game("tiles", size=3).position("RXR/XXX/BXB R 1")
    assert harena.player("champion", won.game).think(won, FEW).proven == 1


def known_lost(state: harena.State, nodes: int = NEVER) -> tuple[list[harena.Move], int]:
    """The moves that a proof within a limit knows to be lost, and the nodes that it took."""
    root = np.array([int(move) for move in state.moves()], np.int64)
    low, high = np.full(len(root), -1, np.int64), np.full(len(root), 1, np.int64)
    work = new_workspace(100, nodes=nodes, megabytes=1)
    settle_moves(state.value, tiles.weights(), root, low, high, work)
    return [move for move, most in zip(state.moves(), high, strict=True) if most == -1], int(work.counters[NODES])


def test_a_move_known_to_lose_is_not_played_when_the_proof_is_unfinished() -> None:
    cases = 0
    for seed in range(12):
        state = late(8, seed, 22)
        _, whole = known_lost(state)
        for share in (0.6, 0.9):
            nodes = int(share * whole)
            lost, _ = known_lost(state, nodes)
            assert {value_of(state.play(move), state.mover) for move in lost} <= {-1}
            result = harena.player("champion", state.game).think(state, Limits(nodes=2 * nodes))
            assert result.move not in {int(move) for move in lost}
            cases += bool(lost)
    assert cases >= 5


def test_a_draw_is_not_given_away_when_the_proof_is_unfinished() -> None:
    cases = 0
    for seed in (14, 34):
        state = late(8, seed, 24)
        _, whole = known_lost(state)
        for share in (0.5, 0.7, 0.9):
            result = harena.player("champion", state.game).think(state, Limits(nodes=int(2 * share * whole)))
            assert value_of(state.play(result.move), state.mover) == 0
            cases += result.proven == 0
    assert cases >= 4


def test_the_last_move_that_is_not_lost_has_no_value_yet() -> None:
    found = set()
    for seed in range(24):
        state = late(8, seed, 22)
        lost, whole = known_lost(state)
        if len(lost) == len(state.moves()) and len(known_lost(state, whole - 1)[0]) == len(lost) - 1:
            result = harena.player("champion", state.game).think(state, Limits(nodes=2 * whole - 2))
            found.add((result.value, result.proven, result.stopped))
    assert found == {(None, None, "only move")}


def test_a_depth_alone_is_a_limit() -> None:
    state = harena.game("tiles", size=8, setup="random").initial(1)
    result = harena.player("champion(depth=2)", state.game).think(state)
    assert (result.depth, result.stopped) == (2, "depth")


@pytest.mark.slow
@pytest.mark.parametrize("memory", [1, 3, 32])
def test_memory_is_what_the_tables_take_together(memory: int) -> None:
    state = harena.game("tiles", size=6).initial()
    for level in (9, 10):
        search = tiles.champion("tiles", memory=memory, level=level)
        search.run(state.value, Limits(nodes=4000))
        search.run(state.value, Limits(nodes=2_000_000, depth=2), Turn(path=()))
        assert isinstance(search, TilesMastery)
        works = [search.proofs.work.table] if search.proofs.work else []
        tables = [table for table in (search.kept.table, *works) if table is not None]
        assert len(tables) == (2 if level == 10 else 1)
        assert sum(table.keys.nbytes for table in tables) <= memory * 2**20


def test_levels_and_options_are_read() -> None:
    state = harena.game("tiles", size=6, setup="random").initial(2)
    for level in range(1, 11):
        result = harena.player(f"champion(level={level})", state.game).think(state, Limits(nodes=3000))
        assert result.move in {int(move) for move in state.moves()}
    for text, complaint in (
        ("level=11", "level is 1 to 10, not 11"),
        ("threads=3", "threads is 1 or 2, not 3"),
        ("memory=0.5", "memory is 1 to 1000"),
    ):
        with pytest.raises(BadOption, match=complaint):
            harena.player(f"champion({text})", state.game)


def search_of(name: str, game: harena.Game) -> Any:
    made, about = PARTNERS[name]
    assert about and name.startswith("spar_")
    return harena.player(made, game).search if isinstance(made, str) else made("tiles")


@pytest.mark.parametrize("name", sorted(PARTNERS))
def test_partners_play_legal_games(name: str) -> None:
    game = harena.game("tiles", size=4)
    search, state, path = search_of(name, game), game.initial(), None
    while not state.is_over:
        result = search.run(state.value, Limits(nodes=300, iterations=50), Turn(path=path))
        assert result.move in {int(move) for move in state.moves()}
        state = state.play(result.move)
        if not state.is_over:
            reply = state.moves()[0]
            path, state = (result.move, int(reply)), state.play(reply)


def test_the_mirror_mirrors() -> None:
    game = harena.game("tiles", size=4)
    state = game.initial()
    search = search_of("spar_mirror", game)
    first = state.moves()[0]
    state = state.play(first)
    answer = search.run(state.value, FEW, Turn(path=(-1, int(first)))).move
    assert divmod(answer, 8)[0] == divmod(int(first), 8)[0]
    assert divmod(answer, 8)[1] == 3 - divmod(int(first), 8)[1]
    assert calls.look(state.play(answer).value).result == 3
