"""An agent of your own in ten lines, with nothing but the standard library; this file may be copied anywhere.

    from harena.agents.bot import run

    def choose(turn):
        return turn.legal[0]  # a move's text

    run(choose, name="always the first")

Harena starts the file as a process and speaks JSON lines with it (docs/protocol.md). Whatever is printed goes to
stderr, where Harena keeps the last of it: standard output belongs to the protocol.
"""

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

PROTOCOL = 1


@dataclass
class Turn:
    """What an agent is told when it has to move."""

    game: str
    options: dict[str, Any]
    seat: int  # 0 or 1: which player it is
    start: str  # the text of the start position
    position: str  # and of the present one
    moves: list[str]  # all moves since the start, chance included
    legal: list[str]  # those it may choose from
    seconds: float | None  # of wall-clock time for this move; None: no limit
    limits: dict[str, Any]  # all limits: seconds, nodes, iterations, depth
    seed: int  # for whoever wants to be repeatable
    turn_seconds: float | None = None  # left of a turn whose decisions share one clock (Trap!'s walk and aim)
    memory: dict[str, Any] = field(default_factory=dict)  # yours; emptied at the start of every game


Answer = str | dict[str, Any]


def run(choose: Callable[[Turn], Answer], name: str = "", begin: Callable[[Turn], None] | None = None) -> None:
    """Play until Harena says quit. `choose` returns a move's text, or {"move": text, "value": ..., "depth": ...}."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    sys.stdout.flush()
    os.dup2(2, 1)  # prints of this process and of its children go to stderr
    sys.stdout = sys.stderr

    def say(message: dict[str, Any]) -> None:
        out.write(json.dumps(message) + "\n")
        out.flush()

    turn = Turn("", {}, 0, "", "", [], [], None, {}, 0)
    for line in sys.stdin:
        told = json.loads(line)
        kind = told.get("type")
        if kind == "hello":
            turn.game = told["game"]
            called = name or os.path.basename(sys.argv[0])
            say({"type": "ready", "harena": PROTOCOL, "name": called, "begins": begin is not None})
        elif kind == "new":
            turn = Turn(turn.game, told["options"], told["seat"], told["start"], told["start"], [], [], None, {}, 0)
            if begin is not None:
                begin(turn)
                say({"type": "begun"})
        elif kind == "go":
            turn.position, turn.moves, turn.legal = told["position"], told["moves"], told["legal"]
            turn.limits, turn.seed = told["limits"], told["seed"]
            turn.seconds, turn.turn_seconds = turn.limits.get("seconds"), told.get("turn_seconds")
            answer = choose(turn)
            given = answer if isinstance(answer, dict) else {"move": answer}
            say({"type": "move", "id": told["id"], **given})
        elif kind == "quit":
            return
