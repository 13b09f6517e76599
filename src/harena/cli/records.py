"""`harena records`: the games that are stored, as a list, one by one, or as a file."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

import typer
from rich.console import Console
from rich.table import Table

from harena.arena.export import game_row, load_pyarrow
from harena.arena.game_conditions import describe_conditions
from harena.arena.record import Record
from harena.arena.replay import states
from harena.arena.shelf import sizes
from harena.arena.store import Row, Store
from harena.arena.troubles import DamagedRecord
from harena.cli import listing
from harena.errors import HarenaError, UnknownName, UsageError, clean, clean_lines
from harena.files import output_file
from harena.render.spreadsheet import csv_line
from harena.termination import FAULTS, Termination

MOVERS = ("1", "2", "chance")
ANY_FAULT = "any"
FORMATS = ("jsonl", "csv", "parquet")


def list_records(
    run: str | None,
    store: str | None,
    *,
    player: str | None = None,
    lost_by: str | None = None,
    fault: str | None = None,
) -> None:
    """Print the runs, or the games of one run; with a filter the games that fit, of one run or of all."""
    console = Console(highlight=False, markup=False)
    is_filtered = any(one is not None for one in (player, lost_by, fault))
    with Store(store, writing=False) as found:
        if run is None and not is_filtered:
            listing.print_runs(console, found)
            return
        with damage_told() as report:
            rows = list(found.rows(run and found.run_like(run).id, report))
            check_fault(fault, rows)
            rows = [row for row in rows if fits(row, player, lost_by, fault)]
            if not rows and is_filtered:
                console.print("no stored game fits")
                return
            listing.print_games(console, rows, sizes(found, rows), has_runs=run is None)


def check_fault(fault: str | None, rows: Sequence[Row]) -> None:
    """UnknownName if this is no kind of fault, of this version or of another one that has stored games."""
    stored = {row.reason for row in rows} - {Termination.RULES}
    kinds = [ANY_FAULT, *sorted({*FAULTS, *stored})]
    if fault is not None and fault not in kinds:
        raise UnknownName("fault", fault, kinds, guesses=False)


def fits(row: Row, player: str | None, lost_by: str | None, fault: str | None) -> bool:
    """Whether a game is one of those looked for; agents fit by any part of their texts, in capitals or not."""
    loser = row.seats[1 - row.winner] if row.winner is not None else None
    return (
        (player is None or any(player.lower() in seat.lower() for seat in row.seats))
        and (lost_by is None or (loser is not None and lost_by.lower() in loser.lower()))
        and (fault is None or row.reason == fault or (fault == ANY_FAULT and row.reason != Termination.RULES))
    )


def show_record(number: int, games: Sequence[str], store: str | None) -> None:
    """Print the last position of a game, its players, its end and its moves."""
    with Store(store, writing=False) as found:
        row, record = found.row(number), found.record(number)
    console = Console(highlight=False, markup=False)
    console.print(f"{heading(record)}\ngame {row.id}, run {row.run}, {listing.moment(row.created)} UTC\n")
    print(_last_board(record, games) + "\n")
    lines = Table.grid(padding=(0, 2))
    lines.add_column(no_wrap=True)
    lines.add_column(overflow="fold")
    for label, value in facts(record):
        lines.add_row(label, value)
    console.print(lines)
    console.print()
    console.print(_moves_table(record))


def heading(record: Record) -> str:
    """The game and its options."""
    options = " ".join(f"{name}={value}" for name, value in record.options.items() if value is not None)
    return clean(f"{record.game} {options}".strip())


def facts(record: Record) -> Iterator[tuple[str, str]]:
    """What there is to say of a game besides its moves."""
    yield "player 1", clean(record.seats[0])
    yield "player 2", clean(record.seats[1])
    yield (
        "result",
        result(record.winner, record.reason) + (f", {record.score[0]}:{record.score[1]}" if record.score else ""),
    )
    if record.detail:
        yield "detail", clean(record.detail)
    if record.traceback:
        yield "traceback", "\n".join(clean_lines(record.traceback))
    yield "seed", str(record.seed)
    for label, value in describe_conditions(record.conditions):
        yield clean(label), clean(value)
    yield "start", clean(record.start)


def result(winner: int | None, reason: str) -> str:
    """Who won, and by what if not by the rules."""
    words = "draw" if winner is None else f"player {winner + 1} wins"
    return words if reason == Termination.RULES else f"{words}: {clean(reason)}"


def _last_board(record: Record, games: Sequence[str]) -> str:
    from harena.cli.start import explained_board  # a list need not wait for what draws boards
    from harena.find import typed_games
    from harena.kernel import patience
    from harena.kernel.trusted import only_trusted

    with only_trusted(typed_games(games)):
        return _drawn(lambda: explained_board(patience.run(lambda: list(states(record))[-1])))


def _drawn(draw: Callable[[], str]) -> str:
    try:
        return draw()
    except HarenaError as error:
        return f"it cannot be played again: {error}"


def value_text(value: float) -> str:
    """What an agent said of a position; a game that it takes for decided in a word."""
    from harena.search.workspace import WIN  # a list need not wait for the compiler

    return {WIN: "win", -WIN: "loss"}.get(value, f"{value:.4g}")


def _moves_table(record: Record) -> Table:
    said = [
        name
        for name in ("seconds", "value", "depth", "nodes")
        if any(vars(ply)[name] is not None for ply in record.plies)
    ]
    table = Table(box=None, pad_edge=False)
    table.add_column("ply", justify="right")
    table.add_column("by")
    table.add_column("move", overflow="fold")
    for name in said:
        table.add_column(name, justify="right", no_wrap=True)
    shown: dict[str, Callable[[Any], str]] = {
        "seconds": lambda value: f"{value:.3f}",
        "value": value_text,
        "depth": str,
        "nodes": lambda value: f"{value:,}",
    }
    for number, ply in enumerate(record.plies, 1):
        cells = ("" if vars(ply)[name] is None else shown[name](vars(ply)[name]) for name in said)
        table.add_row(str(number), MOVERS[ply.by], clean(ply.move), *cells)
    return table


@contextmanager
def damage_told() -> Iterator[Callable[[str], None]]:
    """Damaged games are named on stderr as they are met, and make the exit code 1 at the end."""
    met: list[str] = []

    def report(line: str) -> None:
        met.append(line)
        print(f"harena: {line}", file=sys.stderr)

    yield report
    if met:
        raise typer.Exit(1)


def export_records(file: str, kind: str | None, run: str | None, store: str | None) -> None:
    """Write games into a file (`-`: the output): JSON lines are the records themselves, a table has a line a game."""
    chosen = kind or (Path(file).suffix.lstrip(".") if Path(file).suffix else "jsonl")
    if chosen not in FORMATS:
        raise UnknownName("format", chosen, FORMATS)
    with Store(store, writing=False) as found, damage_told() as report:
        if file != "-" and os.path.exists(file) and os.path.samefile(file, found.path):
            raise UsageError(f"{file!r} is the store itself")
        games = _texts(found, run and found.run_like(run).id, report)
        if chosen == "parquet":
            count = _write_parquet(file, games)
        else:
            count = _write_text(file, games, _write_lines if chosen == "jsonl" else _write_csv)
        print(
            f"wrote {count} game{'s' if count != 1 else ''} to {file}", file=sys.stderr if file == "-" else sys.stdout
        )


Games = Iterator[tuple[Row, Record, str]]


def _texts(store: Store, run: str | None, report: Callable[[str], None]) -> Games:
    for row in store.rows(run, report):
        try:
            yield row, store.record(row.id), store.text(row.id)
        except DamagedRecord as damage:
            report(str(damage))


def _write_text(file: str, games: Games, write: Callable[[TextIO, Games], int]) -> int:
    if file == "-":
        return write(sys.stdout, games)
    with output_file(file) as unfinished, open(unfinished, "w", encoding="utf-8", newline="") as out:
        return write(out, games)


def _write_lines(out: TextIO, games: Games) -> int:
    count = 0
    for _, _, text in games:
        out.write(text + "\n")
        count += 1
    return count


def _write_csv(out: TextIO, games: Games) -> int:
    count = 0
    for row, record, _ in games:
        line = game_row(row, record)
        if not count:
            out.write(csv_line(list(line)))
        out.write(csv_line(list(line.values())))
        count += 1
    return count


def _write_parquet(file: str, games: Games) -> int:
    pyarrow = load_pyarrow("Parquet needs pyarrow: pip install pyarrow, or export as csv or jsonl")
    if file == "-":
        raise UsageError("Parquet is no text: name a file")
    lines = [game_row(row, record) | {"record": text} for row, record, text in games]
    with output_file(file) as unfinished:
        try:
            import_module("pyarrow.parquet").write_table(pyarrow.Table.from_pylist(lines), unfinished)
        except (pyarrow.ArrowException, OverflowError) as error:
            raise UsageError(f"{file!r}: Parquet cannot hold this: {' '.join(str(error).split())}") from None
    return len(lines)
