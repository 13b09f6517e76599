"""What the arena itself costs: games a minute of quick players, and the time between two moves.

A game's wall time is what its moves took, as the referee measured them, and the rest: starting the game, checking
moves, waking and stopping agents. The rest is the referee's own.
"""

import statistics
import threading
import time
from collections import Counter
from dataclasses import dataclass

from harena.agents.fault import WALL
from harena.arena.contest import Contest, Spec
from harena.arena.record import Record
from harena.arena.slot import Slot
from harena.termination import Termination

AGENT, SECONDS = "id_improved", 0.01


@dataclass(frozen=True, kw_only=True)
class Throughput:
    """Of one match; times in milliseconds."""

    games: int
    seconds: float  # from the first answer on: starting the agents does not count
    games_per_minute: float
    moves_per_game: float
    lost: float  # share of the workers' time that is not an agent's
    referee_ms: float  # CPU time of the arena a move: what `lost` would be on a machine that does nothing else
    overrun_median: float  # beyond the limit, of the moves that used it up
    overrun_p99: float
    overrun_p999: float
    overrun_worst: float
    time_losses: int
    time_details: tuple[str, ...]  # of these losses
    replays: int
    most_replays: int  # of one game
    runnable: float  # threads that ran or waited for a processor, on average, ours included


def measure(
    games: int,
    *,
    agents: tuple[str, str] = (AGENT, f"{AGENT}(settled=false)"),
    concurrency: int = 2,
    margin: float = 0.05,
    seed: int = 0,
    clock: str = WALL,
    sandbox: str = "auto",
) -> Throughput:
    """Two players of 10 ms a move on 7x7 isolation, so many games, so many at once."""
    spec = Spec(
        game="isolation",
        variants=[{"setup": "random-placements"}],
        agents=list(agents),
        limits={"seconds": SECONDS},
        seed=seed,
        margin=margin,
        clock=clock,
        sandbox=sandbox,
    )
    contest = Contest(spec)
    slots = [Slot(a=0, b=1, pair=number // 2, swapped=bool(number % 2)) for number in range(games + concurrency)]
    records: list[Record] = []
    begin = end = used = 0.0
    runnable: list[int] = []
    for _, record in contest.run(slots, concurrency, threading.Event()):
        end = time.perf_counter()
        records.append(record)
        runnable.append(runnable_threads())
        if len(records) == concurrency:  # every worker's agents are ready
            begin, used = end, time.process_time()
    used = time.process_time() - used
    return _figures(records[concurrency:], end - begin, used, concurrency, contest.replays, statistics.mean(runnable))


def runnable_threads() -> int:
    """The threads of this machine that run or wait for a processor right now; 0 where the system does not tell."""
    try:
        with open("/proc/loadavg", encoding="ascii") as file:
            return int(file.read().split()[3].partition("/")[0])
    except OSError:
        return 0


def _figures(
    records: list[Record], seconds: float, used: float, concurrency: int, replays: Counter[str], runnable: float
) -> Throughput:
    thought = [ply.seconds or 0.0 for record in records for ply in record.plies]
    late = sorted(1000 * (one - SECONDS) for one in thought if one >= SECONDS) or [0.0]
    return Throughput(
        games=len(records),
        seconds=seconds,
        games_per_minute=60 * len(records) / seconds,
        moves_per_game=len(thought) / len(records),
        lost=max(0.0, 1 - sum(thought) / (seconds * concurrency)),
        referee_ms=1000 * used / len(thought),
        overrun_median=statistics.median(late),
        overrun_p99=late[int(0.99 * (len(late) - 1))],
        overrun_p999=late[int(0.999 * (len(late) - 1))],
        overrun_worst=late[-1],
        time_losses=sum(record.reason == Termination.TIME for record in records),
        time_details=tuple(record.detail for record in records if record.reason == Termination.TIME),
        replays=replays.total(),
        most_replays=max(replays.values(), default=0),
        runnable=runnable,
    )
