"""Runs that are stopped: what is said when they begin, and what is kept of why they ended."""

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.support import Answer
from harena.arena.running import RESUMABLE
from harena.arena.store import STOPPED, Store
from harena.cli import resume, tournament
from harena.errors import HarenaError

Harena = Callable[..., Answer]
BEGUN = {
    "match": "match isolation random greedy --games 2 --local",
    "tournament": "tournament isolation random greedy --games 2 --local",
    "sweep": "sweep isolation mcts(c={c},iterations=5) random --over c=0.1,1 --games 2",
    "tune": "tune isolation mcts(c={c},iterations=5) --start c=1 --steps 1",
}


def name_of(path: Path) -> str:
    with Store(path) as store:
        return store.runs()[-1].id


def asked(*ignored: Any) -> None:
    os.kill(os.getpid(), signal.SIGTERM)


def interrupted(*ignored: Any) -> None:
    raise KeyboardInterrupt


def failed(*ignored: Any) -> None:
    raise HarenaError("the rules\nfell over")


def broken(*ignored: Any) -> None:
    raise RuntimeError


@pytest.mark.slow
@pytest.mark.parametrize("kind", BEGUN)
def test_a_run_says_at_its_beginning_how_to_go_on(
    harena: Harena, path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    answer = harena(*BEGUN[kind].split())
    name = name_of(path)
    line = f"run {name}: harena resume {name} goes on if it is stopped\n"
    assert answer.code == 0 and answer.err.count(line) == 1 and line not in answer.out
    monkeypatch.setattr(f"harena.cli.{kind}.play_missing", interrupted)
    assert harena(*BEGUN[kind].split()).code == 130
    monkeypatch.undo()
    monkeypatch.setenv("HARENA_STORE", str(path))
    answer = harena("resume")
    assert answer.code == 0 and "goes on" not in answer.err  # whoever resumes knows


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "why"),
    [
        (interrupted, "Ctrl-C"),
        (asked, "asked to stop"),
        (failed, "the rules fell over"),
        (broken, "RuntimeError"),
    ],
)
def test_a_list_says_why_a_run_was_stopped_and_how_it_goes_on(
    harena: Harena, path: Path, monkeypatch: pytest.MonkeyPatch, how: Callable[..., None], why: str
) -> None:
    monkeypatch.setattr("harena.cli.tournament.play_missing", how)
    assert harena(*BEGUN["tournament"].split()).code != 0
    monkeypatch.undo()
    monkeypatch.setenv("HARENA_STORE", str(path))
    monkeypatch.setenv("COLUMNS", "80")
    name = name_of(path)
    lines = harena("records", "list").out.splitlines()
    assert lines[1].split()[3] == STOPPED and lines[3].strip() == f"{why}; harena resume {name} goes on"
    assert harena("report", name, str(path.with_name("page.html"))).code == 0
    assert f"stopped: {why}" in path.with_name("page.html").read_text("utf-8")
    assert harena("resume", name).code == 0
    assert why not in harena("records", "list").out


def test_who_asks_twice_is_told_all_the_same(harena: Harena, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `timeout` does: it asks the process, then its group."""
    tell = tournament.report

    def told(*given: Any) -> None:
        asked()
        tell(*given)

    monkeypatch.setattr(tournament, "play_missing", asked)
    monkeypatch.setattr(tournament, "report", told)
    before = signal.getsignal(signal.SIGTERM)
    answer = harena(*BEGUN["tournament"].split())
    name = name_of(path)
    assert answer.code == 130 and answer.out.endswith(f"stopped; go on with: harena resume {name}\n")
    assert signal.getsignal(signal.SIGTERM) is before
    with Store(path) as store:
        assert store.stops() == {name: "asked to stop"}


def test_what_lists_and_pages_call_resumable_can_be_resumed() -> None:
    assert set(RESUMABLE) == set(resume.RESUME)
