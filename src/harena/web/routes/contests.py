"""Tournaments and matches: their history; how they are started, followed, stopped and resumed; the leaderboard."""

import asyncio
import threading
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Annotated, Any, Literal

from cachetools import LRUCache
from fastapi import APIRouter, Depends, FastAPI, HTTPException, Path, Query, Request
from pydantic import Field
from starlette.responses import RedirectResponse, Response, StreamingResponse

from harena.arena.replay import from_text
from harena.arena.runs.registry import kind_entry
from harena.arena.shelf import Wanted, newest, scores
from harena.arena.store import LAST, RUNNING, Row, Run, Store
from harena.arena.troubles import DamagedRecord, StoreError
from harena.errors import HarenaError
from harena.games.catalogue import CATALOGUE
from harena.web.config import Config
from harena.web.contests import (
    UNNAMED,
    Part,
    for_people,
    in_words,
    is_private,
    line,
    playing,
    with_minus,
)
from harena.web.folders import agents_by_game
from harena.web.following import following
from harena.web.forms import Form, GameName, LimitsGiven, PlayerText, Seed, Setup, Size
from harena.web.naming import named, without_paths
from harena.web.routes.games import PAIR, in_order, reading
from harena.web.routes.home import games as known_games
from harena.web.security import acts, may_act
from harena.web.seeing import pictured
from harena.web.starting import starter
from harena.web.stored import stored_states


@asynccontextmanager
async def _closing(app: FastAPI) -> AsyncIterator[None]:
    yield
    starter(app).close()


router = APIRouter(lifespan=_closing)
acting = [Depends(may_act)]
SHOWN, BOARDS, LISTED = 40, 6, 20  # games in a list, boards, runs on a page
MOST_LINES = 500  # of runs in the history that are cached
CACHE_LOCK = threading.Lock()  # each request has a thread of its own
Name = Annotated[str, Path(pattern="^[0-9a-f]{8}$", description="the id of a run")]
PageNumber = Annotated[int, Query(ge=1, le=100_000)]
Pair = Annotated[str, Query(pattern=PAIR, description="only the games of these two agents")]
Concurrency = Annotated[int, Field(ge=1, le=2, description="games at once")]


class NewContest(LimitsGiven):
    """A contest to be played; agents are players' texts, or agents of the server's folders."""

    game: GameName
    agents: Annotated[list[PlayerText], Field(min_length=2, max_length=64, examples=[["random", "mm_open"]])]
    type: Literal["match", "round-robin", "gauntlet", "swiss", "knockout"] = "round-robin"
    games: Annotated[int, Field(ge=2, le=10_000, description="of each two agents; an even number")] = 2
    rounds: Annotated[int, Field(ge=1, le=100, description="of a Swiss tournament")] | None = None
    size: Annotated[Size, Field(description="one, or a range: 6-9")] | None = None
    setup: Setup | None = None
    seed: Annotated[Seed, Field(description="of starts and dice")] | None = None
    concurrency: Concurrency = 1


class Going(Form):
    """How a contest goes on."""

    concurrency: Concurrency = 1


# The history, and what starts a contest


def _history(app: FastAPI, number: int, is_owner: bool) -> tuple[list[Part], int]:
    """Runs that can be followed, the newest first, and how many pages of them there are."""
    if not hasattr(app.state, "run_lines"):
        app.state.run_lines = LRUCache(MOST_LINES)
    with reading(app.state.config) as store:
        if store is None:
            return [], 1
        counts = store.counts()
        runs = [run for run in reversed(store.runs()) if kind_entry(run.kind).is_followed]
        here = runs[(number - 1) * LISTED : number * LISTED]
        lines = [_told(app.state.run_lines, store, run, counts.get(run.id, (0, 0, 0))[0], is_owner) for run in here]
        return lines, max(1, -(-len(runs) // LISTED))


def _told(cache: LRUCache[Hashable, Part], store: Store, run: Run, games: int, is_owner: bool) -> Part:
    """The line of a run; that of a run which has not changed since comes from the cache."""
    key = (run.id, games, run.status, run.finished)
    with CACHE_LOCK:
        known = None if run.status == RUNNING else cache.get(key)
    if known is None:
        rows, _ = newest(store, Wanted(run=run.id), most=LAST)
        known = line(store, run, rows[::-1])
        with CACHE_LOCK:
            cache[key] = known
    return known if is_owner or not is_private(run) else known | UNNAMED


@router.get("/contests", include_in_schema=False)
def contests(request: Request, page: PageNumber = 1) -> Response:
    """The history of runs, and the form for a new one."""
    from harena.web.app import page as shown

    config: Config = request.app.state.config
    lines, pages = _history(request.app, page, acts(request))
    if page > pages:
        page = pages
        lines, pages = _history(request.app, page, acts(request))
    data = {
        "games": in_order(known_games()),
        "agents": agents_by_game(config) if acts(request) else {},
        "longest": config.longest_move,
    }
    lines = [
        told | {"type": in_words(told["kind"], told["type"]), "result": with_minus(told["result"])} for told in lines
    ]
    return shown(request, "contests.html", runs=lines, page=page, pages=pages, data=data, games=CATALOGUE.values())


@router.get("/api/contests")
def listed(request: Request, page: PageNumber = 1) -> dict[str, Any]:
    """The runs, the newest first, 20 a page."""
    lines, pages = _history(request.app, page, acts(request))
    return {"runs": lines, "page": page, "pages": pages}


@router.post("/api/contests", dependencies=acting, status_code=201)
def begin(request: Request, given: NewContest) -> dict[str, str]:
    """Start a match or tournament, in a process of its own; the id of its run."""
    run = starter(request.app).begin(
        given.game,
        given.agents,
        given.allowed,
        kind=given.type,
        games=given.games,
        rounds=given.rounds,
        size=given.size,
        setup=given.setup,
        seed=given.seed,
        concurrency=given.concurrency,
    )
    return {"run": run}


@router.post("/api/contests/{run}/stop", dependencies=acting)
def stop(request: Request, run: Name) -> dict[str, str]:
    """Ask a contest to end with what it has; it can be resumed."""
    starter(request.app).stop(run)
    return {"run": run}


@router.post("/api/contests/{run}/resume", dependencies=acting)
def resume(request: Request, run: Name, given: Going) -> dict[str, str]:
    """Go on with a contest that was stopped or interrupted."""
    _is_hidden(request, run)
    starter(request.app).resume(run, given.concurrency)
    return {"run": run}


# One contest


def _is_hidden(request: Request, run: str) -> bool:
    """Whether the names of a run are hidden from this browser; 404 if there is no such run."""
    config: Config = request.app.state.config
    try:
        with reading(config) as store:
            hidden = store is not None and is_private(store.run(run)) and not acts(request)
    except StoreError as error:
        raise HTTPException(404, f"there is no run {run}") from error
    if store is None:
        raise HTTPException(404, f"there is no run {run}: nothing has been played yet")
    return hidden


@lru_cache(maxsize=512)
def _final(text: str) -> dict[str, Any] | None:
    """The last position of a stored game, as a picture; None if there is none to show."""
    try:
        *_, last = stored_states(from_text(text))
    except (HarenaError, ValueError):
        return None
    return None if last.picture is None else pictured(last.picture)


def _boards(config: Config, rows: list[Row]) -> list[dict[str, Any]]:
    """The boards of the games that ended last."""
    found = []
    with Store(config.store, writing=False) as store:
        for row in rows[:BOARDS]:
            try:
                picture = _final(store.text(row.id))
            except DamagedRecord:
                picture = None
            if picture is not None:
                found.append({"number": row.id, "picture": picture})
    return found


def _shown(request: Request, run: str, pair: str = "") -> dict[str, Any]:
    """What the page of a contest shows: the contest, a list of its games, and the last boards."""
    hidden = _is_hidden(request, run)
    part, held = following(request.app).run(run).look(hidden=hidden)
    names = part.get("names", {})
    fits = [row for row in reversed(held.rows) if not pair or row.slot.startswith(f"{pair}/")]
    games = [] if hidden else [_game(row, names) for row in fits[:SHOWN]]
    with Store(request.app.state.config.store, writing=False) as store:
        made = scores(store, [game["id"] for game in games])
    for game in games:
        game["score"] = made.get(game["id"])
    latest = [] if hidden else list(reversed(held.rows[-BOARDS:]))
    boards = _boards(request.app.state.config, latest)
    seats = {game["number"]: game["seats"] for game in games}
    for board in boards:
        board["seats"] = seats.get(board["number"], [])
    now = playing(held) if part["status"] == RUNNING and not hidden else []
    shown = {"run": part, "games": games, "fits": len(fits), "boards": boards, "playing": now}
    return shown | {"pair": pair, "hidden": hidden}


def _game(row: Row, names: dict[str, str]) -> dict[str, Any]:
    return {
        "id": row.id,
        "number": row.id,
        "seats": [without_paths(names.get(text) or named(text)) for text in row.seats],
        "winner": row.winner,
        "reason": row.reason,
        "plies": row.plies,
    }


@router.get("/api/contests/{run}")
def contest(request: Request, run: Name, pair: Pair = "") -> dict[str, Any]:
    """A contest: standings, crosstable, faults, its latest games and their last positions."""
    return _public(_shown(request, run, pair))


def _public(shown: dict[str, Any]) -> dict[str, Any]:
    """Without the agents' paths, which only we need."""
    return shown | {"run": {key: value for key, value in shown["run"].items() if key != "names"}}


@router.get("/contests/{run}", include_in_schema=False)
def contest_page(request: Request, run: Name, pair: Pair = "") -> Response:
    """The page of a contest, which follows it."""
    return _page(request, "contest.html", run, pair)


@router.get("/contests/{run}/part", include_in_schema=False)
def contest_part(request: Request, run: Name, pair: Pair = "") -> Response:
    """The part of the page that changes."""
    return _page(request, "contest_part.html", run, pair)


@router.get("/leaderboard", include_in_schema=False)
def latest_leaderboard(request: Request) -> Response:
    """That of the latest grading, or tournament if nothing was graded."""
    with reading(request.app.state.config) as store:
        runs = sorted(store.runs() if store else [], key=lambda run: kind_entry(run.kind).leaderboard_rank)
    latest = next((run.id for run in reversed(runs) if kind_entry(run.kind).leaderboard_rank), None)
    if latest is None:
        raise HTTPException(404, "there is no leaderboard yet: nothing was graded, and there was no tournament")
    return RedirectResponse(f"/leaderboard/{latest}")


@router.get("/leaderboard/{run}", include_in_schema=False)
def leaderboard(request: Request, run: Name) -> Response:
    """The standings alone, for a class."""
    return _page(request, "leaderboard.html", run)


@router.get("/leaderboard/{run}/part", include_in_schema=False)
def leaderboard_part(request: Request, run: Name) -> Response:
    """The part of the leaderboard that changes."""
    return _page(request, "leaderboard_part.html", run)


def _page(request: Request, template: str, run: str, pair: str = "") -> Response:
    from harena.web.app import page

    last = following(request.app).run(run).feed.last
    shown = _shown(request, run, pair)
    return page(request, template, **shown | {"run": for_people(shown["run"])}, last=last)


@router.get("/api/contests/{run}/events", include_in_schema=False)
async def events(request: Request, run: Name) -> StreamingResponse:
    """Told whenever a contest has changed."""
    await asyncio.to_thread(_is_hidden, request, run)
    followed = following(request.app).run(run)
    response = followed.feed.response(request)
    followed.watch()
    return response
