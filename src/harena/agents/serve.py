"""A player of ours as a process that speaks the protocol: `python -m harena.agents.serve PLAYER`.

It says `ready` only when every kernel it can reach is loaded, for every variant of the game it will be asked to play.
"""

import gc
import json
import os
import sys
from typing import Any

import numpy as np

from harena.agents.bot import PROTOCOL
from harena.agents.fault import fit_into_line, traceback_of_cause
from harena.agents.player import Player, build_player
from harena.api import Game, State
from harena.errors import HarenaError
from harena.find import game
from harena.sandbox.watcher import MARK
from harena.sandbox.workplace import arena_of
from harena.search.result import Limits, Result

NO_FLAG = np.zeros(1, np.int64)  # for a search that nobody stops by Ctrl-C: it runs in the thread that asks for it


class Server:
    """The players, one for each variant of the game, and the state of the game in progress."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.name = ""
        self.players: dict[str, Player] = {}
        self.state: State | None = None
        self.played = 0

    def player_for(self, options: dict[str, Any]) -> Player:
        """The player of a variant, ready."""
        key = json.dumps(options, sort_keys=True)
        if key not in self.players:
            made = build_player(self.text, game(self.name, **options))
            made.usual, made.limits = made.allowed(), Limits()  # what it is told wins
            made.ready()
            rehearse(made.game)
            self.players[key] = made
        return self.players[key]

    def hear(self, told: dict[str, Any]) -> dict[str, Any] | None:
        """The answer to a message, if it wants one."""
        kind = told.get("type")
        if kind == "hello":
            self.name = told["game"]
            for options in told["variants"]:
                self.player_for(options)
            spare_collector()
            return {"type": "ready", "harena": PROTOCOL, "name": self.text}
        if kind == "new":
            for one in self.players.values():  # those of other boards too: their memory is what this one takes
                one.forget()
            self.thinker = self.player_for(told["options"])
            self.state = self.thinker.game.position(told["start"])
            self.played = 0
        elif kind == "go":
            return {"type": "move", "id": told["id"], **self.choose(told)}
        return None

    def choose(self, told: dict[str, Any]) -> dict[str, Any]:
        """A move, with what was found about it."""
        assert self.state is not None
        for move in told["moves"][self.played :]:
            self.state = self.state.play(move)
        self.played = len(told["moves"])
        limits, left = Limits(**told["limits"]), told.get("turn_seconds")
        found = self.thinker.think(self.state, limits, seed=told["seed"], flag=NO_FLAG, turn_seconds=left)
        return described(self.state, found)


def die_with_parent() -> None:
    """Let the kernel end this process with the one that started it: while it is stopped it hears nothing else."""
    arena = arena_of(os.environ.get(MARK, ""))
    if sys.platform == "linux" and arena is not None:
        from harena.sandbox.inside import calls

        calls.prctl(calls.PDEATHSIG, calls.SIGKILL)
        if os.getppid() != arena:  # it has ended already
            sys.exit()


def spare_collector() -> None:
    """Keep Python's collector from going through all that is loaded: that took 50 ms, in the middle of a move."""
    gc.collect()
    gc.freeze()


def rehearse(rules: Game) -> None:
    """Read a position and a move as in a game: that loads kernels too, which is nobody's thinking time."""
    state = rules.position(rules.initial().text)
    if not state.is_over:
        state.play(str(state.moves()[0]))


def described(state: State, found: Result) -> dict[str, Any]:
    """The move and what there is to say about it."""
    said = {"value": found.value, "depth": found.depth, "nodes": found.iterations or found.nodes or None}
    return {"move": str(state.named(found.move)), **{key: value for key, value in said.items() if value is not None}}


def main() -> None:
    """Serve as a program of its own."""
    die_with_parent()
    serve(sys.argv[1])


def serve(text: str) -> None:
    """Serve this player until told to quit, or until nobody speaks any more."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    server = Server(text)
    for line in sys.stdin:
        told = json.loads(line)
        if told.get("type") == "quit":
            return
        try:
            answer = server.hear(told)
        except HarenaError as error:
            text = traceback_of_cause(error)
            print(text, end="", file=sys.stderr, flush=True)
            answer = {"type": "error", "message": str(error), "traceback": fit_into_line(text)}
        if answer is not None:
            out.write(json.dumps(answer) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
