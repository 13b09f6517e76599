"""Running the command line inside the test process."""

import sys
from dataclasses import dataclass

import pytest

from harena.cli.main import main


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str


def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str) -> Answer:
    """What `harena WORDS` prints, and its exit code."""
    monkeypatch.setattr(sys, "argv", ["harena", *words])
    with pytest.raises(SystemExit) as end:
        main()
    captured = capsys.readouterr()
    return Answer(int(end.value.code or 0), captured.out, captured.err)
