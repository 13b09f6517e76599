"""The heuristics of each game in words; read by `harena agents` without loading any compiled code."""

from collections.abc import Mapping

NULL = {"null": "nothing but winning and losing"}
MOBILITY: Mapping[str, str] = {
    **NULL,
    "open": "my moves",
    "improved": "my moves less the opponent's (IS)",
    "aggressive": "my moves less twice the opponent's (AIS)",
    "lookahead": "the moves from each of my next cells, less the opponent's (OCLS)",
    "outlook": "the moves from each of my next cells",
    "net_advantage": "my moves, when not active only those not shared, less theirs",
    "net_mobility": "who has more moves: +2 or -1 when active, +1 or -2 when not",
    "accessibility": "+1 near the centre, -1 far from it",
    "offensive": "a cell that both can reach: +1 when active, -1 when not",
    "proximity": "minus the hops between the players",
    "horizon": "the free cells, each halved for every move away, less the opponent's",
    "reach": "free cells within reach in any number of moves, less the opponent's",
    "territory": "free cells I get to first, less those the opponent does",
    "combo_offensive_near_mobility": "offensive + proximity + net_mobility",
    "combo_advantage_near": "net_advantage + proximity",
    "phased": "net_advantage; with accessibility above 2/3 blank, with offensive below 1/3",
}
HEURISTICS: Mapping[str, Mapping[str, str]] = {
    "isolation": {
        **MOBILITY,
        "center": "how far I am from the centre, squared, as the later course had it: it rewards the edge",
    },
    "trap": {
        **MOBILITY,
        "am": "the course's name for open",
        "is": "the course's name for improved",
        "ais": "the course's name for aggressive",
        "ocls": "the course's name for lookahead",
    },
    "colosseum": {
        **MOBILITY,
        "area": "cells connected with mine",
        "inverse_area": "one over that",
        "distance": "steps between the players, walls not counted",
        "boxed": "1 when three or more sides of my cell are closed",
        "own_moves": "my legal moves (cell and wall)",
        "moves": "my legal moves less the opponent's",
        "territory": "cells I reach in fewer steps (Voronoi), less the opponent's",
    },
    "tiles": {
        **NULL,
        "left": "the opponent's tiles less mine: mine want to be gone",
        "fragile": "my tiles with an open side, less the opponent's",
        "balance": "the most that one removal gains, mine less the opponent's",
    },
}
