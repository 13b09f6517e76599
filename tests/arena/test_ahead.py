"""The agents of the next game are started while another is played: hosts without the submission's code."""

import threading
from pathlib import Path
from typing import Any

import psutil
import pytest

from harena.agents.contestant import ProcessContestant
from harena.agents.process import STOLEN_EACH
from harena.arena.backlog import Backlog
from harena.arena.contest import Contest, Spec
from harena.arena.slot import Slot

AGENT = """
import sys
print("imported", file=sys.stderr, flush=True)
from agents.agent import Agent
from store import register_agent

@register_agent("student_agent")
class StudentAgent(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        return my_pos, [side for side in range(4) if not chess_board[my_pos][side]][0]
"""


@pytest.fixture
def submission(tmp_path: Path) -> str:
    tmp_path.chmod(0o755)
    (tmp_path / "student_agent.py").write_text(AGENT)
    return f"comp424:{tmp_path / 'student_agent.py'}"


def hosted(text: str, **more: Any) -> ProcessContestant:
    return ProcessContestant(text, "colosseum", [{"size": "5"}], margin=20.0, **more)


def slots(games: int) -> list[Slot]:
    return [Slot(a=0, b=1, pair=number // 2, swapped=bool(number % 2)) for number in range(games)]


@pytest.mark.process
def test_a_host_that_is_started_ahead_has_run_nothing_of_the_submission(submission: str) -> None:
    agent = hosted(submission)
    agent.most_heard = 1 << 16
    agent.start_ahead()
    assert agent.process is None and agent.spare is not None and agent.spare.ready is None
    ahead = agent.spare.process
    ahead.listen()
    assert ahead.is_paused and b"imported" not in ahead.words and ahead.baseline > 0
    used = ahead.tree.cpu_seconds()
    agent.start_ahead()  # one is enough
    assert agent.spare.process is ahead
    agent.start()
    assert agent.process is ahead and agent.spare is None and agent.words() == b"imported\n"
    assert ahead.tree.cpu_seconds() > used and ahead.stolen < STOLEN_EACH
    agent.close()


@pytest.mark.process
def test_a_player_of_ours_that_is_started_ahead_is_ready() -> None:
    agent = ProcessContestant("random", "isolation", [{"size": "4"}], margin=20.0)
    agent.start_ahead()
    assert agent.spare is not None and agent.spare.ready is not None and agent.spare.process.is_paused
    ahead = agent.spare.process
    agent.start()
    assert agent.process is ahead
    agent.start_ahead()  # it runs
    assert agent.spare is None
    agent.close()


def test_a_program_is_not_started_ahead() -> None:
    program = Path(__file__).parents[2] / "examples" / "agents" / "centre.py"
    agent = ProcessContestant(str(program), "isolation", [{"size": "4"}], margin=20.0)
    agent.start_ahead()
    assert agent.spare is None and not agent.processes


@pytest.mark.process
def test_one_that_has_died_meanwhile_is_started_again(submission: str) -> None:
    agent = hosted(submission)
    agent.start_ahead()
    assert agent.spare is not None
    dead = agent.spare.process
    dead.signal_kill()
    dead.process.wait(60)
    agent.start()
    assert agent.process is not None and agent.process is not dead and not agent.unloadable
    agent.close()


@pytest.mark.process
def test_closing_ends_what_was_started_ahead(submission: str) -> None:
    agent = hosted(submission)
    agent.start_ahead()
    assert agent.spare is not None
    pid, folder = agent.spare.process.process.pid, Path(agent.spare.tmp)
    assert folder.is_dir()
    agent.close()
    assert not psutil.pid_exists(pid) and not folder.exists() and not agent.processes


@pytest.mark.process
def test_an_agent_that_cannot_be_loaded_says_so_when_it_is_used(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "student_agent.py").write_text("raise RuntimeError('broken')\n")
    agent = hosted(f"comp424:{tmp_path / 'student_agent.py'}")
    agent.start_ahead()
    assert agent.spare is not None and not agent.unloadable
    with pytest.raises(Exception, match="broken"):
        agent.start()
    assert agent.unloadable and agent.spare is None and not agent.processes
    agent.start_ahead()  # in vain
    assert agent.spare is None


@pytest.mark.process
def test_fresh_processes_are_new_ones_and_were_started_ahead(submission: str, monkeypatch: pytest.MonkeyPatch) -> None:
    had_spare, pids = [], []
    start = ProcessContestant.start

    def noted(self: ProcessContestant) -> None:
        had_spare.append((self.text, self.spare is not None))
        start(self)
        assert self.process is not None
        pids.append(self.process.process.pid)

    monkeypatch.setattr(ProcessContestant, "start", noted)
    monkeypatch.setattr(Contest, "has_free_core", lambda self: True)
    spec = Spec(
        game="colosseum",
        variants=[{"size": "5"}],
        agents=["random", submission],
        limits={"seconds": 20.0},
        fresh=True,
    )
    contest = Contest(spec)
    played = [record for _, record in contest.run(slots(4), 1, threading.Event())]
    assert [record.reason for record in played] == ["rules"] * 4
    assert had_spare == [("random", False), (submission, False), *[(submission, True)] * 3]
    assert len(set(pids)) == 5 and len(contest.waits) == 4
    assert not any(map(psutil.pid_exists, pids))


@pytest.mark.process
def test_a_contest_that_is_stopped_leaves_nothing_that_was_started_ahead(
    submission: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Contest, "has_free_core", lambda self: True)
    spec = Spec(
        game="colosseum",
        variants=[{"size": "5"}],
        agents=["random", submission],
        limits={"seconds": 20.0},
        fresh=True,
    )
    contest = Contest(spec)
    games = contest.run(slots(20), 1, threading.Event())
    next(games)
    games.close()
    assert all(not one.processes and one.spare is None for one in contest.playing)


def test_a_look_ahead_takes_nothing() -> None:
    backlog = Backlog(slots(2))
    assert backlog.peek([]) == backlog.peek([0]) == backlog.take([]) == slots(2)[0]
    assert backlog.take([]) == slots(2)[1] and backlog.peek([0, 1]) is None
