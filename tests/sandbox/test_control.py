"""The same attacks without walls succeed: what fails behind walls fails because of them."""

import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandbox.support import contestant, play, submission

pytestmark = [pytest.mark.process, pytest.mark.usefixtures("nothing_is_left_behind")]


@pytest.fixture
def bystander() -> Iterator[int]:
    """A process that may be hurt."""
    nothing = subprocess.DEVNULL
    with subprocess.Popen(
        ["sleep", "600"], env={"SECRET": "8472650193"}, process_group=0, stdin=nothing, stdout=nothing, stderr=nothing
    ) as process:
        yield process.pid
        process.kill()


@pytest.mark.parametrize(
    "attack",
    [
        *("read_files", "read_home", "write_outside", "open_socket", "kill_referee", "see_processes", "import_arena"),
        *("read_seed", "answer_for_the_other", "eat_addresses", "wake_itself", "move_to_all_processors"),
    ],
)
def test_without_walls_it_succeeds(tmp_path: Path, bystander: int, attack: str) -> None:
    other = submission(tmp_path / "other")
    orders: dict[str, Any] = {"files": [str(other)], "home": str(tmp_path), "python": []}
    orders |= {"folders": [str(tmp_path)], "changed": [str(other)]}
    orders |= {"referee": bystander, "group": bystander, "secrets": ["8472650193"], "others": [bystander]}
    record = play(contestant(submission(tmp_path / "agent", attack=attack, **orders), "off"))
    assert (record.reason, record.winner) == ("unreadable answer", 1)


def test_without_walls_it_connects(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        orders = {"port": listener.getsockname()[1], "abstract": "harena-none", "socket": str(tmp_path / "none")}
        record = play(contestant(submission(tmp_path / "agent", attack="connect", **orders), "off"))
        assert record.reason == "unreadable answer"
        listener.setblocking(False)
        listener.accept()[0].close()


def test_the_attacker_plays_well_when_it_is_told_nothing_bad(tmp_path: Path) -> None:
    record = play(contestant(submission(tmp_path / "agent", attack="read_files", files=[]), "off"))
    assert record.reason == "rules"
