"""Runs that browsers follow: one look serves all, a slow look is not repeated, and a broken store ends nothing."""

import asyncio
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from harena.arena.claims import claimed
from harena.arena.runs.tournament import Tournament
from harena.arena.store import FINISHED, Store
from harena.arena.troubles import StoreError
from harena.web import following, watching
from harena.web.app import create_app
from harena.web.config import Config
from harena.web.contests import Held, view
from harena.web.events import Feed
from harena.web.following import Followed
from harena.web.watching import Follower
from web.shelves import played, stocked
from web.test_contests import record, stored_tournament

PATIENCE = 60.0  # seconds: only a test that fails waits so long


@pytest.fixture
def app(tmp_path: Path) -> FastAPI:
    return create_app(Config(store=tmp_path / "games.sqlite"))


class Clock:
    """A clock that somebody sets."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


def test_pairs_are_counted_once_for_a_whole_crosstable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counted, count = [], Tournament._complete_pairs
    monkeypatch.setattr(Tournament, "_complete_pairs", lambda table: (counted.append(1), count(table))[1])
    with Store(tmp_path / "games.sqlite") as store:
        run = store.run(stored_tournament(store))
        found = view(Held(store=store, run=run, rows=list(store.rows(run.id))))
    assert found["cross"]["rows"][0] == [None, 0.5, 1.0] and len(counted) == 1


def test_a_look_that_took_long_is_said_again_for_longer(
    app: FastAPI, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()

    def slow(held: Held, *, hidden: bool) -> dict[str, Any]:
        clock.now += 3.0
        return {"played": len(held.rows)}

    monkeypatch.setattr(following, "time", clock)
    monkeypatch.setattr(following, "view", slow)
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        run = stored_tournament(store)
        followed = Followed(app, run)
        with claimed(path, run):
            assert followed.look()[0]["played"] == 6
            store.add_game(run, "0-1/1/0", record(("random", "mm_open"), 0))
            clock.now += 3.0 * following.SHARE - 1
            assert followed.look()[0]["played"] == 6
            clock.now += 2.0
            assert followed.look()[0]["played"] == 7
        store.add_game(run, "0-1/1/1", record(("mm_open", "random"), 0))
        store.finish(run, FINISHED)
        assert followed.look()[0]["played"] == 8  # how it ended is told at once
        assert followed.look(hidden=True)[0]["played"] == 8


def test_nobody_waits_for_a_look_of_somebody_else_and_none_is_made_twice(
    app: FastAPI, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, released, views = threading.Event(), threading.Event(), []

    def blocked(held: Held, *, hidden: bool) -> dict[str, Any]:
        begun.set()
        views.append(len(held.rows))
        assert released.wait(PATIENCE)
        return {"played": len(held.rows)}

    monkeypatch.setattr(following, "view", blocked)
    monkeypatch.setattr(following, "EVERY", 3600.0)
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        run = stored_tournament(store)
    followed, said = Followed(app, run), []
    with claimed(path, run):
        asking = [threading.Thread(target=lambda: said.append(followed.look()[0]["played"])) for _ in range(5)]
        for one in asking:
            one.start()
        assert begun.wait(PATIENCE)
        released.set()
        for one in asking:
            one.join(PATIENCE)
        assert said == [6] * 5 and views == [6]  # those who waited got what was found
    begun.clear()
    released.clear()
    looking = threading.Thread(target=followed.look)  # nobody plays it any more, so it is looked at again
    looking.start()
    assert begun.wait(PATIENCE)
    assert followed.look()[0]["played"] == 6  # while somebody looks: what is known
    released.set()
    looking.join(PATIENCE)
    assert views == [6, 6]


def heard(feed: Feed) -> list[tuple[str, dict[str, Any]]]:
    """All events that were published so far."""
    texts = feed._after(0)[0]
    return [(text.split("event: ")[1].split("\n")[0], json.loads(text.split("data: ")[1])) for text in texts]


def told(status: str = "running", played: int = 0) -> tuple[dict[str, Any], list[Any]]:
    return {"status": status, "trouble": "", "played": played, "planned": 10}, []


def watched(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch, looks: Callable[[int], Any], number: int, crowd: int
) -> Feed:
    """What is published in so many looks at a run that so many browsers watch."""
    monkeypatch.setattr(following, "EVERY", 0.0)
    monkeypatch.setattr(following, "SHARE", 0.0)
    monkeypatch.setattr(Feed, "watchers", property(lambda feed: crowd))
    followed, made = Followed(app, "0" * 8), list[int]()
    followed.feed = Feed()
    monkeypatch.setattr(followed, "_looked_at", lambda: looks((made.append(1), len(made) - 1)[1]))

    async def run() -> None:
        followed.watch()
        assert followed.task is not None
        until = time.monotonic() + PATIENCE
        while len(made) < number:
            await asyncio.sleep(0.001)
            assert time.monotonic() < until
            assert not followed.task.done()
        followed.task.cancel()

    asyncio.run(run())
    return followed.feed


def test_a_store_that_fails_does_not_end_following(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    def looks(number: int) -> Any:
        if number % 2:
            raise StoreError("locked") if number % 3 else OSError("gone")
        return told(played=number)

    assert heard(watched(app, monkeypatch, looks, 50, crowd=1))


def test_a_crowd_is_told_of_games_now_and_then_and_of_the_end_at_once(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    def looks(number: int) -> Any:
        return told("finished" if number > 100 else "running", number)

    events = heard(watched(app, monkeypatch, looks, 200, crowd=100_000))
    assert [data["status"] for _, data in events][:2] == ["running", "finished"]
    assert len([1 for _, data in events if data["status"] == "running"]) == 1
    assert all(data["within"] == 100_000 / watching.REFRESHES for _, data in events)


def test_a_store_that_fails_does_not_end_the_news_of_games(
    app: FastAPI, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "LOOK", 0.001)
    monkeypatch.setattr(watching, "REFRESHES", 1e9)
    monkeypatch.setattr(Feed, "watchers", property(lambda feed: 1))
    run, (first,) = stocked(tmp_path / "games.sqlite", played("isolation"))
    follower, looks = Follower(app.state.config, run), iter((StoreError("locked"), OSError("gone")))

    def look(last: int) -> tuple[list[int], bool]:
        for error in looks:
            assert last == first
            raise error
        return [last + 1] if last == first else [], False

    monkeypatch.setattr(follower, "_look", look)

    async def follow() -> None:
        follower.wake()
        until = time.monotonic() + PATIENCE
        while len(heard(follower.feed)) < 2:
            await asyncio.sleep(0.001)
            assert time.monotonic() < until

    asyncio.run(follow())
    assert [kind for kind, _ in heard(follower.feed)] == ["game", "over"]
