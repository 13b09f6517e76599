"""The host of a course agent says when all of its own is loaded, before it touches the submission."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from harena.agents.launch import launch
from harena.agents.process import AgentProcess

pytestmark = pytest.mark.process

HELLO = {"type": "hello", "harena": 1, "game": "trap", "variants": [{}]}
AGENT = """
import sys
print("imported", *sorted({"numpy", "numpy.random"} & set(sys.modules)), flush=True)
import numpy

class PlayerAI:
    def getMove(self, grid):
        pass
    def getTrap(self, grid):
        pass

print("old names", numpy.int is int, numpy.product is numpy.prod, flush=True)
"""


@contextlib.contextmanager
def host(folder: Path) -> Iterator[AgentProcess]:
    """The process of the agent, which has been told nothing."""
    (folder / "PlayerAI.py").write_text(AGENT)
    (folder / "numpy.py").write_text("raise ImportError('the submission is searched first')\n")
    (folder / "tmp").mkdir()
    how = launch(f"w4701:{folder}", "off", str(folder / "tmp"))
    process = AgentProcess(how.command, cwd=how.folder, environment=how.environment)
    try:
        yield process
    finally:
        process.kill()


def said(process: AgentProcess) -> str:
    process.listen()
    return process.words.decode()


@pytest.mark.parametrize("is_prepared", [True, False])
def test_numpy_is_loaded_before_the_submission_is_touched(is_prepared: bool, tmp_path: Path) -> None:
    with host(tmp_path) as process:
        if is_prepared:
            process.ask({"type": "prepare"}, "prepared", 60.0, patient=False)
            assert said(process) == ""
            assert "numpy" in Path(f"/proc/{process.process.pid}/maps").read_text()
        ready = process.ask(HELLO, "ready", 60.0, patient=False).said
        assert said(process) == "imported numpy numpy.random\nold names True True\n"
        assert ready["makes"] is True and "begins" not in ready


def test_a_host_answers_with_the_number_of_its_instance(tmp_path: Path) -> None:
    with host(tmp_path) as process:
        process.ask(HELLO, "ready", 60.0, patient=False)
        for number in (7, 8):
            made = process.ask({"type": "make", "id": number, "seed": 1}, "made", 60.0, patient=False).said
            assert made == {"type": "made", "id": number}
