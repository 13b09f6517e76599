"""Watching: two agents play here, or a run that another process plays is followed game by game."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Path, Query, Request
from pydantic import Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from harena.arena.runs.registry import kind_entry
from harena.arena.shelf import Wanted, newest
from harena.arena.store import Row, Run, Store
from harena.arena.troubles import StoreError
from harena.errors import HarenaError
from harena.web.config import Config
from harena.web.contests import title_of, type_of
from harena.web.folders import agents_by_game
from harena.web.forms import Colour, GameName, LimitsGiven, PlayerText, Seed, Setup, Size
from harena.web.inplay import spec_within
from harena.web.naming import named, without_paths
from harena.web.replays import document
from harena.web.routes.games import in_order, listed, private_runs, reading
from harena.web.routes.home import games as catalogue
from harena.web.security import acts, may_act
from harena.web.shows import shows
from harena.web.watching import follower, runs_in_progress

SHOWN = 100  # games of a run that a page lists


@asynccontextmanager
async def _open(app: FastAPI) -> AsyncIterator[None]:
    await run_in_threadpool(shows(app).resume)
    yield
    await run_in_threadpool(shows(app).close)


router = APIRouter(lifespan=_open)
Name = Annotated[str, Path(pattern="^[0-9a-f]{12}$", description="of a game that is played here")]
RunName = Annotated[str, Path(pattern="^[0-9a-f]{8}$", description="of a run in the store")]


class NewShow(LimitsGiven):
    """A game between two agents."""

    game: GameName
    first: Annotated[PlayerText, Field(description="the agent that moves first")]
    second: PlayerText
    size: Size = ""
    setup: Setup = ""
    colour: Colour = ""
    seed: Seed | None = None


@router.get("/watch", include_in_schema=False)
def watch(request: Request) -> Response:
    """What there is to watch, and a form for more."""
    from harena.web.app import page

    may = acts(request)
    config: Config = request.app.state.config
    known = agents_by_game(config) if may else {}
    forms = [one | {"agents": known.get(one["name"], [])} for one in in_order(catalogue())]
    return page(request, "watch.html", forms=forms, now=in_progress(request), longest=config.longest_move)


@router.get("/api/watch")
def in_progress(request: Request) -> dict[str, Any]:
    """The games that are played here to be watched, and the runs that other processes play."""
    with reading(request.app.state.config) as store:
        hidden = () if store is None else private_runs(request, store)
        found = [] if store is None else [run for run in runs_in_progress(store) if run.id not in hidden]
        runs = [] if store is None else [_told(store, run) for run in found]
    return {"games": shows(request.app).listed(), "runs": runs}


@router.post("/api/watch", dependencies=[Depends(may_act)])
def begin(request: Request, given: NewShow) -> dict[str, str]:
    """Let two agents play; `path` is the page to watch them on."""
    options = {"size": given.size or None, "setup": given.setup or None, "first": given.colour or None}
    show = shows(request.app).open(given.game, options, (given.first, given.second), given.allowed, given.seed)
    return {"id": show.name, "path": f"/watch/{show.name}"}


def _told(store: Store, run: Run) -> dict[str, Any]:
    games = store.counts().get(run.id, (0, 0, 0))[0]
    spec = spec_within(run)
    agents = spec.get("agents", []) if isinstance(spec, dict) else []
    return {
        "id": run.id,
        "kind": run.kind,
        "type": type_of(run),
        "title": title_of(run),
        "is_contest": kind_entry(run.kind).is_followed,
        "game": without_paths(str(spec.get("game", ""))) if isinstance(spec, dict) else "",
        "agents": [named(str(text)) for text in agents],
        "created": run.created,
        "games": games,
    }


def _run(request: Request, name: str) -> dict[str, Any]:
    """A run with its newest games."""
    config: Config = request.app.state.config
    with reading(config) as store:
        try:
            run = None if store is None else store.run(name)
        except StoreError:
            run = None
        if store is None or run is None or run.id in private_runs(request, store):
            raise HTTPException(404, f"there is no run {name}")
        rows, count = newest(store, Wanted(run=name), most=SHOWN)
        playing = any(one.id == name for one in runs_in_progress(store))
        found = _told(store, run) | {"playing": playing, "status": run.status, "count": count}
        newest_game = _shown_newest(store, rows[0]) if rows else None
    return found | {"rows": [listed(row) for row in rows], "newest": newest_game}


def _shown_newest(store: Store, row: Row) -> dict[str, Any] | None:
    """The newest game of a run as a replay document; None if there is none that can be shown."""
    try:
        return document(store.text(row.id), row)
    except HarenaError:
        return None


@router.get("/watch/run/{run}", include_in_schema=False)
def watch_run(request: Request, run: RunName) -> Response:
    """The games of a run as they come in."""
    from harena.web.app import page

    return page(request, "watch-run.html", run=_run(request, run))


@router.get("/api/watch/run/{run}")
def run_now(request: Request, run: RunName) -> dict[str, Any]:
    """A run: whether it is being played, its newest games, and the newest one as a replay document."""
    return _run(request, run)


@router.get("/api/watch/run/{run}/now")
async def games_now(request: Request, run: RunName) -> list[dict[str, Any]]:
    """The games of a run that another process is playing, as replay documents that are not at their end."""
    await run_in_threadpool(_run, request, run)  # 404 if there is none
    return await run_in_threadpool(follower(request.app, run).games.told)


@router.get("/api/watch/run/{run}/events", include_in_schema=False)
async def run_events(request: Request, run: RunName) -> Response:
    """Tells of every new game."""
    await run_in_threadpool(_run, request, run)  # 404 if there is none
    followed = follower(request.app, run)
    followed.wake()
    return followed.feed.response(request)


@router.get("/watch/{name}", include_in_schema=False)
def watch_show(request: Request, name: Name) -> Response:
    """A game as it is played."""
    from harena.web.app import page

    return page(request, "watch-game.html", game=shows(request.app).find(name).told())


@router.get("/api/watch/{name}")
def show(request: Request, name: Name, after: Annotated[int, Query(ge=0, le=100_000)] = 0) -> dict[str, Any]:
    """A game as far as it has come: its document, with the plies from number `after` on."""
    return shows(request.app).find(name).told(after)


@router.get("/api/watch/{name}/events", include_in_schema=False)
async def events(request: Request, name: Name) -> Response:
    """Tells of every ply, and of the end."""
    return shows(request.app).find(name).feed.response(request)


@router.post("/api/watch/{name}/stop", dependencies=[Depends(may_act)])
def stop(request: Request, name: Name) -> dict[str, str]:
    """End a game now."""
    shows(request.app).find(name).stop()
    return {"id": name}
