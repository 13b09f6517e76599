"""The searches that every game has, by name: each is a function of a game's name and the options in a player's text.

The parameters of these functions are the options; their annotations say how the text of each is read.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal

from harena.agents.chase import Trees
from harena.agents.easy import RandomThrower
from harena.agents.walker import RandomWalk, moves_by_distance
from harena.champions import colosseum, isolation, sparring, tiles, trap
from harena.errors import BadOption
from harena.heuristics.boxed import Boxed
from harena.heuristics.combine import Phased
from harena.heuristics.names import NULL, TABLES
from harena.heuristics.names import heuristic as read_heuristic
from harena.heuristics.zones import Zones
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
MOST_MEGABYTES = 100_000
BOUNDS = {"none": PLAIN, "star1": STAR1, "star2": STAR2}


def random(game: str) -> Search:
    """Any legal move, all equally likely."""
    return RandomChoice()


def greedy(game: str, *, heuristic: HeuristicText = "") -> Search:
    """One move ahead, the best by the heuristic; the first of equals."""
    usual = next(name for name in ("improved", "left", "null") if name in TABLES.get(game, NULL))
    return Greedy(heuristic=read_heuristic(game, heuristic or usual))


def _deepening(game: str, algorithm: Any, heuristic: str, **options: Any) -> Search:
    return Deepening(algorithm=algorithm, heuristic=read_heuristic(game, heuristic), **options)


def megabytes(memory: float) -> float:
    """An amount of memory that makes sense."""
    if not memory > 0:
        raise BadOption(f"memory is more than 0, not {memory:g}")
    if memory > MOST_MEGABYTES:
        raise BadOption(f"memory is at most {MOST_MEGABYTES:,} (megabytes), not {memory:g}")
    return memory


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
    return _deepening(game, Principal(), heuristic, settled=settled, full=full, megabytes=megabytes(memory))


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
    plies: str = "all",
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
    if not 0 <= greed <= 1:
        raise BadOption(f"greed is 0 to 1, not {greed:g}")
    if plies != "all" and not (plies.isdecimal() and len(plies) < 10):
        raise BadOption(f"plies is all or a whole number, not {plies[:20]!r}")
    if not 0 <= handicap <= uct.TO_THE_END:
        raise BadOption(f"handicap is 0 or more, not {handicap}")
    for name, amount in (("scale", scale), ("rave_visits", rave_visits)):
        if amount <= 0:
            raise BadOption(f"{name} is more than 0, not {amount:g}")
    options = uct.Uct(
        c=c,
        win=win,
        loss=loss,
        draw=draw,
        expansion=EXPANSIONS[expansion],
        playout_plies=uct.TO_THE_END if plies == "all" else int(plies),
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
        megabytes=megabytes(memory),
        keeps=reuse,
    )


def course_greedy(
    game: str,
    *,
    c1: float = 0.05,
    c3: float = 250.0,
    c4: float = 80.0,
    late_c1: float = 1.0,
    late_c3: float = 800.0,
    late_c4: float = 100.0,
    late_below: float = 0.4,
    heuristic: HeuristicText = "",
) -> Search:
    """Greedy by -(c1 * distance + c3 / area + c4 * [three walls]), or by any heuristic, in breadth-first order.

    The late weights count once less than `late_below` of all sides are open. The defaults were fitted by random search
    on 8x8 against random_agent, lookahead2, a weak uct and a first guess.
    """
    early = Zones(distance=-c1, inverse_area=-c3, boxed=-c4)
    late = Zones(distance=-late_c1, inverse_area=-late_c3, boxed=-late_c4)
    value = read_heuristic(game, heuristic) if heuristic else Phased(early, late, late, late_below, late_below)
    return Greedy(heuristic=value, moves=moves_by_distance)


def random_walk(game: str) -> Search:
    """The course's walk: 0 to K random steps, then a random free side."""
    return RandomWalk()


def thrower(game: str, *, near: bool = False) -> Search:
    """A random walk; the aim uniform over all free cells, or (near) over the opponent's free neighbours."""
    return RandomThrower(near=near)


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
    """The course's two trees: in each one player only walks and the other stands where he is and throws."""
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
    "isolation": {"champion": isolation.champion, **sparring.builders("isolation")},
    "colosseum": {
        "course_greedy": course_greedy,
        "random_walk": random_walk,
        "champion": colosseum.champion,
        **sparring.builders("colosseum"),
    },
    "trap": {"thrower": thrower, "trees": trees, "champion": trap.champion, **sparring.builders("trap")},
    "tiles": {"champion": tiles.champion, **sparring.builders("tiles")},
}
