"""The matches of docs/strength.md: which there are, and how each is played and counted."""

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from datetime import date
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import harena
from harena.agents.names import PARTNER, PLAYERS
from harena.arena.conditions import pairs_of, spec_of
from harena.arena.runs.executors import LocalExecutor
from harena.arena.runs.match import Match as Played
from harena.arena.runs.runner import Runner, stored_games
from harena.arena.store import Store
from harena.search.result import Limits

DOCS = Path(__file__).parents[2] / "docs"
SOURCE = Path(harena.__file__).parent
OPPONENTS, PARTNERS, TIMES = "opponents", "partners", "times"
QUICK, THREADS, CONTROL = "quick", "threads", "control"
SECTIONS = (OPPONENTS, PARTNERS, TIMES, QUICK, THREADS, CONTROL)
QUICK_SECONDS = 0.01
MARGIN = 0.5  # seconds beyond the limit before a game is lost by time: so that it is not the machine that is measured


@dataclass(frozen=True, kw_only=True)
class Match:
    """Two players, how they play, and what is aimed at for the first."""

    game: str
    section: str
    a: str
    b: str
    games: int
    size: str | None = None
    clock: str | None = None
    memory: float | None = None
    aim: float | None = None

    @property
    def name(self) -> str:
        """What tells it apart from all others."""
        return f"{self.game} {self.size or 'usual'} {self.a} - {self.b}"


@dataclass(frozen=True, kw_only=True)
class Score:
    """What was measured: A's share of the points with its 95 % interval, pairs by points, and how games ended."""

    score: float
    low: float
    high: float
    pairs: tuple[int, ...]  # with 0, 1/2, 1, 3/2 and 2 points of A
    ends: dict[str, int]
    longest: float  # of A's moves, in seconds
    date: str
    version: str  # of the champion
    faults: dict[str, int] = field(default_factory=dict)  # games that A lost by a fault of its own, by reasons

    @property
    def games(self) -> int:
        """How many were played."""
        return 2 * sum(self.pairs)


def pairings() -> dict[str, Any]:
    """The list, by games."""
    return tomllib.loads((DOCS / "strength" / "pairings.toml").read_text("utf-8"))


def matches(games: int) -> Iterator[Match]:
    """All of them, with so many games each where the list says nothing else."""
    for game, table in pairings().items():
        champion = f"champion(seconds={table['seconds']})"
        common: dict[str, Any] = {"game": game, "clock": table["clock"], "memory": table.get("memory")}
        for one in table["opponents"]:
            own = {key: one[key] for key in ("size", "aim") if key in one}
            yield Match(section=OPPONENTS, a=champion, b=one["player"], games=one.get("games", games), **own, **common)
            if "seconds" not in one["player"]:
                quick = f"champion(seconds={QUICK_SECONDS})"
                size = {"size": one["size"]} if "size" in one else {}
                yield Match(section=QUICK, a=quick, b=one["player"], games=games, **size, **common)
        common["size"] = table.get("size")
        for name in PLAYERS[game]:
            if name.startswith(PARTNER):
                seconds = table.get("sparring", table["seconds"])
                own, partner = f"champion(seconds={seconds})", f"{name}(seconds={seconds})"
                yield Match(section=PARTNERS, a=own, b=partner, games=games, **common)
        for seconds in table.get("times", []):
            a, b = f"champion(seconds={2 * seconds:g})", f"champion(seconds={seconds:g})"
            if "yardstick" in table:
                a, b = b, table["yardstick"]
            yield Match(section=TIMES, a=a, b=b, games=games, **common)
        two = f"champion(seconds={table['seconds']}, threads=2)"
        yield Match(section=THREADS, a=two, b=champion, games=games, **common)
        one, other = (f"champion({level}seconds={QUICK_SECONDS})" for level in ("", "level=10, "))
        yield Match(section=CONTROL, a=one, b=other, games=games, **common)


@cache
def version(game: str) -> str:
    """Tells apart what a champion's play depends on: its code (but for words) and data, and the searches."""
    common = [SOURCE / "champions" / f"{name}.py" for name in ("dawdler", "mirror", "options", "sparring")]
    common += [SOURCE / "games" / f"{game}.py", SOURCE / "heuristics" / "separated.py"]
    code = [*(SOURCE / "champions").glob(f"{game}*.py"), *common, *(SOURCE / "search").glob("*.py")]
    seen = sha256()
    for file in sorted(code):
        tree = ast.parse(file.read_text("utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
                node.body = node.body[1:]
        seen.update(ast.dump(tree).encode())
    for file in sorted((SOURCE / "champions" / "data").glob(f"{game}*")):
        seen.update(file.read_bytes())
    return seen.hexdigest()[:8]


def play(match: Match, store: Store, concurrency: int) -> Score:
    """Play what the store lacks of a match between the players as they are now, and count."""
    spec = spec_of(
        match.game,
        [match.a, match.b],
        Limits(),
        sizes=match.size,
        clock=match.clock,
        memory=match.memory,
        local=False,
        margin=MARGIN,
    )
    played = Played(spec=spec, pairs=pairs_of(match.games))
    wanted, note = {**played.to_dict(), "pairs": None}, f"{match.name} [{version(match.game)}]"
    run = next((one for one in store.runs() if one.note == note and {**one.spec, "pairs": None} == wanted), None)
    run = run or store.new_run("match", played.to_dict(), note)
    played.add_all((slot, record) for slot, record in stored_games(store, run.id) if slot.pair < played.pairs)
    for _ in Runner(store, LocalExecutor(concurrency)).play(run.id, played):
        pass
    return counted(played, version(match.game))


def counted(standing: Played, of: str) -> Score:
    """What a match has shown."""
    pairs = standing.scores
    low, high = pairs.interval
    ends: dict[str, int] = {}
    for record in standing.records.values():
        ends[record.reason] = ends.get(record.reason, 0) + 1
    return Score(
        score=pairs.score,
        low=low,
        high=high,
        pairs=tuple(pairs.counts),
        ends=ends,
        longest=max(standing.times[0], default=0.0),
        date=date.today().isoformat(),
        version=of,
        faults=dict(standing.faults_of(0)),
    )


def as_entry(match: Match, score: Score) -> dict[str, Any]:
    """For the file of results."""
    return {"match": asdict(match), "score": asdict(score)}


def of_entry(entry: dict[str, Any]) -> tuple[Match, Score]:
    """From the file of results."""
    return Match(**entry["match"]), Score(**{**entry["score"], "pairs": tuple(entry["score"]["pairs"])})
