"""Shared by the tests of agents."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cli.support import Answer, run


@pytest.fixture
def command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Answer]:
    """Any command of ours, with a store and a wide terminal of its own."""
    monkeypatch.setenv("HARENA_STORE", str(tmp_path / "games.sqlite"))
    monkeypatch.setenv("COLUMNS", "200")
    return lambda *words: run(capsys, monkeypatch, *words)
