"""Games that are played to be watched: told ply by ply, never slowed down by who watches; and runs followed."""

import asyncio
import json
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

from harena.agents.contestant import Said
from harena.arena.claims import claimed
from harena.arena.store import Store
from harena.errors import BadOption, HarenaError
from harena.search.result import Limits
from harena.web import inplay
from harena.web.app import create_app
from harena.web.config import Config
from harena.web.events import Feed
from harena.web.replays import document
from harena.web.shows import Show, Shows
from harena.web.watching import Follower, follower
from web.seating import OwnerClient
from web.shelves import played, stocked

SMALL: dict[str, Any] = {"size": "4"}
NEW = {"game": "isolation", "first": "random", "second": "random", "size": "4"}
TIMEOUT = 120.0  # seconds: only a test that fails waits so long


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(store=tmp_path / "games.sqlite", searches=1, longest_move=20.0)


def begun(config: Config, *seats: str, game: str = "isolation", **limits: float) -> tuple[Shows, Show]:
    found = Shows(config)
    first, second = seats or ("random", "random")
    return found, found.open(game, SMALL, (first, second), Limits(**limits), 7)  # type: ignore[arg-type]


def request() -> Request:
    """Of a browser that says nothing more."""
    waiting = asyncio.Event()

    async def receive() -> dict[str, Any]:
        await waiting.wait()
        return {"type": "http.disconnect"}

    class App:
        state = type("State", (), {})()

    return Request({"type": "http", "headers": [], "query_string": b"after=0", "app": App()}, receive)


def test_games_of_another_process_are_told_ply_by_ply(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    record, slot = played("isolation", seed=4), "0-1/7/1"
    run, _ = stocked(config.store, record)
    told: list[Any] = []
    monkeypatch.setattr(inplay, "in_progress", lambda store, name: told)
    games = inplay.InPlay(config.store, run)
    assert games.look() == [] and games.told() == []
    moves = [ply.move for ply in record.plies]
    told[:] = [{"slot": slot, "start": record.start, "moves": moves[:2]}]
    assert [(kind, [one["slot"] for one in said["games"]]) for kind, said in games.look()] == [("now", [slot])]
    (found,) = games.told()
    assert [ply["move"] for ply in found["plies"]] == [None, *moves[:2]] and found["end"] is None
    assert found["seats"] == ["mcts(iterations=50)", "random"]  # of a swapped pair
    told[0] = {**told[0], "moves": moves[:4]}
    assert len(games.told()[0]["plies"]) == 5  # whoever asks takes nothing away from those who listen
    ((kind, said),) = games.look()
    assert (kind, said["after"]) == ("plies", 3) and [ply["move"] for ply in said["plies"]] == moves[2:4]
    told[0] = {**told[0], "moves": ["a1"]}  # another game in the same slot
    assert [kind for kind, _ in games.look()] == ["now"]
    told[:] = [{"slot": "?"}, {"slot": slot, "start": "no board", "moves": []}, {}]
    assert games.look() == [("now", {"games": []})]


@pytest.mark.process
def test_a_game_is_told_ply_by_ply_and_stored(config: Config) -> None:
    _, show = begun(config, "random", "mm_open", game="isolation")
    show.thread.join(TIMEOUT)
    told = show.told()
    assert told["status"] == "over" and told["end"] and told["trouble"] is None
    with Store(config.store, writing=False) as store:
        stored = document(store.text(told["number"]), store.row(told["number"]))
        assert store.run(told["run"]).kind == "watch" and store.run(told["run"]).status == "finished"
    for key in ("seats", "winner", "end", "scales", "title"):
        assert told[key] == stored[key]
    for ours, kept in zip(told["plies"], stored["plies"], strict=True):
        assert (ours["move"], ours["by"], ours["value"], ours["picture"]) == (
            *(kept["move"], kept["by"], kept["value"]),
            kept["picture"],
        )
    assert show.told(3)["plies"] == told["plies"][3:]


@pytest.mark.process
def test_a_watcher_who_takes_nothing_does_not_slow_the_game(config: Config) -> None:
    async def stalled() -> tuple[Show, list[str]]:
        show = await asyncio.to_thread(lambda: begun(config)[1])
        stream = show.feed.stream(request())
        await anext(stream)  # it listens, and never takes anything more
        await asyncio.to_thread(show.thread.join, TIMEOUT)
        return show, [await anext(stream) for _ in range(len(show.plies) + 1)]

    show, texts = asyncio.run(stalled())
    assert show.status == "over" and show.known["number"] == 1
    told = [json.loads(text.split("data: ")[1]) for text in texts if "event: ply" in text]
    assert [one["number"] for one in told] == list(range(1, len(show.plies)))


@pytest.mark.process
def test_a_game_can_be_stopped_and_makes_room(config: Config) -> None:
    shows, show = begun(config, "mcts", "mcts", seconds=15.0)
    with pytest.raises(Exception, match="1 games are being played here"):
        shows.open("isolation", SMALL, ("random", "random"), Limits(), None)
    show.stop()
    show.thread.join(TIMEOUT)
    assert show.told()["end"] == "Stopped before its end." and show.told()["number"] is None
    assert not kept_files(config)
    shows.open("isolation", SMALL, ("random", "random"), Limits(), None).thread.join(TIMEOUT)
    assert [one["status"] for one in shows.listed()] == ["over", "over"]


def kept_files(config: Config) -> list[Path]:
    """The files of games that the next server goes on with."""
    return sorted((config.store.parent / "games.sqlite.shows").glob("*"))


def mind(said: Said) -> dict[str, Any]:
    """What does not change when the same is asked again."""
    return {key: value for key, value in vars(said).items() if key != "seconds"}


@pytest.mark.process
def test_the_next_server_goes_on_with_a_game(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    _, whole = begun(config, "random", "greedy", game="trap")
    whole.thread.join(TIMEOUT)
    hear, reached = Show.heard, threading.Event()

    def held(show: Show, ask: Callable[[], Said]) -> Said:
        """The first turns, with their throws; then nothing until the server ends."""
        if show.asked == 5:
            reached.set()
            show.contest.aborted.wait(TIMEOUT)
        return hear(show, ask)

    monkeypatch.setattr(Show, "heard", held)
    shows, show = begun(config, "random", "greedy", game="trap")
    assert reached.wait(TIMEOUT)
    shows.close()
    monkeypatch.undo()
    heard = list(show.said)
    assert kept_files(config) == [show.path] and show.status != "over"  # nobody is told that it was stopped
    with OwnerClient(create_app(config), base_url="http://localhost") as browser:
        again = browser.app.state.shows.find(show.name)  # type: ignore[attr-defined]
        other = Shows(config)
        other.resume()  # another server on the same store: one of them plays it
        assert other.listed() == []
        again.thread.join(TIMEOUT)
        told = browser.get(f"/api/watch/{show.name}").json()
    assert again.said[: len(heard)] == heard and told["status"] == "over" and told["number"] == 2
    assert [(ply["by"], ply["move"]) for ply in told["plies"]] == [(ply["by"], ply["move"]) for ply in whole.plies]
    assert [mind(one) for one in again.said] == [mind(one) for one in whole.said]  # the same seeds and dice
    assert not kept_files(config)


@pytest.mark.process
def test_a_game_that_ended_and_was_not_stored_is_stored_by_the_next_server_and_once(config: Config) -> None:
    config.store.mkdir()
    _, show = begun(config)
    show.thread.join(TIMEOUT)
    assert "it is not stored" in show.known["trouble"] and kept_files(config) == [show.path]
    config.store.rmdir()
    text = show.path.read_text()
    for _ in range(2):
        again = Shows(config)
        again.resume()
        found = again.find(show.name)
        found.thread.join(TIMEOUT)
        assert found.known["number"] == 1 and found.plies == show.plies and not kept_files(config)
        show.path.write_text(json.dumps(json.loads(text) | {"run": found.run}))  # killed before it was removed


@pytest.mark.parametrize(
    "change",
    [
        {"spec": {"game": "isolation", "agents": ["random", "/etc/passwd.py"], "variants": [{}]}},
        {"spec": {"game": "/etc/own.py", "agents": ["random", "random"], "variants": [{}]}},
        {"spec": {"game": "isolation", "agents": ["random"], "variants": [{}]}},
        {"spec": {"odd": 1}},
        {"said": [{"odd": 1}]},
        {"said": 7},
    ],
)
def test_a_game_that_cannot_go_on_here_is_forgotten(config: Config, change: dict[str, Any]) -> None:
    folder = config.store.parent / "games.sqlite.shows"
    folder.mkdir()
    spec = {"game": "isolation", "agents": ["random", "random"], "variants": [{}]}
    (folder / "0123456789ab.json").write_text(json.dumps({"spec": spec, "run": None, "said": []} | change))
    (folder / "notes.json").write_text("somebody's own")
    shows = Shows(config)
    shows.resume()
    assert shows.listed() == [] and [path.name for path in kept_files(config)] == ["notes.json"]


@pytest.mark.process
def test_an_agents_fault_ends_the_game_in_words(config: Config, tmp_path: Path) -> None:
    (tmp_path / "silent.py").write_text("raise SystemExit('no')\n")
    own = replace(config, agents=(tmp_path,), sandbox="off")
    _, show = begun(own, "random", str(tmp_path / "silent.py"))
    show.thread.join(TIMEOUT)
    assert show.known["winner"] == 0 and "player 2 could not be started" in show.known["end"]
    assert show.known["seats"][1].endswith("silent.py") and not show.known["seats"][1].startswith("/")


@pytest.mark.process
def test_a_store_that_cannot_be_written_does_not_spoil_the_game(config: Config, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    _, show = begun(replace(config, store=tmp_path / "file" / "games.sqlite"))
    show.thread.join(TIMEOUT)
    assert show.known["winner"] is not None and "it is not stored" in show.known["trouble"]


@pytest.mark.process
def test_nobody_may_think_longer_than_the_server_allows(config: Config) -> None:
    with pytest.raises(BadOption, match="at most 20 seconds"):
        begun(config, "random", "mcts(seconds=21)")
    with pytest.raises(HarenaError, match="folders"):
        begun(config, "random", "./mine.py")
    shows, show = begun(config, "random", "mcts")
    assert [terms.limits.seconds for terms in show.contest.terms] == [1.0, 1.0]
    shows.close()


@pytest.mark.process
def test_the_routes_begin_tell_and_stop(config: Config) -> None:
    with OwnerClient(create_app(config), base_url="http://localhost") as browser:
        begun_game = browser.post("/api/watch", json=NEW | {"seed": 3}).json()
        assert browser.get(begun_game["path"]).status_code == 200
        told = browser.get(f"/api/watch/{begun_game['id']}").json()
        assert told["plies"][0]["move"] is None and told["seats"] == ["random", "random"]
        assert browser.post(f"/api/watch/{begun_game['id']}/stop").json() == {"id": begun_game["id"]}
        assert [one["id"] for one in browser.get("/api/watch").json()["games"]] == [begun_game["id"]]
        assert browser.post("/api/watch", json=NEW | {"first": "nobody"}).status_code == 422
        assert browser.post("/api/watch", json=NEW | {"game": "chess"}).status_code == 422
        assert browser.get("/api/watch/000000000000").status_code == 404
        assert browser.get("/api/watch/none").status_code == 422
        assert "Two agents, one game" in browser.get("/watch").text


def test_on_a_public_server_strangers_only_look(config: Config) -> None:
    with OwnerClient(create_app(replace(config, public=True)), base_url="http://localhost") as stranger:
        assert stranger.post("/api/watch", json=NEW).status_code == 401
        assert stranger.post("/api/watch/000000000000/stop").status_code == 401
        page = stranger.get("/watch").text
        assert "Read-only" in page and "<form" not in page


def test_a_run_of_another_process_is_followed(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LOOK", "IDLE"):
        monkeypatch.setattr(f"harena.web.watching.{name}", 0.01)
    run, (first,) = stocked(config.store, played("isolation"))

    async def followed() -> list[str]:
        watching = Follower(config, run)
        stream = watching.feed.stream(request())
        await anext(stream)
        with claimed(config.store, run), Store(config.store) as store:
            watching.wake()
            while watching.last is None:
                await asyncio.sleep(0.01)
            texts = []
            for slot in range(2):
                store.add_game(run, f"new/{slot}", played("isolation"))
                texts.append(await asyncio.wait_for(anext(stream), TIMEOUT))
        texts.append(await asyncio.wait_for(anext(stream), TIMEOUT))
        with claimed(config.store, run):  # somebody has resumed it
            return [*texts, await asyncio.wait_for(anext(stream), TIMEOUT)]

    texts = asyncio.run(followed())
    numbers = [json.loads(text.split("data: ")[1]).get("number") for text in texts]
    assert numbers == [first + 1, first + 2, None, None]
    assert "event: over" in texts[-2] and "event: begun" in texts[-1]


def test_the_pages_of_a_run(config: Config) -> None:
    run, numbers = stocked(config.store, played("isolation"), played("tiles"))
    with OwnerClient(create_app(config), base_url="http://localhost") as browser:
        told = browser.get(f"/api/watch/run/{run}").json()
        assert not told["playing"] and [row["id"] for row in told["rows"]] == numbers[::-1]
        assert told["newest"]["number"] == numbers[-1]
        assert (told["title"], told["type"], told["is_contest"]) == ("Knight Isolation", "match", True)
        page = browser.get(f"/watch/run/{run}").text
        assert "<h1>Knight Isolation: match</h1>" in page and f'href="/contests/{run}"' in page
        single, _ = stocked(config.store, played("isolation"), kind="play")
        assert f'href="/contests/{single}"' not in browser.get(f"/watch/run/{single}").text
        assert browser.get("/api/watch/run/00000000").status_code == 404
        with claimed(config.store, run):
            assert [one["id"] for one in browser.get("/api/watch").json()["runs"]] == [run]
    app = create_app(config)
    assert follower(app, run) is follower(app, run) and isinstance(follower(app, run).feed, Feed)


def test_nobody_follows_a_run_that_is_not_there(config: Config) -> None:
    with OwnerClient(create_app(config), base_url="http://localhost") as client:
        assert client.get("/api/watch/run/00000000/events").status_code == 404
