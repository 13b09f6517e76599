"""`harena sweep`: what values are told apart, runs from end to end, and their plots."""

import csv
import random
import signal
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli.support import Answer, run
from harena.arena.contest import Spec
from harena.arena.record import Record
from harena.arena.slot import Slot
from harena.arena.store import FINISHED, STOPPED, Row, Run, Store
from harena.arena.summary import summary_of
from harena.arena.sweep import Plan, Table, fill, gap, holes, plan_of, values_of
from harena.cli import sweep as verb
from harena.errors import BadOption
from harena.find import game
from harena.render import plot

Harena = Callable[..., Answer]
AGENT, OPPONENT = "mcts(c={c}, iterations=10)", "mcts(c=1, iterations=3)"
SWEEP = ("sweep", "isolation", AGENT, OPPONENT, "--over", "c=1,0.1,30", "--games", "6")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HARENA_STORE", str(tmp_path / "games.sqlite"))
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path / "games.sqlite"


@pytest.fixture
def harena(path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Harena:
    return lambda *words: run(capsys, monkeypatch, *words)


def table_of(answer: Answer) -> list[str]:
    """All that is printed but the name of the run and of files."""
    return answer.out.split("the agents' own limits")[0].splitlines()


def check_png(data: bytes) -> None:
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    place, pixels, kinds = 8, b"", []
    while place < len(data):
        (size,) = struct.unpack(">I", data[place : place + 4])
        kind, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + size]
        assert struct.unpack(">I", data[place + 8 + size : place + 12 + size])[0] == zlib.crc32(kind + body)
        pixels += body if kind == b"IDAT" else b""
        kinds.append(kind)
        place += 12 + size
    assert kinds[0] == b"IHDR"
    assert kinds[-1] == b"IEND"
    assert len(zlib.decompress(pixels)) > 100_000


def test_values_are_read_and_sorted_as_written() -> None:
    assert values_of(" c = 3, 0.10,1e-3", AGENT) == ("c", ["1e-3", "0.10", "3"])


def test_ranges_are_values_without_rounding() -> None:
    assert values_of("c=0.1:0.5:0.1,2", AGENT) == ("c", ["0.1", "0.2", "0.3", "0.4", "0.5", "2"])
    assert values_of("c=1:3", AGENT) == ("c", ["1", "2", "3"])
    assert len(values_of("c=0.1:2:0.1", AGENT)[1]) == 20
    for wrong, complaint in (
        ("c=2:1", "a range goes up"),
        ("c=0:1:0", "a range goes up"),
        ("c=0:1:x", "'x' is no number"),
        ("c=1:2:3:4", "FIRST:LAST:STEP"),
        ("c=0:1:0.0001", "at most 200"),
        ("c=1:1", "at least two values"),
    ):
        with pytest.raises(BadOption, match=complaint):
            values_of(wrong, AGENT)


def test_a_sweep_takes_openings(harena: Harena, path: Path, tmp_path: Path) -> None:
    openings = tmp_path / "openings.txt"
    openings.write_text("....../......../x 1\n", "utf-8")
    words = ("sweep", "isolation", AGENT, "random", "--over", "c=1:2", "--games", "2", "--openings", str(openings))
    wrong = harena(*words)
    assert wrong.code == 2 and f"{openings}, line 1: " in wrong.err
    openings.write_text(f"{game('isolation', size=5).initial(0).play('c3').play('a1').text}\n", "utf-8")
    answer = harena(*words, "--size", "5")
    assert answer.code == 0 and "openings 1 of a file" in " ".join(answer.out.split()), answer.err
    assert fill("x(a={c}, b={c})", {"c": "0.10"}) == "x(a=0.10, b=0.10)"
    assert holes("x(a={c}, b={d}, e={c})") == ["c", "d"]


@pytest.mark.parametrize(
    ("over", "template", "complaint"),
    [
        ("c", AGENT, "--over is a parameter"),
        ("=1,2", AGENT, "--over is a parameter"),
        ("d=1,2", AGENT, "has no {d}"),
        ("c=1,x", AGENT, "'x' is no number"),
        ("c=1,", AGENT, "'' is no number"),
        ("c=1,nan", AGENT, "'nan' is no number"),
        ("c=1,1.0", AGENT, "twice"),
        ("c=1", AGENT, "at least two values"),
        ("c=1,2", "mcts(c={c}, rave_visits={r})", "nothing is said about {r}"),
        ("c=1,2", "mcts(c={c)", "braces hold the name"),
        ("c=1,2", "mcts(c={})", "braces hold the name"),
    ],
)
def test_wrong_parameters_are_one_line(over: str, template: str, complaint: str) -> None:
    with pytest.raises(BadOption) as wrong:
        values_of(over, template)
    assert complaint in str(wrong.value)
    assert "\n" not in str(wrong.value)


def made(scores: list[list[float]]) -> Table:
    """A table in which pairs have these scores: 0, 0.5 or 1."""
    count = len(scores)
    spec = Spec(game="isolation", variants=[{}], agents=[f"x(c={index})" for index in range(count)] + ["y"])
    values = [str(index) for index in range(count)]
    plan = Plan(spec=spec, template="x(c={c})", name="c", values=values, pairs=len(scores[0]))
    table = Table(plan)
    for value, pairs in enumerate(scores):
        for pair, score in enumerate(pairs):
            for swapped in (False, True):
                wins = score == 1 or (score == 0.5 and not swapped)
                winner = int(swapped) if wins else 1 - int(swapped)
                record = Record(game="isolation", options={}, start="", seats=("", ""), plies=(), winner=winner)
                table.records[Slot(a=value, b=count, pair=pair, swapped=swapped)] = record
    return table


def test_equal_values_are_rarely_told_apart_and_different_ones_are() -> None:
    draw = random.Random(1)
    rounds, false, found = 300, 0, 0
    for _ in range(rounds):
        equal = [{pair: draw.choice((0, 0.5, 0.5, 1)) for pair in range(40)} for _ in range(4)]
        best = max(equal, key=lambda one: sum(one.values()))
        false += best is not equal[0] and gap(best, equal[0], 3).told  # the first, as good as any, is called worse
        strong = {pair: draw.choice((0.5, 1, 1)) for pair in range(40)}
        found += gap(strong, equal[0], 3).told
    assert false <= 0.05 * rounds
    assert found >= 0.9 * rounds


def test_few_pairs_without_variance_tell_nothing() -> None:
    one, other = dict.fromkeys(range(3), 1.0), dict.fromkeys(range(3), 0.0)
    assert not gap(one, other, 1).told
    assert gap(one, other, 1).needed == 10
    assert gap(dict.fromkeys(range(6), 1.0), dict.fromkeys(range(6), 0.0), 1).told
    assert gap(one, one, 1).needed is None
    assert not gap({}, {}, 1).told


def test_the_verdict_says_what_is_told_apart() -> None:
    sure = made([[0, 0.5] * 20, [1, 1] * 20, [0.5, 0] * 20]).verdict()
    scored = "it scored 100.0 %, and the next, c=0, 25.0 %"
    assert sure == [f"c=1 is the best of these values, told apart from all others (95 %): {scored}"]
    mixed = made([[0, 0] * 20, [0.5, 1] * 20, [1, 0.5, 0.5, 1, 1] * 8]).verdict()
    assert mixed[0] == "c=2 scored best (80.0 %), but cannot be told apart from c=1"
    assert mixed[1] == "not the best (95 %): c=0"
    assert "games a value would be needed" in mixed[2]
    assert "end of the range" in mixed[3]
    unlucky = made([[0.5, 0.5, 1, 0], [0.5, 0.5, 0.5, 0.5], [0, 0, 0, 0]]).verdict()
    assert "no number of games" in unlucky[1]
    assert "nothing can be told" in made([[], []]).verdict()[0]


@pytest.mark.parametrize(
    ("score", "said"), [(1.0, "100.0 %: this opponent is too weak"), (0.0, "0.0 %: this opponent is too strong")]
)
def test_where_all_values_score_alike_none_is_called_best(score: float, said: str) -> None:
    verdict = made([[score] * 4] * 3).verdict()
    assert len(verdict) == 1 and verdict[0].startswith(f"all values scored alike, {said} to tell them apart")
    assert made([[0.5, 1], [1, 0.5], [1, 0.5]]).verdict() == [
        "all values scored alike, 75.0 %: these games show no difference between them; play more, or try values "
        "further apart"
    ]


@pytest.mark.parametrize(
    ("results", "said"),
    [
        ([[1.0] * 3] * 2, "all scored alike, 100.0 %"),
        ([[0.5] * 2, [1.0] * 2], "c=1 scored best, 100.0 %"),
        ([[], []], ""),
    ],
)
def test_the_list_of_runs_says_so_too(results: list[list[float]], said: str) -> None:
    table = made(results)
    rows = [
        Row(
            id=number,
            run="r",
            slot=str(slot),
            game="isolation",
            seats=("", ""),
            winner=one.winner,
            reason=one.reason,
            plies=0,
            created="",
        )
        for number, (slot, one) in enumerate(table.records.items())
    ]
    run = Run(id="r", kind="sweep", spec=table.plan.as_dict(), status=FINISHED, created="", finished=None, note="")
    assert summary_of(run, rows).result == said


def test_slots_are_unique_and_plans_come_back_from_the_store() -> None:
    plan = made([[1.0] * 25, [0.5] * 25]).plan
    slots = plan.slots()
    assert len(set(map(str, slots))) == len(slots) == 2 * 25 * 2
    assert plan_of(plan.as_dict()) == plan


@pytest.mark.slow
def test_a_sweep_from_end_to_end_and_again_after_a_stop(
    harena: Harena, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = ("--plot", str(tmp_path / "s.png"), "--csv", str(tmp_path / "s.csv"))
    whole = harena(*SWEEP, *files)
    assert whole.code == 0, whole.err
    assert all(len(line) <= 80 for line in whole.out.splitlines() if not line.startswith("wrote"))
    assert "in one process" in " ".join(whole.out.split())
    check_png((tmp_path / "s.png").read_bytes())
    rows = list(csv.DictReader((tmp_path / "s.csv").read_text().splitlines()))
    assert [row["c"] for row in rows] == ["0.1", "1", "30"]
    assert all(int(row["wins"]) + int(row["draws"]) + int(row["losses"]) == int(row["games"]) == 6 for row in rows)
    assert all(float(row["score_low"]) <= float(row["score"]) <= float(row["score_high"]) for row in rows)

    played = verb.play_missing

    def interrupted(*given: object) -> None:
        *rest, watch = given
        seen = []

        def counting(slot: Slot, record: Record) -> bool:
            seen.append(slot)
            if len(seen) > 7:
                raise KeyboardInterrupt
            return watch(slot, record)  # type: ignore[operator]

        played(*rest, counting)  # type: ignore[arg-type]

    before = (tmp_path / "s.csv").read_text()
    (tmp_path / "s.csv").unlink()
    monkeypatch.setattr(verb, "play_missing", interrupted)
    stopped = harena(*SWEEP, *files, "--concurrency", "2")
    assert stopped.code == 130
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler  # what comes after hears Ctrl-C again
    assert "harena resume" in stopped.out
    with Store(path) as store:
        name = store.runs()[-1].id
        assert store.run(name).status == STOPPED
        assert 0 < len(store.slots_done(name)) < 18
    monkeypatch.setattr(verb, "play_missing", played)
    resumed = harena("resume", name, *files)
    assert table_of(resumed) == table_of(whole)
    assert (tmp_path / "s.csv").read_text() == before
    with Store(path) as store:
        assert store.run(name).status == FINISHED


def test_bad_options_are_told_before_anything_is_played(harena: Harena, path: Path, tmp_path: Path) -> None:
    for words, complaint in (
        (("--plot", str(tmp_path / "s.pdf")), "ends in .png or .svg"),
        (("--csv", str(tmp_path / "none" / "s.csv")), "cannot be written"),
        (("--games", "5"), "an even number"),
    ):
        answer = harena(*SWEEP, *words)
        assert answer.code == 2
        assert complaint in answer.err
        assert answer.err.count("\n") == 1
    unlimited = harena("sweep", "isolation", "mcts(c={c})", "random", "--over", "c=1,2")
    assert "needs a limit" in unlimited.err
    assert not path.exists()


def test_without_matplotlib_one_line_says_what_to_install(
    harena: Harena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(plot, "import_module", missing)
    answer = harena(*SWEEP, "--plot", str(tmp_path / "s.png"))
    assert answer.code == 2
    assert answer.err == "harena: plots need matplotlib: pip install '.[plot]' in a checkout of Harena\n"


@pytest.mark.slow
def test_plots_are_valid_whatever_the_numbers_and_names() -> None:
    points = [(-1.0, 0.0, 0.0, 0.4), (0.0, 0.5, 0.2, 0.8), (2.0, 1.0, 0.7, 1.0)]
    drawn = plot.sweep(points, name="c_$x", title="a $ < & {c} $", against="b" * 99, form="svg")
    assert ElementTree.fromstring(drawn).tag.endswith("svg")
    assert drawn == plot.sweep(points, name="c_$x", title="a $ < & {c} $", against="b" * 99, form="svg")
    check_png(plot.sweep([(1, 0.5, 0.1, 0.9), (100, 0.5, 0.1, 0.9)], name="c", title="", against="", form="png"))
    check_png(plot.trace({"c": [1, 2, 30], "r": [-1, 0, 1]}, title="two", form="png"))
    assert ElementTree.fromstring(plot.trace({"c": [1.0]}, title="one", form="svg")).tag.endswith("svg")
