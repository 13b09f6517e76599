"""Heuristics as text: `improved`, `0.5*improved + proximity`, `phased(accessibility, improved)`, `mine.py:my_score`.

A name stands for a value whose fields are weights, so a sum of names of one class is one value again and shares its
compiled search. Each game has its own table; a user's own game has `null` and his own functions.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from harena.errors import BadText, UnknownName
from harena.heuristics.combine import Null, Phased, Sum
from harena.heuristics.mobility import Ground, Mobility
from harena.heuristics.own import own_heuristic
from harena.heuristics.tiles import TileCounts
from harena.heuristics.zones import Zones

TOKEN = re.compile(r"\s*(?:(?P<file>[^\s*(),]+\.py:\w+)|(?P<number>\d+\.?\d*|\.\d+)|(?P<name>\w+)|(?P<sign>[-+*(),]))")
WEIGHTS = (Mobility, Ground, Zones, TileCounts)  # classes whose fields are all weights
EARLY, LATE = 2 / 3, 1 / 3  # of the board still open: where a game's phases begin and end


@dataclass(frozen=True, kw_only=True)
class Named:
    """A heuristic's value, and a line about it."""

    value: Any
    about: str


def _named(value: Any, about: str) -> Named:
    return Named(value=value, about=about)


NULL = {"null": _named(Null(), "nothing but winning and losing")}
MOBILITY: Mapping[str, Named] = NULL | {
    "open": _named(Mobility(mine=1.0), "my moves"),
    "improved": _named(Mobility(mine=1.0, theirs=-1.0), "my moves less the opponent's (IS)"),
    "aggressive": _named(Mobility(mine=1.0, theirs=-2.0), "my moves less twice the opponent's (AIS)"),
    "lookahead": _named(Ground(lookahead=1.0), "moves from each of my next cells, less the opponent's (OCLS)"),
    "outlook": _named(Ground(outlook=1.0), "the moves from each of my next cells"),
    "net_advantage": _named(Mobility(net_advantage=1.0), "my moves, if not active only unshared ones, less theirs"),
    "net_mobility": _named(Mobility(net_mobility=1.0), "who has more moves: +2 -1 when active, +1 -2 when not"),
    "accessibility": _named(Mobility(accessibility=1.0), "+1 near the centre, -1 far from it"),
    "offensive": _named(Mobility(offensive=1.0), "a cell both can reach: +1 when active, -1 when not"),
    "proximity": _named(Mobility(proximity=1.0), "minus the hops between the players"),
    "horizon": _named(Ground(horizon=1.0), "free cells halved for every move away, less the opponent's"),
    "reach": _named(Ground(reach=1.0), "free cells within reach in any number of moves, less the opponent's"),
    "territory": _named(Ground(territory=1.0), "free cells I get to first, less those the opponent does"),
    "combo_offensive_near_mobility": _named(
        Mobility(offensive=1.0, proximity=1.0, net_mobility=1.0), "offensive + proximity + net_mobility"
    ),
    "combo_advantage_near": _named(Mobility(net_advantage=1.0, proximity=1.0), "net_advantage + proximity"),
    "phased": _named(
        Phased(
            early=Mobility(net_advantage=1.0, accessibility=1.0),
            middle=Mobility(net_advantage=1.0),
            late=Mobility(net_advantage=1.0, offensive=1.0),
            early_above=EARLY,
            late_below=LATE,
        ),
        "net_advantage, with accessibility above 2/3 blank and offensive below 1/3",
    ),
}
TABLES: Mapping[str, Mapping[str, Named]] = {
    "isolation": MOBILITY,
    "trap": MOBILITY,
    "colosseum": dict(MOBILITY)
    | {
        "area": _named(Zones(area=1.0), "cells connected with mine"),
        "inverse_area": _named(Zones(inverse_area=1.0), "one over that"),
        "distance": _named(Zones(distance=1.0), "steps between the players, walls not counted"),
        "boxed": _named(Zones(boxed=1.0), "1 when three or more sides of my cell are closed"),
        "own_moves": _named(Zones(own_moves=1.0), "my legal moves (cell and wall)"),
        "moves": _named(Zones(own_moves=1.0, their_moves=-1.0), "my legal moves (cell and wall) less the opponent's"),
        "territory": _named(Zones(territory=1.0), "cells I reach in fewer steps (Voronoi), less the opponent's"),
    },
    "tiles": NULL
    | {
        "left": _named(TileCounts(left=1.0), "the opponent's tiles less mine: mine want to be gone"),
        "fragile": _named(TileCounts(fragile=1.0), "my tiles with an open side, less the opponent's"),
        "balance": _named(TileCounts(balance=1.0), "the best side effect of one removal, mine less the opponent's"),
    },
}


def heuristic(game: str, text: str) -> Any:
    """The heuristic of a text, for the game of this name."""
    tokens: list[str] = []
    place = 0
    while text[place:].strip():
        match = TOKEN.match(text, place)
        if match is None:
            raise BadText(f"heuristic {text!r}: cannot read {text[place:].strip()!r}")
        tokens.append(match[0].strip())
        place = match.end()
    parser = _Parser(game, text, tokens)
    value = parser.sum()
    if parser.tokens:
        raise BadText(f"heuristic {text!r}: {parser.tokens[0]!r} does not belong there")
    return value


class _Parser:
    """Reads tokens from the left: sum = term {(+|-) term}, term = [number *] (name | file | phased(sum, sum))."""

    def __init__(self, game: str, text: str, tokens: list[str]) -> None:
        self.table = TABLES.get(game, NULL)
        self.text, self.tokens = text, tokens

    def sum(self) -> Any:
        parts = [self.term(self.sign())]
        while self.tokens and self.tokens[0] in "+-":
            parts.append(self.term(self.sign()))
        return combined(parts)

    def sign(self) -> float:
        sign = 1.0
        while self.tokens and self.tokens[0] in "+-":
            sign = -sign if self.tokens.pop(0) == "-" else sign
        return sign

    def term(self, weight: float) -> tuple[float, Any]:
        token = self.next("a name")
        if token[0].isdigit() or token[0] == ".":
            self.expect("*")
            return self.term(weight * float(token))
        if token == "phased" and self.tokens[:1] == ["("]:
            return weight, self.phases()
        if token.rpartition(":")[0].endswith(".py"):
            return weight, own_heuristic(token)
        if token not in self.table:
            raise UnknownName("heuristic", token, self.table)
        return weight, self.table[token].value

    def phases(self) -> Any:
        self.expect("(")
        parts = [self.sum()]
        while self.tokens[:1] == [","]:
            self.tokens.pop(0)
            parts.append(self.sum())
        self.expect(")")
        if len(parts) not in (2, 3):
            raise BadText(f"heuristic {self.text!r}: phased takes two parts (early, late) or three, not {len(parts)}")
        middle = 0.5 if len(parts) == 2 else None
        return Phased(parts[0], parts[1], parts[-1], middle or EARLY, middle or LATE)

    def next(self, wanted: str) -> str:
        if not self.tokens or (wanted == "a name" and self.tokens[0] in "*(),"):
            found = f"before {self.tokens[0]!r}" if self.tokens else "at the end"
            raise BadText(f"heuristic {self.text!r}: {wanted} is missing {found}")
        return self.tokens.pop(0)

    def expect(self, token: str) -> None:
        if self.next(repr(token)) != token:
            raise BadText(f"heuristic {self.text!r}: {token!r} is missing")


def combined(parts: list[tuple[float, Any]]) -> Any:
    """The weighted sum; parts that are weights of one class are one value again."""
    merged: list[tuple[float, Any]] = []
    for kind in WEIGHTS:
        own = [(weight, value) for weight, value in parts if type(value) is kind]
        if own:
            weights = (sum(weight * value[at] for weight, value in own) for at in range(len(kind._fields)))
            merged.append((1.0, kind(*weights)))
    merged += [(weight, value) for weight, value in parts if type(value) not in (*WEIGHTS, Null)]
    if not merged:
        return Null()
    weight, value = merged[0]
    if len(merged) == 1 and weight == 1.0:
        return value
    if len(merged) == 1:
        return Sum(value, weight, Null(), 0.0)
    for other_weight, other in merged[1:]:
        value, weight = Sum(value, weight, other, other_weight), 1.0
    return value
