"""What a search thinks of a position, as JSON; the last few thoughts are kept, so that their trees can be opened."""

import threading
from dataclasses import dataclass, replace
from typing import Any, get_args, get_origin

from cachetools import LRUCache

from harena.agents.analysis import heat, line, warmths
from harena.agents.expected import score_of
from harena.agents.exploring import opened
from harena.agents.informed import informed
from harena.agents.names import PLAYERS
from harena.agents.player import Player, builders, options_of
from harena.agents.recording import check_tree
from harena.api import State
from harena.contract import CHANCE
from harena.errors import UsageError
from harena.games.picture import Picture
from harena.heuristics.catalogue import HEURISTICS
from harena.search.result import Limits, Result, RootMove
from harena.search.workspace import WIN
from harena.web.config import Config
from harena.web.given import known_player
from harena.web.seeing import SIDES, pictured
from harena.web.thinking import Job, Thinking

KEPT = 4  # thoughts with their trees
SIGNS = {"=": "", "<=": "≤ ", ">=": "≥ "}  # of a bound
VERDICTS = {1: "won", 0: "drawn", -1: "lost"}
REASONS = {
    "depth": "the depth was reached",
    "seconds": "the time was up",
    "nodes": "the nodes were used up",
    "iterations": "the iterations were used up",
    "exhausted": "the whole tree was searched",
    "decided": "the game is decided",
    "settled": "three depths in a row named the same move",
    "interrupted": "it was stopped",
    "random": "it draws at random",
    "answered": "it says no more than its move",
}
FAMILIAR = (
    "heuristic",
    "c",
    "bounds",
    "deepen",
    "expansion",
    "choice",
    "candidates",
    "misses",
    "level",
)  # options shown at once
SURE = {1: "100 %", 0: "50 %", -1: "0 %"}  # what a proven end lets its mover expect
LEVELS = [str(level) for level in range(10, 0, -1)]
MEANINGS = {
    "heuristic": "Judges the positions at which the search stops",
    "walk_heuristic": "Judges positions when it searches where to walk",
    "aim_heuristic": "Judges positions when it searches where to throw",
    "c": "How curious it is: a high number tries rarely visited moves more often, a low one trusts what looked good",
    "win": "What a won playout counts",
    "loss": "What a lost playout counts",
    "draw": "What a drawn playout counts",
    "expansion": "Which untried move joins the tree next: in the order of the game, at random, all at once, or by half",
    "choice": "Which move it plays in the end: the one with the most visits, the best mean, or the most wins",
    "greed": "The share of playout moves, 0 to 1, that are the best by the heuristic; the others are random",
    "plies": "After so many moves of a playout the heuristic judges instead of playing on",
    "scale": "How large a value of the heuristic has to be to count as three quarters of a win",
    "rave": "A move also learns from playouts in which it was made later",
    "rave_visits": "After about so many visits its own playouts count more than those",
    "bias": "How much the heuristic helps to choose among moves that were rarely visited",
    "handicap": "Lost playouts that a move between three walls begins with",
    "solver": "Proves wins and losses inside the tree",
    "reuse": "Keeps the tree for the next move of the same game",
    "bounds": "How it cuts off where chance decides; the value is the same",
    "deepen": "Searches depth 1, then 2, then 3, and so on, up to the limit",
    "settled": "Stops when three depths in a row name the same move",
    "full": "Finds the exact value of every move, not only of the best",
    "candidates": "The cells that it aims at: near the other, within so many steps, or all",
    "misses": "How it reckons with throws that miss: exactly, as without effect, or not at all",
    "split": "The share of the time that the walk gets; the throw gets the rest",
    "near": "Aims only near the other",
    "c1": "How much the distance to the other counts, to keep near",
    "c3": "How much a small area of its own counts against a move",
    "c4": "How much it minds to stand between three walls",
    "late_c1": "The same as c1, late in the game",
    "late_c3": "The same as c3, late in the game",
    "late_c4": "The same as c4, late in the game",
    "late_below": "The game is late once less than this share of all sides is open",
    "level": "How strong it plays: 10 is all it can, 1 is a beginner",
    "memory": "Megabytes that it may use",
    "threads": "How many searches run at once; below level 10 only one",
}  # of options, in plain words


@dataclass(frozen=True)
class Question:
    """What was asked: equal questions have one answer, as long as it is kept."""

    state: State
    player: str
    limits: Limits
    seed: int


@dataclass(frozen=True)
class Thought:
    """An answer, with the player whose memory still has its tree."""

    player: Player
    state: State
    result: Result


class Understanding:
    """The last thoughts of a server."""

    def __init__(self, config: Config, searches: Thinking) -> None:
        self.config, self.searches = config, searches
        self._thoughts: LRUCache[Question, Thought] = LRUCache(KEPT)
        self._lock = threading.Lock()

    def thought(self, question: Question, job: Job, *, again: bool = False) -> Thought:
        """Search, in the calling thread; `again` even if there is an answer already."""
        with self._lock:
            known = None if again else self._thoughts.get(question)
        if known is not None:
            return known
        check_running(question.state)
        player = informed(known_player(self.config, question.player, question.state.game))
        limits = self.searches.bounded(player, question.limits)
        self.searches.begin(player, job)
        result = player.think(question.state, limits, seed=question.seed, flag=job.flag)
        thought = Thought(player, question.state, result)
        with self._lock:
            self._thoughts[question] = thought
        return thought

    def close(self) -> None:
        """The server ends."""
        with self._lock:
            players = [thought.player for thought in self._thoughts.values()]
            self._thoughts.clear()
        self.searches.dismiss(players)

    def tree(self, question: Question, path: list[str], depth: int | None, width: int, job: Job) -> dict[str, Any]:
        """The node behind a path of moves in the tree of an answer."""
        check_tree(known_player(self.config, question.player, question.state.game))
        thought = self.thought(question, job)
        with self.searches.lent(thought.player, question.state.game) as player:
            document = opened(player, thought.state, thought.result, path, depth=depth, width=width, flag=job.flag)
        return with_pictures(document)


def check_running(state: State) -> None:
    """Complain about a position in which nobody decides."""
    if state.is_over:
        raise UsageError(f"there is nothing to analyse: {state.outcome}")
    if state.mover == CHANCE:
        raise UsageError("chance decides here: analyse the position before the throw, or one after its landing")


def with_pictures(node: dict[str, Any]) -> dict[str, Any]:
    """A node of a tree with its pictures as JSON."""
    picture = node["picture"]
    plain = {**node, "picture": pictured(picture) if isinstance(picture, Picture) else None}
    return plain | ({"children": [with_pictures(child) for child in node["children"]]} if "children" in node else {})


def analysed(thought: Thought) -> dict[str, Any]:
    """All that a page shows of a thought."""
    state, result = thought.state, thought.result
    by_value = tuple(replace(one, visits=None) for one in result.root)
    has_visits = any(one.visits for one in result.root)
    return {
        "player": thought.player.text,
        "move": str(state.named(result.move)),
        "label": value_text(result.value, "=", result.iterations is not None),
        "expected": _expected(thought, result.value),
        "verdict": None if result.proven is None else VERDICTS[result.proven],
        "value": result.value,
        "depth": result.depth,
        "nodes": result.nodes,
        "iterations": result.iterations,
        "seconds": result.seconds,
        "stopped": REASONS.get(result.stopped, result.stopped),
        "line": _steps(state, result),
        "root": _rows(thought),
        "heat": {"values": _heat(state, by_value), "visits": _heat(state, result.root) if has_visits else None},
        "tree": _has_tree(thought.player),
    }


def _heat(state: State, root: tuple[RootMove, ...]) -> list[list[int]]:
    return [[row, column, warmth] for (row, column), warmth in sorted(heat(state, root).items())]


def _steps(state: State, result: Result) -> list[dict[str, Any]]:
    """The line of best play, with the board after each move."""
    steps = []
    for move in line(state, result):
        state = state.play(move)
        picture = state.picture
        plain = None if picture is None else pictured(picture)
        steps.append({"move": str(move), "position": state.text, "caption": state.caption, "picture": plain})
    return steps


def _expected(thought: Thought, value: float | None, bound: str = "=") -> str:
    """The score that a value lets its mover expect, as people read it; empty where its scale is not known."""
    score = score_of(thought.player, thought.state, value)
    return "" if score is None else f"{SIGNS[bound]}{100 * score:.0f} %"


def _rows(thought: Thought) -> list[dict[str, Any]]:
    state, result = thought.state, thought.result
    warmth = warmths(result.root)
    total = sum(one.visits or 0 for one in result.root)
    is_mean = result.iterations is not None
    has_scale = score_of(thought.player, state, 0.0) is not None
    rows = []
    for one in result.root:
        text = str(state.named(one.move))
        rows.append(
            {
                "move": text,
                "cell": state.game.face.cell_of(state.value, one.move),
                "side": text[-1] if state.game.name == "colosseum" and text[-1] in SIDES else None,
                "value": one.value,
                "label": value_text(one.value, one.bound, is_mean),
                "expected": _row_expected(thought, one) if has_scale else "",
                "verdict": None if one.proven is None else VERDICTS[one.proven],
                "visits": one.visits,
                "share": one.visits / total if one.visits is not None and total else None,
                "won": one.won,
                "drawn": one.drawn,
                "lost": one.lost,
                "prior": one.prior,
                "warmth": warmth.get(one.move, 0),
            }
        )
    return rows


def _row_expected(thought: Thought, one: RootMove) -> str:
    return _expected(thought, one.value, one.bound) if one.proven is None else SURE[one.proven]


def value_text(value: float | None, bound: str, is_mean: bool) -> str:
    """A value as people read it."""
    if value is None:
        return ""
    sign = SIGNS[bound]
    if not is_mean and abs(value) >= WIN:
        return sign + ("win" if value > 0 else "loss")
    return sign + (f"{value:.3f}" if is_mean else f"{value:+.4g}" if value else "0").replace("-", "−")


def _has_tree(player: Player) -> bool:
    try:
        check_tree(player)
    except UsageError:
        return False
    return True


def choices(game: str) -> dict[str, Any]:
    """What a form offers for a game: named players, algorithms with their options, heuristics."""
    return {
        "players": {name: {"about": one.about, "text": one.text} for name, one in PLAYERS[game].items()},
        "algorithms": {
            name: {
                "about": (build.__doc__ or "").split("\n", maxsplit=1)[0],
                "options": [_option(one) for one in options_of(build)],
            }
            for name, build in builders(game).items()
        },
        "heuristics": dict(HEURISTICS[game]),
    }


def _option(one: Any) -> dict[str, Any]:
    kind = one.annotation
    listed = list(get_args(kind)) if get_origin(kind) is not None else LEVELS if one.name == "level" else []
    named = {bool: "truth", int: "number", float: "number"}.get(kind, "text")
    default = str(one.default).lower() if kind is bool else f"{one.default:g}" if kind is float else str(one.default)
    return {
        "name": one.name,
        "kind": "choice" if listed else "heuristic" if one.name.endswith("heuristic") else named,
        "default": default,
        "choices": listed,
        "about": MEANINGS.get(one.name, ""),
        "familiar": one.name in FAMILIAR or one.name.endswith("heuristic"),
    }
