"""A run as one HTML page that needs nothing else."""

import os
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

from harena.arena import words
from harena.arena.conditions import limits_of, options_of
from harena.arena.game_conditions import describe_conditions
from harena.arena.report import Played, Report, report_of
from harena.arena.runs.presentation import Rated
from harena.arena.store import Run, Store
from harena.errors import UsageError
from harena.files import write_output
from harena.render.page import Mark, Section, folded, histogram, intervals, page, paragraphs, table
from harena.termination import Termination

if TYPE_CHECKING:
    from markupsafe import Markup

UNFOLDED = 40  # games up to which the list is open
MACHINE = ("harena", "python", "numba", "machine", "concurrency", "sandbox")  # of what is kept with a game
MOST_LETTERS = 60  # of the headings of a crosstable; beyond that its columns have numbers


def write_report(store: Store, run: Run, file: str | os.PathLike[str], complain: Callable[[str], None]) -> Report:
    """Write the page of a run, all of it or nothing; `complain` is told of games that cannot be read."""
    why = store.stops().get(run.id, "")
    note = "; ".join(part for part in (run.note, why and f"stopped: {why}") if part)
    found = report_of(store, replace(run, status=store.status(run), note=note), complain)
    if os.path.exists(file) and os.path.samefile(file, store.path):
        raise UsageError(f"{os.fspath(file)!r} is the store itself")
    write_output(os.fspath(file), document(found).encode("utf-8", "replace"))
    return found


def document(found: Report) -> str:
    """The page."""
    played = words.count(len(found.games), "game")
    if found.part.planned is not None and found.part.planned != len(found.games):
        played += f" of {found.part.planned:,} planned"
    began = found.run.created.replace("T", " ").replace("Z", " UTC")
    lead = [f"{found.run.kind} {found.run.id}, {found.run.status}: {played}, begun {began}", found.run.note]
    return page(found.part.title, [line for line in lead if line], list(_sections(found)))


def _sections(found: Report) -> Iterator[Section]:
    yield Section(name="result", heading="Result", body=_result(found))
    yield Section(name="conditions", heading="Conditions", body=_conditions(found))
    yield Section(name="ratings", heading="Ratings", body=_ratings(found))
    if found.part.bracket is not None:
        headings = ("round", "the one", "points", "the other", "decided")
        body = table("Every match of the knockout", headings, found.part.bracket, (2,))
        yield Section(name="bracket", heading="Bracket", body=body)
    yield Section(name="crosstable", heading="Crosstable", body=_crosstable(found))
    yield Section(name="ends", heading="How games ended", body=_ends(found))
    yield Section(name="lengths", heading="Lengths of games", body=_lengths(found))
    yield Section(name="times", heading="Time per move", body=_times(found))
    yield Section(name="faults", heading="Faults", body=_faults(found))
    yield Section(name="games", heading="Games", body=_games(found))


NO_GAMES = "No game has been played yet."


def _result(found: Report) -> "Markup":
    """What the games show, and what they do not; faults at once, since they decide more than strength does."""
    if not found.games:
        return paragraphs([NO_GAMES])
    return paragraphs(found.part.verdict, "verdict") + paragraphs(_blame(found), "alarm")


def _blame(found: Report) -> Iterator[str]:
    """Who lost games by faults, and how the first of them came about."""
    for name in dict.fromkeys(fault.agent for fault in found.faults):
        own = [fault for fault in found.faults if fault.agent == name]
        kinds = Counter(fault.reason for fault in own)
        listed = ", ".join(f"{reason} {number}" for reason, number in kinds.most_common())
        games = sum(name in (game.first, game.second) for game in found.games)
        first = f"game {own[0].game}" + (f": {own[0].detail}" if own[0].detail else "")
        yield f"{name} lost {len(own):,} of its {words.count(games, 'game')} by faults ({listed}); the first, {first}"


def _conditions(found: Report) -> "Markup":
    spec, kept = found.spec, found.conditions
    rows = [("game", spec.game), *options_of(spec), ("limits for a move", limits_of(spec)), ("seed", spec.seed)]
    rows.append(("agents run", "in one process" if spec.local else "in processes of their own"))
    if not spec.local:
        rows.append(("margin of time", f"{1000 * spec.margin:.0f} ms"))
        rows.append(("limit of memory", f"{spec.memory:g} MB" if spec.memory else "none"))
    rows += describe_conditions({key: value for key, value in kept.items() if key in MACHINE})
    agents = (
        [] if found.part.names == found.spec.agents else list(zip(found.part.names, found.spec.agents, strict=True))
    )
    body = table("How the games were played", ("condition", "value"), rows)
    return body + (table("The agents", ("name", "agent"), agents) if agents else "")


def _ratings(found: Report) -> "Markup":
    if not found.part.ratings:
        return paragraphs([NO_GAMES])
    is_elo = found.part.unit == "Elo"
    marks = [
        Mark(name=row.name, value=row.value, low=row.low, high=row.high, open_low=row.open_low, open_high=row.open_high)
        for row in found.part.ratings
    ]
    title = "Ratings with 95 % intervals" if is_elo else "Scores with 95 % intervals"
    ends = None if is_elo else (0.0, 100.0)
    drawing = intervals(marks, title=title, unit=found.part.unit, zero=0 if is_elo else 50, ends=ends)
    has_normalised = all(row.normalised is not None for row in found.part.ratings)
    headings = ("agent", found.part.unit, "95 % interval", *(["nElo"] if has_normalised else []), "games")
    headings += ("score",) if is_elo else ()
    rows = [
        (
            *(row.name, *_rated(row, is_elo)),
            *([words.elo(row.normalised)] if row.normalised is not None else []),
            *(f"{row.games:,}", *([words.percent(row.score)] if is_elo else [])),
        )
        for row in found.part.ratings
    ]
    notes = [
        "The intervals hold for each line by itself and a number of games fixed beforehand.",
        f"For the line with the fewest games: {words.worth(min(row.games for row in found.part.ratings))}.",
    ]
    return drawing + table(found.part.about, headings, rows, range(1, len(headings))) + paragraphs(notes)


def _rated(row: Rated, is_elo: bool) -> tuple[str, str]:
    if not is_elo:
        return f"{row.value:.1f}", f"{row.low:.1f} to {row.high:.1f}"
    low, high = words.elo(row.low), words.elo(row.high)
    if row.open_low and row.open_high:
        span = "anything"
    elif row.open_low or row.open_high:
        span = f"{high} or less" if row.open_low else f"{low} or more"
    else:
        span = f"{low} to {high}"
    return words.elo(row.value), span


def _crosstable(found: Report) -> "Markup":
    if not found.cross:
        return paragraphs(["No pair of games is complete yet."])
    names, columns = found.part.names, found.part.columns
    by_number = sum(len(names[one]) for one in columns) > MOST_LETTERS
    rows = []
    for number, row in enumerate(found.part.rows, 1):
        cells = []
        for column in columns:
            result = found.cross.get((row, column))
            cells.append("·" if row == column else f"{words.percent(result.score)} of {result.games}" if result else "")
        rows.append((f"{number} {found.part.names[row]}" if by_number else found.part.names[row], *cells))
    headings = (
        map(str, range(1, len(found.part.columns) + 1))
        if by_number
        else (found.part.names[one] for one in found.part.columns)
    )
    caption = "Score of the row against the column, and the games"
    return table(caption, ("agent", *headings), rows, range(1, len(columns) + 1))


def _ends(found: Report) -> "Markup":
    if not found.games:
        return paragraphs([NO_GAMES])
    total = len(found.games)
    rows = [
        (_reason(reason), f"{number:,}", words.percent(number / total))
        for reason, number in found.reasons.most_common()
    ]
    wins = [sum(game.winner == seat for game in found.games) for seat in (0, 1)]
    results = [("first seat won", wins[0]), ("second seat won", wins[1]), ("draw", total - sum(wins))]
    shares = [(name, f"{number:,}", words.percent(number / total)) for name, number in results]
    headings = ("games", "share")
    seat = f"The first seat made {words.percent(found.first_seat)} of the points."
    return (
        table("Reasons", ("reason", *headings), rows, (1, 2))
        + table("Results by seat", ("result", *headings), shares, (1, 2))
        + paragraphs([seat])
    )


def _reason(reason: str) -> str:
    return "by the rules" if reason == Termination.RULES else reason


def _lengths(found: Report) -> "Markup":
    if not found.lengths:
        return paragraphs([NO_GAMES])
    lengths = found.lengths
    middle = f"median {median(lengths):g}"
    summary = f"Shortest {min(lengths)}, {middle}, longest {max(lengths)} moves (of both players together)."
    return histogram(lengths, title="Lengths of games", unit="moves of a game") + paragraphs([summary])


def _times(found: Report) -> "Markup":
    rows = []
    for name, times in zip(found.part.names, found.times, strict=True):
        if times is not None:
            spent = (f"{1000 * one:,.2f}" for one in (times.median, times.slow, times.longest))
            rows.append((name, f"{times.moves:,}", *spent))
    if not rows:
        return paragraphs(["No times are recorded."])
    headings = ("agent", "moves", "median", "95 % within", "longest")
    return table("Milliseconds a move, as the arena measured them", headings, rows, (1, 2, 3, 4))


def _faults(found: Report) -> "Markup":
    if not found.faults:
        return paragraphs(["None: every game ended by the rules." if found.games else NO_GAMES])
    rows = [(one.game, one.agent, one.reason, one.detail) for one in found.faults]
    return table("Games lost by a fault; they count as losses", ("game", "agent", "fault", "detail"), rows, (0,))


def _games(found: Report) -> "Markup":
    if not found.games:
        return paragraphs([NO_GAMES])
    headings = ("game", "pair", "first seat", "second seat", "result", "end", "moves")
    rows = [
        (one.number, one.pair, one.first, one.second, _outcome(one), _reason(one.reason), one.plies)
        for one in found.games
    ]
    listed = table("All games; `harena replay GAME` shows one", headings, rows, (0, 1, 6))
    return folded(f"List of {words.count(len(rows), 'game')}", listed, is_open=len(rows) <= UNFOLDED)


def _outcome(game: Played) -> str:
    told = "draw" if game.winner is None else f"{(game.first, game.second)[game.winner]} wins"
    return f"{told} {game.score[0]}:{game.score[1]}" if game.score else told
