"""What the page lets be played: the same for a contest that is begun and for one that goes on from elsewhere."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from harena.arena import tune
from harena.arena.claims import claimed
from harena.arena.conditions import conditions
from harena.arena.contest import Contest, Spec
from harena.arena.match import Plan as Match
from harena.arena.store import STOPPED, Store
from harena.arena.sweep import Plan as Sweep
from harena.arena.tournament import Plan as Tournament
from harena.cli import resume as resuming
from harena.courses.isolation_tournament import tournament
from harena.errors import UsageError
from harena.search.result import Limits
from harena.web.app import create_app
from harena.web.config import Config
from harena.web.starting import Starter
from web.seating import OwnerClient


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    """Two folders with an agent each: one is the server's."""
    for name in ("agents", "elsewhere"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.py").write_text("import harena\n")
    return tmp_path / "agents"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The runs for which a process would have been started."""
    found: list[str] = []
    monkeypatch.setattr(Starter, "_start", lambda self, run, concurrency: found.append(run))
    return found


@pytest.fixture
def client(tmp_path: Path, agents: Path) -> Iterator[TestClient]:
    config = Config(store=tmp_path / "games.sqlite", agents=(agents,))
    with OwnerClient(create_app(config), base_url="http://127.0.0.1") as made:
        yield made


def kept(folder: Path, kind: str, plan: Any) -> str:
    """A run of the command line that was stopped."""
    with Store(folder / "games.sqlite") as store:
        run = store.new_run(kind, plan).id
        store.finish(run, STOPPED)
    return run


def spec(*agents: str, **given: Any) -> Spec:
    return Spec(**{"game": "isolation", "variants": [{"size": "4"}], "agents": list(agents), **given})


@pytest.mark.process
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"agents": ["random", "{folder}/elsewhere/mine.py"]}, "only from the folders"),
        ({"agents": ["random", "mine.py"], "folder": "{folder}/elsewhere"}, "only from the folders"),
        ({"agents": ["random", "aind:../elsewhere/mine.py"], "folder": "{folder}/agents"}, "only from the folders"),
        ({"agents": ["random", "ab(heuristic=mine.py:score)"]}, "command line only"),
        ({"agents": ["random", "mcts(memory=9999)"]}, "memory is at most"),
        ({"agents": ["random", "mcts(seconds=31)"]}, "at most 30 seconds"),
        ({"agents": ["random", "mcts"], "limits": {"seconds": 3600}}, "at most 30 seconds"),
        ({"agents": ["random", "mcts"], "first": 60.0}, "at most 30 seconds"),
        ({"agents": ["random", "{folder}/agents/mine.py"], "sandbox": "off"}, "the sandbox 'off'"),
        ({"game": "{folder}/elsewhere/mine.py"}, "no game"),
        ({"variants": [{"setup": "/etc/passwd"}], "game": "tiles"}, "no set-up"),
        ({"variants": [{"odd": 1}]}, "does not know"),
        ({"odd": 1}, "does not know"),
    ],
)
def test_a_contest_that_could_not_be_begun_here_does_not_go_on_here(
    client: TestClient, tmp_path: Path, started: list[str], given: dict[str, Any], words: str
) -> None:
    plain = spec("random", "mm_open").as_dict() | filled(given, tmp_path)
    run = kept(tmp_path, "tournament", {"spec": plain, "type": "round-robin", "pairs": 1, "rounds": None})
    answer = client.post(f"/api/contests/{run}/resume", json={})
    assert answer.status_code == 422 and words in answer.json()["detail"]
    assert not started and client.get(f"/api/contests/{run}").json()["run"]["status"] == "stopped"


def filled(given: Any, folder: Path) -> Any:
    """The same with the folder of this test in its texts."""
    if isinstance(given, str):
        return given.replace("{folder}", str(folder))
    if isinstance(given, list):
        return [filled(one, folder) for one in given]
    return {key: filled(value, folder) for key, value in given.items()} if isinstance(given, dict) else given


def test_every_kind_of_contest_goes_on_and_its_agents_are_looked_for_where_it_was_begun(
    client: TestClient, tmp_path: Path, started: list[str], agents: Path
) -> None:
    pair = spec("random", "mine.py", folder=str(agents))
    sweep = Sweep(
        spec=spec("mcts(c=1)", "mcts(c=2)", "random"), template="mcts(c={c})", name="c", values=["1", "2"], pairs=1
    )
    template, start = "mcts(c={c}, iterations=10)", "c=1"
    plan = tune.Plan(spec=spec(), template=template, parameters=tune.parameters(template, start), steps=1, rate=0.5)
    runs = [
        kept(tmp_path, "match", Match(spec=pair, pairs=1).as_dict()),
        kept(tmp_path, "tournament", Tournament(spec=pair).as_dict()),
        kept(tmp_path, "sweep", sweep.as_dict()),
        kept(tmp_path, "tune", plan.as_dict()),
        kept(tmp_path, "isolation-tournament", tournament(["open"], games=2, limits=Limits(nodes=5)).as_dict()),
    ]
    for run in runs:
        assert client.get(f"/api/contests/{run}").json()["run"]["resumable"]
        assert client.post(f"/api/contests/{run}/resume", json={}).status_code == 200
    assert started == runs
    program = replace(plan, spec=spec(sandbox="off"), template=f"{agents}/mine{{c}}.py")
    answer = client.post(f"/api/contests/{kept(tmp_path, 'tune', program.as_dict())}/resume", json={})
    assert answer.status_code == 422 and started == runs
    foreign = replace(plan, template="ab(heuristic=mine.py:score, x={c})")
    assert client.post(f"/api/contests/{kept(tmp_path, 'tune', foreign.as_dict())}/resume", json={}).status_code == 422


def test_no_move_of_a_contest_takes_longer_than_the_server_allows(
    client: TestClient, tmp_path: Path, started: list[str]
) -> None:
    texts = ["minimax(depth=60)", "mcts", "mcts(seconds=2)", "random"]
    answer = client.post("/api/contests", json={"game": "isolation", "agents": texts})
    assert answer.status_code == 201
    with Store(tmp_path / "games.sqlite", writing=False) as store:
        found = Spec(**store.run(started[0]).spec["spec"])
    assert [terms.limits.seconds for terms in Contest(found).terms] == [30.0, 1.0, 2.0, 1.0]
    assert "at most 30 s a move" in conditions(found)
    assert "at most" not in conditions(spec("random", "mcts"))


@pytest.mark.process
def test_stopping_what_has_not_begun_is_no_trouble(tmp_path: Path) -> None:
    mine = Starter(Config(store=tmp_path / "games.sqlite"))
    run = kept(tmp_path, "match", Match(spec=spec("random", "mm_open"), pairs=1).as_dict())
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)  # it waits as long as we like
    mine._children[run] = (child, tempfile.TemporaryFile())  # noqa: SIM115 (`stop` closes it)
    mine.stop(run)
    assert child.stdin is not None and child.returncode is not None
    child.stdin.close()
    assert mine.trouble(run) == "" and not mine.is_ours(run)
    with Store(tmp_path / "games.sqlite", writing=False) as store:
        assert store.run(run).status == STOPPED
    with pytest.raises(UsageError, match="nobody plays"):
        mine.stop(run)


def test_contests_that_go_on_after_a_restart_count(client: TestClient, tmp_path: Path, started: list[str]) -> None:
    runs = [kept(tmp_path, "match", Match(spec=spec("random", "mm_open"), pairs=1).as_dict()) for _ in range(3)]
    path = tmp_path / "games.sqlite"
    with claimed(path, runs[0]):
        assert client.post(f"/api/contests/{runs[2]}/resume", json={}).status_code == 200 and started == [runs[2]]
        with claimed(path, runs[1]):
            wanted = {"game": "isolation", "agents": ["random", "mm_open"]}
            for answer in (
                client.post("/api/contests", json=wanted),
                client.post(f"/api/contests/{runs[2]}/resume", json={}),
            ):
                assert answer.status_code == 503 and "2 contests are being played" in answer.json()["detail"]


def test_a_contest_of_the_command_line_that_goes_on_here_has_the_longest_move_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = kept(tmp_path, "match", Match(spec=spec("random", "minimax(depth=60)"), pairs=1).as_dict())
    resumed: list[Spec] = []
    goes_on = {"match": lambda store, run, concurrency: resumed.append(Spec(**run.spec["spec"]))}
    monkeypatch.setattr(resuming, "RESUME", goes_on)
    resuming.resume_run(run, 1, str(tmp_path / "games.sqlite"))
    resuming.resume_run(run, 1, str(tmp_path / "games.sqlite"), 30.0)
    assert [one.longest for one in resumed] == [None, 30.0]
    assert Contest(resumed[1]).terms[1].limits.seconds == 30.0
