"""A long silence while something is compiled is explained in a line, once; what is compiled already is not."""

import sys
import threading
from pathlib import Path

import pytest

from harena.arena.runs.start import start_match
from harena.cli import compiling
from harena.cli.live_run import announce
from harena.kernel.compile import kernel
from harena.kernel.switch import JIT

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")


def fresh():  # type: ignore[no-untyped-def]
    """A kernel that was never called."""

    def doubled(number):  # type: ignore[no-untyped-def]
        return 2 * number

    made = kernel(doubled)
    made._cache.disable()  # so that it is compiled here
    return made


def test_it_is_said_once_while_something_is_compiled(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "PATIENCE", 0.0)
    monkeypatch.setattr(compiling, "WATCH", compiling.Watch())
    one, other = fresh(), fresh()
    with compiling.announced():
        assert (one(2), other(3)) == (4, 6)
    assert capsys.readouterr().err == f"{compiling.WORDS}\n"
    monkeypatch.setattr(compiling, "WATCH", compiling.Watch())
    with compiling.announced():
        assert one(2) == 4
    assert capsys.readouterr().err == ""


def test_what_is_compiled_quickly_is_not_mentioned(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "PATIENCE", 1000.0)
    monkeypatch.setattr(compiling, "WATCH", compiling.Watch())
    with compiling.announced():
        assert fresh()(2) == 4
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("is_terminal", [False, True])
def test_a_contest_that_compiles_its_rules_says_so(
    is_terminal: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is made before anything is displayed, so that this is said at a terminal, too."""
    monkeypatch.setattr(compiling, "PATIENCE", 0.0)
    monkeypatch.setattr(compiling, "WATCH", compiling.Watch())
    monkeypatch.setattr(sys.stderr, "isatty", lambda: is_terminal)
    monkeypatch.setattr("harena.arena.contest.fork_template", lambda name, variants: fresh()(2))
    announce(start_match)("isolation", "random", "greedy", size="4", store=str(tmp_path / "games.sqlite"))
    assert capsys.readouterr().err == f"{compiling.WORDS}\n"


def test_no_thread_is_left_once_something_is_compiled() -> None:
    """A command makes a fork of itself then, which has one thread only."""
    watch, before = compiling.Watch(), threading.active_count()
    watch.start()
    assert threading.active_count() == before + 1
    watch.end()
    assert threading.active_count() == before
