"""The bracket of a knockout tournament in words, and who won it."""

from collections.abc import Mapping

from harena.arena.schedule import Knockout, Match

LAST_ROUNDS = {1: "final", 2: "semi-final", 4: "quarter-final"}


def rows(bracket: Knockout, names: Mapping[str, str]) -> list[tuple[str, str, str, str, str]]:
    """Round, the one, points, the other, and how it was decided; an agent that is not known yet is a question mark."""
    lines = []
    for number, matches in enumerate(bracket.rounds, 1):
        name = LAST_ROUNDS.get(len(matches), f"round {number}")
        for match in matches:
            one, other = (names.get(who, who) if who else "?" for who in (match.a, match.b))
            if match.reason == "bye":
                lines.append((name, other if match.a is None else one, "", "", "no opponent"))
            else:
                lines.append((name, one, _points(match), other, _decided(match, names, len(matches) == 1)))
    return lines


def winner(bracket: Knockout, names: Mapping[str, str]) -> str:
    """The winner in words."""
    return f"winner: {names.get(bracket.winner, bracket.winner)}" if bracket.winner else "there is no winner yet"


def _points(match: Match) -> str:
    known = match.a is not None and match.b is not None
    return f"{match.points_a:g} : {match.points_b:g}" if known else ""


def _decided(match: Match, names: Mapping[str, str], is_final: bool) -> str:
    if match.winner is None:
        return "not decided" if match.a and match.b else ""
    decided = f"{names.get(match.winner, match.winner)} {'wins' if is_final else 'goes on'}"
    return f"{decided}: level, and named first" if match.reason == "seed" else decided
