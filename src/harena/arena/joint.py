"""Ratings over stored games: one joint fit of all that a store has of a game, in whatever runs they were played.

The order of the games plays no part, nor what became of the files that played: the same store always gives the same
numbers. Nothing is passed over in silence: what is left out is counted by reason, and what differs between the games
(sizes, limits, machines ...) is told with them. A player is a text; where the files behind it changed between runs,
each version is a player of its own.
"""

import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from harena import find
from harena.arena import words
from harena.arena.ratings import Ratings, fit
from harena.arena.reading import named_in
from harena.arena.record import HUMAN, Record
from harena.arena.repetition import moves_of, warning_of
from harena.arena.runs.registry import kind_entry
from harena.arena.shelf import originals
from harena.arena.sources import rules_version, version
from harena.arena.store import Row, Run, Store
from harena.arena.troubles import DamagedRecord
from harena.errors import BadOption, UnknownName, UsageError
from harena.games.catalogue import CATALOGUE
from harena.kernel.beside import GAME
from harena.termination import Termination

PEOPLE, ITSELF = "with a person at the board", "of a player against itself"
COPIES, CUT = "that a later grading took over from an earlier one, and that count once", "that were not finished"
TUNINGS = "of tunings, each of whose steps has players of its own (--run RUN rates those of a run)"
UNKNOWN = "unknown"  # a version whose files were not kept with the run
REMEDY = "choose runs with --run"

Player = tuple[str, str]  # a text, and what tells its version from others


@dataclass(frozen=True, kw_only=True)
class Version:
    """An agent of one text as it was in some runs."""

    text: str
    label: str  # 1, 2 ... in the order of the runs, or "unknown"
    runs: tuple[str, ...]

    @property
    def name(self) -> str:
        """Of the player that it is."""
        return f"{self.text}{self.mark}"

    @property
    def mark(self) -> str:
        """What its name has beyond the text."""
        return f", version {self.label}"


@dataclass(frozen=True, kw_only=True)
class Joint:
    """Ratings, and all there is to say of the games they rest on."""

    game: str
    games: int
    runs: int
    ratings: Ratings
    texts: Mapping[str, str]  # of the players, by name
    versions: tuple[Version, ...]  # of the agents that have several
    faults: Mapping[str, Counter[str]]  # by player
    first_fault: Mapping[str, str]  # the words about it
    mixed: Mapping[str, Mapping[str, int]]  # games by value, of what is not the same in all
    left_out: Mapping[str, int]  # games, by reason
    repeated: tuple[str, ...]  # a sentence, if most games repeat others


@dataclass
class _Pool:
    """What is gathered from the games, one after the other."""

    played: list[tuple[Player, Player, float]] = field(default_factory=list)
    runs: dict[Player, dict[str, None]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    faults: list[tuple[int, Player, str, str]] = field(default_factory=list)
    values: dict[str, Counter[str]] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)
    moves: list[Hashable] = field(default_factory=list)
    setups: set[str] = field(default_factory=set)  # of all games, those too that are not asked for

    def add(self, row: Row, record: Record, seats: tuple[Player, Player]) -> None:
        """Take a game in."""
        self.played.append((*seats, record.points(0)))
        self.used.add(row.run)
        for one in seats:
            self.runs.setdefault(one, {})[row.run] = None
        if record.reason != Termination.RULES and record.winner is not None:
            self.faults.append((row.id, seats[1 - record.winner], record.reason, record.detail or record.reason))
        if record.plies:
            self.moves.append((seats, moves_of(record)))


class _Runs(dict[str, Run]):
    """The runs of a store by id, in the order in which they began; also those that begin after they were listed."""

    def __init__(self, store: Store) -> None:
        super().__init__((run.id, run) for run in store.runs())
        self.store = store

    def __missing__(self, name: str) -> Run:
        self[name] = self.store.run(name)
        return self[name]


def joint(
    store: Store,
    game: str,
    *,
    runs: Sequence[str] = (),
    sizes: Sequence[str | None] = (None,),
    setup: str | None = None,
    report: Callable[[str], None] | None = None,
) -> Joint:
    """The ratings of all who played a game: in these runs (by the begin of an id), on boards of these sizes.

    Without runs, those of all but tunings.

    UsageError if there is nothing to rate; a damaged game is named to `report`, as in `Store.games`.
    """
    known = _Runs(store)
    chosen = [store.run_like(one).id for one in runs]
    names = _names(store, game, known.values())
    wanted = {_size(game, size) for size in sizes if size is not None}
    pool, seen, versions = _Pool(), set[int](), dict[tuple[str, str], str]()
    copied: dict[str, dict[int, int]] = {}
    rules: dict[tuple[str, str], dict[str, str]] = {}
    for row in _rows(store, chosen, report):
        if row.game not in names:
            continue
        try:
            record = store.record(row.id)
        except DamagedRecord as damage:
            if report is None:
                raise
            report(str(damage))
            continue
        boards = _boards(record)
        pool.setups.add(boards["set-up"])
        if (wanted and boards["size"] not in wanted) or (setup is not None and boards["set-up"] != setup):
            continue
        if kind_entry(known[row.run].kind).copies_games and row.run not in copied:
            copied[row.run] = originals(store, row.run)
        number = copied.get(row.run, {}).get(row.id, row.id)
        is_tuned = not chosen and not kind_entry(known[row.run].kind).is_rated
        if why := TUNINGS if is_tuned else _unrated(record, number in seen):
            pool.left_out[why] += 1
            continue
        seen.add(number)
        for text in record.seats:
            if (row.run, text) not in versions:
                versions[row.run, text] = _version(known[row.run], text)
        first, second = ((text, versions[row.run, text]) for text in record.seats)
        pool.add(row, record, (first, second))
        if (row.run, row.game) not in rules:
            rules[row.run, row.game] = _rules(known[row.run], row.game)
        for what, value in (boards | _conditions(record) | rules[row.run, row.game]).items():
            pool.values.setdefault(what, Counter())[value] += 1
    if not pool.played:
        raise _nothing(store, game, pool, runs=bool(chosen), size=bool(wanted), setup=setup)
    return _fitted(game, pool, list(known))


def part(fitted: Ratings, names: Iterable[str]) -> Ratings:
    """Some of the players, with the numbers that they have among all."""
    kept = set(names)
    numbers = [number for number, row in enumerate(fitted.rows) if row.name in kept]
    groups = (tuple(name for name in group if name in kept) for group in fitted.groups)
    return replace(
        fitted,
        rows=tuple(fitted.rows[number] for number in numbers),
        better=tuple(tuple(fitted.better[one][other] for other in numbers) for one in numbers),
        groups=tuple(group for group in groups if group),
    )


def _fitted(game: str, pool: _Pool, order: Sequence[str]) -> Joint:
    """The fit, with a name for each player."""
    versions = _versions(pool.runs, order)
    names = {one: versions[one].name if one in versions else one[0] for one in pool.runs}
    faults: dict[str, Counter[str]] = {}
    first: dict[str, str] = {}
    for _, one, reason, detail in sorted(pool.faults):
        faults.setdefault(names[one], Counter())[reason] += 1
        first.setdefault(names[one], detail)
    return Joint(
        game=game,
        games=len(pool.played),
        runs=len(pool.used),
        ratings=fit((names[one], names[other], result) for one, other, result in pool.played),
        texts={names[one]: one[0] for one in pool.runs},
        versions=tuple(versions.values()),
        faults=faults,
        first_fault=first,
        mixed={what: dict(_ordered(values)) for what, values in pool.values.items() if len(values) > 1},
        left_out=dict(pool.left_out),
        repeated=tuple(warning_of(pool.moves, lambda different, games: words.copies(different, games, REMEDY))),
    )


def _versions(runs: Mapping[Player, Mapping[str, None]], order: Sequence[str]) -> dict[Player, Version]:
    """Those of agents that have several, in the order in which their first runs began; unknown ones last."""
    place = {run: number for number, run in enumerate(order)}
    by_text: dict[str, list[tuple[int, Player]]] = {}
    for one, used in runs.items():
        by_text.setdefault(one[0], []).append((min(place[run] for run in used), one))
    found: dict[Player, Version] = {}
    for text, several in sorted(by_text.items()):
        if len(several) < 2:
            continue
        for number, (_, one) in enumerate(sorted(several, key=lambda pair: (pair[1][1] == UNKNOWN, pair)), 1):
            label = UNKNOWN if one[1] == UNKNOWN else str(number)
            found[one] = Version(text=text, label=label, runs=tuple(sorted(runs[one], key=place.__getitem__)))
    return found


def _ordered(values: Counter[str]) -> list[tuple[str, int]]:
    """Most games first; equals by name."""
    return sorted(values.items(), key=lambda item: (-item[1], item[0]))


def _rows(store: Store, runs: Sequence[str], report: Callable[[str], None] | None) -> Iterable[Row]:
    """Every game of these runs, each run once; of all if none is named."""
    for run in dict.fromkeys(runs) if runs else (None,):
        yield from store.rows(run, report)


def _unrated(record: Record, is_copy: bool) -> str:
    """Why a game says nothing of anybody's strength, or nothing new."""
    if HUMAN in record.seats:
        return PEOPLE
    if record.reason == Termination.UNFINISHED:
        return CUT
    if record.seats[0] == record.seats[1]:
        return ITSELF
    return COPIES if is_copy else ""


def _nothing(store: Store, game: str, pool: _Pool, *, runs: bool, size: bool, setup: str | None) -> UsageError:
    """Why there is nothing to rate, in the runs, of the size and of the set-up that were asked for."""
    if pool.left_out:
        why = "; ".join(f"{words.count(number, 'game')} {reason}" for reason, number in pool.left_out.items())
        return UsageError(f"{game}: no two players to rate in {store.path}: there are only {why}")
    if setup is not None and setup not in pool.setups and game in CATALOGUE:
        CATALOGUE[game].setup_name(setup)  # says that there is no such one, if so
    board = " and ".join(["size"] * size + ["set-up"] * (setup is not None))
    which = (f" of that {board}" if board else "", " in those runs" if runs else "")
    return UsageError(f"no game of {game}{which[0]} is stored{which[1]} in {store.path}")


def _names(store: Store, game: str, runs: Iterable[Run]) -> set[str]:
    """What records call this game; a file of one's own also where it was named from another folder."""
    try:
        found = named_in(store, game)
    except UnknownName:
        found = set()
    if own := GAME.match(game):
        face, file = game.removeprefix(own[0]), os.path.realpath(own[0])
        for run in runs:
            spec = _spec(run)
            name = str(spec.get("game", ""))
            other = GAME.match(name)
            if other and os.path.realpath(os.path.join(str(spec.get("folder", "")), other[0])) == file:
                found |= {name} if name.removeprefix(other[0]) == face else set()
    if not found:
        find.face(game)  # says what is wrong with it, or that there is such a game
        raise UsageError(f"no game of {game} is stored in {store.path}")
    return found


def _spec(run: Run) -> Mapping[str, Any]:
    """How the games of a run were played, as far as it says so in the way of contests."""
    spec = run.spec.get("spec", run.spec)
    return spec if isinstance(spec, Mapping) else {}


def _version(run: Run, text: str) -> str:
    """What tells an agent in a run from others of its text; nothing of one that is made of no files."""
    for one in run.spec.get("submissions", ()):  # of a grading, which keeps their digests itself
        if one.get("agent") == text and one.get("digest"):
            return str(one["digest"])
    spec = _spec(run)
    others = [str(spec.get("game", "")), *map(str, spec.get("agents") or ())]
    found = version(text, str(spec.get("folder", "")), spec.get("sources") or {}, others)
    return UNKNOWN if found is None else found


def _size(game: str, size: Any) -> str:
    """A size as it is told: 7, 5x7; the game's own where none is said. BadOption if a game of ours has none such."""
    if game not in CATALOGUE:
        return "its own" if size is None else str(size)
    if CATALOGUE[game].sizes is None:
        return "its own"
    rows, columns = CATALOGUE[game].rows_and_columns(tuple(size) if isinstance(size, list) else size)
    return str(rows) if rows == columns else f"{rows}x{columns}"


def _boards(record: Record) -> dict[str, str]:
    """Where a game was played, in words."""
    try:
        size = _size(record.game, record.options.get("size"))
    except BadOption:
        size = str(record.options["size"])
    setups = CATALOGUE[record.game].setups if record.game in CATALOGUE else ()
    return {"size": size, "set-up": str(record.options.get("setup") or next(iter(setups), "its own"))}


def _conditions(record: Record) -> dict[str, str]:
    """What else decides how strong players are."""
    limits = record.conditions.get("limits")
    return {
        "limit": (words.limits(limits) if isinstance(limits, Mapping) else "") or "the agents' own",
        "version of harena": str(record.conditions.get("harena", UNKNOWN)),
        "machine": str(record.conditions.get("machine", UNKNOWN)),
    }


def _rules(run: Run, game: str) -> dict[str, str]:
    """The version of the rules, of a game of one's own."""
    spec = _spec(run)
    others = map(str, spec.get("agents") or ())
    found = rules_version(game, str(spec.get("folder", "")), spec.get("sources") or {}, others)
    return {} if found == "" else {"version of the rules": found or UNKNOWN}
