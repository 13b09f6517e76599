"""`harena report`: pages that parse, have all their sections, and need nothing from elsewhere."""

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from cli.support import Answer, run
from harena.arena.contest import Spec
from harena.arena.match import Plan
from harena.arena.record import CRASH, Ply, Record
from harena.arena.store import Store
from harena.cli.labels import labels
from harena.render.page import Mark, histogram, intervals, nice, table

Harena = Callable[..., Answer]
SECTIONS = ["result", "conditions", "ratings", "crosstable", "ends", "lengths", "times", "faults", "games"]
VOID = {"meta", "link", "img", "br", "hr", "input"}


class Page(HTMLParser):
    """Checks the nesting, and keeps what there is."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words += data + " "

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [given for name, given in self.tags if name == tag]


def check(text: str) -> Page:
    page = Page(text)
    assert text.startswith("<!DOCTYPE html>")
    names = [one["id"] for one in page.all("section")]
    assert [name for name in names if name != "bracket"] == SECTIONS
    assert [one["href"] for one in page.all("a")] == [f"#{name}" for name in names]
    assert not re.search(r"\b(nan|inf)\b", text, re.IGNORECASE)
    assert not re.search(r"\bNone\b(?!:)", page.words)
    assert "http" not in text
    assert "url(" not in text
    assert not {"script", "link", "img", "iframe"} & {name for name, _ in page.tags}
    assert "prefers-color-scheme: dark" in text
    assert page.all("html")[0]["lang"] == "en"
    assert all(one["role"] == "img" and one["aria-label"] for one in page.all("svg"))
    assert text.count("<svg") == text.count("<desc>")
    assert all("scope" in one for one in page.all("th"))
    assert len(page.all("table")) == len(page.all("caption"))
    return page


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HARENA_STORE", str(tmp_path / "games.sqlite"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "games.sqlite"


@pytest.fixture
def harena(path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Harena:
    return lambda *words: run(capsys, monkeypatch, *words)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("match", "isolation", "mcts(c=1, iterations=10)", "random", "--games", "6", "--local"), "for a move"),
        (("match", "trap", "random", "random", "--games", "2", "--local"), "cannot tell A and B apart"),
        (("tournament", "isolation", "random", "greedy", "mm_null", "--games", "2", "--local"), "rated highest: +"),
        (("tournament", "isolation", "random", "greedy", "--games", "2", "--type", "knockout", "--local"), "winner: "),
        (
            ("sweep", "isolation", "mcts(c={c}, iterations=10)", "random", "--over", "c=0.1,1", "--games", "4"),
            "c=0.1",
        ),
    ],
)
def test_a_run_becomes_a_page(words: tuple[str, ...], told: str, harena: Harena, path: Path) -> None:
    played = harena(*words)
    assert played.code == 0, played.err
    with Store(path) as store:
        (found,) = store.runs()
        count = len(store.slots_done(found.id))
    answer = harena("report", found.id)
    assert answer.out == f"wrote {count} games of {found.kind} {found.id} to {found.id}.html\n"
    text = Path(f"{found.id}.html").read_text("utf-8")
    page = check(text)
    assert told in page.words
    assert len(page.all("svg")) == 2
    listed = text.split('<section id="games"')[1]
    assert listed.count("<tr>") == count + 1
    assert "None: every game ended by the rules" in page.words


def stored(path: Path, records: list[Record]) -> str:
    spec = Spec(game="isolation", variants=[{}], agents=["<script>alert(1)</script>", "x.py"])
    with Store(path) as store:
        name = store.new_run("match", Plan(spec=spec, pairs=2).as_dict(), note="a & b").id
        for index, record in enumerate(records):
            store.add_game(name, f"0-1/{index // 2}/{index % 2}", record)
    return name


def test_strangers_texts_are_escaped_and_faults_listed(harena: Harena, path: Path) -> None:
    plies = (Ply(by=0, move="a1", seconds=0.5), Ply(by=1, move="<b>"))
    lost = Record(
        game="isolation",
        options={},
        start="",
        seats=("A", "B"),
        plies=plies,
        winner=1,
        reason=CRASH,
        detail="Traceback\n<b>boom</b>\x1b[31m",
    )
    name = stored(path, [lost, lost])
    assert harena("report", name, "page.html").code == 0
    text = Path("page.html").read_text("utf-8")
    page = check(text)
    assert "<script>" not in text
    assert "<b>" not in text
    assert "\x1b" not in text
    assert "<script>alert(1)</script>" in page.words
    assert "<b>boom</b>?[31m" in page.words
    assert "2 games of 4 planned" in page.words
    assert "a & b" in page.words
    assert "stopped: 2 games" in page.words  # nobody plays it
    assert text.index('class="verdict"') < text.index('class="alarm"') < text.index('id="conditions"')
    assert "A <script>alert(1)</script> lost 1 of its 2 games by faults (crash 1); the first, game 1: " in page.words


def test_a_run_without_games_has_a_page_too(harena: Harena, path: Path) -> None:
    name = stored(path, [])
    assert harena("report", name, "page.html").code == 0
    assert "No game has been played yet." in check(Path("page.html").read_text("utf-8")).words


def test_what_cannot_be_reported_is_one_line(harena: Harena, path: Path, tmp_path: Path) -> None:
    name = stored(path, [])
    with Store(path) as store:
        tuning, empty = store.new_run("tune", {}).id, store.new_run("match", {}).id
    for words, complaint in (
        (("nope",), "no run 'nope'"),
        ((tuning,), "is of kind tune: reports are of matches"),
        ((empty,), "nothing to report"),
        ((name, str(tmp_path / "no" / "x.html")), "cannot be written"),
        ((name, str(path)), "the store itself"),
    ):
        answer = harena("report", *words)
        assert answer.code == 2
        assert complaint in answer.err
        assert answer.err.count("\n") == 1


def test_drawings_hold_for_extreme_numbers() -> None:
    one = Mark(name="x" * 99, value=0, low=0, high=0)
    wide = Mark(name="<&>", value=1200, low=-1200, high=1200, open_low=True, open_high=True)
    for marks in ([one], [wide], [one, wide]):
        Page(intervals(marks, title="t", unit="Elo", zero=0, ends=None))
    for values in ([1], [3] * 50, list(range(500)), [0, 1]):
        text = histogram(values, title="t", unit="moves")
        Page(text)
        assert sum(int(count) for count in re.findall(r"<title>[\d-]+: (\d+)</title>", text)) == len(values)
    assert [nice(step) for step in (0.9, 1, 1.1, 3, 7, 70)] == [1, 1, 2, 5, 10, 100]
    assert 'scope="row"' in table("c", ("a", "b"), [("x", 1)], (1,))


def test_labels_are_short_and_differ() -> None:
    assert labels(["random", "/far/away/mine.py"]) == ["random", "mine.py"]
    assert labels(["random", "random"], "AB") == ["A random", "B random"]
    long = ["mcts(c=1, iterations=1000, rave=yes, a=1)", "mcts(c=1, iterations=1000, rave=yes, a=2)"]
    assert labels(long) == ["mcts(c=1, iterations=1000, rave=… #1", "mcts(c=1, iterations=1000, rave=… #2"]
    assert labels(long, "AB") == ["A mcts(c=1, iterations=1000, rave=y…", "B mcts(c=1, iterations=1000, rave=y…"]


@pytest.mark.slow
def test_a_crosstable_of_many_or_long_names_has_numbers(harena: Harena, path: Path) -> None:
    agents = [f"mcts(c={number}, iterations=2)" for number in range(1, 5)]
    assert harena("tournament", "isolation", *agents, "--games", "2", "--local").code == 0
    with Store(path) as store:
        (found,) = store.runs()
    harena("report", found.id)
    text = Path(f"{found.id}.html").read_text("utf-8").split('<section id="crosstable"')[1].split("</section>")[0]
    page = Page(f"<section{text}</section>")
    assert page.words.split("agent")[1].split()[:4] == ["1", "2", "3", "4"]
    assert all(f" {agent} " in page.words for agent in agents)
