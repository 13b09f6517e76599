"""Partners of other styles to try the champions against.

The list is read without loading any search; those that are no other player's text are built in `GAME_sparring.py` by
the function of their name.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

CATALOGUE: Mapping[str, Mapping[str, tuple[str, str]]] = {  # a player's text, or nothing; and what is to say about it
    "isolation": {
        "spar_deep": ("", "deep alpha-beta made for two knights, counting moves"),
        "spar_territory": ("id(heuristic=territory)", "alpha-beta, counting the cells that it reaches first"),
        "spar_mcts": ("mcts(c=0.5)", "UCT with random playouts that proves wins"),
        "spar_rave": (
            "mcts(c=0.3, rave=true, heuristic=improved, greed=0.5)",
            "UCT with RAVE, half greedy",
        ),
        "spar_mirror": ("", "answers at the opposite point of the board as long as it can"),
        "spar_hugger": ("", "goes where the fewest jumps lead on, along the border"),
        "spar_dawdler": ("", "as spar_deep, and uses every millisecond"),
    },
    "colosseum": {
        "spar_deep": ("id(heuristic=territory)", "deep alpha-beta on cells that are reached first"),
        "spar_moves": ("id(heuristic=moves)", "deep alpha-beta on the number of moves of both"),
        "spar_chaser": ("id(heuristic=territory - 0.5*distance)", "deep alpha-beta that stays close to the opponent"),
        "spar_hugger": (
            "id(heuristic=0.2*territory + boxed)",
            "deep alpha-beta that likes three walls around it",
        ),
        "spar_mirror": ("", "answers with the last move turned by half a turn, else searches"),
        "spar_mcts": ("mcts(c=0.7)", "UCT with random playouts that proves results and uses all of its time"),
        "spar_judged": (
            "mcts(c=0.5, heuristic=territory, plies=4, scale=10)",
            "UCT with an evaluation after four random moves; uses all of its time",
        ),
    },
    "trap": {
        "spar_deep": ("id(heuristic=horizon)", "alpha-beta with a table over the whole game, by open ground"),
        "spar_local": ("id(heuristic=improved+0.2*lookahead)", "the same, counting what is near"),
        "spar_star": ("star(heuristic=territory, deepen=true)", "Star2 over the whole game, by territory"),
        "spar_mcts": ("mcts(c=0.7, heuristic=horizon, plies=8, scale=2)", "UCT that judges after eight plies"),
        "spar_playouts": ("mcts(c=0.7)", "UCT with full playouts"),
        "spar_waster": ("", "wastes every throw on a trap, and waits"),
        "spar_mirror": ("", "mirrors the other's walks and traps"),
        "spar_hugger": ("", "walks along the walls"),
        "spar_chaser": ("", "walks up to the other and throws from there"),
        "spar_dawdler": ("", "as spar_deep, and uses every millisecond"),
    },
    "tiles": {
        "spar_deep": ("", "deep alpha-beta made for tiles, counting tiles and fragile tiles"),
        "spar_mirror": ("", "removes the tile opposite to the last one, else searches"),
        "spar_greedy": ("greedy(heuristic=left - fragile)", "one move ahead: tiles and fragile tiles"),
        "spar_prover": ("id(heuristic=null)", "looks for proven wins only"),
        "spar_mcts": ("mcts(c=0.7)", "UCT with random playouts that proves results and uses all of its time"),
        "spar_judged": (
            "mcts(c=0.5, heuristic=left - fragile, plies=4, scale=4)",
            "UCT with an evaluation after four random moves; uses all of its time",
        ),
        "spar_rave": (
            "mcts(c=0.4, rave=true, heuristic=left - fragile, greed=0.5)",
            "UCT with RAVE, half greedy",
        ),
    },
}
Builder = Callable[[str], Any]
Partners = dict[str, tuple[str | Builder, str]]


def partners(game: str, *builders: Builder) -> Partners:
    """The partners of a game, each as a text or as the function that builds it."""
    by_name = {build.__name__: build for build in builders}
    return {name: (text or by_name[name], about) for name, (text, about) in CATALOGUE[game].items()}


def builders(game: str) -> dict[str, Builder]:
    """The functions that build those partners of a game which are no text."""
    made: Partners = import_module(f"harena.champions.{game}_sparring").PARTNERS
    return {name: how for name, (how, _) in made.items() if not isinstance(how, str)}
