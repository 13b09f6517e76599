"""The named players of each game: each is a text with a description and where it comes from."""

from collections.abc import Mapping
from dataclasses import dataclass

from harena.champions.sparring import CATALOGUE
from harena.heuristics.catalogue import HEURISTICS


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A named player: what its name stands for."""

    text: str
    about: str
    origin: str


def _course(text: str, about: str, origin: str) -> Entry:
    return Entry(text=text, about=about, origin=origin)


ISOLATION, COMP424, W4701, TILES, HARENA = (
    "AIND Isolation project",
    "McGill COMP 424",
    "Columbia W4701",
    "tiles assignment",
    "Harena",
)
CHAMPION = Entry(
    text="champion", about="the strongest that we have; a level from 1 to 9 makes it weaker", origin=HARENA
)
RANDOM = {"random": Entry(text="random", about="any legal move, all equally likely", origin="all courses")}
ISOLATION_LEVELS = {
    f"{short}_{name}": _course(
        f"{search}(depth={depth}, heuristic={name})", f"{search} to depth {depth}, heuristic {name}", ISOLATION
    )
    for short, search, depth in (("mm", "minimax", 3), ("ab", "alphabeta", 5))
    for name in ("null", "open", "center", "improved")
}
OURS = ("outlook", "reach", "territory")  # heuristics that no course names
ISOLATION_DEEPENING = {
    f"id_{name}": _course(
        f"id(heuristic={name}, seconds=0.15)", f"iterative deepening, {about}", HARENA if name in OURS else ISOLATION
    )
    for name, about in HEURISTICS["isolation"].items()
}
COURSE_PLAYERS: Mapping[str, Mapping[str, Entry]] = {
    "isolation": RANDOM | ISOLATION_LEVELS | ISOLATION_DEEPENING,
    "colosseum": RANDOM
    | {
        "random_agent": _course("random_walk", "0 to K random steps, then a random free side", COMP424),
        "greedy": _course(
            "course_greedy",
            "best first by distance, area and being boxed in; c1 c3 c4, late_c1 late_c3 late_c4",
            COMP424,
        ),
        "uct": _course(
            "mcts(c=0.1, expansion=order, choice=wins, handicap=20, solver=false, reuse=false, seconds=1.8)",
            "UCT with full random playouts and 20 lost games for boxing oneself in",
            COMP424,
        ),
        "lookahead2": _course(
            "course_greedy(heuristic=own_moves, seconds=1.5)", "the move after which I have most moves", COMP424
        ),
    },
    "trap": {
        "random": _course("thrower", "a random free neighbour; aims at a random free cell", W4701),
        "easy": _course("thrower(near=true)", "random walk; aims at a random free neighbour of the opponent", W4701),
        "medium": _course(
            "trees(depth=1, misses=none, walk_heuristic=open, aim_heuristic=improved)",
            "one ply: most free neighbours for me, fewest for the opponent",
            W4701,
        ),
        "minimax": _course(
            "trees(depth=3, misses=none, deepen=false)", "alpha-beta to depth 3 in two trees, throws always hit", W4701
        ),
        "hard": _course(
            "trees(depth=3, misses=ignored, deepen=false, "
            "walk_heuristic=open+0.5*outlook, aim_heuristic=open+improved)",
            "expectiminimax to depth 3, misses ignored, one utility for walking and one for aiming",
            W4701,
        ),
        "super": _course(
            "trees(depth=4, misses=ignored, deepen=false, heuristic=phased(improved+0.5*open, aggressive))",
            "as hard, to depth 4: 1.5 * mine - theirs while more than half is free, then mine - 2 * theirs",
            W4701,
        ),
        "expectiminimax": _course(
            "trees(depth=5)", "two trees to depth 5 as prescribed, exact chances; candidates, misses, split", W4701
        ),
    },
    "tiles": RANDOM
    | {
        "greedy": _course("greedy(heuristic=left)", "the best immediate balance of tiles", TILES),
        "uct1000": _course(
            "mcts(c=1, win=3, loss=-3, draw=-2, expansion=half, choice=mean, "
            "solver=false, reuse=false, iterations=1000)",
            "the course's MCTS: 1000 iterations, its rewards and its expansion by halves",
            TILES,
        ),
    },
}

PARTNER = "spar_"  # how the names of sparring partners begin


def _of_harena(game: str) -> dict[str, Entry]:
    """The champion of a game and its sparring partners."""
    partners = {
        name: Entry(text=text or name, about=about, origin=HARENA) for name, (text, about) in CATALOGUE[game].items()
    }
    return {"champion": CHAMPION, **partners}


PLAYERS: Mapping[str, Mapping[str, Entry]] = {
    game: {**players, **_of_harena(game)} for game, players in COURSE_PLAYERS.items()
}
