"""The numbers of a match or tournament as plain sentences, none of which says more than its interval does."""

from collections.abc import Mapping, Sequence
from math import floor, log10, sqrt
from typing import Any

from harena.agents.spec import parse_agent
from harena.arena.ratings import Ratings
from harena.arena.scores import WIDEST, Estimate, Pairs, Tally, elo_of, games_needed, margin
from harena.arena.sprt import Sprt, State

FURTHEST = round(elo_of(WIDEST))
USUAL = 100  # games of a match, where nothing is said
FEW = 10  # games that are hardly worth a number
SURE = 1.959964  # a z value beyond this is told from noise at 95 %
EVEN = 0.0005  # so near to one half is neither

VARY = "vary the starts, with --openings, --setup or --size"
VARY_SETUP = "vary the starts, with --setup or --size"  # where there is no --openings: tune


def elo(value: float) -> str:
    """A difference in whole Elo, with its sign: +57, -3, 0."""
    return f"{round(value):+,d}" if round(value) else "0"


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
        return f"{a} and {b} have not finished a pair of games yet"
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
        _even(result.games)
        if result.score == 0.5
        else "the difference is too small to be measured"
        if needed is None
        else f"about {about(needed)} more games needed if the score stays"
    )
    return f"cannot tell {a} and {b} apart: {interval(found)}, {played}; {more}"


def outcome(a: str, b: str, results: tuple[int, int, int]) -> str:
    """Wins, draws and losses of A: random won 3, drew 0, lost 1 of 4 against greedy."""
    wins, draws, losses = results
    if not sum(results):
        return f"{a} against {b}: no pair of games is finished"
    return f"{a} won {wins:,}, drew {draws:,}, lost {losses:,} of {sum(results):,} against {b}"


def few_games(result: Pairs) -> str:
    """What so few games are worth, where they do not tell who is stronger; empty otherwise."""
    if not 0 < result.games < USUAL or result.elo.sign:
        return ""
    return (
        f"{count(result.games, 'game')} are few: two players of equal strength often score anything from "
        f"{_range(result.games)}; in {USUAL} games {_range(USUAL)}"
    )


def _range(games: int) -> str:
    """The scores between which equal players end, as whole half points of so many games."""
    half = margin(games)
    low = floor(2 * games * max(0.0, 0.5 - half)) / (2 * games)
    return f"{100 * low:.0f} to {100 * (1 - low):.0f} %"


def repeated(different: int, pairs: int) -> str:
    """Why so many games say so little."""
    return f"{_few(different, count(pairs, 'pair'))} and do not count above; {VARY}"


def copies(different: int, games: int, remedy: str = VARY) -> str:
    """That intervals are too narrow."""
    return f"{_few(different, count(games, 'game'))}, so the intervals are too narrow; {remedy}"


def swept(different: int, games: int) -> str:
    """The same of a sweep."""
    return copies(different, games)


def wasted(different: int, games: int) -> str:
    """That a tuning could have done with fewer games."""
    return f"{_few(different, count(games, 'game'))}; {VARY_SETUP}, or take --games 2"


def _few(different: int, of: str) -> str:
    are = "is" if different == 1 else "are"
    return f"of {of} only {different:,} {are} different, move for move: the others tell nothing new"


def _even(games: int) -> str:
    return f"an even score, and {worth(games)}" if games < FEW else "an even score so far: more games would narrow it"


def noise(better: float, worse: float, games: int, other_games: int | None = None) -> str:
    """Whether one score in a table (0..1) is really over another, each on so many games (two-proportion z test)."""
    others = games if other_games is None else other_games
    z = z_value(better, worse, games, others)
    what = "noise" if is_noise(better, worse, games, others) else "more than noise"
    return f"a score of {percent(better)} over {percent(worse)} {on_games(games, others)} is {what} (z = {z:.2f})"


def is_noise(better: float, worse: float, games: int, others: int) -> bool:
    """Whether two scores cannot be told apart."""
    return abs(z_value(better, worse, games, others)) < SURE


def on_games(games: int, others: int) -> str:
    """How many games two scores rest on."""
    return f"on {games:,} games" if games == others else f"on {games:,} and {others:,} games"


def z_value(one: float, other: float, games: int, others: int) -> float:
    """How many standard errors two scores are apart, with the variance that both have together; 0 without any."""
    if games <= 0 or others <= 0:
        return 0.0
    pooled = (one * games + other * others) / (games + others)
    error = sqrt(max(0.0, pooled * (1 - pooled)) * (1 / games + 1 / others))
    return (one - other) / error if error > 1e-12 else 0.0


def worth(games: int) -> str:
    """What a number of games can show at best."""
    if games < FEW:
        return f"hardly anything can be told from {count(games, 'game')}"
    half = margin(games)
    score = min(0.5 + half, WIDEST)
    return f"{games:,} games tell a score to ±{100 * half:.1f} points, ±{round(elo_of(score))} Elo (even match, 95 %)"


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


def ratings(fitted: Ratings, names: Mapping[str, str] | None = None) -> list[str]:
    """What a rating table does not show: neighbours that cannot be told apart, groups that never met, the seat.

    `names` are shorter ones, as of `short_names`.
    """
    return [*neighbours(fitted, names), *apart(fitted, names)]


def neighbours(fitted: Ratings, names: Mapping[str, str] | None = None) -> list[str]:
    """Those that cannot be told apart, a sentence for each two."""
    out = []
    called = names or {row.name: row.name for row in fitted.rows}
    for upper, lower in zip(fitted.rows, fitted.rows[1:], strict=False):
        if upper.group == lower.group:
            sure = fitted.confidence(upper.name, lower.name)
            if abs(sure - 0.5) < EVEN:
                out.append(f"{called[upper.name]} and {called[lower.name]} are level: nothing tells who is stronger")
            elif sure < 0.95:
                out.append(f"{called[upper.name]} over {called[lower.name]} is not certain: {confidence(sure)}")
    return out


def apart(fitted: Ratings, names: Mapping[str, str] | None = None, *, members: bool = True) -> list[str]:
    """Groups that never met, with their members where no table shows them, and what the first seat is worth."""
    out = []
    called = names or {row.name: row.name for row in fitted.rows}
    if len(fitted.groups) > 1:
        parts = "; ".join(", ".join(called[name] for name in group) for group in fitted.groups)
        said = f"{len(fitted.groups)} groups without a game between them, whose Elo cannot be compared"
        out.append(f"{said}: {parts}" if members else said)
    if abs(fitted.seat) > SURE * fitted.seat_error > 0:
        seat = "first" if fitted.seat > 0 else "second"
        out.append(f"the {seat} seat is worth {abs(round(fitted.seat))} Elo (±{round(SURE * fitted.seat_error)})")
    return out


def confidence(chance: float) -> str:
    """A confidence that is never rounded to certainty: 97.5 %, > 99.9 %."""
    if chance > 0.999:
        return "> 99.9 %"
    return "< 0.1 %" if chance < 0.001 else percent(chance)


def superiority(pairs: Pairs) -> str:
    """How likely A is the better one; no number where so few pairs cannot tell it from one half."""
    if pairs.games < FEW and pairs.los == 0.5:
        return "too few pairs to say"
    return f"with probability {confidence(pairs.los)} (LOS)"


LIMITS = {"seconds": "{:g} s", "nodes": "{:,} nodes", "iterations": "{:,} iterations", "depth": "depth {}"}


def limits(given: Mapping[str, Any]) -> str:
    """Limits of a move: 0.05 s, 1,000 nodes, depth 5; nothing if there is none."""
    return ", ".join(LIMITS.get(name, f"{name} {{}}").format(value) for name, value in given.items() if value)


def count(number: int, noun: str) -> str:
    """1 game, 2 games."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def nth(number: int) -> str:
    """1st, 2nd, 11th."""
    last = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{last}"


def short_names(texts: Sequence[str]) -> dict[str, str]:
    """What a table calls each agent: a file by its name, with the folder that tells it from others of that name.

    Players keep their texts. Different texts have different short names.
    """
    path_names = {text: name for text in texts if (name := parse_agent(text).path_name) is not None}
    alike: dict[tuple[str, str, str], list[str]] = {}
    for text, (before, parts, after) in path_names.items():
        alike.setdefault((before, parts[-1], after), []).append(text)
    names = {text: text for text in texts}
    for (before, file, after), group in alike.items():
        folders = _distinct_folders([path_names[text].parts[:-1] for text in group])
        for text, folder in zip(group, folders, strict=True):
            names[text] = f"{before}{folder}{file}{after}"
    return names if len(set(names.values())) == len(names) else {text: text for text in texts}


def _distinct_folders(paths: list[tuple[str, ...]]) -> list[str]:
    """For each path the one folder, nearest to the file, in which all differ; else as much of the path as is needed."""
    if len(paths) == 1:
        return [""]
    deepest = max(map(len, paths))
    for depth in range(1, deepest + 1):
        folders = [path[-depth] if len(path) >= depth else "" for path in paths]
        if len(set(folders)) == len(folders):
            return [f"{folder}/" if folder else "" for folder in folders]
    for depth in range(1, deepest + 1):
        ends = ["".join(f"{folder}/" for folder in path[-depth:]) for path in paths]
        if len(set(ends)) == len(ends):
            return ends
    return ["".join(f"{folder}/" for folder in path) for path in paths]
