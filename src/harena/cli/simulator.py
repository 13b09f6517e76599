"""`harena simulator`: the simulator.py of COMP 424, with its log on standard error as there.

In a checkout of the course `python simulator.py ...` is the same, through a file that `harena new simulator` writes.
"""

import re
import secrets
import shutil
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress

from harena.agents.contestant import Said
from harena.api import State
from harena.arena.play.session import SEEDS
from harena.cli.start import fitted
from harena.cli.talk import Quit, heard, say, thinking
from harena.courses.simulator import (
    HUMAN,
    LETTERS,
    SIZES,
    Competitor,
    Series,
    Turn,
    checked_sizes,
    competitor,
    replaced,
    start_of,
    turns,
)
from harena.errors import UsageError, clean
from harena.games.picture import Picture
from harena.render import svg
from harena.sandbox.walls import parse_choice
from harena.sandbox.walls import sandbox as walls_of
from harena.search.result import Limits

PROMPT = "Your move (x,y,dir) or input q to quit: "
FACING = {"u": "Up", "r": "Right", "d": "Down", "l": "Left"}
CAPTION = 3  # its lines at most, at the end of a game
ROWS_BELOW = 7  # a frame leaves so many for the log, and for the lines at the end of a game
MOST_TOLD = 10  # replaced answers of a player that autoplay prints; the others are only counted


def simulate(
    players: tuple[str, str],
    *,
    board_size: int | None,
    sizes: tuple[int, int],
    display: bool,
    delay: float,
    save: str | None,
    runs: int | None,
    seed: int | None,
    sandbox: str,
) -> None:
    """Play one game and log it, or a series and report it."""
    parse_choice(sandbox)
    chosen = secrets.randbelow(SEEDS) if seed is None else seed
    if runs is None:
        drawn = SIZES if board_size is None else checked_sizes(board_size, board_size)
        with _seated(players, drawn, chosen, sandbox) as seats:
            frames = Frames(players, is_shown=display or HUMAN in players, delay=delay if display else 0.0, folder=save)
            start = start_of(chosen, 0, drawn)
            _announce(players, start, board_size, f"{chosen}{_walls(seats, sandbox)}")
            _play_one(start, seats, chosen, frames)
            frames.finish(wait=display)
        return
    if HUMAN in players:
        raise UsageError(f"{HUMAN} does not play by itself: leave --autoplay out")
    drawn = checked_sizes(*sizes)
    with _seated(players, drawn, chosen, sandbox) as seats:
        if display or save is not None:
            log("autoplay shows no boards: --display and --display_save are left out", "WARNING")
        _note_sizes(drawn[0])
        _play_series(Series(seats, drawn, chosen, _walls(seats, sandbox)), runs)


def log(text: str, level: str = "INFO") -> None:
    """A line of the course's log; at a terminal it is broken between words."""
    line = f"{level}:{text}"
    if sys.stderr.isatty():
        line = textwrap.fill(line, shutil.get_terminal_size().columns, break_long_words=False, break_on_hyphens=False)
    print(line, file=sys.stderr, flush=True)


def _note_sizes(smallest: int) -> None:
    """Say so if there are boards that the course does not play on."""
    if smallest < SIZES[0]:
        log(f"The course's boards have sizes from {SIZES[0]} to {SIZES[1]}: {smallest} is outside of that", "WARNING")


def _walls(seats: tuple[Competitor, Competitor], sandbox: str) -> str:
    """Behind which walls somebody else's code runs, if there is any."""
    walls = f", sandbox {walls_of(sandbox).level}" if any(one.is_enclosed for one in seats) else ""
    files = dict.fromkeys(path for one in seats for path in one.unwalled)
    return walls + "".join(f", {path} runs without a sandbox" for path in files)


@contextmanager
def _seated(
    players: tuple[str, str], sizes: tuple[int, int], seed: int, sandbox: str
) -> Iterator[tuple[Competitor, Competitor]]:
    """Both players, ready to begin, who are let go afterwards."""
    one, other = (competitor(name, sizes, sandbox, Human()) for name in players)
    try:
        with thinking("the players get ready (the first time they are compiled)"):
            start = start_of(seed, 0, sizes)
            one.ready(start)
            other.ready(start)
        yield one, other
    finally:
        one.contestant.close()
        other.contestant.close()


# One game


def _announce(players: tuple[str, str], start: State, board_size: int | None, conditions: str) -> None:
    log("Initialize the game world")
    for number, name in enumerate(players):
        log(f"Registering p{number} agent : {clean(name)}")
    chosen = "No board size specified. Randomly generating size : " if board_size is None else "Setting board size to "
    log(f"{chosen}{start.value.size}x{start.value.size}")
    _note_sizes(int(start.value.size))
    log(f"Seed {conditions}")


def _play_one(start: State, seats: tuple[Competitor, Competitor], seed: int, frames: "Frames") -> None:
    """Play a game to its end, or until a human leaves."""
    try:
        frames.show(start)
        frames.pause()
        for turn in turns(start, seats, seed):
            frames.show(turn.state)
            if turn.fault is not None:
                say(_failed(seats[turn.seat], LETTERS[turn.seat], turn))
            log(_moved(turn))
            frames.pause()
    except (Quit, EOFError):
        say("")
        return
    end = turn.state.outcome
    assert end is not None and end.score is not None
    if end.winner is None:
        log("Game ends! It is a tie!")
    else:
        log(f"Game ends! Player {LETTERS[end.winner]} wins having control over {end.score[end.winner]} cells!")
    for letter, one in zip(LETTERS, seats, strict=True):
        if one.faults:
            log(replaced(f"Player {letter}", one))
    log(f"Run finished. Player A: {end.score[0]}, Player B: {end.score[1]}")


def _moved(turn: Turn) -> str:
    state, move = turn.state, turn.state.last_move
    assert move is not None
    cell = state.game.face.cell_of(state.value, move)
    assert cell is not None
    where = f"Player {LETTERS[turn.seat]} moves to [{cell[0]} {cell[1]}] facing {FACING[str(move)[-1]]}"
    return f"{where}. Time taken this turn (in seconds): {turn.seconds:.5f}"


def _failed(one: Competitor, who: str, turn: Turn) -> str:
    return f"Player {who} ({clean(one.name)}) failed: {clean(turn.fault)}. Execute Random Walk!"


class Frames:
    """The boards of a game, one after the other: in the terminal, as pictures in a folder, or not at all."""

    def __init__(self, players: tuple[str, str], *, is_shown: bool, delay: float, folder: str | None) -> None:
        self.players, self.is_shown, self.delay = players, is_shown, delay
        self.folder = None if folder is None else Path(folder)
        self.written = 0
        self.console = Console(highlight=False)

    def show(self, state: State) -> None:
        """Draw a position; where somebody watches, in the place of the one before."""
        if not self.is_shown and self.folder is None:
            return
        picture = self._picture(state)
        if self.is_shown:
            self.console.clear()  # only on a terminal
            say(fitted(picture, CAPTION + ROWS_BELOW))
        if self.folder is not None:
            self._write(self.folder, picture)

    def _picture(self, state: State) -> Picture:
        """As the course has it: rows and columns from 0; who plays, who has moved, the steps, and who won."""
        picture, outcome = state.picture, state.outcome
        assert picture is not None
        names = ", ".join(f"{letter} ({seat + 1}) {clean(name)}" for seat, (letter, name) in enumerate(self._seats))
        lines = [names, f"max steps {(picture.rows + 1) // 2}"]
        if state.previous is not None:
            lines[1] += f"; {LETTERS[state.previous.mover]} has moved"
        if outcome is not None and outcome.score is not None:
            won = "tie" if outcome.winner is None else f"{LETTERS[outcome.winner]} wins"
            lines.append(f"{won}, {outcome.score[0]} : {outcome.score[1]}")
        return replace(picture, counted=True, caption="\n".join(lines))

    @property
    def _seats(self) -> list[tuple[str, str]]:
        return list(zip(LETTERS, self.players, strict=True))

    def _write(self, folder: Path, picture: Picture) -> None:
        names = "_".join(re.sub(r"[^\w.-]+", "-", name).strip("-.") for name in self.players)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{names}_{self.written}.svg").write_text(svg.draw(picture), "utf-8")
        except OSError as error:
            raise UsageError(f"{str(folder)!r} cannot be written: {error.strerror}") from None
        self.written += 1

    def pause(self) -> None:
        """Leave the frame to be looked at."""
        if self.is_shown and self.delay:
            time.sleep(self.delay)

    def finish(self, *, wait: bool) -> None:
        """Say what was written; after a game that was watched, wait until Enter is pressed."""
        if self.folder is not None:
            log(f"Wrote {self.written} pictures to {self.folder}")
        if wait and sys.stdin.isatty() and self.console.is_terminal:
            with suppress(EOFError):
                heard("Press Enter to leave ")


class Human:
    """Whoever sits here, asked as the course's human agent asks."""

    def begin(self, options: dict[str, Any], start: str, seat: int, seed: int) -> None:
        """Nothing to prepare."""

    def choose(self, state: State, moves: list[str], limits: Limits, seed: int, allowed: float | None = None) -> Said:
        """Three fields, x (the row), y (the column) and a side; what is on the board is taken as it is."""
        begin, size = time.perf_counter(), int(state.value.size)
        while True:
            text = heard(PROMPT)
            if "q" in text.lower():
                raise Quit
            fields = [field.strip() for field in text.split(",")]
            is_cell = all(one.isdecimal() and len(one) < 4 and int(one) < size for one in fields[:2])
            if len(fields) == 3 and is_cell and fields[2] in FACING:
                move = f"{int(fields[0])},{int(fields[1])},{fields[2]}"
                return Said(move=move, seconds=time.perf_counter() - begin)
            say(f"Please write row, column and side: two numbers from 0 to {size - 1} and one of u, r, d, l")

    def end(self) -> None:
        """Nothing to tell."""

    def close(self) -> None:
        """Nothing to end."""


# Autoplay


def _play_series(series: Series, runs: int) -> None:
    """Play with a bar that shows how far it is; whatever stops it, Ctrl-C too, what was played is reported."""
    console = Console(stderr=True, highlight=False)
    try:
        with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
            for number in progress.track(range(runs), description="games"):
                for one, turn in series.play(number):
                    if turn.fault is not None:
                        _tell(one, 1 + series.players.index(one), turn)
    except KeyboardInterrupt:
        log("stopped", "WARNING")
        raise SystemExit(130) from None  # said already
    finally:
        for line in series.report():
            log(line)


def _tell(one: Competitor, number: int, turn: Turn) -> None:
    count = one.faults.total()
    if count <= MOST_TOLD:
        say(_failed(one, str(number), turn))
    if count == MOST_TOLD:
        say(f"Player {number} ({clean(one.name)}): what fails from here on is only counted")
