"""`harena replay`: a game, position by position; every move is checked against the rules on the way."""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.text import Text

from harena.api import State
from harena.arena import words
from harena.arena.movelist import read_moves
from harena.arena.record import Record
from harena.arena.replay import MOVERS, from_text, states
from harena.arena.store import Store
from harena.cli.records import heading, result, value_text
from harena.cli.start import explained_board, find_state, fitted
from harena.errors import BadText, HarenaError, IllegalMove, UnreadableMove, UsageError, clean
from harena.find import stored_name, typed_games
from harena.kernel import patience
from harena.kernel.trusted import only_trusted
from harena.render import svg

ENTER = ("\r", "\n")
NEXT = (*ENTER, "n", " ", "\x1b[C", "\x1b[B")
BACK = ("p", "\x7f", "\b", "\x1b[D", "\x1b[A")
FIRST, LAST = ("f", "\x1b[H"), ("l", "\x1b[F")
QUIT = ("q", "\x1b", "\x04")
DIGITS = tuple("0123456789")
KEY = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)
CSV = "number,run,slot,"  # how the table of `harena records export` begins
USUAL = "isolation"  # the game of a bare list of moves where none is typed
KEYS = "n next  p back  f first  l last  number+Enter  q quit"
ROWS_BELOW = 5  # of a low window: position, ply, end, keys, and where the cursor stands


@dataclass(frozen=True, kw_only=True)
class Line:
    """What is shown: the positions in their order, what stands above them, and how it ends."""

    title: str
    states: Iterator[State]
    end: str
    plies: tuple[str, ...] = ()  # who made each, and what he said of it, where it is known


Start = tuple[dict[str, Any], int, str | None]  # of a bare list of moves: options, seed, position


def replay(what: str, line: int, games: Sequence[str], start: Start, store: str | None, folder: str | None) -> None:
    """Step through a stored game or a file's; print all of it if nobody sits at a terminal.

    `games` are typed: the game of a bare list of moves, and the files of games that a record may name.
    """
    with only_trusted(typed_games(games)):
        _show_line(_find(what, line, games, start, store), folder)


def _show_line(found: Line, folder: str | None) -> None:
    if folder is not None:
        patience.run(_draw, found, Path(folder))
    elif sys.stdin.isatty() and sys.stdout.isatty():
        _step(found)
    else:
        _print_all(found)


def _find(what: str, line: int, names: Sequence[str], start: Start, store: str | None) -> Line:
    if what.isdecimal():
        with Store(store, writing=False) as games:
            return _of_record(games.record(int(what)), f"game {int(what)}, ")
    try:
        text = sys.stdin.read() if what == "-" else Path(what).read_text("utf-8")
    except OSError as error:
        raise UsageError(f"{what!r} is no number of a game, and no file: {error.strerror}") from None
    except ValueError:
        raise BadText(f"{what!r} is no text file") from None
    if text.lstrip().startswith("{"):
        lines = [one for one in text.splitlines() if one.strip()]
        if not 1 <= line <= len(lines):
            raise UsageError(f"{what!r} has {len(lines)} records: there is no --line {line}")
        return _of_record(from_text(lines[line - 1]), f"record {line} of {len(lines)}, ")
    if text.startswith(CSV):
        raise BadText(f"{what!r} is a table of games, not records: export them again, into a file that ends in .jsonl")
    moves = read_moves(text)
    if len(names) > 1:
        raise UsageError("a list of moves is of one game: type --game once")
    options, seed, position = start
    first = patience.run(find_state, names[0] if names else USUAL, options, seed, position)
    _check(what, first, moves.moves)
    title = f"{words.count(len(moves.moves), 'move')}, taken for {first.game.name} (--game says of which game they are)"
    end = "the last answer was no move" if moves.gave_up else "the list ends here"
    return Line(title=title, states=moves.states(first), end=end)


def _check(what: str, first: State, moves: tuple[str, ...]) -> None:
    """Refuse a text that does not begin with a move: it is something else, or of another game."""
    try:
        if moves:
            patience.run(first.play, moves[0])
    except UnreadableMove:
        begins = f"it begins with {clean(moves[0])[:20]!r}, no move of {first.game.name}"
        raise BadText(f"{what!r} is no record and no list of moves: {begins} (--game names another game)") from None
    except IllegalMove:
        pass  # told where it happens


def _of_record(record: Record, which: str) -> Line:
    stored_name(record.game, record.rules_digest)  # refuses code that was not typed before anything is printed
    title = f"{which}{heading(record)}\nplayer 1  {clean(record.seats[0])}\nplayer 2  {clean(record.seats[1])}"
    said = tuple("" if ply.value is None else f", value {value_text(ply.value)}" for ply in record.plies)
    end = result(record.winner, record.reason) + (f" ({clean(record.detail)})" if record.detail else "")
    return Line(title=title, states=states(record), end=end, plies=said)


def _caption(line: Line, number: int, state: State) -> str:
    if state.previous is None or state.last_move is None:
        return "start"
    said = line.plies[number - 1] if number <= len(line.plies) else ""
    return f"ply {number}: {MOVERS[state.previous.mover]} plays {state.last_move}{said}"


def _position(state: State) -> str:
    """A line below a drawn board with the position as `analyse` takes it; where none is drawn, it is there already."""
    return "" if state.picture is None else f"\n  position: {state.text}"


def _end(line: Line, last: State) -> str:
    """How the game ended; where the rules ended it, which the board says, why they did."""
    return last.game.face.end_text(last.value) if last.is_over else line.end


def _print_all(line: Line) -> None:
    print(line.title)
    last: State | None = None
    explained = set[str]()  # symbols of the boards above
    for number, state in enumerate(_heard(line.states)):
        print(f"\n{_caption(line, number, state)}\n{explained_board(state, explained)}{_position(state)}")
        last = state
    if last is not None and (end := _end(line, last)):
        print(f"\n{end}")


def _heard(found: Iterator[State]) -> Iterator[State]:
    """The same; Ctrl-C is heard while the first is computed, which may compile the rules."""
    first = patience.run(next, found)
    yield first
    yield from found


def _draw(line: Line, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        count = 0
        for count, state in enumerate(line.states):
            if state.picture is None:
                raise UsageError(f"{state.game.name} draws no board: its Face has no picture")
            (folder / f"ply-{count:03}.svg").write_text(svg.draw(state.picture), "utf-8")
    except OSError as error:
        raise UsageError(f"{str(folder)!r} cannot be written: {error.strerror}") from None
    print(f"wrote {count + 1} pictures to {folder}")


def _step(line: Line) -> None:
    """Show one position after another as keys ask for them; what the rules refuse is the last thing to see."""
    console = Console(highlight=False, markup=False)
    seen: list[State] = []
    trouble = ""
    try:
        for state in _heard(line.states):
            seen.append(state)
    except HarenaError as error:
        if not seen:
            raise
        trouble = str(error)
    with _keyboard() as keys:
        number = 0
        while number >= 0:
            _show(console, line, seen, number, trouble)
            number = _wanted(keys, number, len(seen) - 1)
    if trouble:
        raise UsageError(trouble)


def _show(console: Console, line: Line, seen: list[State], number: int, trouble: str) -> None:
    state, last = seen[number], len(seen) - 1
    below = f"{number}/{last}  {_caption(line, number, state)}"
    if number == last:
        below += "\n" + (f"here it breaks off: {trouble}" if trouble else _end(line, state))
    shown, position = explained_board(state), _position(state)
    is_low = _lines(console, f"{line.title}\n\n{shown}{position}\n\n{below}\n{KEYS}") >= console.height
    console.clear()
    if is_low:  # no blank lines, names on a line each, and the position where it fits
        titles = line.title.splitlines()
        console.print(line.title, no_wrap=True, overflow="crop")
        if state.picture is not None:
            shown = fitted(state.picture, len(titles) + len(state.picture.caption.splitlines()) + ROWS_BELOW)
        free = console.height - len(titles) - _lines(console, f"{shown}\n{below}\n{KEYS}\n")
        print(shown + (position if len(position) <= free * console.width else ""))
    else:
        console.print(line.title)
        print(f"\n{shown}{position}\n")
    console.print(below)
    console.print(KEYS, style="dim")


def _lines(console: Console, text: str) -> int:
    """How many lines a text takes in this window."""
    return len(console.render_lines(Text.from_ansi(text)))


def _wanted(keys: Iterator[str], number: int, last: int) -> int:
    """The position that the next keys ask for; -1 to quit."""
    steps = {BACK: max(number - 1, 0), NEXT: min(number + 1, last), FIRST: 0, LAST: last, QUIT: -1}
    digits = ""
    for key in keys:
        if key in DIGITS:
            digits += key
            print(key, end="", flush=True)
        elif digits:
            return min(int(digits[:9]), last) if key in ENTER else number
        for meaning, place in steps.items():
            if key in meaning:
                return place
    return -1


@contextmanager
def _keyboard() -> Iterator[Iterator[str]]:
    """Keys as they are pressed, an arrow being one; they end with the terminal."""
    try:
        import termios
        import tty
    except ImportError:  # Windows
        yield (key for pressed in iter(typer.getchar, "") for key in KEY.findall(pressed))
        return
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    tty.setcbreak(keyboard)  # for the whole session: keys pressed while a board is drawn wait, and are not lost
    try:
        yield (
            key
            for pressed in iter(lambda: os.read(keyboard, 100), b"")
            for key in KEY.findall(pressed.decode("utf-8", "replace"))
        )
    finally:
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
