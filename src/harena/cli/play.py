"""`harena play`: a game at the terminal, with people, agents, or one of each.

A finished game goes into the store like any other. One that was left is a small file beside the store, a record without
an end, from which `--resume` goes on; the store's own unfinished runs are for `harena resume`.
"""

import contextlib
import secrets
import signal
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from harena.agents.names import PLAYERS
from harena.agents.spec import parse_agent
from harena.api import Game
from harena.arena.casual import conditions, keep
from harena.arena.play.session import SEEDS, GameSession
from harena.arena.record import HUMAN, Record
from harena.arena.replay import as_text, from_text, start
from harena.arena.sources import untyped_code, whole_digests
from harena.arena.store import Store
from harena.arena.store_files import store_path
from harena.cli.compiling import announced
from harena.cli.table import Table
from harena.cli.talk import say
from harena.errors import BadOption, BadText, HarenaError, UsageError, clean, printable
from harena.files import atomic_write
from harena.find import face, game, typed_games
from harena.games.catalogue import CATALOGUE
from harena.kernel import patience
from harena.kernel.trusted import UNCHECKED, only_trusted, quoted
from harena.search.result import Limits
from harena.termination import Termination


def new_game(
    name: str | None,
    seats: tuple[str | None, str | None],
    options: dict[str, Any],
    colour: str | None,
    seed: int | None,
    limits: Limits,
    store: str | None,
    *,
    twice: bool = False,
    delay: float = 0.0,
) -> None:
    """Play a game from its start; without a seed each has another start and other throws.

    `twice`: in tiles the board is drawn after every removal and again after what it did, also if that is nothing.
    """
    if name is None:
        raise UsageError(f"which game? There are: {', '.join(CATALOGUE)}; or --resume, for the one you left")
    entry = face(name).entry
    if colour is not None and not entry.firsts:
        raise BadOption(f"{entry.name} has no colours to choose: leave --colour out")
    texts = _seats(entry.name, *seats)
    if delay and HUMAN in texts:
        raise BadOption("--delay is for watching two agents: name both with --first and --second")
    given = {key: value for key, value in {**options, "first": _first(colour, texts)}.items() if value is not None}
    chosen = secrets.randbelow(SEEDS) if seed is None else seed
    with announced():
        found: Game = patience.run(lambda: game(name, **given))
        begin = patience.run(found.initial, chosen)
    session = GameSession.begin(begin, texts, seed=chosen, options=given, conditions=conditions(limits, name, texts))
    _sit_down(Table(session, twice=twice, delay=delay), store, _folder(store) / f"{secrets.token_hex(4)}.json")


def resume_game(name: str | None, given: dict[str, Any], limits: Limits, store: str | None) -> None:
    """Go on with the game that was left last (of this name, if one is given); new limits replace its own."""
    seats = {option: given.pop(option) for option in ("first", "second")}
    for option, value in given.items():
        if value is not None:
            raise UsageError(f"--resume goes on with a game as it is: leave --{option} out")
    path, record = _left_last(name.removeprefix(UNCHECKED) if name else None, store)
    code, agents = _typed(name, seats, record)
    with only_trusted(code, agents):
        try:
            _check_files(record, store)
            record = replace(record, conditions=_with_limits(record.conditions, limits))
            session: GameSession = patience.run(lambda: GameSession.resume(record, start(record)))
        except UsageError:
            raise
        except (HarenaError, TypeError, AttributeError) as error:
            raise BadText(f"{path}: this game cannot go on: {error}") from None
        say(f"going on after ply {len(record.plies)}")
        _sit_down(Table(session), store, path)


def _with_limits(conditions: Mapping[str, Any], limits: Limits) -> dict[str, Any]:
    """The conditions of a game that goes on: its own limits, or these if there are any."""
    new = {key: value for key, value in vars(limits).items() if value is not None}
    return {**conditions, "limits": new or conditions.get("limits", {})}


def _typed(name: str | None, seats: dict[str, str | None], record: Record) -> tuple[list[str], list[str]]:
    """What was typed of a game that goes on, whose seats stay as they are: code without walls, and agents' files."""
    for (option, text), seat in zip(seats.items(), record.seats, strict=True):
        if text is not None and text != seat:
            raise UsageError(f"--resume goes on with a game as it is: --{option} is {clean(seat)}")
    agents = [parse_agent(text) for text in seats.values() if text is not None]
    code = [*typed_games([name] if name else []), *(code for agent in agents for code in agent.unwalled_code())]
    return code, [path for agent in agents for path in agent.walled_paths()]


def _check_files(record: Record, store: str | None) -> None:
    """UsageError if a game that was left runs code that was not typed, or that is not what it was."""
    texts = [text for text in record.seats if text != HUMAN]
    if untyped := untyped_code(record.game, texts):
        listed = ", ".join(map(printable, untyped))
        command = f"{_again(record)}{f' --store {quoted(store)}' if store else ''}"
        raise UsageError(f"the game that you left runs code of {listed}: if you trust it, type: {command}")
    kept, now = record.conditions.get("sources", {}), whole_digests("", texts)
    for text, digest in now.items():
        if kept.get(text, digest) != digest:
            raise UsageError(f"{clean(text)} has changed since this game was left: begin another")
        if text not in kept:
            say(f"this game holds no hash of {clean(text)}: it cannot be verified that it is the same agent")


def _again(record: Record) -> str:
    """The command that goes on with a game: what it has of the user's own files is typed again."""
    game = f" {quoted(record.game)}" if record.game not in CATALOGUE else ""
    seats = zip(("first", "second"), record.seats, strict=True)
    own = [f" --{option} {quoted(text)}" for option, text in seats if parse_agent(text).paths()]
    return f"harena play{game} --resume{''.join(own)}"


def _seats(name: str, first: str | None, second: str | None) -> tuple[str, str]:
    """Who sits where: one human and the champion, unless both are named."""
    best = "champion" if name in PLAYERS else "mcts"
    one = first or (best if second == HUMAN else HUMAN)
    return one, second or (best if one == HUMAN else HUMAN)


def _first(colour: str | None, seats: tuple[str, str]) -> str | None:
    """The colour that moves first, when the human (else the first player) is to have this one."""
    if colour is None or seats[0] == HUMAN or seats[1] != HUMAN:
        return colour
    if colour.upper() not in ("R", "B"):
        raise BadOption(f"{colour!r} is no colour: write R or B")
    return "B" if colour.upper() == "R" else "R"


# Games that were left


def _folder(store: str | None) -> Path:
    path = store_path(store)
    return path.with_name(f"{path.name}.{Termination.UNFINISHED}")


def _left_last(name: str | None, store: str | None) -> tuple[Path, Record]:
    """The file and the record of the game that was left last; a broken file is named only if nothing else is left."""
    trouble = f"there is no unfinished game{f' of {name}' if name else ''}: `harena play GAME` begins one"
    for path in sorted(_folder(store).glob("*.json"), key=lambda file: -file.stat().st_mtime_ns):
        try:
            record = from_text(path.read_text("utf-8"))
        except (HarenaError, OSError, ValueError) as error:
            trouble = f"{path} cannot be read: {error}"
            continue
        if name in (None, record.game):
            return path, record
    raise UsageError(trouble)


def _save(record: Record, path: Path) -> None:
    """Write the file, all of it or nothing."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, f"{as_text(record)}\n".encode())
    except OSError as error:
        raise UsageError(f"{path}: the game cannot be saved: {error.strerror}") from None


# The evening


def _sit_down(table: "Table", store: str | None, path: Path) -> None:
    """Play until the end or until somebody leaves; then keep the game where it belongs. Nothing is lost on the way."""
    if hasattr(sys.stdin, "reconfigure") and sys.stdin.errors != "replace":
        sys.stdin.reconfigure(errors="replace")  # what is no text is no move, and nothing worse
    with Store(store) as kept, _ended_politely():
        try:
            record = table.play()
            number = keep(kept, record) if record is not None else 0
        except BaseException:  # whatever it is, SIGTERM as well: the game is saved first
            if table.session.plies or path.exists():
                _save(table.session.record, path)
            raise
        finally:
            table.close()
    if number:
        path.unlink(missing_ok=True)
        say(f"stored as game {number}; see it again: harena replay {number}{kept.option}")
    elif table.session.plies or path.exists():
        _save(table.session.record, path)
        say(f"saved; go on with: {_again(table.session.record)}{kept.option}")
    else:
        say("nothing was played, nothing is saved")


@contextlib.contextmanager
def _ended_politely() -> Iterator[None]:
    """A closed terminal, or whoever ends this process, leaves time to save the game."""

    def leave(number: int, frame: object) -> None:
        raise SystemExit(128 + number)

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), leave) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
