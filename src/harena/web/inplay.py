"""The games of a run that another process is playing, ply by ply as it tells of them (`arena/now.py`).

Each is kept as a replay document that grows, so that a look plays only the moves that are new.
"""

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harena.api import State
from harena.arena.now import in_progress
from harena.arena.slot import slot_of
from harena.arena.store import Run, Store
from harena.errors import HarenaError
from harena.web.given import placed
from harena.web.replays import heading, shown_ply

Part = dict[str, Any]
DAMAGE = (HarenaError, KeyError, TypeError, ValueError, IndexError)  # of a file that somebody else writes


class Game:
    """One game: its document, and the state after its last ply."""

    def __init__(self, spec: Mapping[str, Any], told: Mapping[str, Any]) -> None:
        self.start, self.moves = str(told["start"]), list[str]()
        self.state: State = placed(spec["game"], self.start)
        first, second = (spec["agents"][number] for number in slot_of(told["slot"]).seats)
        self.plies = [shown_ply(self.state)]
        self.known = heading(spec["game"], dict(self.state.game.options), (first, second))

    def grow(self, moves: list[str]) -> None:
        """Play what is new."""
        for move in moves[len(self.moves) :]:
            self.state = self.state.play(move)
            self.plies.append(shown_ply(self.state))
            self.moves.append(move)

    def goes_on(self, told: Mapping[str, Any]) -> bool:
        """Whether this is the same game, as far as it had come."""
        return bool(told["start"] == self.start and told["moves"][: len(self.moves)] == self.moves)


class InPlay:
    """The games of one run; may be asked from any thread."""

    def __init__(self, store: Path, run: str) -> None:
        self.store, self.run = store, run
        self._games: dict[str, Game] = {}
        self._told: dict[str, tuple[Game, int]] = {}  # at the last look: the games, and how many plies they had
        self._lock = threading.Lock()

    def told(self) -> list[Part]:
        """Their documents as they are now."""
        with self._lock:
            self._update()
            return [
                game.known | {"slot": slot, "status": "playing", "plies": list(game.plies)}
                for slot, game in self._games.items()
            ]

    def look(self) -> list[tuple[str, Part]]:
        """What is new since the last look, as events: `now` names the games, `plies` brings what was played in one."""
        with self._lock:
            self._update()
            before, self._told = self._told, {slot: (game, len(game.plies)) for slot, game in self._games.items()}
        events: list[tuple[str, Part]] = []
        for slot, (game, count) in self._told.items():
            known, after = before.get(slot, (None, 0))
            if known is game and after < count:
                events.append(("plies", {"slot": slot, "after": after, "plies": game.plies[after:count]}))
        if {slot: game for slot, (game, _) in self._told.items()} != {slot: game for slot, (game, _) in before.items()}:
            listed = [{"slot": slot, "seats": game.known["seats"]} for slot, (game, _) in self._told.items()]
            events.append(("now", {"games": listed}))
        return events

    def _update(self) -> None:
        found = in_progress(self.store, self.run)
        spec: Any = self._spec() if found else {}
        games = {}
        for told in found:
            try:
                slot = str(told["slot"])
                game = self._games.get(slot)
                game = game if game is not None and game.goes_on(told) else Game(spec, told)
                game.grow(told["moves"])
            except DAMAGE:
                continue  # a game of somebody's own, or a file that is not ours
            games[slot] = game
        self._games = games

    def _spec(self) -> Any:
        with Store(self.store, writing=False) as store:
            return spec_within(store.run(self.run))


def spec_within(run: Run) -> Any:
    """How the games of a run are played: of a match it stands within its plan; of other versions it may be anything."""
    return run.spec.get("spec", run.spec)
