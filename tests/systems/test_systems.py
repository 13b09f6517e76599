"""Harena on systems that are not Linux, as far as Linux can look like them: `sitecustomize.py` says how far."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MACOS, WINDOWS = "darwin", "win32"
PROGRAM = "match isolation random {program} --size 5 --games 2 --seconds 0.1 --store {other}"
COMMANDS = {
    "games": "games",
    "show": "show isolation --size 5",
    "analyse": "analyse isolation --size 5 --agent ab_open --depth 2",
    "solve": "solve isolation --size 3",
    "play": "play isolation --size 5 --second random --seed 3 --store {store}",
    "local": "match isolation random random --size 5 --games 2 --local --store {store}",
    "records": "records list --store {store}",
    "sweep": "sweep isolation mcts(c={{c}}) random --over c=0.5,1 --iterations 5 --games 2 --size 5 --store {store}",
    "processes": "match isolation random mm_open --size 5 --games 2 --depth 1 --store {store}",
    "program": PROGRAM,
    "unwalled": f"{PROGRAM} --sandbox off",
    "play a program": "play isolation --size 5 --first random --second {program} --store {other}",
    "grade": "grade {submissions} --course aind --out {grades}",
    "check": "check aind:{program}",
    "demo": "demo",
}
TYPED = {"play": "moves\nc3\nquit\n"}
LONG = ("processes", "check", "demo")  # where they are not refused
WINDOWS_REFUSES = ("processes", "program", "unwalled", "play a program", "grade", "check", "demo")


@dataclass
class System:
    """What commands answer on a system, and its page."""

    name: str
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    page: str = ""

    def printed(self, command: str, code: int = 0) -> str:
        """What a command printed that ended with this code."""
        answer = self.answers[command]
        assert answer["code"] == code, answer["err"] + answer["out"]
        return str(answer["err"] if code else answer["out"])


@contextmanager
def started(name: str, folder: Path) -> Iterator[System]:
    """A system with what commands answer there, while its page is served."""
    found = System(name)
    environment = os.environ | {"PYTHONPATH": str(HERE), "HARENA_TEST_SYSTEM": found.name, "COLUMNS": "120"}
    environment |= {"TMPDIR": str(folder / "tmp")}  # what it leaves there has other names than on this system
    for made in ("submissions", "tmp"):
        (folder / made).mkdir()
    places = {name: folder / name for name in ("submissions", "grades")}
    places |= {name: folder / f"{name}.sqlite" for name in ("store", "other")}
    places |= {"program": ROOT / "examples" / "agents" / "centre.py"}
    commands = {name: text for name, text in COMMANDS.items() if found.name == WINDOWS or name not in LONG}
    todo = [(text.format(**places).split(), TYPED.get(name, "")) for name, text in commands.items()]
    serve = ["-m", "harena", "serve", "--port", "0", "--no-browser", "--store", str(folder / "page.sqlite")]
    with subprocess.Popen([sys.executable, *serve], stdout=subprocess.PIPE, text=True, env=environment) as page:
        try:
            answers = folder / "answers.json"
            driver = [sys.executable, str(HERE / "driver.py"), found.name, str(answers)]
            subprocess.run(driver, input=json.dumps(todo), text=True, env=environment, check=True)
            told = json.loads(answers.read_text("utf-8"))
            found.wrong, found.answers = told["wrong"], dict(zip(commands, told["answers"], strict=True))
            assert page.stdout is not None
            found.page = page.stdout.readline().split()[3]
            yield found
        finally:
            page.terminate()


def check_imports(system: System) -> None:
    """Every module can be imported."""
    assert not system.wrong


def check_looking(system: System) -> None:
    """Looking and thinking work."""
    assert "isolation" in system.printed("games")
    assert "25 moves: a1 b1 c1" in system.printed("show")
    assert "ab_open" in system.printed("analyse")
    assert "player 1 loses" in system.printed("solve")


def check_play(system: System) -> None:
    """A game is played at the terminal, and kept."""
    assert "go on with: harena play --resume" in system.printed("play")


def check_local_runs(system: System) -> None:
    """Runs in one process are played and kept."""
    assert "of 2 games" in system.printed("local")
    assert "random - random" in system.printed("records")
    assert "0.5" in system.printed("sweep")


def check_processes(system: System) -> None:
    """Processes work on macOS; on Windows all that needs them is refused in a line."""
    if system.name == MACOS:
        assert "of 2 games" in system.printed("unwalled")
        return
    for command in WINDOWS_REFUSES:
        line = system.printed(command, code=2)
        assert line.startswith("harena: agents in processes of their own need Linux or macOS: use WSL"), command
        assert line.count("\n") == 1


def check_walls(system: System) -> None:
    """Agents that need walls are refused in a line where there are none."""
    if system.name == MACOS:
        for command in ("program", "play a program", "grade"):
            line = system.printed(command, code=2)
            assert "only Linux has walls for agents that are not ours: use Linux or WSL, or type --sandbox off" in line
            assert line.count("\n") == 1, command


def browser(system: System) -> httpx.Client:
    """A client with the token of the page."""
    address, _, token = system.page.partition("?token=")
    assert token, "such a system does not tell who connects"
    return httpx.Client(base_url=address, headers={"authorization": f"Bearer {token}"})


def check_table(system: System) -> None:
    """The page plays against a player of ours."""
    with browser(system) as client:
        assert "Isolation" in client.get("/").text
        wanted = {"game": "isolation", "seats": ["human", "ab_open"], "seed": 3, "size": "5"}
        table = client.post("/api/tables", json=wanted).json()
        body = {"move": table["state"]["moves"][0]["text"], "ply": 0}
        table = client.post(f"/api/tables/{table['id']}/move?since=0", json=body).json()
        until = time.monotonic() + 300
        while table["thinking"] is not None and time.monotonic() < until:
            time.sleep(0.05)
            table = client.get(f"/api/tables/{table['id']}").json()
        assert len(table["plies"]) == 2, table


def check_watching(system: System) -> None:
    """The page lets two players of ours play."""
    with browser(system) as client:
        shown = client.post(
            "/api/watch", json={"game": "isolation", "size": "3", "first": "random", "second": "random"}
        )
        assert shown.status_code == 200, shown.text
        until = time.monotonic() + 300
        while client.get(f"/api/watch/{shown.json()['id']}").json()["status"] != "over" and time.monotonic() < until:
            time.sleep(0.05)
        told = client.get(f"/api/watch/{shown.json()['id']}").json()
        assert not told.get("trouble") and len(told["plies"]) > 2, told


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize("name", [MACOS, WINDOWS])
def test_what_needs_no_linux_works_elsewhere_and_the_rest_says_so(name: str, tmp_path: Path) -> None:
    """One test, as starting a system takes seconds."""
    with started(name, tmp_path) as system:
        check_imports(system)
        check_looking(system)
        check_play(system)
        check_local_runs(system)
        check_processes(system)
        check_walls(system)
        check_table(system)
        check_watching(system)
