"""`harena review`: a stored game gone over by the champion, or by somebody else."""

import json
import os
import shlex
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import islice
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harena.agents.spec import parse_agent
from harena.arena import words
from harena.arena.judgement import BLUNDER, INACCURACY, MARKS, MISTAKE, Decision, Moment, Review, Throw
from harena.arena.record import Record
from harena.arena.replay import states
from harena.arena.review import usual
from harena.arena.store import Store
from harena.arena.stored_review import review as review_game
from harena.cli.compiling import announced
from harena.cli.live_run import plain_progress
from harena.cli.records import heading, result
from harena.errors import HarenaError, clean
from harena.find import typed_games
from harena.kernel.trusted import only_trusted, quoted
from harena.termination import Termination

STYLES = {BLUNDER: "bold red", MISTAKE: "yellow", INACCURACY: "cyan"}
SIGNS = {BLUNDER: "??", MISTAKE: "?", INACCURACY: "?!"}
PLURALS = {BLUNDER: "blunders", MISTAKE: "mistakes", INACCURACY: "inaccuracies"}
LUCK = 0.05  # a landing that changes less is not shown
NOBODY = "-"  # in place of a player and of a cost, where chance decided; of an accuracy, where a player never did


def review(
    number: int,
    player: str | None,
    nodes: int | None,
    seconds: float | None,
    *,
    again: bool,
    as_json: bool,
    games: Sequence[str],
    store: str | os.PathLike[str] | None,
) -> None:
    """Print what is kept, or go over the game now and keep it."""
    console = Console(stderr=True, highlight=False)
    now = ["compiling (only once)"]
    spoken = nullcontext() if console.is_terminal else plain_progress(lambda: now[0])
    with console.status(now[0]) as status, spoken, announced(is_shown=True):

        def tell(done: int, total: int) -> None:
            now[0] = f"going over game {number}: {100 * done // total} %"
            status.update(f"{now[0]} (Ctrl-C stops it)")

        limits: dict[str, Any] = {"nodes": nodes, "seconds": seconds}
        found = review_game(number, player, **limits, again=again, games=games, store=store, progress=tell)
    with Store(store, writing=False) as opened:
        record = opened.record(number)
    if as_json:
        print(json.dumps(found.as_dict()))
        return
    console = Console(highlight=False, soft_wrap=True)
    _print(console, number, record, found)
    if command := analyse_command(record, found, games):
        console.print(f"\n{command}", markup=False)


def analyse_command(record: Record, found: Review, games: Sequence[str]) -> str:
    """The command that looks into the decision that cost most; empty where nothing did or the rules are not typed."""
    costly = [one for one in found.decisions if one.mark]
    if not costly:
        return ""
    worst = max(costly, key=lambda one: one.loss)
    try:
        with only_trusted(typed_games(games)):
            state = next(islice(states(record), worst.ply - 1, None))
    except (HarenaError, StopIteration):
        return ""
    player = "" if found.player == usual(record.game) else f" --agent {shlex.quote(found.player)}"
    position = shlex.quote(state.text)
    return (
        f"the costliest decision, ply {worst.ply}: harena analyse {quoted(state.game.found_as)} "
        f"--position {position}{player}"
    )


def _print(console: Console, number: int, record: Record, found: Review) -> None:
    console.print(f"game {number}, {heading(record)}", markup=False)
    points = f" {record.score[0]}:{record.score[1]}" if record.score else ""
    console.print(f"{result(record.winner, record.reason)}{points}; gone over by {_reviewer(found)}", markup=False)
    for path in parse_agent(found.player).unwalled_files():
        console.print(f"{clean(path)} runs without a sandbox", markup=False)
    console.print()
    console.print(_moves(found), soft_wrap=False)
    console.print()
    console.print(_sides(record, found))
    console.print()
    if found.decided is not None:
        console.print(_decided(record, found, found.decided), markup=False)
    for line in _legend(found):
        console.print(line, markup=False)
    if not found.is_fitted:
        console.print("the scale of these estimates was fitted to the champion's heuristic, not to this player's")


def _reviewer(found: Review) -> str:
    """Who went over it, and with how much."""
    nodes = "" if found.nodes is None else words.count(found.nodes, "node")
    seconds = "" if found.seconds is None else f"{found.seconds:g} s"
    return f"{clean(found.player)}, {' or '.join(filter(None, (nodes, seconds)))} for each decision"


def _legend(found: Review) -> list[str]:
    """What the signs in the tables mean, of those that are there."""
    lines = ["worth, left and cost are expected scores of the mover: 1 is a win, 0.50 a draw, 0 a loss"]
    lines[0] += f"; a cost below {MARKS[-1][1]:.2f} has no mark"
    if any(one.mark and len(one.line) > 1 for one in found.decisions):
        lines.append("better line: the best move first, then how both go on, move by move (>)")
    if any(one.exact_best or one.exact_played for one in found.decisions):
        lines.append("= is proven, ~ is an estimate")
    if _lucky(found):
        lines.append(f"{NOBODY} as player and cost: chance decided, which is nobody's mistake")
    if None in found.accuracy:
        lines.append(f"{NOBODY} as accuracy: this player had nothing to decide (no move, forced ones, lost positions)")
    return lines


def _lucky(found: Review) -> list[Throw]:
    """The throws that are shown."""
    return [one for one in found.throws if abs(one.gain) >= LUCK]


def _score(value: float, exact: bool) -> str:
    return f"{'=' if exact else '~'}{value:.2f}"


def _moves(found: Review) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("ply", justify="right")
    table.add_column("player")
    table.add_column("move")
    for name in ("worth", "left", "cost"):
        table.add_column(name, justify="right")
    table.add_column("mark")
    table.add_column("better line", overflow="fold")
    rows: list[Decision | Throw] = [*found.decisions, *_lucky(found)]
    for one in sorted(rows, key=lambda one: one.ply):
        table.add_row(*(_throw(one) if isinstance(one, Throw) else _decision(one)))
    return table


def _decision(one: Decision) -> tuple[Text, ...]:
    style = STYLES.get(one.mark, "")
    mark = f"{SIGNS[one.mark]} {one.mark}" if one.mark else ("forced" if one.forced else "")
    better = " > ".join(one.line) if one.mark else ""
    worth, left = _score(one.best, one.exact_best), _score(one.played, one.exact_played)
    cells = (str(one.ply), str(one.by + 1), one.move, worth, left, f"{one.loss:.2f}")
    return (*(Text(cell, style) for cell in cells), Text(mark, style or "dim"), Text(better, style))


def _throw(one: Throw) -> tuple[Text, ...]:
    luck = f"{'good' if one.gain > 0 else 'bad'} luck of player {one.by + 1}: {one.gain:+.2f}"
    cells = (str(one.ply), NOBODY, one.move, f"~{one.before:.2f}", f"~{one.after:.2f}", NOBODY, luck, "")
    return tuple(Text(cell, "dim") for cell in cells)


def _sides(record: Record, found: Review) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("player")
    table.add_column("accuracy", justify="right")
    for name, _ in reversed(MARKS):
        table.add_column(PLURALS[name], justify="right")
    names = words.short_names(record.seats)
    for seat in (0, 1):
        share = found.accuracy[seat]
        numbers = [str(found.count(seat, name)) for name, _ in reversed(MARKS)]
        who = Text(f"{seat + 1} {clean(names[record.seats[seat]])}")
        table.add_row(who, NOBODY if share is None else f"{share:.1f} %", *numbers)
    return table


def _faulted(record: Record) -> str:
    """Who ended the game otherwise than by the rules, and when; empty where nobody did."""
    if record.reason == Termination.RULES or record.winner is None:
        return ""
    when = f"after ply {len(record.plies)}" if record.plies else "before the first move"
    return f"player {2 - record.winner} {clean(Termination(record.reason).words.short_deed)} {when}"


def _decided(record: Record, found: Review, moment: Moment) -> str:
    faulted = _faulted(record)
    if moment.kind == "start":
        said = (
            f"player {(record.winner or 0) + 1} was ahead from the start on" if faulted else "decided from the start on"
        )
    elif moment.kind == "fault":
        said = "decided by how it ended, not on the board"
    else:
        who = "a throw that landed on" if moment.kind == "throw" else f"player {(moment.by or 0) + 1}'s"
        said = f"decided by {who} {moment.move} (ply {moment.ply})"
    if faulted:
        said = f"{faulted}; {said if moment.kind == 'fault' else f'by the moves, {said}'}"
    if found.proven_from is not None:
        said += "; proven from the start" if found.proven_from == 0 else f"; proven after ply {found.proven_from}"
    if found.swing is not None and found.swing != moment.ply:
        said += f"; the largest swing was ply {found.swing}"
    return said
