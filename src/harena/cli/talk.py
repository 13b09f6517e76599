"""What is said at the board and what is heard: lines of a game in the terminal."""

import contextlib
import select
import shutil
import sys
import textwrap
from collections.abc import Collection, Iterator
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from harena.api import Move, State
from harena.cli.start import board, draw
from harena.contract import CHANCE
from harena.errors import clean
from harena.games import picture

ROWS_BESIDE = 5  # of a board: what was played, its caption, two lines that follow, and the prompt
LONGEST_INPUT = 60  # more letters are no move of any game
PATIENCE = 0.2  # seconds between looks at the keyboard
COMMANDS = {
    "moves": "the legal moves (also ?); of throws with the chance of a hit",
    "rules": "how the game is played",
    "hint": "what a strong player would play, and why",
    "undo": "take back your last decision and all that came after it",
    "board": "draw the board again",
    "resign": "give up: the other player wins",
    "quit": "leave, and go on later with harena play --resume (also Ctrl-C, Ctrl-D)",
    "help": "this list",
}
SCORES = "expected scores are the mover's: 100 % won, 50 % drawn, 0 % lost"
ALIASES = {"?": "moves", "q": "quit", "exit": "quit"}


class Quit(Exception):
    """Somebody leaves the table."""


def say(text: str) -> None:
    """Print a text at once; letters that this terminal does not have become question marks."""
    encoding = sys.stdout.encoding or "ascii"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)


def broken(text: str) -> str:
    """A long line, broken between words where the window ends."""
    width = max(shutil.get_terminal_size().columns - 1, 20)
    return textwrap.fill(text, width, subsequent_indent="  ", break_on_hyphens=False)


def heard(prompt: str) -> str:
    """A line from the keyboard, or from a file or pipe, which is shown as if it were typed; EOFError at the end."""
    if sys.stdin is None:
        raise EOFError
    print(prompt, end="", flush=True)
    is_typed = sys.stdin.isatty()
    if is_typed and sys.platform != "win32":
        while not select.select([sys.stdin], [], [], PATIENCE)[0]:
            pass  # a signal that comes just before a read would else wait for the next key
    text = sys.stdin.readline()
    if not text:
        raise EOFError
    if not is_typed:
        say(clean(text.rstrip("\r\n")[: 2 * LONGEST_INPUT]))
    return text.strip()


@contextlib.contextmanager
def thinking(words: str) -> Iterator[None]:
    """A spinner beside these words, where somebody sees it."""
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield
        return
    with console.status(Text(clean(words), no_wrap=True, overflow="ellipsis"), spinner="line"):
        yield


def chance_of_hit(state: State, move: Move) -> float | None:
    """How likely a throw lands where it is aimed; None for a move that is no throw."""
    after, aim = state.play(move), state.game.face.cell_of(state.value, move)
    if aim is None or after.is_over or after.mover != CHANCE:
        return None
    cell_of = state.game.face.cell_of
    return sum(chance for landing, chance in after.chances() if cell_of(after.value, landing) == aim)


def percent(chance: float) -> str:
    """A probability in words."""
    return f"{100 * chance:.0f} %"


def landed(state: State, landing: Move) -> str:
    """Where chance let the thrown thing land."""
    before, cell_of = state.previous, state.game.face.cell_of
    if before is None or state.last_move is None or state.game.name != "trap":
        return f"chance plays {landing}"
    is_hit = cell_of(before.value, state.last_move) == cell_of(state.value, landing)
    cell = str(landing).lstrip("!")
    return f"a hit: the trap lands on {cell}" if is_hit else f"a miss: the trap lands on {cell}"


def falls(before: State, move: Move) -> bool:
    """Whether tiles fall when this one is removed."""
    gone = [sum(cell == picture.GAP for cell in _cells(state)) for state in (before, before.play(move))]
    return gone[1] - gone[0] > 1


def _cells(state: State) -> Collection[str]:
    assert state.picture is not None
    return state.picture.cells.values()


def removed(before: State, move: Move) -> str:
    """The board of tiles when the tile is gone and nothing has fallen yet."""
    seen, cell = before.picture, before.game.face.cell_of(before.value, move)
    assert seen is not None and cell is not None
    marks = {cell: frozenset({picture.REMOVED})}
    caption = f"{move} is removed; {'then what it held falls' if falls(before, move) else 'nothing falls with it'}:"
    gone = replace(seen, cells={**seen.cells, cell: picture.GAP}, marks=marks, caption=caption)
    return draw(gone, ROWS_BESIDE)


def shown(state: State) -> str:
    """The board, all of which is in view while it is played at."""
    return board(state, ROWS_BESIDE)


def listed(state: State) -> str:
    """The legal moves; throws with the chance of a hit."""
    moves = state.moves()
    chances = [chance_of_hit(state, move) for move in moves]
    items = [
        str(move) if chance is None else f"{move}:{percent(chance).replace(' ', '')}"
        for move, chance in zip(moves, chances, strict=True)
    ]
    what = f"{len(moves)} move{'s' if len(moves) != 1 else ''}"
    what += " with the chance of a hit" if any(chance is not None for chance in chances) else ""
    return broken(f"{what}: {' '.join(items)}")


def rules_text(state: State) -> str:
    """The rules of the game, a line each, and how far one may walk on this board."""
    face = state.game.face
    lines = [*(face.entry.plain_rules or (face.entry.summary,)), face.reach_text(state.value)]
    return "\n".join(broken(f"- {line}") for line in lines if line)


def helped(state: State) -> str:
    """How a move is written, and the commands."""
    notation = state.game.face.entry.notation
    lines = [broken(f"a move: {notation[0]}")] if notation else []
    return "\n".join([*lines, *(f"{name:<8}{words}" for name, words in COMMANDS.items())])
