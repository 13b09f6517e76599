"""The searches that every game has, by name: each is a function of a game's name and the options in a player's text.

The parameters of these functions are the options; their annotations say how the text of each is read.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from harena.agents.chase import Trees
from harena.agents.easy import EasyTrap
from harena.agents.walker import RandomWalk
from harena.errors import BadOption
from harena.heuristics.names import heuristic as read_heuristic
from harena.heuristics.zones import Boxed
from harena.search import uct
from harena.search.alphabeta import AlphaBeta
from harena.search.deepening import Deepening
from harena.search.expectiminimax import PLAIN, STAR1, STAR2, Expectiminimax
from harena.search.greedy import Greedy, RandomChoice
from harena.search.mcts import Mcts
from harena.search.minimax import Minimax
from harena.search.principal import Principal
from harena.search.result import Limits, Search

HeuristicText = str
Reply = tuple[Search, Limits]
EXPANSIONS = {"order": uct.IN_ORDER, "random": uct.SHUFFLED, "all": uct.AT_ONCE, "half": uct.BY_HALVES}
BOUNDS = {"none": PLAIN, "star1": STAR1, "star2": STAR2}


def random(game: str) -> Search:
    """Any legal move, all equally likely."""
    return RandomChoice()


def greedy(game: str, *, heuristic: HeuristicText = "improved") -> Search:
    """One move ahead, the best by the heuristic; the first of equals."""
    return Greedy(heuristic=read_heuristic(game, heuristic))


def _deepening(game: str, algorithm: Any, heuristic: str, **options: Any) -> Search:
    return Deepening(algorithm=algorithm, heuristic=read_heuristic(game, heuristic), **options)


def minimax(game: str, *, heuristic: HeuristicText = "null", deepen: bool = False, settled: bool = False) -> Search:
    """Plain minimax to a fixed depth (expectation where chance decides); `deepen` tries depth 1, 2, 3 ... first."""
    return _deepening(game, Minimax(), heuristic, fixed=not deepen, settled=settled)


def alphabeta(game: str, *, heuristic: HeuristicText = "null", deepen: bool = False, settled: bool = False) -> Search:
    """Alpha-beta to a fixed depth; `deepen` tries depth 1, 2, 3 ... first."""
    return _deepening(game, AlphaBeta(), heuristic, fixed=not deepen, settled=settled)


def star(
    game: str,
    *,
    heuristic: HeuristicText = "null",
    bounds: Literal["none", "star1", "star2"] = "star2",
    deepen: bool = False,
    settled: bool = False,
) -> Search:
    """Expectiminimax over the whole game, with alpha-beta bounds at chance nodes: Star1 or Star2."""
    return _deepening(game, Expectiminimax(BOUNDS[bounds]), heuristic, fixed=not deepen, settled=settled)


def deepening(
    game: str, *, heuristic: HeuristicText = "null", settled: bool = False, full: bool = False, memory: float = 32.0
) -> Search:
    """Iterative deepening: alpha-beta with a transposition table (memory in MB), killers and history.

    `settled` stops when three depths in a row name the same move; `full` finds the exact value of every move.
    """
    return _deepening(game, Principal(), heuristic, settled=settled, full=full, megabytes=memory)


def mcts(
    game: str,
    *,
    c: float = 1.0,
    win: float = 1.0,
    loss: float = 0.0,
    draw: float = 0.5,
    expansion: Literal["order", "random", "all", "half"] = "random",
    choice: Literal["visits", "mean", "wins"] = "visits",
    heuristic: HeuristicText = "null",
    greed: float = 0.0,
    plies: int = uct.TO_THE_END,
    scale: float = 10.0,
    rave: bool = False,
    rave_visits: float = 1000.0,
    bias: float = 0.0,
    handicap: int = 0,
    solver: bool = True,
    reuse: bool = True,
    memory: float = 256.0,
) -> Search:
    """Monte Carlo tree search: UCT with its options (docs/search/mcts.md)."""
    if handicap and game != "colosseum":
        raise BadOption("handicap (lost games for a move that leaves its player between three walls) is colosseum's")
    for name, share in (("greed", greed),):
        if not 0 <= share <= 1:
            raise BadOption(f"{name} is 0 to 1, not {share:g}")
    for name, number in (("scale", scale), ("memory", memory), ("plies", plies + 1), ("rave_visits", rave_visits)):
        if number <= 0:
            raise BadOption(f"{name} is more than 0, not {number:g}")
    options = uct.Uct(
        c=c,
        win=win,
        loss=loss,
        draw=draw,
        expansion=EXPANSIONS[expansion],
        playout_plies=plies,
        greed=greed,
        scale=scale,
        rave=rave_visits if rave else 0.0,
        bias=bias,
        solver=solver,
    )
    return Mcts(
        options=options,
        heuristic=read_heuristic(game, heuristic),
        rule=Boxed(handicap) if handicap else uct.NoHandicap(),
        choice=choice,
        megabytes=memory,
        keeps=reuse,
    )


def course_greedy(
    game: str,
    *,
    c1: float = 1.0,
    c3: float = 5.0,
    c4: float = 10.0,
    late_c1: float = 0.5,
    late_c3: float = 20.0,
    late_c4: float = 20.0,
) -> Search:
    """Greedy best-first by -(c1 * distance + c3 / area + c4 * [three walls]); other weights when walls abound."""
    early = f"-{c1}*distance - {c3}*inverse_area - {c4}*boxed"
    late = f"-{late_c1}*distance - {late_c3}*inverse_area - {late_c4}*boxed"
    return Greedy(heuristic=read_heuristic(game, f"phased({early}, {late})"))


def random_walk(game: str) -> Search:
    """The course's walk: 0 to K random steps, then a random free side."""
    return RandomWalk()


def easy(game: str) -> Search:
    """A random walk; the aim uniform on a free neighbour of the opponent."""
    return EasyTrap()


def trees(
    game: str,
    *,
    heuristic: HeuristicText = "improved",
    walk_heuristic: HeuristicText = "",
    aim_heuristic: HeuristicText = "",
    candidates: str = "near",
    misses: Literal["exact", "ignored", "none"] = "exact",
    split: float = 0.5,
    deepen: bool = True,
) -> Search:
    """Two separate trees, the walker's and the thrower's, each with the opponent standing still or only throwing."""
    if candidates not in ("near", "all") and not (candidates.isdecimal() and 1 <= int(candidates) <= 8):
        raise BadOption(f"candidates is near, all or a radius from 1 to 8, not {candidates!r}")
    if not 0 < split < 1:
        raise BadOption(f"split, the walk's share of the time, is between 0 and 1, not {split:g}")
    return Trees(
        walk=read_heuristic(game, walk_heuristic or heuristic),
        aim=read_heuristic(game, aim_heuristic or heuristic),
        candidates=candidates,
        misses=misses,
        split=split,
        deepen=deepen,
    )


ALGORITHMS: Mapping[str, Callable[..., Search]] = {
    "random": random,
    "greedy": greedy,
    "minimax": minimax,
    "alphabeta": alphabeta,
    "star": star,
    "id": deepening,
    "mcts": mcts,
}
OF_ONE_GAME: Mapping[str, Mapping[str, Callable[..., Search]]] = {
    "colosseum": {"course_greedy": course_greedy, "random_walk": random_walk},
    "trap": {"easy": easy, "trees": trees},
}
