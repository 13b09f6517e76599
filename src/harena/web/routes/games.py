"""Stored games: the list, each one to look at ply by ply, and to take away as a file."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Depends, HTTPException, Path, Query, Request
from fastapi.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response

from harena.arena import reviews
from harena.arena.replay import MOVERS, from_text
from harena.arena.runs.registry import kind_entry
from harena.arena.shelf import RESULTS, Wanted, newest, scores
from harena.arena.store import LAST, Row, Store
from harena.arena.troubles import DamagedRecord, StoreError
from harena.errors import BadOption, UsageError
from harena.games.catalogue import CATALOGUE
from harena.games.picture import Picture
from harena.render import raster, svg
from harena.web.config import Config
from harena.web.contests import is_private, told_run
from harena.web.drawing import drawings
from harena.web.exporting import exported, title_of
from harena.web.naming import named, without_paths
from harena.web.replays import begun_with, document
from harena.web.security import FRAMED, acts
from harena.web.stored import stored_states

router = APIRouter()
PAGE, RUNS = 50, 12  # games on a page, and runs beside them
LONGEST_GIF = 400  # plies
PAIR = r"^(\d{1,4}-\d{1,4})?$"  # two agents of a contest, by their numbers
DRAWING = "default-src 'none'; style-src 'unsafe-inline'"  # of a drawing by itself: it has its own styles

Number = Annotated[int, Path(ge=1, le=LAST, description="the number of a stored game")]


@contextmanager
def reading(config: Config) -> Iterator[Store | None]:
    """The store; None if there is none yet."""
    if not config.store.exists() or not config.store.stat().st_size:
        yield None
        return
    with Store(config.store, writing=False) as store:
        yield store


def wanted(
    run: Annotated[str, Query(max_length=40)] = "",
    game: Annotated[str, Query(max_length=200)] = "",
    player: Annotated[str, Query(max_length=200)] = "",
    result: Annotated[str, Query(max_length=20)] = "",
    pair: Annotated[str, Query(pattern=PAIR)] = "",
) -> Wanted:
    """What a list is to show, as an address says it."""
    return Wanted(run=run, game=game, player=player.strip(), result=result, pair=pair)


Asked = Annotated[Wanted, Depends(wanted)]
PageNumber = Annotated[int, Query(ge=1, le=1_000_000)]


def listed(row: Row) -> dict[str, Any]:
    """A line of the list."""
    entry, game = CATALOGUE.get(row.game), without_paths(row.game)
    title = entry.title if entry else game
    return vars(row) | {"seats": [named(text) for text in row.seats], "game": game, "title": title}


def in_order(games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The games with the order of their players and set-ups, which an object does not keep in a browser."""
    return [one | {"orders": [list(one["players"]), list(one["setups"])]} for one in games]


def private_runs(request: Request, store: Store) -> tuple[str, ...]:
    """The runs that whoever asks may not see: the names of students."""
    return () if acts(request) else tuple(run.id for run in store.runs() if is_private(run))


Found = tuple[list[dict[str, Any]], int, list[dict[str, Any]]]


def _found(request: Request, asked: Wanted, page: int) -> Found:
    """A page of games, how many there are in all, and the runs to choose from: no single games."""
    with reading(request.app.state.config) as store:
        if store is None:
            return [], 0, []
        hidden = private_runs(request, store)
        rows, count = newest(store, replace(asked, without=hidden), skip=(page - 1) * PAGE, most=PAGE)
        made, counts = scores(store, [row.id for row in rows]), store.counts()
        followed = [run for run in reversed(store.runs()) if kind_entry(run.kind).is_followed and run.id not in hidden]
        told = {run.id: told_run(run) | {"games": counts.get(run.id, (0, 0, 0))[0]} for run in followed}
        offered = [one for one in told.values() if one["games"]]
        runs = [one for number, one in enumerate(offered) if number < RUNS or one["id"] == asked.run]
        lines = [listed(row) | {"score": made.get(row.id), "contest": told.get(row.run)} for row in rows]
        return lines, count, runs


@router.get("/games", include_in_schema=False)
def games(request: Request, asked: Asked, page: PageNumber = 1) -> Response:
    """The list of stored games."""
    from harena.web.app import page as shown

    rows, count, runs = _found(request, asked, page)
    pages = max(1, -(-count // PAGE))
    if page > pages:  # an old address, or a run that was shorter than thought: the last page is nearest
        page = pages
        rows, *_ = _found(request, asked, page)
    return shown(
        request,
        "games.html",
        rows=rows,
        count=count,
        runs=runs,
        asked=asked,
        games=CATALOGUE.values(),
        results={name: words for name, (words, _) in RESULTS.items()},
        page=page,
        pages=pages,
        filtered=asked != Wanted(),
    )


@router.get("/api/records")
def records(request: Request, asked: Asked, page: PageNumber = 1) -> dict[str, Any]:
    """Stored games, the newest first, 50 a page: `games`, and how many fit in all: `count`."""
    rows, count, _ = _found(request, asked, page)
    return {"games": rows, "count": count, "page": page, "pages": max(1, -(-count // PAGE))}


def kept(request: Request, number: int) -> tuple[Row, str]:
    """A stored game; what is wrong with it otherwise."""
    config: Config = request.app.state.config
    with reading(config) as store:
        if store is None:
            raise HTTPException(404, f"there is no game {number}: none has been stored yet")
        try:
            row, text = store.row(number), store.text(number)
        except DamagedRecord:
            raise
        except StoreError:
            raise HTTPException(404, f"there is no game {number}") from None
        if row.run in private_runs(request, store):
            raise HTTPException(401, f"game {number} is for the owner of this server: showing it wants the token")
    return row, text


def replayed(request: Request, number: int) -> dict[str, Any]:
    """The replay document of a stored game."""
    row, text = kept(request, number)
    return document(text, row)


@router.get("/api/records/{number}")
def record(request: Request, number: Number) -> dict[str, Any]:
    """A stored game, position by position, with what its agents said: all that a viewer needs."""
    return replayed(request, number)


@router.get("/games/{number}", include_in_schema=False)
def replay(request: Request, number: Number) -> Response:
    """The viewer, with everything to take away."""
    from harena.web.app import page

    found = replayed(request, number)
    return page(
        request,
        "replay.html",
        game=found,
        title=title_of(found),
        begun=begun_with(found["game"], found["options"]),
        contest=_contest(request, found["run"]),
        longest_gif=LONGEST_GIF,
    )


def _contest(request: Request, run: str) -> dict[str, Any] | None:
    """The match or tournament of a game, in words; None for a single game."""
    with reading(request.app.state.config) as store:
        found = None if store is None else store.run(run)
    return told_run(found) if found is not None and kind_entry(found.kind).is_followed else None


@router.get("/embed/{number}", include_in_schema=False)
def embed(request: Request, number: Number) -> Response:
    """The viewer alone, for a frame in anybody's page: nothing on it acts, and no browser sends the token there."""
    from harena.web.app import page

    found = replayed(request, number)
    response = page(request, "embed.html", game=found, title=title_of(found))
    response.headers["content-security-policy"] = FRAMED
    return response


@router.get("/games/{number}/export.html", include_in_schema=False)
def export(request: Request, number: Number) -> Response:
    """One file with the viewer and the game, and its review if there is one, for a disk or another server."""
    headers = {"content-disposition": f'attachment; filename="harena-game-{number}.html"'}
    found = replayed(request, number)
    with reading(request.app.state.config) as store:
        review = None if store is None else reviews.latest(store, number)
    return HTMLResponse(exported(found, None if review is None else review.as_dict()), headers=headers)


def _pictures(text: str) -> Iterator[tuple[Picture, str]]:
    """Every position of a record, with words for it."""
    played = from_text(text)
    for number, state in enumerate(stored_states(played)):
        picture = state.picture
        if picture is None:
            raise UsageError(f"{played.game} draws no board")
        moved = "start" if state.previous is None else f"{MOVERS[state.previous.mover]}: {state.last_move}"
        yield picture, f"{number}/{len(played.plies)}  {moved}"


@router.get("/games/{number}/board.svg", include_in_schema=False)
def board(request: Request, number: Number, ply: Annotated[int, Query(ge=0, le=100_000)] = 0) -> Response:
    """The board after a ply, as a drawing."""
    row, text = kept(request, number)
    if ply > row.plies:
        raise BadOption(f"game {number} has {row.plies} plies: there is no ply {ply}")
    picture, _ = next(islice(_pictures(text), ply, None))
    headers = {"content-security-policy": DRAWING}
    return Response(svg.draw(picture), media_type="image/svg+xml", headers=headers)


@router.get("/games/{number}/game.gif", include_in_schema=False)
async def gif(request: Request, number: Number) -> Response:
    """The whole game as an animation; one is drawn at a time, since that takes seconds."""
    row, text = await run_in_threadpool(kept, request, number)
    if row.plies > LONGEST_GIF:
        raise BadOption(f"game {number} has {row.plies} plies: animations have at most {LONGEST_GIF}")
    name = sha256(text.encode()).digest()
    made = await drawings(request.app).made(request, name, lambda: raster.animation(list(_pictures(text))))
    return Response(made, media_type="image/gif", headers={"cache-control": "private, max-age=3600"})
