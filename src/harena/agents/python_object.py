"""Agents that are objects of a Python program: a function `state -> move`, an object with `run`, or its class.

They play in the program's own process, without a sandbox, one game at a time. A call cannot be stopped: an answer that
comes after the limit of time loses the game when it comes.
"""

import inspect
import time
import traceback
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from harena.agents.contestant import Said
from harena.agents.fault import AgentFault
from harena.api import State
from harena.errors import BadOption
from harena.search.result import Limits, Result, Turn
from harena.termination import Termination

PREFIX = "python:"  # before the name of an object, in the place of an agent's text


def is_object_text(text: str) -> bool:
    """Whether the text of an agent stands for an object of the program that played it."""
    return text.startswith(PREFIX)


def name_objects(agents: Iterable[object]) -> tuple[list[str], dict[str, object]]:
    """The texts of agents, in which each object has a name of its own, and the objects by these names."""
    texts: list[str] = []
    objects: dict[str, object] = {}
    for agent in agents:
        if isinstance(agent, str):
            texts.append(agent)
            continue
        if not callable(agent) and not callable(getattr(agent, "run", None)):
            raise BadOption(f"an agent is a text, a function of a state, or an object with run, not {agent!r}")
        name = getattr(agent, "__qualname__", None) or type(agent).__qualname__
        text = PREFIX + "".join(letter if letter.isalnum() or letter in "_." else "_" for letter in name)
        same = next((known for known, other in objects.items() if other is agent), None)
        if same is None:
            number = sum(known == text or known.startswith(f"{text}#") for known in objects)
            same = f"{text}#{number + 1}" if number else text
            objects[same] = agent
        texts.append(same)
    return texts, objects


class ObjectContestant:
    """An object of a Python program, asked in this process."""

    def __init__(self, text: str, agent: Any, margin: float) -> None:
        self.text, self.margin = text, margin
        self.is_class = isinstance(agent, type)
        self.agent = agent

    def begin(self, options: Mapping[str, Any], start: str, seat: int, seed: int) -> None:
        """A new game: of a class a new instance, else the object is told if it wants to know."""
        with blame_for("did not load" if self.is_class else "crash"):
            self.player: Any = self.agent() if self.is_class else self.agent
            if not self.is_class and callable(getattr(self.player, "forget", None)):
                self.player.forget()
            has_run = callable(getattr(self.player, "run", None))
            self.takes_limits = has_run and len(inspect.signature(self.player.run).parameters) > 1
            self.ask = self.player.run if has_run else self.player

    def choose(self, state: State, moves: list[str], limits: Limits, seed: int, allowed: float | None = None) -> Said:
        """A move; the time it took is measured, and too much of it is a fault."""
        begin = time.perf_counter()
        with blame_for("crash"):
            turn = Turn(seed=seed, flag=np.zeros(1, np.int64), ply=len(moves), turn_seconds=allowed)
            answer = self.ask(state, limits, turn) if self.takes_limits else self.ask(state)
        seconds = time.perf_counter() - begin
        limit = allowed or limits.seconds
        if limit is not None and seconds > limit + self.margin:
            over = 1000 * (seconds - limit)
            text = f"answered after {1000 * seconds:.0f} ms: limit {1000 * limit:.0f} ms, {over:.0f} ms over"
            raise AgentFault(Termination.TIME, text, has_answered=True, seconds=seconds)
        result = answer if isinstance(answer, Result) else Result(move=answer)
        move, nodes = _move_text(state, result.move), result.iterations or result.nodes or None
        return Said(move=move, seconds=seconds, value=result.value, depth=result.depth, nodes=nodes)

    def end(self) -> None:
        """Nothing to tell."""

    def close(self) -> None:
        """Nothing to end."""


def _move_text(state: State, move: object) -> str:
    """The text of an answer; of a number that is no legal move the number, which the referee refuses."""
    if isinstance(move, str) or not hasattr(move, "__index__"):
        return str(move)
    number = int(move)
    return str(next((legal for legal in state.moves() if int(legal) == number), number))


@contextmanager
def blame_for(reason: str) -> Iterator[None]:
    """Turn whatever an object lets through into a fault of its own."""
    try:
        yield
    except AgentFault:
        raise
    except (Exception, SystemExit) as error:
        whole = "".join(traceback.format_exception(error))
        raise AgentFault(reason, f"{type(error).__name__}: {error}", traceback=whole) from None
