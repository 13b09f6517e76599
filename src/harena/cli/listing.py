"""Lists of runs and of the games of a run, as wide as the terminal."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from string import ascii_uppercase

from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from harena.arena import words
from harena.arena.runs.presentation import Summary
from harena.arena.runs.registry import resumable_kinds
from harena.arena.sources import file_options
from harena.arena.store import RUNNING, STOPPED, Row, Run, Store
from harena.arena.summary import summary
from harena.errors import clean
from harena.kernel.trusted import quoted
from harena.termination import Termination

INDENT = 10  # of a run's second line: its id and two blanks
DIED = "its process ended without a word"


def moment(created: str) -> str:
    """2026-11-15 23:28."""
    return created[:16].replace("T", " ")


def print_runs(console: Console, store: Store) -> None:
    """Two lines a run: what it is and how far it has come; then who plays, and the result in a word.

    A third below one that was stopped: why, and how to go on.
    """
    runs, counts, stops = store.runs(), store.counts(), store.stops()
    summaries = [summary(store, run) for run in runs]
    table = _table("run", "kind", "game", "status", ">games", "began (UTC)")
    for run, said in zip(runs, summaries, strict=True):
        done = counts.get(run.id, (0, 0, 0))[0]
        games = f"{done:,}" if said.planned in (None, done) else f"{done:,}/{said.planned:,}"
        table.add_row(
            run.id, clean(run.kind), clean(Path(said.game).name), store.status(run), games, moment(run.created)
        )
    with console.capture() as captured:
        console.print(table)
    heading, *lines = Text.from_ansi(captured.get()).split()
    console.print(heading)
    for run, said, line in zip(runs, summaries, lines, strict=True):
        console.print(line)
        if who := _who(run, said, console.width - INDENT):
            console.print(" " * INDENT + who, style="dim", no_wrap=True)
        if store.status(run) == STOPPED and (told := stopped(store, run, stops.get(run.id, ""))):
            console.print(" " * INDENT + told, style="dim", soft_wrap=True)
    more = f"harena records list --run RUN{store.option} lists the games of one"
    console.print(more, style="dim", markup=False, soft_wrap=True)


def stopped(store: Store, run: Run, why: str) -> str:
    """Why a run was stopped, as far as it is known, and how to go on."""
    if run.kind not in resumable_kinds():
        return clean(why)
    options = f"{file_options(run.spec)}{store.option}"
    cause = clean(why) or (DIED if run.status == RUNNING else "")
    return "; ".join(part for part in (cause, f"harena resume {quoted(run.id)}{options} goes on") if part)


def _who(run: Run, said: Summary, width: int) -> str:
    """The agents, the result and the note; as much as there is room for, and of the agents least."""
    names = [clean(words.short_names(said.agents)[text]) for text in said.agents]
    rest = "; ".join(clean(part) for part in (said.result, run.note) if part)
    listed = _listed(names, max(24, width - len(rest) - 2))
    return _cut(": ".join(part for part in (listed, rest) if part), width)


def _listed(names: Sequence[str], room: int) -> str:
    """Two as a match, more as a list that may leave some out."""
    if len(names) == 2:
        half = max((room - 3) // 2, room - 3 - min(map(len, names)))
        return " - ".join(_cut(name, half) for name in names)
    for shown in range(len(names), 0, -1):
        more = [f"and {len(names) - shown} more"] if shown < len(names) else []
        if len(said := ", ".join([*names[:shown], *more])) <= room:
            return said
    return words.count(len(names), "agent") if names else ""


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def print_games(console: Console, rows: Sequence[Row], sizes: Mapping[int, str], *, has_runs: bool = False) -> None:
    """A line a game, with its run where there may be several.

    Names that leave no room for it become letters, explained above, or are cut if they are many.
    """
    texts = list(dict.fromkeys(seat for row in rows for seat in row.seats))
    names = {text: clean(short) for text, short in words.short_names(texts).items()}
    results = [_result(row) for row in rows]
    ends = [
        (str(row.plies), clean(sizes.get(row.id, "")), pair_of(row.slot), *([clean(row.run)] if has_runs else []))
        for row in rows
    ]
    headings = (">plies", ">size", ">pair", *(["run"] if has_runs else []))
    columns = zip([one.lstrip(">") for one in headings], *ends, strict=True)
    last = sum(max(map(len, column)) + 2 for column in columns)
    taken = len("game") + last + max(map(len, results), default=0) + 6  # all but the players, and the gaps
    widest = max(map(len, names.values()), default=0)
    if 2 * widest > console.width - taken and len(texts) <= len(ascii_uppercase):
        letters = dict(zip(texts, ascii_uppercase, strict=False))
        for text in texts:
            console.print(f"{letters[text]}  {names[text]}", soft_wrap=True)
        console.print()
        names = letters
    table = _table(">game", "player 1", "player 2", "result", *headings)
    for row, result, end in zip(rows, results, ends, strict=True):
        table.add_row(str(row.id), *(names[seat] for seat in row.seats), result, *end)
    console.print(table)


def pair_of(slot: str) -> str:
    """The number of a game's pair, from 1: two games from one start with seats swapped; empty where there are none."""
    parts = slot.split("/")
    return str(int(parts[1]) + 1) if len(parts) == 3 and parts[1].isdecimal() else ""


def _result(row: Row) -> str:
    """1-0, and why if not by the rules."""
    score = "draw" if row.winner is None else ("1-0", "0-1")[row.winner]
    return score if row.reason == Termination.RULES else clean(f"{score} {row.reason}")


def _table(*headings: str) -> Table:
    """One line a row; headings that begin with > stand at the right."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in headings:
        least = len("8 digits") if heading == "run" else None  # it is there to be copied
        side: JustifyMethod = "right" if heading[0] == ">" else "left"
        table.add_column(heading.lstrip(">"), justify=side, no_wrap=True, min_width=least)
    return table
