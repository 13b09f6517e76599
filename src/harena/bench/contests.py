"""How quickly contests are played: first games, tournaments beside matches, fresh processes, runs that are killed.

Each figure has an aim. Ratios are of two measurements of one run, so that a slow or busy machine changes both.
"""

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from harena.agents.contestant import ProcessContestant
from harena.agents.process import AgentProcess
from harena.agents.tree import usable_cores
from harena.api import State
from harena.arena.contest import Contest, Spec
from harena.arena.play.referee import Referee
from harena.arena.slot import Slot
from harena.arena.store import Store
from harena.bench import matches

OURS_SECONDS, HOSTED_SECONDS = 0.01, 0.05  # a move
KILL_EVERY = 4.0  # seconds
COURSE = "comp424"
SUBMISSION = """
import time

from agents.agent import Agent
from store import register_agent

MOVES = ((-1, 0), (0, 1), (1, 0), (0, -1))


@register_agent("student_agent")
class StudentAgent(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        begin = time.perf_counter()
        while time.perf_counter() - begin < {busy}:
            pass
        row, column = my_pos
        walls = [side for side in range(4) if not chess_board[row, column, side]]
        return my_pos, walls[{number} % len(walls)]
"""


@dataclass(frozen=True, kw_only=True)
class Aim:
    """A figure beside what it shall be."""

    name: str
    value: float
    aim: float
    unit: str
    at_least: bool = False  # else at most
    about: str = ""

    @property
    def is_met(self) -> bool:
        """Whether the figure is as good as it shall be."""
        return self.value >= self.aim if self.at_least else self.value <= self.aim


@dataclass(frozen=True, kw_only=True)
class Part:
    """A part of the referee's work: its share of the workers' time."""

    name: str
    share: float


Say = Callable[[str], None]


def measure_aims(*, quick: bool, say: Say) -> list[Aim]:
    """All figures that have an aim, but for the referee's cost."""
    say("the first game of a match")
    found = [measure_first_game(1 if quick else 3)]
    for is_hosted in (False, True):
        say(f"a tournament of {'hosted agents' if is_hosted else 'players of ours'} beside a match")
        found.append(measure_tournament(is_hosted=is_hosted, agents=6 if quick else 20))
    say("a fresh process for every game")
    found += [measure_fresh(4 if quick else 12, at_once) for at_once in dict.fromkeys((1, len(usable_cores()) or 1))]
    say(f"a match that is killed every {KILL_EVERY:g} s")
    found.append(measure_killed(2 if quick else 4))
    return found


# A first game


def measure_first_game(times: int) -> Aim:
    """Seconds from the command to the first game of two quick players, without the first time, which may compile."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = [_seconds_to_first_game(os.path.join(folder, "games.sqlite")) for _ in range(times + 1)][1:]
    return Aim(
        name="first game",
        value=statistics.median(seconds),
        aim=1.0,
        unit="s",
        about="`harena match isolation mm_open random`, warm, until both agents are ready",
    )


def _seconds_to_first_game(store: str) -> float:
    words = [
        sys.executable,
        "-m",
        "harena",
        "match",
        "isolation",
        "mm_open",
        "random",
        "--games",
        "2",
        "--store",
        store,
    ]
    begin = time.perf_counter()
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        process.stderr.readline()  # how to go on with the run: said when both agents are ready
        return time.perf_counter() - begin


# Tournaments beside matches


def measure_tournament(*, is_hosted: bool, agents: int) -> Aim:
    """Games a minute of a round robin, a pair of games of each two agents, as a share of a match's.

    Starts of agents count in both. Games of other agents have other lengths, so moves a minute are compared.
    """
    with tempfile.TemporaryDirectory() as folder:
        if is_hosted:
            os.chmod(folder, 0o755)
            texts = [_hosted_agent(Path(folder), number, HOSTED_SECONDS) for number in range(agents)]
            spec = _spec("colosseum", {"size": "6"}, texts, HOSTED_SECONDS)
        else:
            texts = [f"mcts(c={0.1 * (1 + number):.1f})" for number in range(agents)]
            spec = _spec("isolation", {"setup": "random-placements"}, texts, OURS_SECONDS)
        pairings = list(combinations(range(agents), 2))
        tournament = _moves_a_minute(spec, _pairs(pairings))
        games = max(10, len(pairings) // 3)
        slots = [Slot(a=0, b=1, pair=number // 2, swapped=bool(number % 2)) for number in range(games)]
        match = _moves_a_minute(spec, slots)
    kind = f"{agents} hosted agents" if is_hosted else f"{agents} players of ours"
    return Aim(
        name=f"tournament of {kind}",
        value=tournament / match,
        aim=0.9,
        unit="of a match's games a minute, for games of equal length",
        at_least=True,
        about=f"{tournament:,.0f} and {match:,.0f} moves a minute, {1000 * spec.limits['seconds']:.0f} ms a move, "
        f"{_workers()} games at once, starts of agents included",
    )


def _spec(game: str, variant: dict[str, Any], agents: Sequence[str], seconds: float, **more: Any) -> Spec:
    return Spec(game=game, variants=[variant], agents=list(agents), limits={"seconds": seconds}, margin=10.0, **more)


def _hosted_agent(folder: Path, number: int, seconds: float) -> str:
    """The text of a course's agent that uses nearly all of its time for a quick answer."""
    own = folder / f"agent{number}"
    own.mkdir(mode=0o755)
    file = own / "student_agent.py"
    file.write_text(SUBMISSION.format(busy=0.9 * seconds, number=number), "utf-8")
    return f"{COURSE}:{file}"


def _workers() -> int:
    return min(2, os.cpu_count() or 1)


def _pairs(pairings: Sequence[tuple[int, int]]) -> list[Slot]:
    return [Slot(a=a, b=b, pair=0, swapped=swapped) for a, b in pairings for swapped in (False, True)]


def _moves_a_minute(spec: Spec, slots: Sequence[Slot]) -> float:
    begin = time.perf_counter()
    moves = sum(len(record.plies) for _, record in Contest(spec).run(slots, _workers(), threading.Event()))
    return 60 * moves / (time.perf_counter() - begin)


# Fresh processes


def measure_fresh(games: int, at_once: int) -> Aim:
    """How long a game waits for a new process of a hosted agent, as in `harena grade`; first games are left out."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        texts = ["random", _hosted_agent(Path(folder), 0, HOSTED_SECONDS)]
        contest = Contest(_spec("colosseum", {"size": "6"}, texts, HOSTED_SECONDS, fresh=True))
        slots = [Slot(a=0, b=1, pair=number // 2, swapped=bool(number % 2)) for number in range((games + 1) * at_once)]
        for _ in contest.run(slots, at_once, threading.Event()):
            pass
    waits = [1000 * seconds for seconds in contest.waits[at_once:]]
    return Aim(
        name=f"fresh hosted process, {at_once} at once",
        value=max(waits),
        aim=150.0,
        unit="ms",
        about=f"the longest wait before {len(waits)} games; the median {statistics.median(waits):.0f} ms",
    )


# Runs that are killed


def measure_killed(times: int) -> Aim:
    """The fewest games that a match plays between two kills."""
    with tempfile.TemporaryDirectory() as folder:
        store = os.path.join(folder, "games.sqlite")
        words = ["match", "isolation", "mm_open", "random", "--games", "100000", "--store", store]
        _run_and_kill(words)
        with Store(store) as kept:
            run = kept.runs()[0].id
        played = [_games_in(store)]
        for _ in range(times - 1):
            _run_and_kill(["resume", run, "--store", store])
            played.append(_games_in(store))
    fewest = min(after - before for before, after in zip([0, *played], played, strict=False))
    return Aim(
        name="killed and resumed",
        value=fewest,
        aim=1,
        unit="games",
        at_least=True,
        about=f"the fewest that were added before a kill -9, {KILL_EVERY:g} s after each of {times} starts",
    )


def _run_and_kill(words: Sequence[str]) -> None:
    nothing = subprocess.DEVNULL
    with subprocess.Popen([sys.executable, "-m", "harena", *words], stdout=nothing, stderr=nothing) as process:
        try:
            process.wait(KILL_EVERY)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)


def _games_in(store: str) -> int:
    with Store(store) as kept:
        return sum(1 for run in kept.runs() for _ in kept.games(run.id))


# Where the referee's time goes

PARTS: Sequence[tuple[str, type, Sequence[str]]] = (
    ("games' beginnings", ProcessContestant, ("begin",)),
    ("waking and stopping agents", AgentProcess, ("wake", "pause")),
    ("looking at clocks", AgentProcess, ("_due", "_accepted")),
    ("rules, positions and moves as text", State, ("play", "moves")),
    ("questions", ProcessContestant, ("choose",)),
    ("the rest of a game", Referee, ("play",)),
)
THINKING = (AgentProcess, ("_said",))  # the agent's own time


def measure_parts(games: int) -> list[Part]:
    """The shares of the workers' time that parts of the referee's work take, in a match of quick players."""
    with _timed([*PARTS, ("", *THINKING)]) as spent:
        found = matches.measure(games, concurrency=1)
    return [Part(name=name, share=spent[name] / found.seconds) for name, _, _ in PARTS]


@contextmanager
def _timed(parts: Sequence[tuple[str, type, Sequence[str]]]) -> Iterator[dict[str, float]]:
    """Add up the time that methods take, each without that of the others; in one thread at a time."""
    spent = {name: 0.0 for name, _, _ in parts}
    within: list[float] = []  # of each call that runs: the time of those that it made
    replaced = [(cls, method, getattr(cls, method)) for _, cls, methods in parts for method in methods]

    def timed(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def run(*arguments: Any, **keywords: Any) -> Any:
            begin = time.perf_counter()
            within.append(0.0)
            try:
                return call(*arguments, **keywords)
            finally:
                whole = time.perf_counter() - begin
                spent[name] += whole - within.pop()
                if within:
                    within[-1] += whole

        return run

    for name, cls, methods in parts:
        for method in methods:
            setattr(cls, method, timed(name, getattr(cls, method)))
    try:
        yield spent
    finally:
        for cls, method, call in replaced:
            setattr(cls, method, call)
