"""A busy evening, for `make soak`: fifty watch one match while eight play. Nothing is lost; how fast moves come back.

The aim is a move that comes back within 200 ms for 95 of 100, on two cores that also run this test and all agents. The
bound is ten times that, for machines that have other things to do: beyond it people would not call it an answer.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from statistics import quantiles
from typing import Any

import httpx
import pytest

from browser.conftest import start_server
from harena.arena.store import Store

WATCHERS, PLAYERS, GAMES = 50, 8, 3
AIM, BOUND = 200, 2000  # milliseconds for 95 of 100 moves: wanted, and asserted
LONGEST = 900  # seconds of the evening: something was lost and is waited for in vain
QUICK = 0.3  # seconds that a quick human takes for a move
MATCH = {"game": "isolation", "size": "7", "first": "id_open", "second": "id_improved", "seconds": 0.2}
TABLE = {"game": "isolation", "size": "5", "seats": ["human", "random"]}


async def events(client: httpx.AsyncClient, path: str) -> AsyncIterator[tuple[str, Any]]:
    """Kind and data of each event of a stream."""
    async with client.stream("GET", path, timeout=None) as stream:
        assert stream.status_code == 200
        kind = ""
        async for line in stream.aiter_lines():
            if line.startswith("event: "):
                kind = line.removeprefix("event: ")
            elif line.startswith("data: "):
                yield kind, json.loads(line.removeprefix("data: "))


async def watch(client: httpx.AsyncClient, name: str) -> list[str]:
    """The moves that somebody sees who listens from the beginning to the end."""
    moves: list[str] = []
    async for kind, data in events(client, f"/api/watch/{name}/events?after=0"):
        assert kind != "reset", "an event was lost"
        if kind == "ply":
            assert data["number"] == len(moves) + 1, "an event was lost"
            moves.append(data["ply"]["move"])
        elif kind == "over":
            break
    return moves


async def play(client: httpx.AsyncClient, ended: asyncio.Event) -> tuple[list[float], list[tuple[int, list[str]]]]:
    """Game after game until the match is over: seconds from a move to its echo in the stream, and each game's moves."""
    echoes: list[float] = []
    games: list[tuple[int, list[str]]] = []
    while not ended.is_set() or not games:
        table = (await client.post("/api/tables", json=TABLE)).json()
        path = f"/api/tables/{table['id']}"
        heard: asyncio.Queue[int] = asyncio.Queue()
        listening = asyncio.create_task(_listen(client, f"{path}/events?after=0", heard))
        while not table["over"]:
            if table["thinking"] is not None:  # the agent's answer is told as a change
                await heard.get()
                table = (await client.get(path)).json()
                continue
            await asyncio.sleep(QUICK)
            begin, version = time.perf_counter(), table["version"]
            move = {"move": table["state"]["moves"][0]["text"], "ply": len(table["plies"])}
            answer = await client.post(f"{path}/move", json=move)
            assert answer.status_code == 200, answer.text
            while await heard.get() <= version:
                pass
            echoes.append(time.perf_counter() - begin)
            table = (await client.get(path)).json()
        assert not listening.done(), listening.exception()
        listening.cancel()
        games.append((table["number"], [ply["move"] for ply in table["plies"]]))
    return echoes, games


async def _listen(client: httpx.AsyncClient, path: str, heard: "asyncio.Queue[int]") -> None:
    before = 0
    async for kind, data in events(client, path):
        assert kind == "changed" and data["version"] > before, "an event was lost, or came again"
        before = data["version"]
        heard.put_nowait(before)


async def evening(url: str) -> tuple[list[list[str]], list[Any], list[tuple[str, list[str]]]]:
    """What the watchers saw, what the players did, and what the server says was played in the match."""
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=url, limits=limits, timeout=60) as client:
        ended = asyncio.Event()
        players = [asyncio.create_task(play(client, ended)) for _ in range(PLAYERS)]
        seen: list[list[str]] = []
        match: list[tuple[str, list[str]]] = []
        for _ in range(GAMES):
            name = (await client.post("/api/watch", json=MATCH)).json()["id"]
            views = await asyncio.gather(*(watch(client, name) for _ in range(WATCHERS)))
            shown = (await client.get(f"/api/watch/{name}")).json()
            match.append((str(shown["number"]), [ply["move"] for ply in shown["plies"][1:]]))
            seen += views
        ended.set()
        return seen, await asyncio.gather(*players), match


@pytest.mark.soak
def test_fifty_watch_and_eight_play(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server = start_server(tmp_path)
    try:
        seen, played, match = asyncio.run(asyncio.wait_for(evening(server.url), LONGEST))
    finally:
        server.stop()
    games = [*match, *(game for _, games in played for game in games)]
    assert len(seen) == WATCHERS * GAMES and len(match) == GAMES and len(played) == PLAYERS
    for number, view in enumerate(seen):
        assert view == match[number // WATCHERS][1], "a watcher saw another game"
    with Store(server.store) as store:
        assert sum(count for count, *_ in store.counts().values()) == len(games), "a game was lost, or kept twice"
        for name, moves in games:
            assert moves, "a game without a move"
            assert [ply.move for ply in store.record(int(name)).plies] == moves, "what was stored was not played"
    echoes = [1000 * echo for found, _ in played for echo in found]
    places = quantiles(echoes, n=100)
    with capsys.disabled():
        print(f"\n{WATCHERS} watchers of {GAMES} games of {sum(len(moves) for _, moves in match)} plies, ", end="")
        print(f"{PLAYERS} players with {sum(len(games) for _, games in played)} games and {len(echoes)} moves")
        print(
            f"move echo: median {places[49]:.0f} ms, p95 {places[94]:.0f} ms, p99 {places[98]:.0f} ms (aim: p95 {AIM})"
        )
    assert places[94] < BOUND, "moves come back too slowly"
