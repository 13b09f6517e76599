"""Who plays whom: pure functions that give *pairs of games* in a fixed order.

The two games of a pair have one start and the seats swapped, so seats are balanced at any moment. A pair's start
depends on the run's seed and the pair's number alone, and numbers are counted within a pairing: everybody meets
everybody from the same openings. The same arguments always give the same schedule.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

from harena.errors import BadOption


@dataclass(frozen=True, kw_only=True)
class Pairing:
    """One pair of games: the first with a in the first seat, the second with b in it."""

    a: str
    b: str
    number: int

    @property
    def seats(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """Who sits where, game by game."""
        return (self.a, self.b), (self.b, self.a)


def drawn(seed: int, *names: object) -> int:
    """A number of 63 bits for these names; nobody who knows it can tell the seed, or the number of other names."""
    text = "/".join(str(one) for one in (seed, *names))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest()) >> 1


def derive_seed(secret: bytes, *names: object) -> int:
    """A number of 63 bits for these names; without the secret, none of these numbers tells anything about another."""
    text = "\0".join(str(one) for one in names)
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), key=secret, digest_size=8).digest()) >> 1


def start_seed(seed: int, number: int) -> int:
    """The seed of every pair with this number in a run with that seed."""
    return drawn(seed, number)


def round_robin(agents: Sequence[str], pairs: int) -> Iterator[Pairing]:
    """All against all: every pairing's first pair, then every second one, by rounds in which each agent plays once."""
    names = _checked(agents, pairs)
    seats: list[int | None] = [*range(len(names)), *([None] if len(names) % 2 else [])]
    rounds = []
    for turn in range(len(seats) - 1):
        ring = [seats[0], *seats[1 + turn :], *seats[1 : 1 + turn]]
        rounds.append(list(zip(ring[: len(ring) // 2], reversed(ring[len(ring) // 2 :]), strict=True)))
    for number in range(pairs):
        for one in rounds:
            for first, second in one:
                if first is not None and second is not None:
                    yield Pairing(a=names[min(first, second)], b=names[max(first, second)], number=number)


def gauntlet(champion: str, others: Sequence[str], pairs: int) -> Iterator[Pairing]:
    """One against all: every opponent's first pair, then every opponent's second. The champion is a."""
    names = _checked([champion, *others], pairs)
    for number in range(pairs):
        for other in names[1:]:
            yield Pairing(a=champion, b=other, number=number)


@dataclass(frozen=True, kw_only=True)
class Round:
    """A round of a Swiss tournament; who has the bye gets the points of a won pairing."""

    pairings: tuple[Pairing, ...]
    bye: str | None = None


def swiss(standings: Mapping[str, float], history: Iterable[tuple[str, str | None]], pairs: int = 1) -> Round:
    """The next round: players of about equal points, and no pairing again while that can be avoided.

    `standings` are the points so far, in the order of the seeds; `history` all pairings so far, with None for a bye.
    From the top, each takes the best opponent that still leaves everyone below one; if a round without repeats does not
    exist, there are as few as possible. Equals are paired upper half against lower half. Of an odd number the lowest
    has the bye who had fewer than others and leaves the rest a round without repeats.
    """
    names = _checked(list(standings), pairs)
    met: Counter[frozenset[str]] = Counter()
    byes: Counter[str] = Counter()
    rounds: Counter[str] = Counter()
    for one, other in history:
        rounds.update((one,) if other is None else (one, other))
        if other is None:
            byes[one] += 1
        else:
            met[frozenset((one, other))] += 1

    order, bye = sorted(names, key=lambda name: -standings[name]), None  # stable: then by seed
    if len(order) % 2:
        least, fewest = min(byes[name] for name in names), len(order)
        for name in reversed([name for name in order if byes[name] == least]):
            over = _left_over(_fresh([one for one in order if one != name], met))
            if len(over) < fewest:
                bye, fewest = name, len(over)
            if not over:
                break
        order.remove(bye or order[-1])
    points = [standings[name] for name in order]
    times = [[met[frozenset((one, other))] for other in order] for one in order]
    matched = _matched(_fresh(order, met), times, lambda i, free: _preferred(i, free, points))
    tables = [(order[i], order[j]) for i, j in matched]
    first = pairs * max(rounds[name] for name in names)
    made = [Pairing(a=a, b=b, number=first + k) for k in range(pairs) for a, b in tables]
    return Round(pairings=tuple(made), bye=bye)


@dataclass(frozen=True, kw_only=True)
class Match:
    """A match of a knockout: who plays (None: not yet known, or nobody), their points, and how it was decided."""

    a: str | None
    b: str | None
    points_a: float = 0.0
    points_b: float = 0.0
    winner: str | None = None
    reason: Literal["", "bye", "points", "seed"] = ""


@dataclass(frozen=True, kw_only=True)
class Knockout:
    """A bracket as far as it is known, and the pairs of games to be played next; none when there is a winner."""

    rounds: tuple[tuple[Match, ...], ...]
    todo: tuple[Pairing, ...]

    @property
    def winner(self) -> str | None:
        """Who won the final."""
        return self.rounds[-1][0].winner


def knockout(
    agents: Sequence[str], played: Iterable[tuple[str, str, int, float]], pairs: int = 1, further: int = 3
) -> Knockout:
    """The bracket of agents in the order of their seeds, after `played`: (a, b, number, points of a) of pairs of games.

    The first two seeds can meet only in the final; missing players are byes of the best. More points win; a tie is
    broken by up to `further` pairs, one at a time, and then the better seed goes on.
    """
    names = _checked(agents, pairs)
    seed = {name: i for i, name in enumerate(names)}
    results: dict[tuple[frozenset[str], int], dict[str, float]] = {}
    for one, other, number, points in played:
        results[frozenset((one, other)), number] = {one: points, other: 2 - points}
    slots = [0]
    while len(slots) < len(names):
        slots = [x for s in slots for x in (s, 2 * len(slots) - 1 - s)]
    alive: list[str | None] = [names[s] if s < len(names) else None for s in slots]
    rounds: list[tuple[Match, ...]] = []
    todo: list[Pairing] = []
    while len(alive) > 1:
        begin = len(rounds) * (pairs + further)
        current = []
        for a, b in zip(alive[::2], alive[1::2], strict=True):
            if not rounds and (a is None or b is None):
                current.append(Match(a=a, b=b, winner=a or b, reason="bye"))
            elif a is None or b is None:
                current.append(Match(a=a, b=b))
            else:
                match, missing = _match(a, b, begin, pairs, further, results, seed)
                current.append(match)
                todo += missing
        rounds.append(tuple(current))
        alive = [match.winner for match in current]
    return Knockout(rounds=tuple(rounds), todo=tuple(sorted(todo, key=lambda pairing: pairing.number)))


def _match(
    a: str,
    b: str,
    begin: int,
    pairs: int,
    further: int,
    results: Mapping[tuple[frozenset[str], int], Mapping[str, float]],
    seed: Mapping[str, int],
) -> tuple[Match, list[Pairing]]:
    """How a match stands, and the pairs that it needs now."""
    both, sums = frozenset((a, b)), {a: 0.0, b: 0.0}
    missing: list[Pairing] = []
    for k in range(pairs + further):
        if k >= pairs and (missing or sums[a] != sums[b]):
            break
        known = results.get((both, begin + k))
        if known is None:
            missing.append(Pairing(a=a, b=b, number=begin + k))
        else:
            sums = {name: sums[name] + known[name] for name in sums}
    better = min(a, b, key=lambda name: (-sums[name], seed[name]))
    return Match(
        a=a,
        b=b,
        points_a=sums[a],
        points_b=sums[b],
        winner=None if missing else better,
        reason="" if missing else "seed" if sums[a] == sums[b] else "points",
    ), missing


def _checked(agents: Sequence[str], pairs: int) -> list[str]:
    """The agents, if they can play at all."""
    if len(agents) < 2:
        raise BadOption(f"a tournament needs two agents or more, not {len(agents)}")
    twice = [name for name, count in Counter(agents).items() if count > 1]
    if twice:
        raise BadOption(f"{twice[0]} is in the list twice: give each agent a name of its own")
    if pairs < 1:
        raise BadOption(f"pairs of games are counted from 1, not {pairs}")
    return list(agents)


def _preferred(i: int, free: Sequence[int], points: Sequence[float]) -> list[int]:
    """The free opponents as i would take them: the lower half of its equals, the upper half, then down the table."""
    equals = [j for j in free if points[j] == points[i]]
    half = len(equals) // 2
    return [*equals[half:], *reversed(equals[:half]), *(j for j in free if points[j] != points[i])]


def _fresh(order: Sequence[str], met: Mapping[frozenset[str], int]) -> list[set[int]]:
    """Who has not met whom, as a graph over the places in the table."""
    return [
        {j for j, other in enumerate(order) if i != j and not met.get(frozenset((one, other)))}
        for i, one in enumerate(order)
    ]


def _left_over(graph: list[set[int]], mate: list[int] | None = None) -> list[int]:
    """The nodes that a largest matching leaves unmatched; `mate` is made one."""
    found = mate if mate is not None else [-1] * len(graph)
    return [one for one in range(len(graph)) if found[one] < 0 and not _augment(one, graph, found, set())]


def _matched(
    graph: list[set[int]], times: Sequence[Sequence[int]], prefer: Callable[[int, list[int]], Iterable[int]]
) -> Iterator[tuple[int, int]]:
    """A perfect matching: the first node gets the first of its preferences that leaves one for the others, and so on.

    If the graph has none, the nodes that a largest matching leaves over may also be matched with each other, those
    that met the fewest `times` first: that is as few repeats as possible, for these nodes are as few as possible.
    """
    mate = [-1] * len(graph)
    while over := _left_over(graph, mate):
        least = min(times[i][j] for i in over for j in over if i != j)
        for i in over:
            graph[i] |= {j for j in over if j != i and times[i][j] == least}
    free = list(range(len(graph)))
    gone: set[int] = set()
    while free:
        one = free.pop(0)
        for other in prefer(one, free):
            trial, left, right = mate.copy(), mate[one], mate[other]
            if other in graph[one] and left != other:
                trial[one], trial[other], trial[left], trial[right] = other, one, -1, -1
            if trial[one] == other and (left == other or _augment(left, graph, trial, gone | {one, other})):
                mate = trial
                break
        gone |= {one, mate[one]}
        free.remove(mate[one])
        yield one, mate[one]


def _augment(root: int, graph: Sequence[set[int]], mate: list[int], gone: set[int]) -> bool:
    """Match `root` too, along an alternating path to another unmatched node, if there is one (Edmonds' blossoms)."""
    size = len(graph)
    base, parent = list(range(size)), [-1] * size
    queue, seen = [root], {root}

    def stem(node: int) -> list[int]:
        """The bases of outer nodes from here to the root."""
        out = [base[node]]
        while out[-1] != base[root]:
            out.append(base[parent[mate[out[-1]]]])
        return out

    def shrink(node: int, child: int, top: int) -> set[int]:
        """The bases on the way from a node up to `top`, with the parents turned round."""
        inside = set()
        while base[node] != top:
            inside |= {base[node], base[mate[node]]}
            parent[node], child = child, mate[node]
            node = parent[child]
        return inside

    for node in queue:
        for other in graph[node] - gone:
            if base[node] == base[other] or mate[node] == other:
                continue
            if other == root or (mate[other] >= 0 and parent[mate[other]] >= 0):
                above = set(stem(node))
                top = next(one for one in stem(other) if one in above)
                inside = shrink(node, other, top) | shrink(other, node, top)
                for one in range(size):
                    if base[one] in inside:
                        base[one] = top
                        if one not in seen:
                            seen.add(one)
                            queue.append(one)
            elif parent[other] < 0:
                parent[other] = node
                if mate[other] < 0:
                    end = other
                    while end >= 0:
                        before = parent[end]
                        mate[end], mate[before], end = before, end, mate[before]
                    return True
                seen.add(mate[other])
                queue.append(mate[other])
    return False
