"""When champions have to stop, by a clock that only moves when a test says so: whatever takes long, no move is late."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import harena
from harena import calls
from harena.champions import colosseum, isolation, isolation_master, tiles, tiles_master, trap
from harena.champions.isolation_master import Budget, Master
from harena.champions.isolation_openings import is_hunter
from harena.champions.trap import TrapChampion
from harena.games.trap import SQUARES, WALK, Trap
from harena.kernel.values import coerce
from harena.search import mastery
from harena.search.mastery import Mastery
from harena.search.result import NO_TURN, Limits, Search
from harena.search.workspace import DEADLINE, STOPPED, Workspace

BEGIN = -1e6  # long past for the clock of kernels: whatever is searched stops at once
TRIFLE = 1e-6

CHAMPIONS: dict[str, Callable[..., Search]] = {
    "colosseum": colosseum.champion,
    "isolation": isolation.champion,
    "tiles": tiles.champion,
    "trap": trap.champion,
}
STARTS = {
    "colosseum": harena.game("colosseum", size=6).initial(1),
    "isolation": harena.game("isolation", size=8, setup="random-placements").initial(1),
    "tiles": harena.game("tiles", size=5, setup="random").initial(1),
    "trap": harena.game("trap").initial(1),
}
ENDING = coerce(Trap(~np.uint64(0x010707) | ~SQUARES[4], 0, 10, 0, WALK, 0, 0, 4))


class Clock:
    """The time since a move began, in seconds."""

    def __init__(self) -> None:
        self.passed = 0.0

    def until(self, work: Workspace) -> float:
        """The time at which a search has to stop."""
        return float(work.counters[DEADLINE] - BEGIN * 1e9) / 1e9

    def seconds(self) -> float:
        return BEGIN + self.passed

    def nanoseconds(self) -> int:
        return int(BEGIN * 1e9) + round(self.passed * 1e9)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(calls, "clock", made.nanoseconds)
    for module in (mastery, isolation_master, trap):
        monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=made.seconds))
    return made


@pytest.fixture
def searches(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """When each deepening search has to stop; it takes a tenth of a second."""
    found: list[float] = []
    deepen = Mastery._deepen

    def watched(self: Mastery, state: Any, root: Any, work: Workspace, *others: Any) -> Any:
        found.append(clock.until(work))
        clock.passed += 0.1
        return deepen(self, state, root, work, *others)

    monkeypatch.setattr(Mastery, "_deepen", watched)
    return found


@pytest.mark.parametrize(("seconds", "most"), [(0.01, 0.008), (0.05, 0.04), (1.0, 0.985), (20.0, 19.985)])
@pytest.mark.parametrize("name", CHAMPIONS)
def test_a_little_time_is_left_for_coming_home(name: str, seconds: float, most: float, searches: list[float]) -> None:
    CHAMPIONS[name](name, memory=1).run(STARTS[name].value, Limits(seconds=seconds))
    assert searches == [pytest.approx(most, abs=TRIFLE)]


def test_without_a_limit_of_time_there_is_no_deadline(searches: list[float]) -> None:
    for name, champion in CHAMPIONS.items():
        champion(name, memory=1).run(STARTS[name].value, Limits(nodes=1))
    assert len(searches) == len(CHAMPIONS) and min(searches) > 1e9


def test_a_budget_counts_from_the_beginning_of_the_move(clock: Clock) -> None:
    budget = Budget(Limits(seconds=10.0), NO_TURN, BEGIN)
    for clock.passed in (0.0, 2.0, 5.0):
        assert budget.left(1.0)[0] == pytest.approx(9.985 - clock.passed)
        assert budget.left(0.6)[0] == pytest.approx(0.6 * 9.985 - clock.passed)
        assert clock.until(budget.work(0.6)) == pytest.approx(0.6 * 9.985)
        assert budget.rest(1.0).seconds == pytest.approx(9.985 - clock.passed)
    clock.passed = 12.0
    assert clock.until(budget.work(1.0)) < clock.passed
    assert budget.rest(1.0).seconds == 1e-3


@pytest.mark.parametrize("verdict", [0, -1])
def test_isolation_thinks_no_longer_if_a_proof_takes_long(
    verdict: int, clock: Clock, searches: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    proofs, traps = [], []
    state = STARTS["isolation"].value

    def load() -> None:
        clock.passed += 0.05

    def proof_of(state: Any, notes: Any, work: Workspace) -> int:
        proofs.append(clock.until(work))
        clock.passed += 0.4
        return verdict

    def no_traps(state: Any, root: Any, notes: Any, work: Workspace) -> Any:
        traps.append(clock.until(work))
        return np.zeros(len(root))

    for name, stand_in in {"load": load, "proof_of": proof_of, "traps": no_traps}.items():
        monkeypatch.setattr(isolation_master, name, stand_in)
    champion = isolation.champion("isolation", memory=1)
    assert isinstance(champion, Master)
    champion.run(state, Limits(seconds=1.0))
    assert proofs == [pytest.approx((0.6 if is_hunter(state) else 0.3) * 0.985, abs=TRIFLE)]
    assert searches == [pytest.approx((0.6 if verdict < 0 else 1.0) * 0.985, abs=TRIFLE)]
    assert traps == ([pytest.approx(0.985, abs=TRIFLE)] if verdict < 0 else [])


@pytest.mark.parametrize(
    ("seconds", "taken", "until"), [(1.0, 0.1, 0.985), (1.0, 0.7, 0.985), (1.0, 1.5, 1.5001), (0.01, 0.006, 0.008)]
)
def test_trap_thinks_no_longer_if_an_end_game_could_not_be_solved(
    seconds: float, taken: float, until: float, clock: Clock, searches: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = []

    def solved(board: int, blocked: int, mine: int, theirs: int, deadline: int, flag: Any) -> None:
        attempts.append((deadline - BEGIN * 1e9) / 1e9)
        clock.passed += taken

    champion = trap.champion("trap", memory=1)
    assert isinstance(champion, TrapChampion)
    champion.last.is_ready = True
    monkeypatch.setattr(trap, "solved", solved)
    champion.run(ENDING, Limits(seconds=seconds))
    assert attempts == [pytest.approx(0.8 * (seconds - min(0.2 * seconds, 0.015)), abs=TRIFLE)]
    assert searches == [pytest.approx(until, abs=TRIFLE)]


def test_tiles_leave_half_of_the_time_after_a_proof(
    clock: Clock, searches: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    proofs = []

    def settle_moves(state: Any, heuristic: Any, root: Any, low: Any, high: Any, work: Workspace) -> bool:
        if not work.counters[STOPPED]:
            proofs.append(clock.until(work))
            clock.passed += 0.5
        return False

    monkeypatch.setattr(tiles_master, "settle_moves", settle_moves)
    tiles.champion("tiles", memory=1).run(STARTS["tiles"].value, Limits(seconds=1.0))
    assert proofs == [pytest.approx(0.5 * 0.985, abs=TRIFLE)]
    assert searches == [pytest.approx(0.985, abs=TRIFLE)]


def test_a_proof_that_begins_late_ends_with_the_move(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    proofs, first = [], tiles_master.TilesMastery._proof_workspace

    def late(self: Any, work: Workspace, limits: Limits, budget: int) -> Workspace:
        clock.passed = 0.7
        proofs.append(clock.until(proof := first(self, work, limits, budget)))
        return proof

    monkeypatch.setattr(tiles_master.TilesMastery, "_proof_workspace", late)
    tiles.champion("tiles", memory=1).run(STARTS["tiles"].value, Limits(seconds=1.0))
    assert proofs == [pytest.approx(0.985, abs=TRIFLE)]
