"""Every wall, by a program in the middle of a game that tries to get through: it plays on, or loses as it should."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from harena.agents.contestant import ProcessContestant
from harena.arena.store import Store
from sandbox.support import WALLED, Hosted, contestant, play, python_on_the_way, submission

pytestmark = [
    pytest.mark.process,
    pytest.mark.parametrize("level", WALLED),
    pytest.mark.usefixtures("nothing_is_left_behind"),
]


def is_in_vain(agent: ProcessContestant, other: ProcessContestant | None = None) -> None:
    record = play(agent, other)
    assert f"{record.reason} {record.detail}" == "rules "


def test_it_reads_no_other_submission_and_no_store(tmp_path: Path, level: str) -> None:
    other = submission(tmp_path / "other")
    with Store(str(tmp_path / "store")) as kept:
        run = kept.new_run("match", {"seed": 12345})
        files = [str(one) for one in (tmp_path / "store").rglob("*") if one.is_file()] or [str(tmp_path / "store")]
        assert run and files
        agent = submission(tmp_path / "agent", attack="read_files", files=[str(other), *files])
        is_in_vain(contestant(agent, level))


def test_it_does_not_see_the_home_folder(tmp_path: Path, level: str) -> None:
    home = str(Path.home())
    orders = {"home": home, "python": python_on_the_way(home)}
    is_in_vain(contestant(submission(tmp_path / "agent", attack="read_home", **orders), level))


def test_it_writes_nowhere_but_in_tmp(tmp_path: Path, level: str) -> None:
    folders = ["/", "/usr", "/etc", "/dev", "/proc", "/submission", "/launcher", "/launcher/inside", sys.prefix]
    folders += [os.path.dirname(sys.prefix), str(tmp_path), os.path.expanduser("~"), "/var/tmp"]
    changed = ["/submission/attacker.py", sys.executable, os.__file__, "/proc/sys/kernel/core_pattern"]
    agent = submission(tmp_path / "agent", attack="write_outside", folders=folders, changed=changed)
    is_in_vain(contestant(agent, level))
    assert not (tmp_path / "planted").exists()


def test_it_opens_no_socket(tmp_path: Path, level: str) -> None:
    is_in_vain(contestant(submission(tmp_path / "agent", attack="open_socket"), level))


def test_it_connects_to_nobody_on_this_machine(tmp_path: Path, level: str) -> None:
    listeners = [socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)]
    abstract, path = f"harena-{os.getpid()}-{level}", str(tmp_path / "socket")
    for one, name in zip(listeners[1:], ("\0" + abstract, path), strict=True):
        one.bind(name)
        one.listen()
    os.chmod(path, 0o777)
    port = listeners[0].getsockname()[1]
    agent = submission(tmp_path / "agent", attack="connect", port=port, abstract=abstract, socket=path)
    is_in_vain(contestant(agent, level))
    for one in listeners:
        one.setblocking(False)
        with pytest.raises(BlockingIOError):
            one.accept()
        one.close()


@pytest.mark.parametrize("attack", ["kill_referee", "trace_referee", "see_processes"])
def test_it_does_not_reach_the_referee(tmp_path: Path, level: str, attack: str) -> None:
    bystander = subprocess.Popen(["sleep", "600"], process_group=0)
    orders = {"referee": os.getpid(), "group": bystander.pid}
    try:
        is_in_vain(contestant(submission(tmp_path / "agent", attack=attack, **orders), level))
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


@pytest.mark.parametrize(
    "attack", ["wake_itself", "use_other_numbers", "change_supervisor", "move_to_all_processors", "be_nice"]
)
def test_its_system_calls_are_refused(tmp_path: Path, level: str, attack: str) -> None:
    is_in_vain(contestant(submission(tmp_path / "agent", attack=attack), level))


@pytest.mark.parametrize("attack", ["fork_bomb", "fill_tmp", "large_file", "hidden_memory", "eat_addresses", "outlive"])
def test_it_takes_no_more_than_its_share(tmp_path: Path, level: str, attack: str) -> None:
    is_in_vain(contestant(submission(tmp_path / "agent", attack=attack), level))


def test_who_takes_too_much_memory_loses(tmp_path: Path, level: str) -> None:
    record = play(contestant(submission(tmp_path / "agent", attack="eat_memory"), level, memory=300.0))
    assert (record.reason, record.winner) == ("memory", 1)
    assert "MB of 300" in record.detail


def test_a_program_patches_nobody_but_itself(tmp_path: Path, level: str) -> None:
    is_in_vain(contestant(submission(tmp_path / "agent", attack="patch_arena"), level))


def test_a_course_agent_imports_nothing_of_the_arena(tmp_path: Path, level: str) -> None:
    agent = submission(tmp_path / "agent", attack="import_arena")
    is_in_vain(Hosted(str(agent), "isolation", [{"size": 6}], margin=1.0, walls=level))


def test_it_finds_no_seed_and_no_secret(tmp_path: Path, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_ARENA", "8472650193")
    with subprocess.Popen(["sleep", "600"], env=dict(os.environ)) as other:
        orders = {"referee": other.pid, "secrets": ["8472650193", "SECRET_OF_THE_ARENA"]}
        try:
            is_in_vain(contestant(submission(tmp_path / "agent", attack="read_seed", **orders), level))
        finally:
            other.kill()


def test_it_does_not_answer_for_the_other(tmp_path: Path, level: str) -> None:
    victim = contestant(submission(tmp_path / "victim", attack="see_processes"), level)
    victim.start()
    assert victim.process is not None
    others = [one.pid for one in victim.process.tree.processes()]
    assert len(others) >= 3
    agent = submission(tmp_path / "agent", attack="answer_for_the_other", others=others)
    is_in_vain(contestant(agent, level), victim)
