"""Reviews of stored games: begun, followed, stopped, read."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Query, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, Field
from starlette.responses import Response

from harena.arena.replay import from_text
from harena.arena.review import CHAMPION
from harena.arena.reviews import kept as kept_review
from harena.arena.reviews import latest
from harena.web.forms import Form
from harena.web.reviewing import DONE, Job, reviews
from harena.web.routes.games import Number, kept, reading
from harena.web.security import acts, may_act


@asynccontextmanager
async def _open(app: FastAPI) -> AsyncIterator[None]:
    await reviews(app).resume()
    yield
    reviews(app).close()


router = APIRouter(lifespan=_open)
Player = Annotated[str, Query(max_length=40, description="who goes over it")]


class Wish(Form):
    """Who goes over the game; `again` makes a review anew that is kept already."""

    player: Annotated[str, Field(max_length=40, examples=[CHAMPION])] = CHAMPION
    again: bool = False


class ReviewState(BaseModel):
    """How a review stands: none, waiting, running, done, failed or stopped; `may` tells whether one may be begun."""

    state: str
    done: int = 0
    total: int = 0
    words: str = ""
    may: bool = False
    review: dict[str, Any] | None = None  # harena.arena.judgement.Review


@router.get("/api/records/{number}/review")
async def state(request: Request, number: Number, player: Player = CHAMPION) -> ReviewState:
    """The review of a stored game, or how it stands."""
    return await _state(request, number, player)


async def _state(request: Request, number: int, player: str) -> ReviewState:
    found = await run_in_threadpool(_latest, request, number, player)
    job = reviews(request.app).job(number, player)
    if job is not None and (job.is_open or found is None):
        known = {"state": "none"} if job.state == DONE else job.told()  # done, and the game has gone since
        return ReviewState(**known, may=acts(request))
    if found is None:
        return ReviewState(state="none", may=acts(request))
    return ReviewState(state=DONE, may=acts(request), review=found)


def _latest(request: Request, number: int, player: str) -> dict[str, Any] | None:
    """What is shown: the page names its limits."""
    kept(request, number)
    with reading(request.app.state.config) as store:
        found = None if store is None else latest(store, number, player)
    return None if found is None else found.as_dict()


def _is_made(request: Request, number: int, player: str) -> bool:
    """Whether there is one with the limits of those that are made here."""
    with reading(request.app.state.config) as store:
        return store is not None and kept_review(store, number, player) is not None


@router.post("/api/records/{number}/review", status_code=202, dependencies=[Depends(may_act)])
async def begin(request: Request, number: Number, wish: Wish) -> ReviewState:
    """Begin a review in the background, unless there is one with the usual limits."""
    _, text = await run_in_threadpool(kept, request, number)
    if wish.again or not await run_in_threadpool(_is_made, request, number, wish.player):
        reviews(request.app).start(number, from_text(text), wish.player)
    return await _state(request, number, wish.player)


def _job(request: Request, number: int, player: str) -> Job:
    job = reviews(request.app).job(number, player)
    if job is None:
        raise HTTPException(404, f"no review of game {number} by {player} is on its way")
    return job


@router.delete("/api/records/{number}/review", dependencies=[Depends(may_act)])
async def stop(request: Request, number: Number, player: Player = CHAMPION) -> ReviewState:
    """Give up a review that is on its way."""
    job = _job(request, number, player)
    job.stop()
    if job.task is not None:
        await asyncio.wait({job.task})  # whatever became of it is told below
    return await _state(request, number, player)


@router.get("/api/records/{number}/review/events", include_in_schema=False)
async def events(request: Request, number: Number, player: Player = CHAMPION) -> Response:
    """Its progress as it is made, then `done`, `failed` or `stopped`."""
    await run_in_threadpool(kept, request, number)
    return _job(request, number, player).feed.response(request)
