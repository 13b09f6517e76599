"""The checked Python face of every game: `Game` and `State`.

game = harena.game("colosseum", size=8)
state = game.initial(seed=7)
for move in state.moves(): ...
state = state.play("c4u")
"""

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise
from typing import Any

import numpy as np

from harena import calls
from harena.contract import CHANCE, DRAW, FIRST, NO_POINTS, RUNNING, SECOND
from harena.errors import BadOption, BadText, IllegalMove, KernelError, UnknownName, UnreadableMove
from harena.games.face import Face, read_move, read_position
from harena.games.picture import Cell, Picture
from harena.kernel.rng import Rng, generator
from harena.kernel.values import coerce, is_value
from harena.render import svg as svg_renderer
from harena.render import text as text_renderer

SLACK = 1024  # room behind the moves, so that a wrong max_moves is caught before it does harm
MOST_MOVES = 1_000_000
TRAIL = 3  # plies that a picture may show the traces of: a turn of Trap!


class Move(int):
    """A move: the integer that the rules use, which prints as its notation."""

    text: str

    def __new__(cls, number: int, text: str) -> "Move":
        """A move of this number, written as this text."""
        move = super().__new__(cls, number)
        move.text = text
        return move

    def __getnewargs__(self) -> tuple[int, str]:  # type: ignore[override]
        return int(self), self.text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move({int(self)}, {self.text!r})"


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a game ended: `winner` is 0, 1 or None for a draw; `score` has both players' points in games that count."""

    winner: int | None
    score: tuple[int, int] | None = None

    def __str__(self) -> str:
        points = f" {self.score[0]}:{self.score[1]}" if self.score else ""
        return (f"player {self.winner + 1} wins" if self.winner is not None else "draw") + points


class Game:
    """One game with its options; equal games have equal names and options."""

    def __init__(self, face: Face, *, found_as: str | None = None, **options: Any) -> None:
        allowed = inspect.signature(face.setup).parameters
        if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in allowed.values()):
            for name in options:
                if name not in allowed:
                    raise UnknownName("option", name, allowed)
        self.face = face
        self.name = face.entry.name
        self.found_as = found_as or self.name  # what `harena.game` finds it by
        self.options = {name: value for name, value in options.items() if value is not None}
        self._setup = self.accept("setup()", face.setup(**self.options))

    @cached_property
    def _size(self) -> Any:
        return self.face.options_of(self.initial().value).get("size")

    def initial(self, seed: int = 0) -> "State":
        """A start position; in a random set-up each seed gives its own."""
        return State(self, self.accept("initial", calls.start(self._setup, generator(seed))))

    def accept(self, word: str, value: Any) -> Any:
        """A value that the rules or the face gave, ready for the next kernel; anything else is their mistake."""
        if not is_value(value):
            raise KernelError(f"{self.found_as}: {word} gave {value!r}: it must return a NamedTuple of numbers")
        return coerce(value)

    def position(self, text: str) -> "State":
        """The position of a text (`state.text`, or a whole printed board); it must be of this game's size."""
        if not isinstance(text, str):
            raise BadText(f"a position is a text, not {text!r}")
        value = read_position(self.face, text)
        size = self.face.options_of(value).get("size")
        if size is not None and size != self._size:
            raise BadText(f"this position is of size {size}: make the game with size={size!r}")
        return State(self, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.name, self._setup) == (other.name, other._setup)

    def __hash__(self) -> int:
        return hash((self.name, self._setup))

    def __repr__(self) -> str:
        options = "".join(f", {name}={_plain(value)!r}" for name, value in self.options.items())
        return f"harena.game({self.found_as!r}{options})"


def _state_again(game: Game, values: list[Any], moves: list[Move | None]) -> "State":
    """A state that comes out of a pickle, with its history."""
    state: State | None = None
    for value, move in zip(values, moves, strict=True):
        state = State(game, value, state, move)
    assert state is not None
    return state


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


class State:
    """A position: immutable; `play` gives the next one, `previous` and `last_move` tell how it came about."""

    def __init__(self, game: Game, value: Any, previous: "State | None" = None, last_move: Move | None = None) -> None:
        self.game = game
        self.value = value
        self.previous = previous
        self.last_move = last_move

    @cached_property
    def _look(self) -> calls.Look:
        return calls.look(self.value)

    @property
    def mover(self) -> int:
        """Who decides next: 0, 1, or harena.CHANCE."""
        return int(self._look.mover)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._look.result != RUNNING

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it runs."""
        look = self._look
        if look.result == RUNNING:
            return None
        if look.result not in (FIRST, SECOND, DRAW):
            raise KernelError(f"{self.game.name}: outcome is FIRST, SECOND, DRAW or RUNNING, not {look.result}")
        score = None if look.first_points == NO_POINTS else (int(look.first_points), int(look.second_points))
        return Outcome(winner=None if look.result == DRAW else int(look.result), score=score)

    def moves(self) -> list[Move]:
        """The legal moves in a fixed order; at a chance node the possible outcomes; none when the game is over."""
        return [self.named(number) for number in self._legal]

    def chances(self) -> list[tuple[Move, float]]:
        """At a chance node the outcomes with their probabilities, which sum to 1; elsewhere nothing."""
        if self.mover != CHANCE or self.is_over:
            return []
        room = self._room() + SLACK
        out, probabilities = np.empty(room, np.int64), np.empty(room, np.float64)
        count = calls.list_chances(self.value, out, probabilities)
        pairs = zip(out[:count].tolist(), probabilities[:count].tolist(), strict=True)
        return [(self.named(number), chance) for number, chance in pairs]

    def play(self, move: int | str) -> "State":
        """The state after this move (text or number); IllegalMove says what is wrong with any other."""
        number = self._number(move)
        if number not in self._legal:
            shown = move if isinstance(move, (str, Move)) or number < 0 else self._text(number)
            raise IllegalMove(f"{shown}: {self._why_illegal(number)}")
        return State(self.game, self.game.accept("play", calls.step(self.value, number)), self, self.named(number))

    def _number(self, move: int | str) -> int:
        if isinstance(move, str):
            try:
                return read_move(self.game.face, self.value, move)
            except BadText as error:
                raise UnreadableMove(str(error)) from None
        if isinstance(move, bool) or not isinstance(move, (int, np.integer)):
            raise IllegalMove(f"{move!r} is no move: give its text or its number")
        return int(move)

    @cached_property
    def _legal(self) -> list[int]:
        if self.is_over:
            return []
        room = self._room()
        out = np.empty(room + SLACK, np.int64)
        count = calls.list_moves(self.value, out, 0)
        if not 0 <= count <= room:
            raise KernelError(f"{self.game.name}: moves wrote {count} moves, but max_moves says {room}")
        numbers: list[int] = out[:count].tolist()
        return numbers

    def _room(self) -> int:
        """What the rules say about the number of moves, if it makes sense."""
        room = self._look.max_moves
        if not isinstance(room, (int, np.integer)) or not 0 <= room <= MOST_MOVES:
            raise KernelError(f"{self.game.name}: max_moves is a whole number up to {MOST_MOVES}, not {room!r}")
        return int(room)

    def _text(self, number: int) -> str:
        """The text of any number; the number itself where there is no such thing on this board."""
        try:
            text = self.game.face.format_move(self.value, number)
            return text if read_move(self.game.face, self.value, text) == number else str(number)
        except (BadText, IndexError, ValueError):
            return str(number)

    def random_move(self, rng: Rng) -> Move:
        """A legal move, all equally likely (a chance outcome: by its probability); see `harena.generator`."""
        if not isinstance(rng, np.ndarray) or rng.dtype != np.uint64 or rng.shape != (1,):
            raise BadOption("random_move takes a generator from harena.generator(seed)")
        if self.is_over:
            raise IllegalMove(f"the game is over: {self.outcome}")
        return self.named(int(calls.pick(self.value, rng)))

    @property
    def key(self) -> int:
        """A 64-bit hash of the position."""
        return int(calls.hash_of(self.value))

    @property
    def text(self) -> str:
        """The position as one line that `game.position` reads."""
        return self.game.face.format_position(self.value)

    @property
    def picture(self) -> Picture | None:
        """What there is to see, for the renderers; None for a game that draws no board."""
        states = list(islice(self.history(), TRAIL + 1))
        trail = [
            (before.value, int(after.last_move)) for after, before in pairwise(states) if after.last_move is not None
        ]
        picture = self.game.face.picture(self.value, trail)
        return picture and replace(picture, caption=self.caption)

    def svg(self, heat: Mapping[Cell, int] | None = None) -> str | None:
        """The board as an SVG document, with heat from 0 to 9 on cells; None for a game that draws no board."""
        picture = self.picture
        return None if picture is None else svg_renderer.draw(replace(picture, heat=heat or {}))

    def _repr_svg_(self) -> str | None:
        """The board, as a notebook shows it."""
        return self.svg()

    @property
    def caption(self) -> str:
        """Whose turn it is, or how the game ended, in words."""
        if self.is_over:
            return str(self.outcome)
        turn = self.game.face.turn_text(self.value)
        if self.mover == CHANCE:
            return turn if turn != "to move" else "chance decides"
        return f"player {self.mover + 1} {turn}"

    def history(self) -> Iterator["State"]:
        """The states that led here, the latest first, this one included."""
        state: State | None = self
        while state is not None:
            yield state
            state = state.previous

    def named(self, number: int) -> Move:
        """A move of this number with its text."""
        return Move(number, self.game.face.format_move(self.value, number))

    def _why_illegal(self, number: int) -> str:
        if self.is_over:
            return f"the game is over: {self.outcome}"
        return self.game.face.why_illegal(self.value, number)

    def __reduce__(self) -> Any:
        past = list(self.history())[::-1]
        return _state_again, (self.game, [state.value for state in past], [state.last_move for state in past])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and (self.game.name, self.value) == (other.game.name, other.value)

    def __hash__(self) -> int:
        return hash((self.game.name, self.value))

    def __str__(self) -> str:
        """The board as plain text, and below it the position's own text."""
        picture = self.picture
        board = text_renderer.draw(picture, ascii_only=True) if picture else self.caption
        return f"{board}\nposition: {self.text}"

    def __repr__(self) -> str:
        return f"{self.game!r}.position({self.text!r})"
