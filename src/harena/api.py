"""The checked Python face of every game: `Game` and `State`.

game = harena.game("colosseum", size=8)
state = game.initial(seed=7)
for move in state.moves(): ...
state = state.play("c4u")
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise
from typing import Any

import numpy as np

from harena import calls
from harena.contract import CHANCE, DRAW, NO_POINTS, RUNNING
from harena.errors import BadOption, BadText, IllegalMove, UnknownName
from harena.games.face import Face
from harena.games.picture import Picture
from harena.kernel.rng import Rng, generator
from harena.kernel.values import coerce
from harena.render import text as text_renderer

OPTION_NAMES = ("size", "setup", "first")
TRAIL = 3  # plies that a picture may show the traces of: a turn of Trap!


class Move(int):
    """A move: the integer that the rules use, which prints as its notation."""

    text: str

    def __new__(cls, number: int, text: str) -> "Move":
        """A move of this number, written as this text."""
        move = super().__new__(cls, number)
        move.text = text
        return move

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
        for name in options:
            if name not in OPTION_NAMES:
                raise UnknownName("option", name, OPTION_NAMES)
        self.face = face
        self.name = face.entry.name
        self.found_as = found_as or self.name  # what `harena.game` finds it by
        self.options = {name: value for name, value in options.items() if value is not None}
        self._setup = coerce(face.setup(**self.options))

    def initial(self, seed: int = 0) -> "State":
        """A start position; in a random set-up each seed gives its own."""
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
            raise BadOption(f"a seed is a whole number, not {seed!r}")
        return State(self, coerce(calls.start(self._setup, generator(int(seed)))))

    def position(self, text: str) -> "State":
        """The position of a text (`state.text`, or a whole printed board); it must be of this game's size."""
        value = self.face.parse_position(text)
        size = self.face.options_of(value).get("size")
        if size is not None and size != self.face.options_of(calls.start(self._setup, generator(0))).get("size"):
            raise BadText(f"this position is of size {size}: make the game with size={size!r}")
        return State(self, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.name, self._setup) == (other.name, other._setup)

    def __hash__(self) -> int:
        return hash((self.name, self._setup))

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"harena.game({self.found_as!r}{options})"


class State:
    """A position: immutable; `play` gives the next one, `previous` and `last_move` tell how it came about."""

    def __init__(self, game: Game, value: Any, previous: "State | None" = None, last_move: Move | None = None) -> None:
        self.game = game
        self.value = value
        self.previous = previous
        self.last_move = last_move

    @cached_property
    def _look(self) -> tuple[int, int, int, int, int]:
        return calls.look(self.value)

    @property
    def mover(self) -> int:
        """Who decides next: 0, 1, or harena.CHANCE."""
        return int(self._look[0])

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._look[1] != RUNNING

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it runs."""
        _, result, first, second, _ = self._look
        if result == RUNNING:
            return None
        score = None if first == NO_POINTS else (int(first), int(second))
        return Outcome(winner=None if result == DRAW else int(result), score=score)

    def moves(self) -> list[Move]:
        """The legal moves in a fixed order; at a chance node the possible outcomes; none when the game is over."""
        if self.is_over:
            return []
        out = np.empty(self._look[4], np.int64)
        return [self._move(number) for number in out[: calls.list_moves(self.value, out, 0)].tolist()]

    def chances(self) -> list[tuple[Move, float]]:
        """At a chance node the outcomes with their probabilities, which sum to 1; elsewhere nothing."""
        if self.mover != CHANCE or self.is_over:
            return []
        out, probabilities = np.empty(self._look[4], np.int64), np.empty(self._look[4], np.float64)
        count = calls.list_chances(self.value, out, probabilities)
        pairs = zip(out[:count].tolist(), probabilities[:count].tolist(), strict=True)
        return [(self._move(number), chance) for number, chance in pairs]

    def play(self, move: int | str) -> "State":
        """The state after this move (text or number); IllegalMove says what is wrong with any other."""
        if isinstance(move, str):
            number = self.game.face.parse_move(self.value, move)
        elif isinstance(move, bool) or not isinstance(move, (int, np.integer)):
            raise IllegalMove(f"{move!r} is no move: give its text or its number")
        else:
            number = int(move)
        legal = {int(one): one for one in self.moves()}
        if number not in legal:
            raise IllegalMove(f"{move}: {self._why_illegal(number)}")
        return State(self.game, coerce(calls.step(self.value, number)), self, legal[number])

    def random_move(self, rng: Rng) -> Move:
        """A legal move, all equally likely (a chance outcome: by its probability); see `harena.generator`."""
        if self.is_over:
            raise IllegalMove(f"the game is over: {self.outcome}")
        return self._move(int(calls.pick(self.value, rng)))

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

    @property
    def caption(self) -> str:
        """Whose turn it is, or how the game ended, in words."""
        if self.is_over:
            return str(self.outcome)
        turn = self.game.face.turn_text(self.value)
        return turn if self.mover == CHANCE else f"player {self.mover + 1} {turn}"

    def history(self) -> Iterator["State"]:
        """The states that led here, the latest first, this one included."""
        state: State | None = self
        while state is not None:
            yield state
            state = state.previous

    def _move(self, number: int) -> Move:
        return Move(number, self.game.face.format_move(self.value, number))

    def _why_illegal(self, number: int) -> str:
        if self.is_over:
            return f"the game is over: {self.outcome}"
        return self.game.face.why_illegal(self.value, number)

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
