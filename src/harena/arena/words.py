"""The numbers of a match or tournament as plain sentences, none of which says more than its interval does."""

from math import floor, log10, sqrt

from harena.arena.ratings import Ratings
from harena.arena.scores import WIDEST, Estimate, Pairs, Tally, elo_of, games_needed, margin
from harena.arena.sprt import Sprt, State

FURTHEST = round(elo_of(WIDEST))
SURE = 1.959964  # a z value beyond this is told from noise at 95 %


def elo(value: float) -> str:
    """A difference in whole Elo, with its sign: +57, -3, 0."""
    return f"{round(value):+d}" if round(value) else "0"


def percent(score: float) -> str:
    """A score of 0..1 with one decimal: 58.1 %."""
    return f"{100 * score:.1f} %"


def about(number: float) -> str:
    """A number of games, rounded to two digits: 1234 becomes 1,200."""
    if number < 1:
        return "0"
    digits = max(0, floor(log10(number)) - 1)
    return f"{round(number / 10**digits) * 10**digits:,}"


def interval(estimate: Estimate) -> str:
    """The estimate and its interval: +57 Elo (95 %: +21 to +94). Ends that the games do not reach are left open."""
    low, high = round(estimate.low), round(estimate.high)
    open_low, open_high = (
        low <= -FURTHEST or estimate.bound == "at most",
        high >= FURTHEST or estimate.bound == "at least",
    )
    if open_low and open_high:
        return f"{elo(estimate.value)} Elo (95 %: anything)"
    span = f"{elo(low)} or more" if open_high else f"{elo(high)} or less" if open_low else f"{elo(low)} to {elo(high)}"
    return f"{elo(estimate.value)} Elo (95 %: {span})"


def verdict(a: str, b: str, result: Pairs | Tally) -> str:
    """Who is stronger, by how much, and how sure that is."""
    if not result.games:
        return f"{a} and {b} have not played"
    if result.elo.sign < 0:
        a, b, result = b, a, result.flipped()
    found = result.elo
    played = f"{percent(result.score)} of {count(result.games, 'game')}"
    if found.sign > 0:
        if found.bound:
            return f"{a} is stronger than {b}: at least {elo(found.low)} Elo (95 %), all {result.games:,} games won"
        return f"{a} is stronger than {b}: {interval(found)}, {played}"
    needed = games_needed(result)
    more = (
        "at an even score no number of games would"
        if result.score == 0.5
        else "the difference is too small to be measured"
        if needed is None
        else f"about {about(needed)} more games needed if the score stays"
    )
    return f"cannot tell {a} and {b} apart: {interval(found)}, {played}; {more}"


def noise(better: float, worse: float, games: int, other_games: int | None = None) -> str:
    """Whether one score in a table (0..1) is really over another, each on so many games (two-proportion z test)."""
    others = games if other_games is None else other_games
    z = z_value(better, worse, games, others)
    on = f"{games} games" if games == others else f"{games} and {others} games"
    what = "noise" if abs(z) < SURE else "more than noise"
    return f"a score of {percent(better)} over {percent(worse)} on {on} is {what} (z = {z:.2f})"


def z_value(one: float, other: float, games: int, others: int) -> float:
    """How many standard errors two scores are apart, with the variance that both have together; 0 without any."""
    if games <= 0 or others <= 0:
        return 0.0
    pooled = (one * games + other * others) / (games + others)
    error = sqrt(max(0.0, pooled * (1 - pooled)) * (1 / games + 1 / others))
    return (one - other) / error if error > 1e-12 else 0.0


def worth(games: int) -> str:
    """What a number of games can show at best."""
    if games < 4:
        return f"{count(games, 'game')}: nothing can be told from so few"
    half = margin(games)
    score = min(0.5 + half, WIDEST)
    return f"{games} games tell a score to ±{100 * half:.1f} points, ±{round(elo_of(score))} Elo (even match, 95 %)"


def sequential(a: str, b: str, sprt: Sprt, state: State) -> str:
    """Where a sequential test stands."""
    ratio = f"LLR {state.llr:+.2f} of {sprt.lower:+.2f} to {sprt.upper:+.2f}"
    bounds, played = f"[{sprt.elo0:g}, {sprt.elo1:g}]", f"{count(state.games, 'game')}"
    if state.verdict == "H1":
        return f"{a} passed: stronger than {b} by the test {bounds} after {played} ({ratio}); it decides, not measures"
    if state.verdict == "H0":
        return f"{a} failed: not {sprt.elo1:g} Elo stronger than {b} by the test {bounds} after {played} ({ratio})"
    way = "passing" if state.fraction > 0 else "failing"
    return f"undecided after {played}: {abs(100 * state.fraction):.0f} % of the way to {way} {bounds} Elo ({ratio})"


def ratings(fitted: Ratings) -> list[str]:
    """What a rating table does not show: neighbours that cannot be told apart, groups that never met, the seat."""
    out = []
    for upper, lower in zip(fitted.rows, fitted.rows[1:], strict=False):
        if upper.group == lower.group:
            sure = fitted.confidence(upper.name, lower.name)
            if sure < 0.95:
                out.append(f"{upper.name} over {lower.name} is not certain: {confidence(sure)}")
    if len(fitted.groups) > 1:
        parts = "; ".join(", ".join(group) for group in fitted.groups)
        out.append(f"{len(fitted.groups)} groups without a game between them, whose Elo cannot be compared: {parts}")
    if abs(fitted.seat) > SURE * fitted.seat_error > 0:
        seat = "first" if fitted.seat > 0 else "second"
        out.append(f"the {seat} seat is worth {abs(round(fitted.seat))} Elo (±{round(SURE * fitted.seat_error)})")
    return out


def confidence(chance: float) -> str:
    """A confidence that is never rounded to certainty: 97.5 %, > 99.9 %."""
    if chance > 0.999:
        return "> 99.9 %"
    return "< 0.1 %" if chance < 0.001 else percent(chance)


def count(number: int, noun: str) -> str:
    """1 game, 2 games."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
