import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harena.agents.process import AgentProcess
from harena.sandbox.workplace import workplace
from sandbox.support import open_files, running


@pytest.fixture
def nothing_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No process of an agent, no mount, no open file."""
    marks: set[str] = set()
    begin = AgentProcess.__init__

    def noted(self: AgentProcess, *arguments: Any, **keywords: Any) -> None:
        begin(self, *arguments, **keywords)
        marks.add(self.mark)

    monkeypatch.setattr(AgentProcess, "__init__", noted)
    workplace()  # has open files of its own
    mounts, descriptors = Path("/proc/self/mounts").read_text(), open_files()
    yield
    assert marks
    deadline = time.monotonic() + 120
    while (left := running(marks)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left
    assert Path("/proc/self/mounts").read_text() == mounts
    assert open_files() <= descriptors
