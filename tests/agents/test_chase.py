"""Trap!'s players against plain recursions over the two trees that the course prescribes, written from its text."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import harena
from harena.agents.contestant import LocalContestant
from harena.agents.serve import Server
from harena.agents.spec import parse_agent, player
from harena.arena.play.referee import Referee
from harena.arena.play.session import Terms
from harena.search.deepening import Deepening
from harena.search.result import Limits, Result, Turn
from reference.trap import Reference, cell_from_text, cell_to_text

WIN = 10_000.0
GAME = harena.game("trap", size=4)
Cell = tuple[int, int]


@dataclass(frozen=True)
class Half:
    """One player walks, the other stands and throws."""

    walker: Cell
    thrower: Cell
    traps: frozenset[Cell]
    is_mine: bool  # whether it is me who walks

    def near(self, cell: Cell, distance: int = 1) -> list[Cell]:
        """The cells of the board up to so many king steps away, in row-major order."""
        row, column = cell
        cells = [(r, c) for r in range(4) for c in range(4)]
        return [(r, c) for r, c in cells if 0 < max(abs(r - row), abs(c - column)) <= distance]

    def free(self, cell: Cell, distance: int = 1) -> list[Cell]:
        """Those without trap and player."""
        taken = self.traps | {self.walker, self.thrower}
        return [other for other in self.near(cell, distance) if other not in taken]

    @property
    def mine(self) -> Cell:
        return self.walker if self.is_mine else self.thrower

    @property
    def theirs(self) -> Cell:
        return self.thrower if self.is_mine else self.walker


def improved(half: Half) -> float:
    return len(half.free(half.mine)) - len(half.free(half.theirs))


def twice_mine(half: Half) -> float:
    return 2 * len(half.free(half.mine)) - len(half.free(half.theirs))


def outlook(half: Half) -> float:
    """Mine, and half of the free neighbours of each of my next cells, with everybody where he is."""
    free = half.free(half.mine)
    return len(free) + 0.5 * sum(len(half.free(cell)) for cell in free)


def by_phase(half: Half) -> float:
    """1.5 * mine - theirs while more than half of the board is free of traps, then mine - 2 * theirs."""
    mine, theirs = len(half.free(half.mine)), len(half.free(half.theirs))
    return 1.5 * mine - theirs if 16 - len(half.traps) > 8 else mine - 2 * theirs


@dataclass(frozen=True)
class Course:
    """The two trees by their text: walks cost nothing, throws are chance; depth counts decisions."""

    candidates: str = "near"
    misses: str = "exact"
    heuristic: Callable[[Half], float] = improved

    def targets(self, half: Half) -> list[Cell]:
        if self.candidates == "all":
            return [cell for cell in half.near(half.walker, 4) if cell != half.thrower]
        return half.free(half.walker, 1 if self.candidates == "near" else int(self.candidates))

    def landings(self, half: Half, target: Cell) -> list[tuple[Cell | None, float]]:
        """Where a throw ends, None for nowhere, with the probabilities."""
        distance = abs(target[0] - half.thrower[0]) + abs(target[1] - half.thrower[1])
        hit = 1 - 0.05 * (distance - 1) if self.misses != "none" else 1.0
        if self.misses == "ignored":
            return [(target, hit), (None, 1 - hit)]
        beside = [cell for cell in half.near(target) if cell not in (half.walker, half.thrower)]
        return [(target, hit), *((cell, (1 - hit) / len(beside)) for cell in beside)]

    def walk(self, half: Half, depth: int) -> float:
        """The value for me when the walker is to walk."""
        if not half.free(half.walker):
            return -WIN if half.is_mine else WIN
        if depth == 0:
            return self.heuristic(half)
        best = max if half.is_mine else min
        return best(self.throw(replace(half, walker=cell), depth - 1) for cell in half.free(half.walker))

    def throw(self, half: Half, depth: int) -> float:
        """The value for me when the thrower is to aim."""
        if not half.free(half.thrower):
            return WIN if half.is_mine else -WIN
        if depth == 0:
            return self.heuristic(half)
        best = min if half.is_mine else max
        return best(self.after(half, target, depth - 1) for target in self.targets(half))

    def after(self, half: Half, target: Cell, depth: int) -> float:
        """The expectation of a throw."""
        return sum(
            chance * self.walk(replace(half, traps=half.traps | {cell} if cell else half.traps), depth)
            for cell, chance in self.landings(half, target)
            if chance > 0
        )

    def values(self, state: harena.State, depth: int) -> dict[str, float]:
        """The value of each considered move of a position, by its text."""
        reference = Reference.from_text(state.text)
        mine, theirs = reference.location(reference.player), reference.location(1 - reference.player)
        traps = frozenset(cell for cell, mark in reference.board.items() if mark == "x")
        if reference.stage == "walk":
            half = Half(mine, theirs, traps, is_mine=True)
            return {cell_to_text(cell): self.throw(replace(half, walker=cell), depth - 1) for cell in half.free(mine)}
        half = Half(theirs, mine, traps, is_mine=False)
        return {"@" + cell_to_text(cell): self.after(half, cell, depth - 1) for cell in self.targets(half)}


def running(seed: int, plies: int, stage: str) -> harena.State:
    """A position of this stage somewhere in a random game."""
    state, rng = GAME.initial(), harena.generator(seed)
    while not state.is_over and (plies > 0 or state.mover == harena.CHANCE or f" {stage} " not in state.text):
        state, plies = state.play(state.random_move(rng)), plies - 1
    assume(not state.is_over)
    return state


def assert_as_prescribed(text: str, course: Course, state: harena.State, depth: int) -> None:
    """The player's value is that of the recursion, and its move one of the best."""
    values = course.values(state, depth)
    result = player(text, GAME).think(state)
    assert result.value == pytest.approx(max(values.values()), abs=1e-7), state.text
    assert values[str(state.named(result.move))] == pytest.approx(max(values.values()), abs=1e-7), state.text


positions = given(
    seed=st.integers(0, 2**32),
    plies=st.integers(0, 30),
    stage=st.sampled_from(["walk", "aim"]),
    depth=st.integers(1, 3),
)


@pytest.mark.parametrize("candidates", ["near", "1", "2"])
@pytest.mark.parametrize("misses", ["exact", "ignored", "none"])
@positions
@settings(max_examples=10)
def test_the_trees_have_the_value_of_the_recursion(
    candidates: str, misses: str, seed: int, plies: int, stage: str, depth: int
) -> None:
    state = running(seed, plies, stage)
    text = f"trees(depth={depth}, candidates={candidates}, misses={misses}, deepen=false)"
    assert_as_prescribed(text, Course(candidates, misses), state, depth)


@positions
@settings(max_examples=10)
def test_the_trees_may_throw_at_every_cell(seed: int, plies: int, stage: str, depth: int) -> None:
    state, depth = running(seed, plies + 9, stage), min(depth, 2)
    assert_as_prescribed(f"trees(depth={depth}, candidates=all, deepen=false)", Course("all"), state, depth)


@positions
@settings(max_examples=25)
def test_expectiminimax_is_the_prescribed_search(seed: int, plies: int, stage: str, depth: int) -> None:
    """It deepens, so it may stop before its depth when the end is certain."""
    state = running(seed, plies, stage)
    values = Course().values(state, depth)
    result = player(f"expectiminimax(depth={depth})", GAME).think(state)
    if result.depth == depth:
        assert result.value == pytest.approx(max(values.values()), abs=1e-7)
    else:
        assert abs(result.value or 0.0) == WIN or result.stopped == "exhausted"
    assert values[str(state.named(result.move))] == pytest.approx(max(values.values()), abs=1e-7)


@positions
@settings(max_examples=25)
def test_the_courses_players_play_by_their_utilities(seed: int, plies: int, stage: str, depth: int) -> None:
    state = running(seed, plies, stage)
    assert_as_prescribed("minimax", Course(misses="none"), state, 3)
    utility = outlook if stage == "walk" else twice_mine
    assert_as_prescribed("hard", Course(misses="ignored", heuristic=utility), state, 3)


@given(seed=st.integers(0, 2**32), plies=st.integers(0, 40), stage=st.sampled_from(["walk", "aim"]))
@settings(max_examples=15)
def test_super_is_hard_to_depth_4_with_a_utility_for_each_half_of_the_game(seed: int, plies: int, stage: str) -> None:
    assert_as_prescribed("super", Course(misses="ignored", heuristic=by_phase), running(seed, plies, stage), 4)


@given(seed=st.integers(0, 2**32), plies=st.integers(0, 40), stage=st.sampled_from(["walk", "aim"]))
@settings(max_examples=60)
def test_medium_looks_one_ply_ahead(seed: int, plies: int, stage: str) -> None:
    """The walk that leaves it most free neighbours; the aim that leaves opp's - mine the least if it hits."""
    state = running(seed, plies, stage)
    text = str(player("medium", GAME).choose(state))
    reference = Reference.from_text(state.text)
    me, you = reference.player, 1 - reference.player
    scores = {}
    for move in reference.moves():
        if stage == "aim" and cell_from_text(move[1:]) not in reference.walks(you):
            continue
        after = reference.play(move)
        after = after.play("!" + move[1:]) if stage == "aim" else after
        mine, theirs = len(after.walks(me)), len(after.walks(you))
        scores[move] = (WIN if theirs == 0 else mine) if stage == "walk" else (WIN if theirs == 0 else mine - theirs)
    assert scores[text] == max(scores.values()), state.text
    assert text == next(move for move in scores if scores[move] == scores[text])  # the first of equals


@given(seed=st.integers(0, 2**32), plies=st.integers(0, 40))
@settings(max_examples=20)
def test_easy_aims_only_at_free_neighbours_of_the_opponent(seed: int, plies: int) -> None:
    state = running(seed, plies, "aim")
    reference = Reference.from_text(state.text)
    wanted = {"@" + cell_to_text(cell) for cell in reference.walks(1 - reference.player)}
    easy = player("easy", GAME)
    aimed = {str(easy.choose(state, seed=number)) for number in range(30 * len(wanted))}
    assert aimed == wanted


def test_easy_walks_anywhere() -> None:
    state, easy = GAME.initial(), player("easy", GAME)
    assert {int(easy.choose(state, seed=number)) for number in range(200)} == set(state.moves())


def test_random_aims_only_at_free_cells() -> None:
    state = GAME.position("1xxx/..../..../.2.. 1 aim 3")
    aimed = {str(player("random", GAME).choose(state, seed=number)) for number in range(300)}
    assert not aimed & {"@b1", "@c1", "@d1"}


# ---- edges of the game

EVERYONE = ["random", "easy", "medium", "minimax", "hard", "super", "expectiminimax", "champion(nodes=300)"]


@pytest.mark.parametrize("name", EVERYONE)
def test_a_turn_may_begin_with_the_opponent_already_stuck(name: str) -> None:
    """He loses after any walk, and nobody asks for an aim."""
    state = GAME.position("2x../xx../..../..1. 1 walk 9")
    assert not state.is_over
    after = state.play(player(name, GAME).choose(state))
    assert after.is_over and str(after.outcome) == "player 1 wins"


@pytest.mark.parametrize("name", ["medium", "minimax", "hard", "super", "expectiminimax"])
def test_a_walk_that_leaves_the_opponent_stuck_is_found(name: str) -> None:
    state = GAME.position("2.x./xx../1.../.... 1 walk 9")  # b1 is his last free neighbour, but not in reach
    assert not state.play(player(name, GAME).choose(state)).is_over
    state = GAME.position("2.1./xxx./..../.... 1 walk 9")
    after = state.play(player(name, GAME).choose(state))
    assert str(after.last_move) == "b1" and str(after.outcome) == "player 1 wins"
    with pytest.raises(harena.IllegalMove, match="the game is over: player 1 wins"):
        player(name, GAME).choose(after)


@pytest.mark.parametrize("name", EVERYONE)
def test_one_legal_walk_is_taken_and_a_chance_position_refused(name: str) -> None:
    state = GAME.position("1xxx/x.xx/xx../xx2. 1 walk 3")
    assert str(player(name, GAME).choose(state)) == "b2"
    with pytest.raises(harena.IllegalMove, match="chance decides"):
        player(name, GAME).choose(state.play("b2").play("@d4"))


@pytest.mark.parametrize("name", ["medium", "minimax", "hard", "super", "expectiminimax"])
def test_the_last_escape_is_what_they_aim_at(name: str) -> None:
    state = GAME.position("2.x./xx../1.../.... 1 aim 9")
    assert str(player(name, GAME).choose(state)) == "@b1"


def test_nothing_is_called_proven_that_a_throw_may_still_change() -> None:
    state = GAME.position("2.x./xx../..../...1 1 aim 9")  # b1 wins, but only if it hits
    result = player("minimax", GAME).think(state)
    assert str(state.named(result.move)) == "@b1"
    assert result.proven is None and result.root[0].proven is None


@pytest.fixture
def allowed(monkeypatch: pytest.MonkeyPatch) -> list[Limits]:
    """The limits of every half that is searched from now on."""
    found: list[Limits] = []
    real = Deepening.run

    def spy(self: Deepening, state: object, limits: Limits, turn: Turn) -> Result:
        found.append(limits)
        return real(self, state, limits, turn)

    monkeypatch.setattr(Deepening, "run", spy)
    return found


def test_a_share_of_the_turn_goes_to_the_walk(allowed: list[Limits]) -> None:
    walker = player("trees(depth=1, split=0.25)", GAME)
    walker.ready()
    allowed.clear()
    state = GAME.initial()
    state = state.play(walker.choose(state, Limits(seconds=40)))
    walker.choose(state, Limits(seconds=40))
    assert allowed == [Limits(seconds=10, depth=1), Limits(seconds=30, depth=1)]


def test_where_a_whole_turn_is_timed_the_walk_gets_its_share_and_the_aim_what_is_left(allowed: list[Limits]) -> None:
    """The referee tells half of the turn, for those who do not know how to divide it."""
    seats = (
        LocalContestant(parse_agent("trees(depth=1, split=0.8)"), "trap"),
        LocalContestant(parse_agent("trees(depth=1, split=0.25)"), "trap"),
    )
    for seat in seats:
        seat.begin({"size": 4}, GAME.initial().text, 0, 0)
    allowed.clear()
    terms = Terms(limits=Limits(seconds=50.0), by_turn=True)
    record = Referee(options={"size": 4}, terms=(terms, terms)).play(GAME.initial(), seats, ("a", "b"), 1)
    asked = [ply for ply in record.plies if ply.by != harena.CHANCE]
    assert len(asked) == len(allowed) and {ply.by for ply in asked} == {0, 1}
    for number, (ply, limits) in enumerate(zip(asked, allowed, strict=True)):
        if ply.move.startswith("@"):
            assert limits.seconds == pytest.approx(50.0 - (asked[number - 1].seconds or 0.0))
        else:
            assert limits.seconds == pytest.approx((0.8 if ply.by == 0 else 0.25) * 50.0)
        assert limits.depth == 1


def test_a_player_in_a_process_is_told_of_the_whole_turn_too(allowed: list[Limits]) -> None:
    server = Server("trees(depth=1, split=0.8)")
    server.name = "trap"
    server.hear({"type": "new", "options": {"size": 4}, "start": GAME.initial().text})
    allowed.clear()
    question = {"type": "go", "id": 1, "moves": [], "limits": {"seconds": 25.0}, "seed": 0, "turn_seconds": 50.0}
    walk = server.hear(question)
    assert walk is not None
    server.hear(question | {"moves": [walk["move"]], "limits": {"seconds": 12.0}, "turn_seconds": 12.0})
    assert [limits.seconds for limits in allowed] == [pytest.approx(40.0), 12.0]
