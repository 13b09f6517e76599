"""The bracket of a knockout tournament in words, and who won it."""

from collections.abc import Mapping

from harena.arena.schedule import Knockout, Match, knockout
from harena.arena.tournament import Table

LAST_ROUNDS = {1: "final", 2: "semi-final", 4: "quarter-final"}


def bracket(table: Table) -> Knockout:
    """All rounds, as far as the games of a tournament go."""
    agents = table.plan.spec.agents
    played = [
        (agents[a], agents[b], number, points) for (a, b), pairs in table.pairs_of().items() for number, points in pairs
    ]
    return knockout(agents, played, table.plan.pairs)


def rows(found: Knockout, names: Mapping[str, str]) -> list[tuple[str, str, str, str, str]]:
    """Round, the one, points, the other, and how it was decided; who is not known yet is a question mark."""
    out = []
    for number, matches in enumerate(found.rounds, 1):
        name = LAST_ROUNDS.get(len(matches), f"round {number}")
        for match in matches:
            one, other = (names.get(who, who) if who else "?" for who in (match.a, match.b))
            if match.reason == "bye":
                out.append((name, other if match.a is None else one, "", "", "no opponent"))
            else:
                out.append((name, one, _points(match), other, _decided(match, names, len(matches) == 1)))
    return out


def winner(found: Knockout, names: Mapping[str, str]) -> str:
    """In words."""
    return f"winner: {names.get(found.winner, found.winner)}" if found.winner else "there is no winner yet"


def _points(match: Match) -> str:
    known = match.a is not None and match.b is not None
    return f"{match.points_a:g} : {match.points_b:g}" if known else ""


def _decided(match: Match, names: Mapping[str, str], is_final: bool) -> str:
    if match.winner is None:
        return "not decided" if match.a and match.b else ""
    said = f"{names.get(match.winner, match.winner)} {'wins' if is_final else 'goes on'}"
    return f"{said}: level, and named first" if match.reason == "seed" else said
