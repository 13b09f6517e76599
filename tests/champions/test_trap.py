"""Trap!'s champion: its evaluation, its exact end game, its choices, its options."""

from typing import Any

import numpy as np
import pytest

import harena
from harena import calls
from harena.champions.trap import LADDER, TrapChampion, champion
from harena.champions.trap_endgame import living, room, solved, throw_worth, walk_worth
from harena.champions.trap_evaluation import (
    COUNTED,
    DATA,
    DEGREES,
    DISTANCE,
    EXITS,
    FREE,
    HIDDEN,
    MANY,
    OTHER_EXITS,
    STEPS,
    fitted,
    lean,
)
from harena.champions.trap_sparring import PARTNERS
from harena.contract import CHANCE, FIRST, RUNNING
from harena.errors import BadOption
from harena.games.trap import AIM, AIM_AT, NEIGHBOURS, SQUARES, WALK, Trap
from harena.kernel.compile import kernel
from harena.kernel.values import coerce
from harena.search.mastery import NO_HANDICAP
from harena.search.result import Limits, Turn
from harena.search.workspace import WIN

GAME = harena.game("trap")
ODDS = fitted()
FEW = Limits(nodes=4000)


@kernel
def leaning(odds: Any, blocked: Any, mine: int, theirs: int) -> float:
    return lean(odds, blocked, mine, theirs)


def position(drawing: str, *, stage: int = WALK, half_turns: int = 10) -> Trap:
    """A position from rows of `.` free, `#` trap, `M` the mover, `T` the other."""
    rows = drawing.split()
    size = len(rows)
    cells = {(row, column): rows[row][column] for row in range(size) for column in range(size)}
    where = {sign: 8 * row + column for (row, column), sign in cells.items() if sign in "MT"}
    traps = sum(1 << 8 * row + column for (row, column), sign in cells.items() if sign == "#")
    blocked = (~int(SQUARES[size]) & (2**64 - 1)) | traps
    state = Trap(np.uint64(blocked), where["M"], where["T"], 0, stage, 0, half_turns, size)
    return coerce(state)


def random_positions(count: int, seed: int) -> list[Trap]:
    draws = np.random.default_rng(seed)
    found = list[Trap]()
    while len(found) < count:
        cells = draws.permutation(49)[: int(draws.integers(4, 40))]
        signs = ["."] * 49
        for cell in cells[2:]:
            signs[cell] = "#"
        signs[cells[0]], signs[cells[1]] = "M", "T"
        found.append(position(" ".join("".join(signs[7 * row : 7 * row + 7]) for row in range(7))))
    return found


def neighbours(cell: int) -> list[int]:
    return [other for other in range(64) if int(NEIGHBOURS[cell]) >> other & 1]


def steps_from(cell: int, free: set[int]) -> dict[int, int]:
    """King's steps to each free cell that can be reached."""
    found: dict[int, int] = {}
    layer, distance = {other for other in neighbours(cell) if other in free}, 1
    while layer:
        found |= dict.fromkeys(layer, distance)
        layer = {other for one in layer for other in neighbours(one) if other in free and other not in found}
        distance += 1
    return found


def plain_lean(state: Trap) -> float:
    """The network on counts made one by one, with the weights as they are in the file."""
    numbers = np.loadtxt(DATA, delimiter=",", comments="#", usecols=range(1, HIDDEN + 1))
    free = {cell for cell in range(64) if not int(state.blocked) >> cell & 1} - {state.mine, state.theirs}
    mine, theirs = steps_from(state.mine, free), steps_from(state.theirs, free)
    inputs = np.zeros(FREE + 2)
    for cell in free:
        inputs[STEPS * _step(mine, cell) + _step(theirs, cell)] += 1
    for side, steps in enumerate((mine, theirs)):
        exits = [cell for cell in free if steps.get(cell) == 1]
        inputs[(EXITS, OTHER_EXITS)[side] + len(exits)] = 1
        for cell in exits:
            degree = sum(other in free for other in neighbours(cell))
            inputs[DEGREES + 6 * side + (degree if degree < 4 else (4 if degree < 6 else 5))] += 1
    apart = max(abs(state.mine // 8 - state.theirs // 8), abs(state.mine % 8 - state.theirs % 8))
    inputs[DISTANCE + apart - 1] = 1
    inputs[FREE], inputs[FREE + 1] = 1, min(len(free) / MANY, 1.0)
    hidden = np.maximum(inputs @ numbers[: FREE + 2], 0)
    return float(hidden @ numbers[FREE + 2] + numbers[FREE + 3, 0])


def _step(steps: dict[int, int], cell: int) -> int:
    return min(steps[cell], 4) - 1 if cell in steps else 4


def test_the_evaluation_agrees_with_a_plain_one() -> None:
    for state in random_positions(40, 1):
        quick = leaning(ODDS, state.blocked, state.mine, state.theirs)
        assert quick == pytest.approx(plain_lean(state), abs=0.25)


def turned(state: Trap) -> Trap:
    """Seen from the side."""
    cells = sum(1 << 8 * (cell % 8) + cell // 8 for cell in range(64) if int(state.blocked) >> cell & 1)
    swap = lambda cell: 8 * (cell % 8) + cell // 8  # noqa: E731
    return state._replace(blocked=np.uint64(cells), mine=swap(state.mine), theirs=swap(state.theirs))


def test_a_turned_board_is_worth_the_same() -> None:
    for state in random_positions(20, 2):
        other = turned(state)
        here = leaning(ODDS, state.blocked, state.mine, state.theirs)
        assert here == leaning(ODDS, other.blocked, other.mine, other.theirs)


def test_no_hidden_unit_runs_over() -> None:
    rows = np.asarray(ODDS.rows)
    for lane in range(4):
        units = rows >> np.uint64(16 * lane) & np.uint64(0xFFFF)
        counted, once = units[: 4 * COUNTED], units[4 * COUNTED :]
        assert counted.min() >= 1
        assert int(counted.max()) * (62 + 16) + 4 * int(once.max()) < 2**16


def settled_values(start: Trap) -> dict[tuple[int, int, int], float]:
    """The values of all positions that can follow, found with the rules of the game alone."""
    names: dict[tuple[int, int, int], Any] = {}
    waiting = [start]
    turns: dict[tuple[int, int, int], list[list[list[tuple[float, Any]]] | float]] = {}
    while waiting:
        state = waiting.pop()
        name = (int(state.blocked), state.mine, state.theirs)
        if name in names:
            continue
        names[name], turns[name] = state, []
        for walk in legal(state):
            walked = calls.step(state, walk)
            if calls.look(walked).result != RUNNING:
                turns[name].append(1.0 if calls.look(walked).result == state.player else -1.0)
                continue
            throws = []
            for aim in legal(walked):
                parts: list[tuple[float, Any]] = []
                for landing, chance in chances(calls.step(walked, aim)):
                    after = calls.step(calls.step(walked, aim), landing)._replace(half_turns=0)
                    end = calls.look(after).result
                    if end != RUNNING:
                        parts.append((chance, 1.0 if end == state.player else -1.0))
                    else:
                        parts.append((chance, (int(after.blocked), after.mine, after.theirs)))
                        waiting.append(coerce(after))
                throws.append(parts)
            turns[name].append(throws)
    values = dict.fromkeys(names, 0.0)
    for _ in range(60):
        for name, walks in turns.items():
            values[name] = max(
                walk
                if isinstance(walk, float)
                else max(
                    sum(share * (part if isinstance(part, float) else -values[part]) for share, part in throw)
                    for throw in walk
                )
                for walk in walks
            )
    return values


def legal(state: Any) -> list[int]:
    out = np.zeros(64, np.int64)
    return [int(move) for move in out[: calls.list_moves(coerce(state), out, 0)]]


def chances(state: Any) -> list[tuple[int, float]]:
    out, shares = np.zeros(64, np.int64), np.zeros(64)
    count = calls.list_chances(coerce(state), out, shares)
    return list(zip(out[:count].tolist(), shares[:count].tolist(), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    "drawing",
    ["M.## ..## #### ##.T", "M..# #.## #T.# ####", "#M.# ##.# #.T# ####", "M.## ##.# ##T. ####"],
)
def test_the_end_game_is_exact(drawing: str) -> None:
    state = position(drawing, half_turns=0)
    ending = solved(SQUARES[4], state.blocked, state.mine, state.theirs, 2**62)
    assert ending is not None
    best = max(walk_worth(ending, SQUARES[4], state.blocked, walk, state.theirs) for walk in legal(state))
    values = settled_values(state)
    assert best == pytest.approx(values[int(state.blocked), state.mine, state.theirs], abs=1e-5)


@pytest.mark.slow
def test_the_champion_says_exact_values_of_an_end_game() -> None:
    state = position("M..# #.## #T.# ####", half_turns=0)
    result = champion("trap").run(state, Limits(nodes=100_000))
    values = settled_values(state)
    assert result.stopped == "exhausted"
    assert result.value == pytest.approx(WIN * values[int(state.blocked), state.mine, state.theirs], abs=1.0)
    aim = coerce(calls.step(state, result.move))
    assert calls.look(aim).result == RUNNING
    thrown = champion("trap").run(aim, Limits(nodes=100_000))
    assert thrown.value == pytest.approx(result.value, abs=1.0)


def test_an_end_game_serves_boards_of_its_own_size_only() -> None:
    rows = ["##.M", "##..", "##.#", "#.T."]
    small = position(" ".join(rows), half_turns=0)
    large = position(" ".join([row + "####" for row in rows] + 4 * ["########"]), half_turns=0)
    search = champion("trap")
    first = search.run(large, Limits(nodes=100_000))
    again = search.run(small, Limits(nodes=100_000))
    fresh = champion("trap").run(small, Limits(nodes=100_000))
    assert first.stopped == again.stopped == "exhausted"
    assert abs((first.value or 0.0) - (fresh.value or 0.0)) > 50  # misses land elsewhere: it matters
    assert (again.move, again.value, again.root) == (fresh.move, fresh.value, fresh.root)


def test_throws_of_an_end_game_have_their_worth() -> None:
    state = position("M.## .### ##.T ####", stage=1, half_turns=0)
    ending = solved(SQUARES[4], state.blocked, state.mine, state.theirs, 2**62)
    assert ending is not None
    certain = throw_worth(ending, SQUARES[4], state.blocked, state.mine, state.theirs, 8 * 2 + 2)
    assert 0.85 - 1e-6 <= certain <= 1.0  # three steps away: it hits with 0.85, and then the other is stuck


def test_an_end_game_that_could_not_be_solved_is_not_tried_again() -> None:
    state = position("M..# #.## #T.# ####", half_turns=0)
    cells = int(living(state.blocked, state.mine, state.theirs)).bit_count()
    search = champion("trap")
    assert isinstance(search, TrapChampion)
    stop = np.ones(1, np.int64)
    assert solved(SQUARES[4], state.blocked, state.mine, state.theirs, 2**62, stop) is None
    search.run(state, Limits(nodes=100_000), Turn(flag=stop))
    assert search.last.ending is None and search.last.too_many == cells
    assert search.run(state, Limits(nodes=100_000, depth=1), Turn(path=(0,))).stopped == "depth"
    assert search.run(state, Limits(nodes=100_000, depth=1)).stopped == "exhausted"  # in another game it is


@pytest.mark.slow
@pytest.mark.parametrize("memory", [1, 3, 32])
def test_memory_is_what_the_table_and_the_end_game_take_together(memory: int) -> None:
    search = champion("trap", memory=memory)
    assert isinstance(search, TrapChampion)
    open_board = position("M...... ....... ....... ....... ....... ....... ......T", half_turns=0)
    most = 0
    for count in (13, 8, 13):  # cells alive
        cells = "M" + (count - 2) * "." + "T"
        drawing = " ".join((cells + 49 * "#")[7 * row : 7 * row + 7] for row in range(7))
        for state in (position(drawing, half_turns=0), open_board):
            search.run(state, Limits(nodes=2_000_000, depth=1), Turn(path=()))
            ending, table = search.last.ending, search.kept.table
            taken = (0 if ending is None else ending.values.nbytes) + (0 if table is None else table.keys.nbytes)
            assert taken <= memory * 2**20
            most = max(most, 0 if ending is None else len(ending.cells))
    assert most == (13 if room(13) <= memory * 2**20 else 8)


def test_room_is_what_solving_takes() -> None:
    state = position("M..# #.## #T.# ####", half_turns=0)
    ending = solved(SQUARES[4], state.blocked, state.mine, state.theirs, 2**62)
    assert ending is not None
    kept = sum(part.nbytes for part in ending)
    assert kept < room(len(ending.cells)) <= kept + 8 * 129 * len(ending.cells) ** 2


def test_a_won_game_is_won_at_once() -> None:
    state = position("....... ....... ..M.... ..#.#.. ..#T#.. ..###.. .......")
    search = champion("trap")
    walk = search.run(state, FEW)
    assert walk.value == WIN
    after = coerce(calls.step(state, walk.move))
    if calls.look(after).result == RUNNING:
        aim = search.run(after, FEW)
        assert aim.move == AIM_AT + 8 * 3 + 3
        assert aim.value == WIN


def test_it_does_not_walk_into_a_dead_end() -> None:
    state = position("#.#.... #.#.... #M..... ###.... ....T.. ....... .......")
    assert champion("trap").run(state, FEW).move not in (1, 8 + 1)


@pytest.mark.parametrize("size", [4, 5, 6, 7, 8])
def test_it_plays_whole_games_on_every_size(size: int) -> None:
    game = harena.game("trap", size=size)
    ours, theirs = harena.player("champion(nodes=1500)", game), harena.player("easy", game)
    draws = np.random.default_rng(size)
    state = game.initial()
    while not state.is_over:
        if state.mover == CHANCE:
            state = state.play(state.moves()[int(draws.integers(len(state.moves())))])
            continue
        player = ours if state.mover == FIRST else theirs
        state = state.play(player.choose(state, seed=int(draws.integers(2**31))))
    assert state.is_over


def test_levels_are_read() -> None:
    for level in range(1, 11):
        search = champion("trap", level=level)
        assert isinstance(search, TrapChampion)
        assert search.handicap == LADDER.get(level, NO_HANDICAP)
    with pytest.raises(BadOption, match="level is 1 to 10, not 11"):
        champion("trap", level=11)
    with pytest.raises(BadOption, match="threads"):
        champion("trap", threads=0)


def test_levels_grow() -> None:
    nodes = [one.nodes or 2**62 for one in LADDER.values()]
    noises = [one.noise for one in LADDER.values()]
    assert list(LADDER) == list(range(1, 10))
    assert nodes == sorted(nodes)
    assert noises == sorted(noises, reverse=True)


def test_partners_are_players() -> None:
    for name, (made, about) in PARTNERS.items():
        search = harena.player(made, GAME).search if isinstance(made, str) else made("trap")
        assert name.startswith("spar_")
        assert about
        assert search.bounded_by


@pytest.mark.parametrize("name", ["spar_waster", "spar_mirror", "spar_hugger", "spar_chaser"])
def test_partners_play_legal_games(name: str) -> None:
    made, _ = PARTNERS[name]
    assert not isinstance(made, str)
    search, easy = made("trap"), harena.player("easy", GAME)
    draws = np.random.default_rng(3)
    state = GAME.initial()
    for _ in range(90):
        if state.is_over:
            break
        if state.mover == CHANCE:
            state = state.play(state.moves()[int(draws.integers(len(state.moves())))])
        elif state.mover == FIRST:
            state = state.play(state.named(search.run(state.value, Limits(nodes=300)).move))
        else:
            state = state.play(easy.choose(state, seed=int(draws.integers(2**31))))


def test_a_waster_wastes() -> None:
    state = position("....... ..#.... ....... ...M... ....... ...T... .......", stage=AIM)
    made, _ = PARTNERS["spar_waster"]
    assert not isinstance(made, str)
    assert made("trap").run(state, FEW).move == AIM_AT + 8 + 2
