"""Several parameters at once, by simultaneous perturbation (SPSA; J. Spall 1992, guidelines of 1998).

Step k shakes all parameters at once by a random sign each, plays theta+ against theta- (or both against an opponent) on
a start of its own, and moves every parameter by the one difference d of their scores, between -1 and 1:

    c_k = 1 / (k + 1)^0.101      a_k = a / (k + 1 + A)^0.602      A = steps / 10
    theta_i += a_k * d / (2 c_k sign_i)

Parameters are measured in scales: a scale is how far the first step shakes one. Positive ones live in logarithms,
where a scale is a factor. `a` is such that a clean win (d = 1) moves the first step by `rate` scales.

All follows from the plan and the results, so a run that was interrupted goes on exactly where it stopped.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, floor, log, sqrt
from random import Random
from typing import Any

from harena.arena.contest import Spec
from harena.arena.record import Record
from harena.arena.slot import Slot
from harena.arena.sweep import NAME, fill, holes, number
from harena.errors import BadOption

ALPHA, GAMMA = 0.602, 0.101
FACTOR = 1.5  # the scale of a positive parameter
RATE, SHORT = 0.5, 100  # the rate of so many steps, or fewer
Vector = tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class Spsa:
    """The sequences of one optimisation; a vector is in scales."""

    steps: int
    seed: int = 0
    rate: float

    @property
    def stability(self) -> float:
        """Spall's A."""
        return 0.1 * self.steps

    def reach(self, step: int) -> float:
        """How far this step shakes: c_k."""
        return float(1 / (step + 1) ** GAMMA)

    def gain(self, step: int) -> float:
        """a_k."""
        first = 2 * self.rate * (1 + self.stability) ** ALPHA  # a_0 / (2 c_0) = rate
        return float(first / (step + 1 + self.stability) ** ALPHA)

    def signs(self, step: int, count: int) -> Vector:
        """Fair and independent, the same whenever they are asked for."""
        draw = Random(f"{self.seed}/{step}")
        return tuple(draw.choice((-1.0, 1.0)) for _ in range(count))

    def shaken(self, theta: Vector, step: int) -> tuple[Vector, Vector]:
        """Theta+ and theta-."""
        reach, signs = self.reach(step), self.signs(step, len(theta))
        plus, minus = (
            tuple(one + way * reach * sign for one, sign in zip(theta, signs, strict=True)) for way in (1, -1)
        )
        return plus, minus

    def moved(self, theta: Vector, step: int, difference: float) -> Vector:
        """Theta after a step in which theta+ was so much better than theta-."""
        move = self.gain(step) * difference / (2 * self.reach(step))
        return tuple(one + move * sign for one, sign in zip(theta, self.signs(step, len(theta)), strict=True))


def usual_rate(steps: int) -> float:
    """Falls as the root of the steps: the last gain is always 0.24 of the first, so it must fall for noise to do so.

    The noise of the end goes with the root of the rate, what is left of the way with exp(-rate * steps * bend): both
    shrink.
    """
    return RATE * min(1.0, sqrt(SHORT / steps))


def maximise(
    measure: Callable[[int, Vector, Vector], float],
    start: Vector,
    spsa: Spsa,
    clip: Callable[[Vector], Vector] = lambda theta: theta,
) -> list[Vector]:
    """The path of theta, start included; `measure` says by how much theta+ is better than theta-."""
    path = [clip(start)]
    for step in range(spsa.steps):
        plus, minus = spsa.shaken(path[-1], step)
        path.append(clip(spsa.moved(path[-1], step, measure(step, clip(plus), clip(minus)))))
    return path


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """A number in the agent's text: where it begins, its scale (a factor if it is positive), and its bounds."""

    name: str
    start: float
    scale: float
    positive: bool
    low: float | None = None
    high: float | None = None
    whole: bool = False  # rounded where it is used

    def value(self, place: float) -> float:
        """From scales away from the start."""
        found = self.start * self.scale**place if self.positive else self.start + self.scale * place
        low, high = self.low, self.high
        if self.whole:
            found, low, high = round(found), low and ceil(low), high and floor(high)
            low = max(1, low or 1) if self.positive else low
        found = found if low is None else max(low, found)
        return found if high is None else min(high, found)

    def place(self, value: float) -> float:
        """To scales away from the start."""
        return log(value / self.start) / log(self.scale) if self.positive else (value - self.start) / self.scale

    def clip(self, place: float) -> float:
        """Within the bounds."""
        furthest = log(1e12) / log(self.scale) if self.positive else 1e12  # texts and logarithms stay sane
        place = max(-furthest, min(furthest, place))
        low = self.low if self.low is None or not self.positive or self.low > 0 else None
        place = place if low is None else max(self.place(low), place)
        return place if self.high is None else min(self.place(self.high), place)


def assignments(text: str | None, option: str) -> dict[str, str]:
    """`c=1,r=1000` as names and texts."""
    found: dict[str, str] = {}
    for part in (text or "").split(",") if text is not None else ():
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not NAME.fullmatch(name) or not value:
            raise BadOption(f"{option}: {part.strip()!r} is not of the form name=value, as in c=1,r=1000")
        if name in found:
            raise BadOption(f"{option}: {name} is there twice")
        found[name] = value
    return found


def names(text: str | None) -> list[str]:
    """`w,v` as names."""
    return [name.strip() for name in text.split(",")] if text is not None else []


def parameters(
    template: str,
    start: str,
    scale: str | None = None,
    within: str | None = None,
    linear: str | None = None,
    whole: str | None = None,
) -> list[Parameter]:
    """The parameters of an agent's text; every name in braces has a start, and BadOption says what else is wrong."""
    wanted, flat, rounded = holes(template), names(linear), names(whole)
    starts, scales, bounds = (
        assignments(start, "--start"),
        assignments(scale, "--scale"),
        assignments(within, "--within"),
    )
    if not wanted:
        raise BadOption(f"{template!r} has no parameter: put its name in braces, as in mcts(c={{c}})")
    for name in wanted:
        if name not in starts:
            raise BadOption(f"--start says nothing about {{{name}}}: where does it begin? as in --start {name}=1")
    said = {"--start": starts, "--scale": scales, "--within": bounds, "--linear": flat, "--whole": rounded}
    for option, named in said.items():
        for name in named:
            if name not in wanted:
                raise BadOption(f"{option}: {template!r} has no {{{name}}}")
    found = [_parameter(name, starts[name], scales.get(name), bounds.get(name), name in flat) for name in wanted]
    return [replace(one, whole=one.name in rounded) for one in found]


def _parameter(name: str, start: str, scale: str | None, within: str | None, flat: bool) -> Parameter:
    begin = number(start, f"--start {name}")
    positive = begin > 0 and not flat
    if scale is not None:
        unit = number(scale, f"--scale {name}")
    elif positive:
        unit = FACTOR
    else:
        raise BadOption(
            f"--scale is needed for {name}, which is not in logarithms: --scale {name}=0.5 shakes it by 0.5"
        )
    if positive and not 1 < unit <= 100:
        raise BadOption(
            f"--scale {name} is a factor from 1 to 100 ({name} is positive), not {unit:g}; or --linear {name}"
        )
    if not positive and unit <= 0:
        raise BadOption(f"--scale {name} is a distance of more than 0, not {unit:g}")
    low = high = None
    if within is not None:
        first, colon, last = within.partition(":")
        if not colon or not (first.strip() or last.strip()):
            raise BadOption(f"--within {name}: two bounds, as in {name}=0:1, not {within!r}")
        low = number(first, f"--within {name}") if first.strip() else None
        high = number(last, f"--within {name}") if last.strip() else None
        if (low is not None and begin < low) or (high is not None and begin > high) or low == high:
            raise BadOption(f"--within {name}: {begin:g}, where it starts, is not between {within}")
    return Parameter(name=name, start=begin, scale=unit, positive=positive, low=low, high=high)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A tuning: how its games are played, what is tuned, for how many steps, and where drawings go."""

    spec: Spec  # its agents: the opponent, if there is one
    template: str
    parameters: list[Parameter]
    steps: int
    pairs: int = 1  # in each match of a step
    rate: float
    plot: str | None = None
    csv: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """For the store."""
        shapes = [dict(vars(parameter)) for parameter in self.parameters]
        return {**vars(self), "spec": self.spec.as_dict(), "parameters": shapes}

    @property
    def spsa(self) -> Spsa:
        """The sequences."""
        return Spsa(steps=self.steps, seed=self.spec.seed, rate=self.rate)

    @property
    def opponent(self) -> str | None:
        """Against whom both play, unless they play each other."""
        return self.spec.agents[0] if self.spec.agents else None

    def clip(self, theta: Vector) -> Vector:
        """Within the bounds of all parameters."""
        return tuple(one.clip(place) for one, place in zip(self.parameters, theta, strict=True))

    def values(self, theta: Vector) -> dict[str, float]:
        """In the user's own units."""
        return {one.name: one.value(place) for one, place in zip(self.parameters, theta, strict=True)}

    def agent(self, theta: Vector) -> str:
        """The agent's text, with six digits of each value that is not whole."""
        values = self.values(theta).items()
        return fill(self.template, {name: f"{one}" if isinstance(one, int) else f"{one:.6g}" for name, one in values})

    def step_spec(self, plus: Vector, minus: Vector) -> Spec:
        """How the games of one step are played: theta+, theta-, and the opponent."""
        return Spec(**{**vars(self.spec), "agents": [self.agent(plus), self.agent(minus), *self.spec.agents]})

    def slots(self, step: int) -> list[Slot]:
        """The games of a step; its pairs have their own numbers, and so their own starts."""
        matches = ((0, 2), (1, 2)) if self.opponent else ((0, 1),)
        return [
            Slot(a=a, b=b, pair=pair, swapped=swapped)
            for pair in range(step * self.pairs, (step + 1) * self.pairs)
            for a, b in matches
            for swapped in (False, True)
        ]


def plan_of(plain: Mapping[str, Any]) -> Plan:
    """The plan that a store has kept."""
    shapes = [Parameter(**shape) for shape in plain["parameters"]]
    return Plan(**{**plain, "spec": Spec(**plain["spec"]), "parameters": shapes})


@dataclass
class Trace:
    """How far a tuning has come: the path of theta as the games so far have it."""

    plan: Plan
    records: dict[Slot, Record] = field(default_factory=dict)
    path: list[Vector] = field(default_factory=list)
    differences: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.path = self.path or [self.plan.clip(tuple(0.0 for _ in self.plan.parameters))]
        while self.advance():
            pass

    @property
    def step(self) -> int:
        """The step that is being played."""
        return len(self.differences)

    @property
    def is_over(self) -> bool:
        """Whether all steps are made."""
        return self.step == self.plan.steps

    def shaken(self) -> tuple[Vector, Vector]:
        """Theta+ and theta- of this step."""
        plus, minus = self.plan.spsa.shaken(self.path[-1], self.step)
        return self.plan.clip(plus), self.plan.clip(minus)

    def advance(self) -> bool:
        """Make the step if its games are all there."""
        if self.is_over:
            return False
        slots = self.plan.slots(self.step)
        if any(slot not in self.records for slot in slots):
            return False
        found = difference(slots, self.records)
        self.path.append(self.plan.clip(self.plan.spsa.moved(self.path[-1], self.step, found)))
        self.differences.append(found)
        return True

    def lines(self) -> dict[str, list[float]]:
        """The path of each parameter, in the user's own units."""
        values = [self.plan.values(theta) for theta in self.path]
        return {one.name: [each[one.name] for each in values] for one in self.plan.parameters}


def difference(slots: Sequence[Slot], records: Mapping[Slot, Record]) -> float:
    """By how much theta+ scored more than theta-, between -1 and 1."""
    points: dict[int, float] = defaultdict(float)
    games: dict[int, int] = defaultdict(int)
    for slot in slots:
        for seat, agent in enumerate(slot.seats):
            points[agent] += records[slot].points(seat)
            games[agent] += 1
    return points[0] / games[0] - points[1] / games[1]
