"""Searches for the page: how many at once, how long, for whom; and what a browser may name."""

import asyncio
import threading
import time
from dataclasses import replace
from pathlib import Path

import httpx
import psutil
import pytest
from fastapi import HTTPException

import harena
from browser.conftest import start_server
from harena.errors import BadOption, BadText, HarenaError
from harena.search.result import Limits
from harena.web.app import create_app
from harena.web.config import Config
from harena.web.given import check_player, known_game, known_player, placed
from harena.web.thinking import WAITING, Flag, Job, Thinking, think, thinking

ASLEEP = """
import os, pathlib, time
from harena.agents.bot import run
here = pathlib.Path(__file__)
with here.with_suffix(".pids").open("a") as file:
    file.write(f"{os.getpid()}\\n")
def answer(turn):
    if not here.with_suffix(".asked").exists():
        here.with_suffix(".asked").write_text(f"{os.getpid()}\\n")
        time.sleep(3600)
    return turn.legal[0]
run(answer)
"""


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(store=tmp_path / "games.sqlite", searches=2, longest_move=20.0)


def until_stopped(flag: Flag) -> str:
    """Work that ends only when it is told to."""
    while not flag[0]:
        time.sleep(0.001)
    return "stopped"


def test_a_player_by_its_text_thinks_and_is_used_again(config: Config) -> None:
    app = create_app(config)
    state = harena.game("isolation", size=4).initial()

    async def twice() -> list[int]:
        return [(await think(app, "mm_open", state)).move for _ in range(2)]

    first, second = asyncio.run(twice())
    assert first == second
    with thinking(app).lent("mm_open", state.game) as one:
        assert one.is_ready
        with thinking(app).lent("mm_open", state.game) as other:
            assert other is not one


def test_a_player_that_the_caller_keeps_is_never_in_two_threads(config: Config) -> None:
    searches = Thinking(config)
    game = harena.game("isolation", size=4)
    mine = known_player(config, "mm_open", game)
    inside: list[int] = []

    def work(flag: Flag) -> None:
        with searches.lent(mine, game):
            inside.append(len(inside))
            time.sleep(0.01)
            assert inside.pop() == 0

    async def all_at_once() -> None:
        await asyncio.gather(*(searches.run(work) for _ in range(6)))

    asyncio.run(all_at_once())


def test_no_more_searches_than_allowed_run_at_once_and_few_wait(config: Config) -> None:
    searches = Thinking(config)
    running, most, lock = 0, 0, threading.Lock()
    jobs = [Job() for _ in range(config.searches + WAITING)]

    def work(flag: Flag) -> str:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        told = until_stopped(flag)
        with lock:
            running -= 1
        return told

    async def crowd() -> None:
        tasks = [asyncio.create_task(searches.run(work, job=job)) for job in jobs]
        await asyncio.sleep(0)
        with pytest.raises(HTTPException, match="too many searches") as refused:
            await searches.run(work)
        assert refused.value.status_code == 503
        while running < config.searches:
            await asyncio.sleep(0.001)
        for job in jobs:
            job.stop()
        assert set(await asyncio.gather(*tasks)) == {"stopped"}
        assert await searches.run(lambda flag: "room again") == "room again"

    asyncio.run(crowd())
    assert most == config.searches


def test_a_search_that_runs_for_too_long_is_stopped(tmp_path: Path) -> None:
    searches = Thinking(Config(store=tmp_path / "games.sqlite", longest_move=0.05))
    assert asyncio.run(searches.run(until_stopped)) == "stopped"


def test_compiling_is_not_thinking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harena.web.thinking.LOOK", 0.001)
    config = Config(store=tmp_path / "games.sqlite", longest_move=0.02)
    app, state, job = create_app(config), harena.game("isolation", size=3).initial(), Job()
    mine, flags = known_player(config, "mm_open", state.game), list[int]()
    ready = mine.ready

    def slowly() -> None:
        time.sleep(0.1)  # longer than a move may take
        ready()
        flags.append(int(job.flag[0]))

    monkeypatch.setattr(mine, "ready", slowly)
    assert asyncio.run(think(app, mine, state, job=job)).move >= 0
    assert flags == [0]


def test_a_search_whose_caller_is_gone_is_stopped(config: Config) -> None:
    searches, job, ended = Thinking(config), Job(), threading.Event()

    def work(flag: Flag) -> None:
        until_stopped(flag)
        ended.set()

    async def leave() -> None:
        task = asyncio.create_task(searches.run(work, job=job))
        while job.started is None:
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(leave())
    assert ended.wait(60)


@pytest.mark.process
def test_an_agent_whose_caller_is_gone_makes_room(config: Config, tmp_path: Path) -> None:
    app, job = create_app(replace(config, searches=1, agents=(tmp_path,), sandbox="off")), Job()
    agent = asleep(tmp_path)
    state = harena.game("isolation", size=4).initial()

    async def leave() -> str:
        task = asyncio.create_task(think(app, str(agent), state, job=job))
        while not agent.with_suffix(".asked").exists():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await asyncio.wait_for(thinking(app).run(lambda flag: "room again"), 60)

    assert asyncio.run(leave()) == "room again"


@pytest.mark.process
def test_agents_end_with_the_server(tmp_path: Path) -> None:
    """One that thinks, one that waits for its turn, and one whose search is kept for its tree."""
    agent = asleep(tmp_path)
    server = start_server(tmp_path, "--agents", str(tmp_path), "--sandbox", "off")
    with httpx.Client(base_url=server.url, timeout=60) as client:
        begin = {"game": "isolation", "size": "4", "seats": [str(agent), "human"]}
        client.post("/api/tables", json=begin).raise_for_status()
        asked = agent.with_suffix(".asked")
        while not (asked.exists() and asked.read_text().endswith("\n")):
            time.sleep(0.01)
        number = int(asked.read_text())
        answered = {"game": "isolation", "size": "4", "player": str(agent)}
        client.post("/api/analyse", json=answered).raise_for_status()
        pids = {int(line) for line in agent.with_suffix(".pids").read_text().split()}
    assert number in pids and len(pids) == 2 and all(psutil.pid_exists(pid) for pid in pids)
    server.process.terminate()
    server.process.wait(120)
    server.stop()
    until = time.monotonic() + 120
    while left := [pid for pid in pids if psutil.pid_exists(pid)]:
        assert time.monotonic() < until, left
        time.sleep(0.01)


def asleep(folder: Path) -> Path:
    """An agent that never answers the first question that anybody asks it, but notes its number."""
    agent = folder / "asleep.py"
    agent.write_text(ASLEEP)
    return agent


def test_a_mistake_of_a_search_is_raised_where_it_was_asked_for(config: Config) -> None:
    app = create_app(config)
    state = harena.game("isolation", size=4).initial()
    with pytest.raises(HarenaError, match="no player 'nobody'"):
        asyncio.run(think(app, "nobody", state))
    with pytest.raises(BadOption, match="at most 20 seconds"):
        asyncio.run(think(app, "random", state, Limits(seconds=1000)))


def test_only_games_of_the_catalogue_are_known(tmp_path: Path) -> None:
    assert known_game("isolation", "4x5", "", "").options == {"size": "4x5"}
    (tmp_path / "mine.py").write_text("raise SystemExit")
    with pytest.raises(HarenaError, match="no game"):
        known_game(str(tmp_path / "mine.py"))
    with pytest.raises(HarenaError, match="no set-up"):
        known_game("tiles", setup=str(tmp_path / "mine.py"))
    with pytest.raises(BadText, match="printable"):
        known_game("tiles", size="4\0")
    assert placed("isolation", ".../.../.1. 2\n").game.options == {"size": 3}
    with pytest.raises(BadText, match="at most"):
        placed("isolation", "." * 10_000)


def test_only_players_that_are_safe_here_are_known(tmp_path: Path) -> None:
    inside, outside = tmp_path / "agents", tmp_path / "elsewhere"
    for folder in (inside, outside):
        folder.mkdir()
        (folder / "agent.py").write_text("")
    config = Config(store=tmp_path / "games.sqlite", agents=(inside,))
    check_player(config, "mcts(memory=64)", "isolation")
    check_player(config, str(inside / "agent.py"), "isolation")
    check_player(config, f"aind:{inside}/agent.py:Player", "isolation")
    for text in (outside / "agent.py", f"aind:{outside}", f"aind:{inside}:/../elsewhere/agent.py", "aind:", "a.py"):
        with pytest.raises(BadText, match="only from the folders"):
            check_player(config, str(text), "isolation")
    with pytest.raises(BadText, match="command line only"):
        check_player(config, f"id(heuristic={inside}/agent.py:score)", "isolation")
    for text in (f"{inside}/agent.py:Search", "agent.py:Search(width=4)"):
        with pytest.raises(BadText, match="a heuristic or search from a file is for the command line only"):
            check_player(config, text, "isolation")
    with pytest.raises(BadOption, match="memory is at most 256"):
        check_player(config, "mcts(memory=1e5)", "isolation")
    with pytest.raises(BadText, match="at most 500 letters"):
        check_player(config, "x" * 501, "isolation")
