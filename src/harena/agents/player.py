"""A player: a text, and what it does in a game.

player = harena.player("mcts(c=0.5, seconds=1)", game)
move = player.choose(state)
result = player.think(state, Limits(seconds=2)) # what it found, and how
"""

import inspect
import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from typing import Any

from harena.agents.algorithms import ALGORITHMS, OF_ONE_GAME
from harena.agents.ending import check_end
from harena.agents.names import PLAYERS
from harena.agents.plain import with_plain_python
from harena.agents.registry import explain_unknown_course
from harena.agents.text import is_user_search, split
from harena.agents.unknown import unknown
from harena.agents.user_search import find_user_search
from harena.api import Game, Move, State
from harena.contract import CHANCE
from harena.errors import BadOption, BadText, IllegalMove, UnknownName
from harena.kernel import patience
from harena.search.reading import read
from harena.search.result import Keeper, Limits, Result, Search, Turn

LIMITS = {field.name: field.type for field in fields(Limits)}
DEFAULT_SECONDS, NO_LIMITS = 1.0, Limits()
REHEARSAL = {"seconds": 60.0, "nodes": 2, "iterations": 2}  # with a clock, which is a kernel too


class Player:
    """A configured search for one game; it may keep something from move to move of one game at a time."""

    def __init__(self, text: str, game: Game, search: Search, limits: Limits, usual: Limits = NO_LIMITS) -> None:
        self.text = text
        self.game = game
        self.search = search
        self.limits = limits  # those of its own text, which win over a command's
        self.usual = usual  # those that its name stands for: a command's win over them
        self.is_ready = False
        self._last: State | None = None

    def think(
        self,
        state: State,
        limits: Limits = NO_LIMITS,
        *,
        seed: int = 0,
        flag: Any = None,
        turn_seconds: float | None = None,
    ) -> Result:
        """Search a position in which a player decides. Without any limit at all a search gets a second.

        `flag` is an array of one int64 that another thread may set to stop the search; without one Ctrl-C does, and the
        best move so far is the answer. `turn_seconds` are left for this decision and the others of the same turn, where
        a whole turn is timed: a search that knows how to divide them goes by these, the others by the limits.
        """
        self.check(state, limits)
        is_heard = flag is None and threading.current_thread() is threading.main_thread()
        if not self.is_ready:
            patience.run(self.ready) if is_heard else self.ready()
        allowed = self.allowed(limits)
        if self.search.bounded_by and not any(getattr(allowed, name) for name in self.search.bounded_by):
            allowed = replace(allowed, seconds=DEFAULT_SECONDS)
        ply = sum(1 for _ in state.history()) - 1
        path = self._path_to(state)
        turn = Turn(seed=seed, flag=flag, ply=ply, path=path, turn_seconds=turn_seconds)
        self._last = state
        if is_heard:
            return patience.run_until_stopped(
                lambda flag: self.search.run(state.value, allowed, replace(turn, flag=flag)),
                turn_seconds or allowed.seconds,
            )
        return self.search.run(state.value, allowed, turn)

    def check(self, state: State, limits: Limits) -> None:
        """Complain about a position that it cannot think about."""
        if not isinstance(state, State):
            raise BadOption(f"a player thinks about a State, not {state!r}")
        if not isinstance(limits, Limits):
            raise BadOption(f"limits are harena.Limits(seconds=1) and the like, not {limits!r}")
        if state.game.name != self.game.name:
            raise BadOption(f"{self.text} was made for {self.game.name}, and this is {state.game.name}")
        if state.is_over:
            raise IllegalMove(f"the game is over: {state.outcome}")
        if state.mover == CHANCE:
            raise IllegalMove("chance decides here, not a player")

    def allowed(self, limits: Limits = NO_LIMITS) -> Limits:
        """What it may use when a command gives these limits."""
        return self.limits.over(limits).over(self.usual)

    def choose(self, state: State, limits: Limits = NO_LIMITS, *, seed: int = 0) -> Move:
        """The move alone."""
        return state.named(self.think(state, limits, seed=seed).move)

    def ready(self) -> None:
        """Compile or load everything that this player can come to use: afterwards nothing compiles while it thinks."""
        state = self.game.initial()
        for _ in range(8):
            if state.is_over:
                break
            if state.mover == CHANCE:
                state = state.play(state.moves()[0])
                continue
            tiny = replace(self.allowed(), **getattr(self.search, "rehearsal", REHEARSAL))
            result = self.search.run(state.value, tiny, Turn(path=self._path_to(state)))
            self._last, state = state, state.play(result.move)
        self.is_ready = True
        self.forget()

    def forget(self) -> None:
        """The game is over, or another begins: what was kept for it is given back."""
        self._last = None
        if isinstance(self.search, Keeper):
            self.search.forget()

    def _path_to(self, state: State) -> tuple[int, ...] | None:
        """The moves from the state of the last search to this one."""
        path: list[int] = []
        for past in state.history():
            if past is self._last:
                return tuple(reversed(path)) or None  # the same position again is another search
            if past.last_move is not None:
                path.append(int(past.last_move))
        return None

    def __repr__(self) -> str:
        return f"harena.player({self.text!r}, {self.game!r})"


def build_player(text: str, game: Game) -> Player:
    """The player of a text: a named one or an algorithm of Harena, or a search in a user's file."""
    name, options = resolve(text, game.name)
    typed = split(text)[1]
    own = {key: _limit(key, options.pop(key)) for key in LIMITS if key in options}
    limits = {key: value for key, value in own.items() if key in typed}
    usual = {key: value for key, value in own.items() if key not in typed}
    build = find_user_search(name, game) if is_user_search(name) else builders(game.name)[name]
    kinds = {parameter.name: parameter.annotation for parameter in options_of(build)}
    for key in options:
        if key not in kinds:
            raise UnknownName(f"option of {name}", key, [*kinds, *LIMITS])
    values = {key: read(key, kinds[key], value) for key, value in options.items()}
    search = with_plain_python(build(game.name, **values), game)
    check_end(game, search)
    return Player(text, game, search, Limits(**limits), Limits(**usual))


def _limit(key: str, text: str) -> Any:
    return read(key, float if key == "seconds" else int, text)


def resolve(text: str, game: str) -> tuple[str, dict[str, str]]:
    """The algorithm behind a text, and its options; a named player's own, where the text gives no others."""
    algorithms, named = builders(game), PLAYERS.get(game, {})
    try:
        name, options = split(text)
    except BadText:
        _refuse_others(text)
        raise
    if name in named:
        name, usual = split(named[name].text)
        options = usual | options
    if name not in algorithms and not is_user_search(name):
        _refuse_others(text)
        raise unknown(name, list(dict.fromkeys([*named, *algorithms])))
    return name, options


def _refuse_others(text: str) -> None:
    """UsageError for a text that names no player, but something else that its writer may have meant."""
    if text == "human":
        raise BadText("a human plays at the terminal: harena play GAME --second human")
    if error := explain_unknown_course(text):
        raise error
    if os.path.isdir(text):
        raise BadText(f"{text} is a folder: name a file in it, or write COURSE:{text} for a course's agent")
    if os.path.isfile(text):
        raise BadText(f"{text} is a file: write {os.path.join('.', text)} for a program that speaks docs/protocol.md")


def builders(game: str) -> Mapping[str, Callable[..., Search]]:
    """The algorithms that a game has."""
    return {**ALGORITHMS, **OF_ONE_GAME.get(game, {})}


def options_of(build: Callable[..., Search]) -> list[inspect.Parameter]:
    """The options of an algorithm, with their defaults."""
    return [one for one in inspect.signature(build).parameters.values() if one.kind is one.KEYWORD_ONLY]
