"""Several parameters at once, by simultaneous perturbation (SPSA; J. Spall 1992, guidelines of 1998).

Step k shakes all parameters at once by a random sign each, plays theta+ against theta- (or both against an opponent) on
a start of its own, and moves every parameter by the one difference d of their scores, between -1 and 1:

    c_k = 1 / (k + 1)^0.101      a_k = a / (k + 1 + A)^0.602      A = steps / 10
    theta_i += a_k * d / (2 c_k sign_i)

Parameters are measured in scales: a scale is how far the first step shakes one. Positive ones live in logarithms,
where a scale is a factor. `a` is such that a clean win (d = 1) moves the first step by `rate` scales.

All follows from the specification and the results: a run that was interrupted goes on exactly where it stopped.
"""

import shlex
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, floor, log, sqrt
from random import Random
from typing import Any, ClassVar, Self

from harena.arena import words
from harena.arena.contest import Spec
from harena.arena.machine import where
from harena.arena.record import Record
from harena.arena.repetition import warning
from harena.arena.runs.kind import ResultPlace, RunKind, games_line
from harena.arena.runs.output_files import plot_format, plotting
from harena.arena.runs.presentation import Block, Line, Summary, TextTable
from harena.arena.runs.results import TuneResult
from harena.arena.runs.sweep import NAME, fill, holes, number
from harena.arena.slot import Slot
from harena.errors import BadOption
from harena.render import plot, spreadsheet

ALPHA, GAMMA = 0.602, 0.101
FACTOR = 1.5  # the scale of a positive parameter
RATE, SHORT = 0.5, 100  # the rate of so many steps, or fewer
PROOF = 1000  # games of the match that is proposed
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


@dataclass(kw_only=True)
class Tuning(RunKind):
    """How games are played, what is tuned, for how many steps, where drawings go, and how far it has come."""

    kind: ClassVar[str] = "tune"
    writes_files: ClassVar[bool] = True
    unit: ClassVar[str] = "steps"

    spec: Spec  # its agents: the opponent, if there is one
    template: str
    parameters: list[Parameter]
    steps: int
    pairs: int = 1  # in each match of a step
    rate: float
    plot: str | None = None
    csv: str | None = None
    records: dict[Slot, Record] = field(default_factory=dict, init=False)
    path: list[Vector] = field(default_factory=list, init=False)  # of theta, as the games so far have it
    differences: list[float] = field(default_factory=list, init=False)  # that the steps have found

    def __post_init__(self) -> None:
        self.path = [self.clip(tuple(0.0 for _ in self.parameters))]

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        """The tuning of a stored form, without games."""
        shapes = [Parameter(**shape) for shape in plain["parameters"]]
        return cls(**{**plain, "spec": Spec(**plain["spec"]), "parameters": shapes})

    def to_dict(self) -> dict[str, Any]:
        """The stored form."""
        shapes = [dict(vars(parameter)) for parameter in self.parameters]
        keys = ("steps", "pairs", "rate", "plot", "csv")
        others = {key: getattr(self, key) for key in keys}
        return {"spec": self.spec.as_dict(), "template": self.template, "parameters": shapes, **others}

    # The games

    def needed(self) -> list[Slot]:
        """The games of the present step; none when all steps are made."""
        return [] if self.is_decided else self.slots(self.step)

    def slots(self, step: int) -> list[Slot]:
        """The games of a step; its pairs have their own numbers, and so their own starts."""
        matches = ((0, 2), (1, 2)) if self.opponent else ((0, 1),)
        return [
            Slot(a=a, b=b, pair=pair, swapped=swapped)
            for pair in range(step * self.pairs, (step + 1) * self.pairs)
            for a, b in matches
            for swapped in (False, True)
        ]

    def add(self, slot: Slot, record: Record) -> None:
        """Take a game in, and make the step if its games are all there."""
        self.records[slot] = record
        while not self.is_decided and all(one in self.records for one in self.slots(self.step)):
            found = difference(self.slots(self.step), self.records)
            self.path.append(self.clip(self.spsa.moved(self.path[-1], self.step, found)))
            self.differences.append(found)

    @property
    def step(self) -> int:
        """The step that is being played."""
        return len(self.differences)

    @property
    def is_decided(self) -> bool:
        """Whether all steps are made."""
        return self.step == self.steps

    @property
    def planned(self) -> int:
        """The games of all steps."""
        return self.steps * len(self.slots(0))

    def spec_for_next(self) -> Spec:
        """How the games of the present step are played: theta+, theta-, and the opponent."""
        agents = [*map(self.agent, self.shaken()), *self.spec.agents]
        return replace(self.spec, agents=agents)

    # What is tuned

    @property
    def spsa(self) -> Spsa:
        """The sequences."""
        return Spsa(steps=self.steps, seed=self.spec.seed, rate=self.rate)

    @property
    def opponent(self) -> str | None:
        """The agent that both variants play against, unless they play each other."""
        return self.spec.agents[0] if self.spec.agents else None

    def shaken(self) -> tuple[Vector, Vector]:
        """Theta+ and theta- of this step."""
        plus, minus = self.spsa.shaken(self.path[-1], self.step)
        return self.clip(plus), self.clip(minus)

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

    def lines(self) -> dict[str, list[float]]:
        """The path of each parameter, in the user's own units."""
        values = [self.values(theta) for theta in self.path]
        return {one.name: [each[one.name] for each in values] for one in self.parameters}

    @property
    def has_moved(self) -> bool:
        """Whether the values are others than those of the start."""
        return self.agent(self.path[-1]) != self.agent(self.path[0])

    def proof(self) -> str:
        """The command of a match between the end and the start, on starts that the tuning has not seen."""
        spec = self.spec
        command = ["harena", "match", spec.game, self.agent(self.path[-1]), self.agent(self.path[0])]
        command += ["--games", str(PROOF), "--seed", str(spec.seed + 1)]
        command += [part for name, limit in spec.limits.items() for part in (f"--{name}", f"{limit:g}")]
        sizes = [str(one["size"]) for one in spec.variants if "size" in one]
        if sizes:
            command += ["--size", sizes[0] if len(sizes) == 1 else f"{sizes[0]}-{sizes[-1]}"]
        if spec.variants[0].get("setup"):
            command += ["--setup", str(spec.variants[0]["setup"])]
        command += ["--local"] if spec.local else ["--margin", f"{spec.margin:g}"]
        return shlex.join(command)

    # How it presents itself

    def summary(self) -> Summary:
        """The agent, games, and where the parameters are."""
        now = ", ".join(f"{name}={values[-1]:.3g}" for name, values in self.lines().items())
        agents = [self.template, *self.spec.agents]
        return Summary(game=self.spec.game, agents=agents, planned=self.planned, result=now if self.step else "")

    def progress(self) -> tuple[int, int]:
        """Steps."""
        return self.step, self.steps

    def progress_line(self, before: int, begin: float) -> str:
        """Steps and games."""
        games = games_line(len(self.records), None, before=before, begin=begin)
        return f"{self.step} of {self.steps} steps, {games}"

    def live(self) -> list[Block]:
        """The values so far."""
        return [self._value_table()]

    def _value_table(self) -> TextTable:
        """Where each parameter began, where it is, and the range of its last quarter."""
        rows = []
        for name, path in self.lines().items():
            last = path[-max(1, len(path) // 4) :]
            span = f"{value_text(min(last))} to {value_text(max(last))}"
            rows.append([name, value_text(path[0]), value_text(path[-1]), span])
        return TextTable(("parameter", "start", "now", "in the last quarter"), rows, left=(0,), is_tight=True)

    def report(self, run: str, option: str, numbers: Mapping[str, int]) -> list[Block]:
        """The values, and that they are not yet known to be better."""
        against = f" against {self.opponent}" if self.opponent else ""
        made = f"{self.step} of {words.count(self.steps, 'step')}"
        blocks: list[Block] = [
            Line(f"{self.spec.game}: {self.template}{against}", "bold"),
            Line(f"SPSA, {made}, {words.count(len(self.records), 'game')}"),
            self._value_table(),
        ]
        if self.differences and not any(self.differences):
            blocks.append(Line("no step found any difference: nothing was learnt; --scale shakes the values further"))
        blocks += [*map(Line, self.sentences()), Line()]
        if not self.step:
            blocks.append(Line("no step is complete: nothing was learnt yet"))
        elif not self.has_moved:
            blocks.append(Line("the values are those of the start: there is nothing to try in a match"))
        else:
            blocks.append(Line(f"tuned: {self.agent(self.path[-1])}", is_whole=True))
            blocks.append(Line("This is where noisy games led: only a match tells whether these values are better."))
            blocks.append(Line(self.proof(), "bold", is_whole=True))
        return [*blocks, self.place_line(run)]

    def result_dict(self, run: str) -> dict[str, Any]:
        """Where each parameter began and where it is; `match` is the command that would tell whether it is better."""
        paths = {name: {"start": path[0], "now": path[-1], "path": path} for name, path in self.lines().items()}
        return {
            **self.common_result(run),
            "template": self.template,
            "opponent": self.opponent,
            "steps": self.step,
            "planned_steps": self.steps,
            "games": len(self.records),
            "planned": self.planned,
            "parameters": paths,
            "differences": list(self.differences),
            "tuned": self.agent(self.path[-1]) if self.has_moved else None,
            "match": self.proof() if self.has_moved else None,
            "machine": where(self.records.values()),
            "sentences": self.sentences(),
        }

    def sentences(self) -> list[str]:
        """Whether games repeat others."""
        return warning(self.records.values(), words.wasted)

    def to_result(self, place: ResultPlace) -> TuneResult:
        """The way of each parameter."""
        return TuneResult(
            **self.common_fields(place),
            paths=self.lines(),
            differences=tuple(self.differences),
            tuned=self.agent(self.path[-1]) if self.has_moved else None,
            match=self.proof() if self.has_moved else None,
        )

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The table and the plot that were asked for."""
        if self.csv:
            yield self.csv, self.csv_text().encode()
        if self.plot:
            yield self.plot, self.drawing(plot_format(self.plot))

    def drawing(self, form: str) -> bytes:
        """The paths of all parameters, as the bytes of a PNG or SVG file."""
        with plotting():
            return plot.trace(self.lines(), title=f"{self.spec.game}: SPSA of {self.template}", form=form)

    def csv_text(self) -> str:
        """One line for each step: the difference that it found, and the values after it."""
        lines = self.lines()
        rows: list[Sequence[object]] = [["step", "difference", *lines]]
        for step, after in enumerate(zip(*lines.values(), strict=True)):
            found = f"{self.differences[step - 1]:.6g}" if step else ""
            rows.append([step, found, *(f"{value:.9g}" for value in after)])
        return spreadsheet.csv_text(rows)


def value_text(value: float) -> str:
    """Four digits, or a whole number as it is."""
    return str(value) if isinstance(value, int) else f"{value:.4g}"


def difference(slots: Sequence[Slot], records: Mapping[Slot, Record]) -> float:
    """By how much theta+ scored more than theta-, between -1 and 1."""
    points: dict[int, float] = defaultdict(float)
    games: dict[int, int] = defaultdict(int)
    for slot in slots:
        for seat, agent in enumerate(slot.seats):
            points[agent] += records[slot].points(seat)
            games[agent] += 1
    return points[0] / games[0] - points[1] / games[1]
