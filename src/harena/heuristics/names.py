"""Heuristics as text: `improved`, `0.5*improved + proximity`, `phased(accessibility, improved)`, `mine.py:score(a=2)`.

A name stands for a value whose fields are weights, so a sum of names of one class is one value again and shares its
compiled search. Each game has its own table; a user's own game has `null` and his own functions.
"""

import re
from collections.abc import Mapping
from typing import Any

from harena.errors import BadText, UnknownName
from harena.heuristics.combine import Null, Phased, Sum
from harena.heuristics.mobility import Ground, Mobility
from harena.heuristics.own import own_heuristic
from harena.heuristics.paths import SPACED, trouble
from harena.heuristics.tiles import TileCounts
from harena.heuristics.zones import Zones

NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
TOKEN = re.compile(rf"\s*(?:{SPACED}|{NUMBER}|\w+|[-+*(),=])")
WEIGHTS = (Mobility, Ground, Zones, TileCounts)  # classes whose fields are all weights
NAME, VALUE = "a name", "a value"  # what may be missing
EARLY, LATE = 2 / 3, 1 / 3  # of the board still open: where a game's phases begin and end


NULL: Mapping[str, Any] = {"null": Null()}
MOBILITY: Mapping[str, Any] = {
    **NULL,
    "open": Mobility(mine=1.0),
    "improved": Mobility(mine=1.0, theirs=-1.0),
    "aggressive": Mobility(mine=1.0, theirs=-2.0),
    "lookahead": Ground(lookahead=1.0),
    "outlook": Ground(outlook=1.0),
    "net_advantage": Mobility(net_advantage=1.0),
    "net_mobility": Mobility(net_mobility=1.0),
    "accessibility": Mobility(accessibility=1.0),
    "offensive": Mobility(offensive=1.0),
    "proximity": Mobility(proximity=1.0),
    "horizon": Ground(horizon=1.0),
    "reach": Ground(reach=1.0),
    "territory": Ground(territory=1.0),
    "combo_offensive_near_mobility": Mobility(offensive=1.0, proximity=1.0, net_mobility=1.0),
    "combo_advantage_near": Mobility(net_advantage=1.0, proximity=1.0),
    "phased": Phased(
        early=Mobility(net_advantage=1.0, accessibility=1.0),
        middle=Mobility(net_advantage=1.0),
        late=Mobility(net_advantage=1.0, offensive=1.0),
        early_above=EARLY,
        late_below=LATE,
    ),
}
W4701: Mapping[str, str] = {"am": "open", "is": "improved", "ais": "aggressive", "ocls": "lookahead"}  # its own names
TABLES: Mapping[str, Mapping[str, Any]] = {  # what each is, in words: catalogue.py
    "isolation": {**MOBILITY, "center": Mobility(center=1.0)},
    "trap": {**MOBILITY, **{name: MOBILITY[ours] for name, ours in W4701.items()}},
    "colosseum": {
        **MOBILITY,
        "area": Zones(area=1.0),
        "inverse_area": Zones(inverse_area=1.0),
        "distance": Zones(distance=1.0),
        "boxed": Zones(boxed=1.0),
        "own_moves": Zones(own_moves=1.0),
        "moves": Zones(own_moves=1.0, their_moves=-1.0),
        "territory": Zones(territory=1.0),
    },
    "tiles": {
        **NULL,
        "left": TileCounts(left=1.0),
        "fragile": TileCounts(fragile=1.0),
        "balance": TileCounts(balance=1.0),
    },
}


def heuristic(game: str, text: str) -> Any:
    """The heuristic of a text, for the game of this name."""
    if said := trouble(text):
        raise BadText(said)
    tokens: list[str] = []
    place = 0
    while text[place:].strip():
        match = TOKEN.match(text, place)
        if match is None and ".py" in text and ".py:" not in text:
            raise BadText(f"heuristic {text!r}: name the function too, as in mine.py:my_score")
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
    """Reads tokens from the left: sum = term {(+|-) term}, term = [number *] (name | own | phased(sum, sum)).

    own = file:function [(name=value, ...)]
    """

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
        token = self.next(NAME)
        if re.fullmatch(NUMBER, token):
            self.expect("*")
            return self.term(weight * float(token))
        found = self.named(token)
        if self.tokens[:1] == ["*"]:
            raise BadText(f"heuristic {self.text!r}: a weight stands before the name, as in 2*{token}")
        return weight, found

    def named(self, token: str) -> Any:
        if token == "phased" and self.tokens[:1] == ["("]:
            return self.phases()
        if token.rpartition(":")[0].endswith(".py"):
            return own_heuristic(token, self.given())
        if token not in self.table:
            others = [game for game, table in TABLES.items() if token in table]
            if others:
                raise BadText(f"the heuristic {token} is {others[0]}'s; here there are: {', '.join(self.table)}")
            raise UnknownName("heuristic", token, self.table)
        return self.table[token]

    def given(self) -> dict[str, str]:
        """The parameters of a user's own function, as they are written."""
        found: dict[str, str] = {}
        if self.tokens[:1] != ["("]:
            return found
        self.expect("(")
        while self.tokens[:1] != [")"]:
            if found:
                self.expect(",")
            name = self.next(NAME)
            if name in found:
                raise BadText(f"heuristic {self.text!r}: {name} is given twice")
            self.expect("=")
            found[name] = ("-" if self.sign() < 0 else "") + self.next(VALUE)
        self.expect(")")
        return found

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
        if not self.tokens or (wanted in (NAME, VALUE) and self.tokens[0] in "*(),="):
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
