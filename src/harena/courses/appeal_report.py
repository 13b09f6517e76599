"""The report of an appeal, for the author of the submission: as a page, as plain text and as JSON.

It names no other student and holds neither the seed nor the secret of the grading. Details of a fault are shown only
where it is the author's own.
"""

import os
import re
import shlex
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from harena.agents.fault import WALL
from harena.api import State
from harena.arena import words
from harena.arena.conditions import conditions
from harena.arena.judgement import Decision, Review
from harena.arena.machine import where
from harena.arena.record import Ply, Record
from harena.arena.replay import BadGame, states
from harena.courses.appeal import AGENT, OPPONENT, OTHER_MOVES, OTHER_RESULT, SAME, Appeal, AppealGame
from harena.errors import HarenaError, printable
from harena.render import page, svg
from harena.render import text as board_text
from harena.termination import Termination

if TYPE_CHECKING:
    from markupsafe import Markup

MOST_LOG_LINES = 60  # the last ones of what an agent printed in a game
MOST_EXAMPLES = 8  # legal moves that are named
CELL = 36  # pixels of a board's cell
UNCHANGED = "The grade has not been changed: whether it should be is the instructor's decision."


# What a report is made of


@dataclass(frozen=True, kw_only=True)
class TableBlock:
    """Rows below headings; the columns in `numbers` stand at the right."""

    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[object]]
    numbers: Sequence[int] = ()


@dataclass(frozen=True, kw_only=True)
class Lines:
    """Text of several lines that keeps its blanks: a traceback, a log, a command."""

    title: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Board:
    """A position."""

    caption: str
    state: State


Block = str | TableBlock | Lines | Board  # a string is a paragraph


@dataclass(frozen=True, kw_only=True)
class Part:
    """A heading with what is below it; a game is folded away on the page."""

    heading: str
    blocks: Sequence[Block]
    is_game: bool = False


def parts_of(appeal: Appeal) -> list[Part]:
    """The whole report."""
    parts = [Part(heading="What came of it", blocks=[*sentences(appeal), _levels(appeal)])]
    parts.append(Part(heading="All games", blocks=[_all_games(appeal)]))
    parts += list(_lost_parts(appeal))
    parts.append(Part(heading="How it was played", blocks=_how(appeal)))
    return parts


# The summary


def sentences(appeal: Appeal) -> list[str]:
    """The outcome of the appeal in a few sentences."""
    total, same = len(appeal.games), appeal.count(SAME)
    played = f"{words.count(total, 'game')} of {printable(appeal.submission.name)} were played again"
    out = [f"{played} with the same starts, dice, seats, opponents and limits."]
    if appeal.level_games:
        then, now = appeal.points(now=False), appeal.points(now=True)
        out.append(f"Points against the levels: {then:g} of {appeal.level_games} when graded, {now:g} now.")
    kinds = [
        f"{same} came back move for move",
        f"{appeal.count(OTHER_MOVES)} went otherwise with the same result",
        f"{appeal.count(OTHER_RESULT)} had another result",
    ]
    out.append(f"Of these games {', '.join(kinds)}.")
    out += _fault_sentences(appeal) + _chance_sentences(appeal)
    return [*out, UNCHANGED]


def _fault_sentences(appeal: Appeal) -> list[str]:
    out = []
    then, now = appeal.faults(now=False), appeal.faults(now=True)
    if then or now:
        counted = [f"{reason}: {then[reason]} then, {now[reason]} now" for reason in sorted({*then, *now})]
        out.append(f"Games lost by a fault of the agent: {'; '.join(counted)}.")
    timed = [game for game in appeal.games if game.is_own_fault(game.then) and game.then.reason == Termination.TIME]
    gone = sum(not game.is_own_fault(game.now) or game.now.reason != Termination.TIME for game in timed)
    if gone:
        which = "The loss" if len(timed) == 1 else f"{gone} of the {len(timed)} losses"
        why = "the move is close to the limit, or the machine was slower then"
        out.append(f"{which} on time did not come back: {why}. The times are below.")
    return out


def _chance_sentences(appeal: Appeal) -> list[str]:
    """Why games cannot be reproduced, where they cannot."""
    causes, out = appeal.causes, []
    if causes[AGENT]:
        out.append(
            "The agent does not always answer alike in the same position: it depends on the time that passes, on "
            "random numbers that it makes itself (Python's `random` and numpy's generators were seeded alike), on the "
            "order of a set, or on games before. Such games cannot be reproduced exactly, and another result is chance."
        )
    if causes[OPPONENT]:
        out.append(
            f"In {words.count(causes[OPPONENT], 'game')} the opponent answered otherwise first: an opponent that plays "
            "by the clock does. Such games cannot be reproduced exactly."
        )
    return out


def _levels(appeal: Appeal) -> TableBlock:
    rows = []
    opponents = dict.fromkeys(game.opponent for game in appeal.games)
    for opponent in opponents:
        games = [game for game in appeal.games if game.opponent == opponent]
        cells: list[object] = [printable(opponent), len(games)]
        for name in ("then", "now"):
            found = [game.result(game.then if name == "then" else game.now) for game in games]
            cells.append(" / ".join(str(found.count(result)) for result in ("won", "drawn", "lost")))
        rows.append(cells)
    headings = ["opponent", "games", "graded: won / drawn / lost", "now: won / drawn / lost"]
    return TableBlock(caption="results by opponent", headings=headings, rows=rows, numbers=[1, 2, 3])


def _all_games(appeal: Appeal) -> TableBlock:
    rows = []
    for game in appeal.games:
        then, now = (_short_end(game, record) for record in (game.then, game.now))
        rows.append([game.number, printable(game.opponent), game.seat + 1, then, now, _short_difference(game)])
    headings = ["game", "opponent", "you were player", "graded", "now", "compared"]
    return TableBlock(caption="numbers are those of your report", headings=headings, rows=rows, numbers=[2])


def _short_end(game: AppealGame, record: Record) -> str:
    why = f" ({record.reason})" if game.is_own_fault(record) else ""
    return f"{game.result(record)}{why}"


def _short_difference(game: AppealGame) -> str:
    return {SAME: "the same", OTHER_MOVES: "other moves, same result", OTHER_RESULT: "another result"}[
        game.difference.kind
    ]


def _how(appeal: Appeal) -> list[Block]:
    then, now = where(game.then for game in appeal.games), where(game.now for game in appeal.games)
    blocks: list[Block] = [f"Limits and processes: {printable(conditions(appeal.spec, seed=False))}."]
    if appeal.plan.round_for(appeal.submission):
        blocks.append(f"Round {appeal.plan.round_for(appeal.submission)} of the grading.")
    if then == now:
        return [*blocks, f"Graded and played again on the same system: {printable(now)}."] if now else blocks
    blocks += [f"Graded on: {printable(then or 'a system that was not kept')}.", f"Played again on: {printable(now)}."]
    return blocks


# The lost games


def _lost_parts(appeal: Appeal) -> Iterator[Part]:
    """A part for each lost game; games that failed alike before any move share one."""

    def alike(game: AppealGame) -> tuple[object, ...]:
        then, now = game.then, game.now
        if then.plies or now.plies or not (game.is_own_fault(then) and game.is_own_fault(now)):
            return (game.number,)
        return tuple(
            (record.reason, scrub(appeal, record.detail), scrub_lines(appeal, record.traceback))
            for record in (then, now)
        )

    if not appeal.lost:
        yield Part(heading="Lost games", blocks=["No game was lost, then or now."])
    for _, group in groupby(appeal.lost, alike):
        games = list(group)
        game = games[0]
        if len(games) == 1:
            heading = f"Game {game.number}: {game.result(game.then)} against {printable(game.opponent)}"
            heading += f" as player {game.seat + 1}"
        else:
            heading = f"Games {', '.join(str(one.number) for one in games)}: lost before the first move"
        yield Part(heading=heading, blocks=list(_game_blocks(appeal, game)), is_game=True)


def _game_blocks(appeal: Appeal, game: AppealGame) -> Iterator[Block]:
    yield f"Graded: it was {_end(appeal, game, game.then)}"
    yield f"Played again: {game.difference.text}" + (
        "" if game.difference.kind == SAME else f" It was {_end(appeal, game, game.now)}"
    )
    positions = _positions(game.then)
    yield from _fault_blocks(appeal, game)
    if Termination.TIME in (game.then.reason, game.now.reason):
        yield _times(appeal, game)
    looked_at = _turning_point(game) if game.review is not None else None
    if looked_at is not None:
        yield looked_at[1]
    place = len(positions) - 1 if looked_at is None else min(looked_at[0], len(positions) - 1)
    if positions:
        yield Board(
            caption="the last position" if looked_at is None else f"before ply {place + 1}", state=positions[place]
        )
    if game.then.plies:
        yield Lines(title="moves of the graded game", text=_moves(game.then))
    if game.then.reason == Termination.ILLEGAL and game.is_own_fault(game.then) and positions:
        yield _legal_moves(positions[-1])
    log, traceback = scrub_lines(appeal, game.log), scrub_lines(appeal, game.now.traceback)
    log = log.replace(traceback, "").strip("\n") if traceback else log
    if log:
        yield Lines(title="what your agent printed when the game was played again", text=_last_lines(log))
    if positions and not positions[place].is_over:
        yield from _commands(appeal, game, positions, place)


def _end(appeal: Appeal, game: AppealGame, record: Record) -> str:
    """How a game ended, in a sentence."""
    plies = f"after {words.count(len(record.plies), 'ply').replace('plys', 'plies')}" if record.plies else "at once"
    result = game.result(record)
    if record.reason == Termination.RULES:
        score = "" if record.score is None else f" {record.score[game.seat]} to {record.score[1 - game.seat]}"
        return f"{result}{score} by the rules of the game {plies}."
    if not game.is_own_fault(record):
        return f"{result} {plies}, since the opponent failed ({record.reason})."
    detail = f": {scrub(appeal, record.detail)}" if record.detail else ""
    limit = (
        f" The limit is {appeal.spec.memory:g} MB."
        if record.reason == Termination.MEMORY and appeal.spec.memory
        else ""
    )
    return f"{result} {plies}, since {Termination(record.reason).words.to_author}{detail}.{limit}"


def scrub(appeal: Appeal, text: str) -> str:
    """A text about the author's agent without the folder of its files: that of the grading, or a copy for one game."""
    for home in (appeal.home, printable(appeal.home)):
        text = text.replace(f"{home}{os.sep}", "").replace(home, ".")
    copy = _copy_pattern(PurePath(appeal.home).name, tempfile.gettempdir())
    return printable(copy.sub(lambda found: "" if found[0].endswith("/") else ".", text))


def scrub_lines(appeal: Appeal, text: str) -> str:
    """The same for a text of several lines."""
    return "\n".join(scrub(appeal, line) for line in text.splitlines())


@cache
def _copy_pattern(name: str, temporary: str) -> re.Pattern[str]:
    """Matches the folder from which an agent runs in one game: its submission, or a copy in a temporary folder.

    Within walls that copy is `/tmp/tmpXXXXXXXX/submission`. With mere limits it has the name of the submission and lies
    where the instructor's temporary files do. The folders above it are bounded in number: an agent may print anything.
    """
    above = rf"(?:{re.escape(temporary)})?(?:/[\w.+~@-]{{1,255}}){{0,16}}"
    copy = rf"{above}/tmp[a-z0-9_]{{8}}/(?:submission|{re.escape(name)})"
    return re.compile(rf"(?:{copy}|(?<![\w./~-])/submission)(?:/|(?![\w-]|\.\w))")


def _fault_blocks(appeal: Appeal, game: AppealGame) -> Iterator[Block]:
    """The tracebacks of the author's own agent."""
    then = scrub_lines(appeal, game.then.traceback) if game.is_own_fault(game.then) else ""
    now = scrub_lines(appeal, game.now.traceback) if game.is_own_fault(game.now) else ""
    shown = [("traceback of the graded game", then)] if then == now else []
    shown = shown or [("traceback of the graded game", then), ("traceback of the new game", now)]
    for title, text in shown:
        if text:
            yield Lines(title=title, text=text)


def _times(appeal: Appeal, game: AppealGame) -> TableBlock:
    """What each move of the author's agent took, beside the limit."""
    limit = appeal.spec.limits.get("seconds") or appeal.clock.seconds
    first = None if appeal.spec.limits.get("seconds") else appeal.clock.first
    what = "for a whole turn" if appeal.clock.by_turn else "a move"
    caption = "" if limit is None else f"seconds of your moves; limit {limit:g} s {what}"
    caption += f" ({first:g} s for the first)" if first else ""
    caption += f" and a margin of {1000 * appeal.spec.margin:.0f} ms" if caption else "seconds of your moves"
    played = [_own_plies(game, record) for record in (game.then, game.now)]
    late = {
        len(record.plies) + 1: record
        for record in (game.now, game.then)
        if record.reason == Termination.TIME and game.is_own_fault(record)
    }
    rows: list[list[object]] = []
    for number in sorted({*played[0], *late}):
        move = next((printable(plies[number].move) for plies in played if number in plies), "-")
        if number in late:
            move = f"{move} ({scrub(appeal, late[number].detail)})"
        cells = [
            _seconds(plies[number].seconds) if number in plies else _time_out(game, record, number)
            for plies, record in zip(played, (game.then, game.now), strict=True)
        ]
        rows.append([number, move, *cells])
    return TableBlock(caption=caption, headings=["ply", "move", "graded", "now"], rows=rows, numbers=[2, 3])


def _own_plies(game: AppealGame, record: Record) -> dict[int, Ply]:
    """The author's moves, by the number of their ply."""
    return {number: ply for number, ply in enumerate(record.plies, 1) if ply.by == game.seat}


def _time_out(game: AppealGame, record: Record, number: int) -> str:
    """The cell of a ply that was not played."""
    is_late = record.reason == Termination.TIME and game.is_own_fault(record) and number == len(record.plies) + 1
    return "no answer in time" if is_late else "-"


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f} s"


def _positions(record: Record) -> list[State]:
    """The start and the position after each ply; none where they cannot be replayed."""
    try:
        return list(states(record))
    except (BadGame, HarenaError):
        return []


def _legal_moves(state: State) -> str:
    moves = [str(move) for move in state.moves()]
    more = " ..." if len(moves) > MOST_EXAMPLES else ""
    return f"Legal there: {words.count(len(moves), 'move')}, as {', '.join(moves[:MOST_EXAMPLES])}{more}."


def _moves(record: Record) -> str:
    """All moves with their numbers, twelve a line."""
    moves = [f"{number}. {printable(ply.move)}" for number, ply in enumerate(record.plies, 1)]
    return "\n".join("  ".join(moves[first : first + 12]) for first in range(0, len(moves), 12))


def _last_lines(text: str) -> str:
    lines = text.splitlines()
    cut = [f"[{len(lines) - MOST_LOG_LINES} lines before]"] if len(lines) > MOST_LOG_LINES else []
    return "\n".join([*cut, *lines[-MOST_LOG_LINES:]])


def _turning_point(game: AppealGame) -> tuple[int, str]:
    """The plies played before the decision that cost most, and a sentence about it."""
    found = game.review
    assert found is not None
    own = [one for one in found.decisions if one.by == game.seat and one.mark]
    if not own:
        return _nothing_marked(game, found)
    decided = found.decided
    at_once = [one for one in own if decided is not None and one.ply == decided.ply]
    worst = at_once[0] if at_once else max(own, key=lambda one: one.loss)
    others = len(own) - 1
    more = f" {words.count(others, 'other move')} cost points too." if others else ""
    decisive = " The game was decided there." if at_once else ""
    return worst.ply - 1, f"Turning point: {_decision(worst)}.{decisive}{more} Judged by {_judge(found)}."


def _decision(one: Decision) -> str:
    worth = f"the position was worth {one.best:.2f} to you, and {one.played:.2f} after it"
    proof = " (proven)" if one.is_exact else ""
    better = f"; better was {' > '.join(map(printable, one.line or (one.better,)))}" if one.better else ""
    return f"your move {printable(one.move)} at ply {one.ply}, a {one.mark}: {worth}{proof}{better}"


def _nothing_marked(game: AppealGame, found: Review) -> tuple[int, str]:
    decided = found.decided
    if decided is None or decided.kind == "start":
        return 0, f"Turning point: none; the opponent was ahead from the start on. Judged by {_judge(found)}."
    who = "a throw of the dice" if decided.kind == "throw" else "a move"
    said = f"no move of yours stands out; the game was decided by {who} at ply {decided.ply}"
    return max(0, decided.ply - 1), f"Turning point: {said}. Judged by {_judge(found)}."


def _judge(found: Review) -> str:
    nodes = "" if found.nodes is None else f" with {words.count(found.nodes, 'node')} a decision"
    return f"{printable(found.player)}{nodes}: 1 is a win, 0.5 a draw, 0 a loss"


def _commands(appeal: Appeal, game: AppealGame, positions: Sequence[State], place: int) -> Iterator[Block]:
    """Commands with which the author sees the same position at home."""
    state = positions[place]
    level = game.opponent if game.is_level else appeal.plan.levels[-1].player
    unpack, agent = _agent_at_home(appeal)
    spec = appeal.spec
    size = [f"--size {shlex.quote(str(game.then.options['size']))}"] if game.then.options.get("size") else []
    options = [*size, *([f"--seconds {spec.limits['seconds']:g}"] if spec.limits.get("seconds") else [])]
    options += [f"--clock {spec.clock}"] if spec.clock != WALL else []
    options += [f"--margin {spec.margin:g}", "--games 2", "--openings position.txt", "--output logs"]
    match = f"harena match {spec.game} {shlex.quote(agent)} {shlex.quote(level)} {' '.join(options)}"
    lines = [*unpack, f"printf '%s\\n' {shlex.quote(state.text)} > position.txt", match]
    if place:
        lines += ["# or from the start of this game, for an agent that remembers its moves:"]
        lines += [f"printf '%s\\n' {shlex.quote(positions[0].text)} > position.txt", match]
    if game.then.reason == Termination.RULES and state.mover in (0, 1):
        lines += ["# what a strong player thinks of it:"]
        lines.append(" ".join(["harena analyse", spec.game, *size, "--position", shlex.quote(state.text)]))
    title = "to play from this position at home (both seats in turn; the folder logs has what your agent prints)"
    yield Lines(title=title, text="\n".join(lines))


def _agent_at_home(appeal: Appeal) -> tuple[list[str], str]:
    """Commands that unpack what was handed in, and the text of its agent as the grading had it."""
    file, course = printable(appeal.submission.file), appeal.plan.course
    if PurePath(file).suffix.lower() != ".zip":
        return [], f"{course}:{file or 'YOUR-AGENT'}"
    folder = PurePath(appeal.home).name
    within = appeal.submission.agent.removeprefix(f"{course}:{appeal.home}")  # a file, if there is just one
    packed = f"./{file}" if file.startswith("-") else file
    return [
        f"python3 -m zipfile -e {shlex.quote(packed)} {shlex.quote(folder)}"
    ], f"{course}:{folder}{printable(within)}"


# The three forms


def page_of(appeal: Appeal) -> str:
    """The report as one HTML file that needs nothing else."""
    sections, games = list[page.Section](), list["Markup"]()
    for part in parts_of(appeal):
        body = page.join(map(_html, part.blocks))
        if part.is_game:
            games.append(page.folded(part.heading, body, is_open=not games))
        else:
            sections.append(page.Section(name=f"part-{len(sections)}", heading=part.heading, body=body))
    if games:
        sections.insert(-1, page.Section(name="lost-games", heading="Lost games", body=page.join(games)))
    file = appeal.submission.file
    lead = ["the games of this submission, played again", *([f"handed in as {file}"] if file else [])]
    return page.page(f"{appeal.plan.course}: appeal of {appeal.submission.name}", lead, sections)


def _html(block: Block) -> "Markup":
    if isinstance(block, str):
        return page.paragraphs([block])
    if isinstance(block, TableBlock):
        return page.table(block.caption, block.headings, block.rows, block.numbers)
    if isinstance(block, Lines):
        return page.paragraphs([f"{block.title}:"]) + page.preformatted(block.text)
    position, picture = page.position(block.caption, block.state.text), block.state.picture
    return position if picture is None else position + page.image(block.caption, svg.draw(picture, cell=CELL))


def text_of(appeal: Appeal) -> str:
    """The report as plain text, for a letter."""
    title = f"{appeal.plan.course}: appeal of {printable(appeal.submission.name)}"
    out = [title, "=" * len(title), ""]
    for part in parts_of(appeal):
        out += [part.heading, "-" * len(part.heading), ""]
        for block in part.blocks:
            out += [*_plain(block), ""]
    return "\n".join(out)


def _plain(block: Block) -> list[str]:
    if isinstance(block, str):
        return [block]
    if isinstance(block, Lines):
        return [f"{block.title}:", *(f"    {line}" for line in block.text.splitlines())]
    if isinstance(block, Board):
        picture = block.state.picture
        drawn = [] if picture is None else board_text.draw(picture).splitlines()
        marks = {} if picture is None else board_text.legend(picture)
        drawn += ["  " + ", ".join(f"{symbol} {meaning}" for symbol, meaning in marks.items())] if marks else []
        return [f"{block.caption}: {block.state.text}", *(f"    {line}" for line in drawn)]
    table = [list(map(str, block.headings)), *(list(map(str, row)) for row in block.rows)]
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    rows = [
        "  ".join(
            cell.rjust(width) if column in block.numbers else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in table
    ]
    return [f"{block.caption}:", *(f"    {row}" for row in rows)]


def json_of(appeal: Appeal) -> dict[str, Any]:
    """The report as a JSON object."""
    return {
        "course": appeal.plan.course,
        "submission": appeal.submission.name,
        "round": appeal.plan.round_for(appeal.submission),
        "points_graded": appeal.points(now=False),
        "points_now": appeal.points(now=True),
        "level_games": appeal.level_games,
        "games_same": appeal.count(SAME),
        "games_with_other_moves": appeal.count(OTHER_MOVES),
        "games_with_another_result": appeal.count(OTHER_RESULT),
        "faults_graded": dict(appeal.faults(now=False)),
        "faults_now": dict(appeal.faults(now=True)),
        "games": [_game_json(appeal, game) for game in appeal.games],
        "sentences": sentences(appeal),
    }


def _game_json(appeal: Appeal, game: AppealGame) -> dict[str, Any]:
    return {
        "game": game.number,
        "opponent": game.opponent,
        "seat": game.seat,
        "graded": _record_json(appeal, game, game.then),
        "now": _record_json(appeal, game, game.now),
        "compared": game.difference.kind,
        "first_difference": game.difference.cause or None,
        "explanation": game.difference.text,
    }


def _record_json(appeal: Appeal, game: AppealGame, record: Record) -> dict[str, Any]:
    is_own = game.is_own_fault(record)
    return {
        "result": game.result(record),
        "reason": record.reason,
        "detail": scrub(appeal, record.detail) if is_own else "",
        "plies": len(record.plies),
    }
