"""`harena tune`: SPSA finds what it should in noise, and runs go on exactly where they stopped."""

import csv
import random
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from xml.etree import ElementTree

import pytest

from cli.support import Answer, run
from harena.arena.contest import Spec
from harena.arena.record import Record
from harena.arena.scores import score_of
from harena.arena.slot import Slot
from harena.arena.store import Store
from harena.arena.tune import Plan, Spsa, Trace, Vector, maximise, parameters, plan_of, usual_rate
from harena.cli import tune as verb
from harena.errors import BadOption

Harena = Callable[..., Answer]
AGENT = "mcts(c={c}, rave=yes, rave_visits={r}, iterations=10)"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HARENA_STORE", str(tmp_path / "games.sqlite"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "games.sqlite"


@pytest.fixture
def harena(path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Harena:
    return lambda *words: run(capsys, monkeypatch, *words)


def test_the_sequences_are_spalls() -> None:
    spsa = Spsa(steps=200, rate=0.5)
    assert spsa.stability == 20
    assert spsa.reach(0) == 1
    assert spsa.reach(99) == pytest.approx(100**-0.101)
    assert spsa.gain(0) == pytest.approx(1)
    assert spsa.gain(179) / spsa.gain(0) == pytest.approx((21 / 200) ** 0.602)
    plus, minus = spsa.shaken((1.0, 2.0, 3.0), 0)
    assert {abs(a - b) for a, b in zip(plus, minus, strict=True)} == {2.0}
    moved = spsa.moved((1.0, 2.0, 3.0), 0, 1.0)
    assert moved == tuple((a + b) / 2 for a, b in zip(plus, (1.0, 2.0, 3.0), strict=True))
    assert spsa.moved((1.0, 2.0), 5, 0.0) == (1.0, 2.0)


def test_signs_are_fair_independent_and_repeatable() -> None:
    spsa = Spsa(steps=2000, rate=0.5, seed=3)
    drawn = [spsa.signs(step, 2) for step in range(2000)]
    assert drawn == [Spsa(steps=2000, rate=0.5, seed=3).signs(step, 2) for step in range(2000)]
    assert drawn != [Spsa(steps=2000, rate=0.5, seed=4).signs(step, 2) for step in range(2000)]
    assert abs(fmean(a for a, _ in drawn)) < 0.07
    assert abs(fmean(a * b for a, b in drawn)) < 0.07


def duel(seed: int, best: Vector) -> Callable[[int, Vector, Vector], float]:
    """Two games between players whose strength falls by 15 Elo times the square of the distance to the best."""
    draw = random.Random(seed)

    def strength(theta: Vector) -> float:
        return -15 * sum((one - other) ** 2 for one, other in zip(theta, best, strict=True))

    def measure(step: int, plus: Vector, minus: Vector) -> float:
        chance = score_of(strength(plus) - strength(minus))
        return sum(draw.random() < chance for _ in range(2)) - 1.0

    return measure


def test_spsa_reaches_the_region_of_the_optimum_in_noise() -> None:
    best = (3.0, -2.0)
    ends = [
        maximise(duel(seed, best), (0.0, 0.0), Spsa(steps=400, seed=seed, rate=usual_rate(400)))[-1]
        for seed in range(20)
    ]
    far = [sum((a - b) ** 2 for a, b in zip(end, best, strict=True)) ** 0.5 for end in ends]
    assert fmean(far) < 1  # it began at 3.6
    assert sum(one < 2 for one in far) >= 18
    for axis in (0, 1):
        assert fmean(end[axis] for end in ends) == pytest.approx(best[axis], abs=0.5)


def test_spsa_without_noise_converges() -> None:
    def measure(step: int, plus: Vector, minus: Vector) -> float:
        return -0.1 * (sum(one**2 for one in plus) - sum(one**2 for one in minus))

    end = maximise(measure, (2.0, -1.5, 1.0), Spsa(steps=400, seed=1, rate=0.5))[-1]
    assert max(map(abs, end)) < 0.05


def test_bounds_hold_on_the_way() -> None:
    (shape,) = parameters("x(e={e})", "e=0.5", within="e=0.1:0.9")
    plan = Plan(
        spec=Spec(game="trap", variants=[{}], agents=[]), template="x(e={e})", parameters=[shape], steps=50, rate=0.5
    )
    path = maximise(lambda step, plus, minus: 1.0 if plus > minus else -1.0, (0.0,), plan.spsa, plan.clip)
    assert all(0.1 <= plan.values(theta)["e"] <= 0.9 for theta in path)
    assert plan.values(path[-1])["e"] == pytest.approx(0.9)


def test_positive_parameters_live_in_logarithms_and_others_do_not() -> None:
    c, w = parameters("x(c={c}, w={w})", "c=2,w=-1", scale="w=0.25,c=3")
    assert c.positive
    assert [c.value(place) for place in (-1, 0, 2)] == pytest.approx([2 / 3, 2, 18])
    assert [w.value(place) for place in (-4, 0, 4)] == [-2, -1, 0]
    assert c.place(c.value(1.5)) == pytest.approx(1.5)
    (flat,) = parameters("x(w={w})", "w=1", scale="w=2", linear="w")
    assert flat.value(-1) == -1


def test_whole_numbers_are_rounded_where_they_are_played() -> None:
    shapes = parameters("x(n={n}, c={c})", "n=2000000,c=1", whole="n")
    plan = Plan(
        spec=Spec(game="trap", variants=[{}], agents=[]),
        template="x(n={n}, c={c})",
        parameters=shapes,
        steps=1,
        rate=0.5,
    )
    assert plan.agent((0.1, 0.1)) == "x(n=2082759, c=1.04138)"
    (depth,) = parameters("x(d={d})", "d=2", whole="d")
    assert [depth.value(place) for place in (-9, -1, 0, 1)] == [1, 1, 2, 3]
    (within,) = parameters("x(d={d})", "d=2", within="d=1.5:3.5", whole="d")
    assert [within.value(place) for place in (-9, 9)] == [2, 3]


@pytest.mark.parametrize(
    ("start", "more", "complaint"),
    [
        ("c=1", {}, "nothing about {r}"),
        ("c=1,r", {}, "name=value"),
        ("c=1,c=2,r=1", {}, "twice"),
        ("c=1,r=x", {}, "'x' is no number"),
        ("c=1,r=inf", {}, "'inf' is no number"),
        ("c=1,r=1,z=1", {}, "has no {z}"),
        ("c=1,r=0", {}, "--scale is needed for r"),
        ("c=1,r=1", {"scale": "c=1"}, "a factor"),
        ("c=1,r=1", {"scale": "q=2"}, "--scale: "),
        ("c=1,r=-1", {"scale": "r=0"}, "more than 0"),
        ("c=1,r=1", {"within": "c=2:3"}, "is not between 2:3"),
        ("c=1,r=1", {"within": "c=2"}, "two bounds"),
        ("c=1,r=1", {"whole": "z"}, "--whole"),
        ("c=1,r=1", {"linear": "z"}, "--linear"),
    ],
)
def test_wrong_parameters_are_one_line(start: str, more: dict[str, str], complaint: str) -> None:
    with pytest.raises(BadOption) as wrong:
        parameters(AGENT, start, **more)
    assert complaint in str(wrong.value)
    assert "\n" not in str(wrong.value)


def test_an_agent_without_parameters_is_refused() -> None:
    with pytest.raises(BadOption, match="has no parameter"):
        parameters("mcts(c=1)", "c=1")


def plan_with(*opponents: str, pairs: int = 1) -> Plan:
    spec = Spec(game="isolation", variants=[{}], agents=list(opponents), seed=5)
    return Plan(spec=spec, template=AGENT, parameters=parameters(AGENT, "c=1,r=100"), steps=3, pairs=pairs, rate=0.5)


@pytest.mark.parametrize(("opponents", "games"), [((), 4), (("random",), 8)])
def test_a_trace_follows_from_the_games_alone(opponents: tuple[str, ...], games: int) -> None:
    plan = plan_with(*opponents, pairs=2)
    assert plan_of(plan.as_dict()) == plan
    trace = Trace(plan)
    while not trace.is_over:
        plus, minus = trace.shaken()
        assert plan.step_spec(plus, minus).agents == [plan.agent(plus), plan.agent(minus), *opponents]
        slots = plan.slots(trace.step)
        assert len(slots) == games
        for slot in slots:
            assert not trace.advance()
            winner = slot.seats.index(0) if 0 in slot.seats else 1 - slot.seats.index(1)  # theta+ always wins
            record = Record(game="isolation", options={}, start="", seats=("", ""), plies=(), winner=winner)
            trace.records[slot] = record
        assert trace.advance()
    assert trace.differences == [1.0] * 3
    again = Trace(plan, dict(reversed(trace.records.items())))
    assert again.path == trace.path
    assert again.is_over
    partial = Trace(plan, {slot: record for slot, record in trace.records.items() if slot.pair < 5})
    assert partial.path == trace.path[:3]


@pytest.mark.slow
def test_games_that_repeat_others_are_named(harena: Harena, path: Path) -> None:
    template, words = "id(heuristic={w}*improved, depth=1)", ("--start", "w=1", "--steps", "2", "--size", "4")
    answer = harena("tune", "isolation", template, *words, "--setup", "start", "--games", "8")
    assert answer.code == 0, answer.err
    said = " ".join(answer.out.split())
    assert "of 16 games only" in said and "the others tell nothing new; vary the starts, with --setup or --size" in said
    assert "tell nothing new" not in " ".join(harena("tune", "isolation", template, *words).out.split())


@pytest.mark.slow
def test_parameters_of_ones_own_code_are_tuned_and_a_run_goes_on_where_its_file_is(
    harena: Harena, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "here" / "mine.py"
    mine.parent.mkdir()
    text = "from harena.heuristics.features import mobility\n\n\ndef score(state, me, weight=1.0):\n"
    mine.write_text(f"{text}    return mobility(state, me) - weight * mobility(state, 1 - me)\n")
    monkeypatch.chdir(mine.parent)
    template = "id(heuristic=mine.py:score(weight={w}), depth=1)"
    words = ("tune", "isolation", template, "--start", "w=1", "--steps", "2", "--size", "4", "--seed", "2")
    whole = harena(*words)
    assert whole.code == 0 and "tuned: id(heuristic=mine.py:score(weight=" in whole.out, whole.err
    monkeypatch.setattr(verb, "play_missing", _stop)
    stopped = harena(*words)
    assert stopped.code == 130 and "nothing was learnt yet" in stopped.out
    assert "tuned:" not in stopped.out and "harena match" not in stopped.out  # of a player against itself
    monkeypatch.undo()
    monkeypatch.setenv("HARENA_STORE", str(path))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    with Store() as store:
        begun = store.runs()[-1].id
    mine.write_text(f"{text}    return mobility(state, me)\n")
    answer = harena("resume", begun, "--agent", f"{mine}:score")
    assert answer.code == 2 and f"mine.py has changed since run {begun} began" in answer.err
    mine.write_text(f"{text}    return mobility(state, me) - weight * mobility(state, 1 - me)\n")
    monkeypatch.chdir(tmp_path)
    again = harena("resume", begun, "--agent", f"{mine}:score")
    assert again.code == 0 and again.out.split("run ")[0] == whole.out.split("run ")[0]


def test_values_that_ended_where_they_began_are_not_called_tuned(harena: Harena, path: Path) -> None:
    words = ("--start", "n=2", "--whole", "n", "--within", "n=2:3", "--scale", "n=1.01", "--steps", "1")
    answer = harena("tune", "isolation", "mcts(iterations={n})", *words, "--size", "4")
    assert answer.code == 0, answer.err
    assert "the values are those of the start" in answer.out
    assert "tuned:" not in answer.out and "harena match" not in answer.out


def _stop(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.slow
@pytest.mark.parametrize("opponent", [(), ("mcts(c=1, iterations=5)",)])
def test_a_tuning_from_end_to_end_and_again_after_a_stop(
    opponent: tuple[str, ...], harena: Harena, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = ("--csv", str(tmp_path / "t.csv"), "--plot", str(tmp_path / "t.svg"))
    words = ("tune", "isolation", AGENT, *opponent, "--start", "c=1,r=100", "--steps", "6", "--seed", "1", *files)
    whole = harena(*words)
    assert whole.code == 0, whole.err
    assert "only a match tells" in whole.out
    assert "harena match isolation 'mcts(c=" in whole.out
    assert "--local" in whole.out
    assert ElementTree.parse(tmp_path / "t.svg").getroot().tag.endswith("svg")
    before = (tmp_path / "t.csv").read_text()
    rows = list(csv.DictReader(before.splitlines()))
    assert [row["step"] for row in rows] == [str(step) for step in range(7)]
    assert all(float(row["c"]) > 0 and float(row["r"]) > 0 for row in rows)

    played, seen = verb.play_missing, []

    def interrupted(*given: object) -> None:
        *rest, watch = given

        def counting(slot: Slot, record: Record) -> bool:
            seen.append(slot)
            if len(seen) > 6:
                raise KeyboardInterrupt
            return watch(slot, record)  # type: ignore[operator]

        played(*rest, counting)  # type: ignore[arg-type]

    monkeypatch.setattr(verb, "play_missing", interrupted)
    assert harena(*words).code == 130
    monkeypatch.setattr(verb, "play_missing", played)
    with Store(path) as store:
        name = store.runs()[-1].id
    (tmp_path / "t.csv").unlink()
    assert harena("resume", name, "--csv", str(tmp_path / "t.csv")).code == 0
    assert (tmp_path / "t.csv").read_text() == before


def test_mistakes_are_told_before_anything_is_played(harena: Harena, path: Path) -> None:
    whole = harena("tune", "isolation", "mcts(c={c}, iterations={i})", "--start", "c=1,i=300")
    assert "iterations is a whole number" in whole.err and "--whole" in whole.err
    assert whole.err.count("\n") == 1
    assert "--start" in harena("tune", "isolation", AGENT).err
    assert "needs a limit" in harena("tune", "isolation", "mcts(c={c})", "--start", "c=1").err
    assert not path.exists()
