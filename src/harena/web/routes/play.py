"""Play: the form, the table, and what both ask for."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Query
from fastapi import Path as InPath
from pydantic import Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from harena.agents.analysis import reason
from harena.agents.expected import champions_score
from harena.agents.names import PLAYERS
from harena.arena.record import HUMAN
from harena.games.catalogue import CATALOGUE
from harena.search.result import Limits
from harena.web.config import Config
from harena.web.folders import agents_by_game
from harena.web.forms import Colour, Form, GameName, LimitsGiven, MoveText, PlayerText, Position, Seed, Setup, Size
from harena.web.given import addressed, known_game
from harena.web.room import room
from harena.web.routes.home import games as known_games
from harena.web.security import acts, may_act
from harena.web.seeing import seen
from harena.web.tables import Table
from harena.web.telling import told
from harena.web.thinking import think, thinking

ADVISOR, HINT_SECONDS = "champion", 1.0


@asynccontextmanager
async def _open(app: FastAPI) -> AsyncIterator[None]:
    await asyncio.to_thread(room(app).tidy)
    yield
    await room(app).close()
    await asyncio.to_thread(thinking(app).close)


router = APIRouter(lifespan=_open)
acting = [Depends(may_act)]
Name = Annotated[str, InPath(pattern="^[0-9a-f]{12}$", description="the id of a table")]


class NewTable(Form):
    """A game to be played: a seat is `human`, a player's text, or an agent of the server's folders."""

    game: GameName
    seats: Annotated[tuple[PlayerText, PlayerText], Field(examples=[[HUMAN, "champion"]])]
    size: Size | None = None
    setup: Setup | None = None
    first: Colour | None = None
    position: Annotated[Position, Field(description="begin here in place of a set-up")] | None = None
    limits: LimitsGiven = LimitsGiven()
    seed: Seed | None = None


class GivenMove(Form):
    """A move, and after how many plies it was meant: told twice it is made once."""

    move: MoveText
    ply: Annotated[int, Field(ge=0, le=10**6)] | None = None


async def seated(request: Request, name: Name) -> Table:
    """The table of a request; its agents go on if it is their turn, and whoever asks may act."""
    here = room(request.app)
    table = await asyncio.to_thread(here.find, name)
    if table is None:
        raise HTTPException(404, "there is no such game here: it may have been cleared away")
    if acts(request):
        await asyncio.to_thread(table.store_game)  # one that could not be stored when it ended
        here.wake(table)
    return table


async def told_later(table: Table, since: int | None = None) -> dict[str, Any]:
    """The table as JSON, made beside the server's loop."""
    return await asyncio.to_thread(told, table, since)


Seated = Annotated[Table, Depends(seated)]
Since = Annotated[int | None, Query(ge=0, le=10**6, description="also the pictures after this ply")]


@router.get("/play", include_in_schema=False)
async def form(request: Request, game: str = "", position: str = "") -> Response:
    """The form of a new game, and the games that are not over; what is wrong with the address is said on it."""
    from harena.web.app import page

    here, config = room(request.app), request.app.state.config
    chosen, begin, mistake = await asyncio.to_thread(addressed, game, position, next(iter(CATALOGUE)))
    open_games = [one for one in await asyncio.to_thread(here.listed) if one["plies"]]
    for one in open_games:
        one["title"] = CATALOGUE[one["game"]].title
    may = acts(request)
    data = {
        "games": [{**one, "orders": [list(one["players"]), list(one["setups"])]} for one in known_games()],
        "agents": await asyncio.to_thread(agents_by_game, config) if may else {name: [] for name in CATALOGUE},
        "game": chosen,
        "position": position,  # a wrong one too: whoever gave it may mend it
        "start": await asyncio.to_thread(seen, begin),
        "longest": config.longest_move,
    }
    told = {"open_games": open_games, "games": CATALOGUE.values(), "chosen": chosen, "mistake": mistake}
    return page(request, "play_new.html", data=data, **told)


@router.get("/play/{name}", include_in_schema=False)
async def table_page(request: Request, table: Seated) -> Response:
    """The page of a game."""
    from harena.web.app import page

    return page(request, "play.html", told=await told_later(table))


@router.get("/api/start")
def start(game: str, size: str = "", setup: str = "", first: str = "", seed: int = 0) -> dict[str, Any]:
    """The position in which a game with these options begins."""
    return seen(known_game(game, size, setup, first).initial(seed % 2**63))


@router.get("/api/players/{game}")
def players(request: Request, game: str) -> dict[str, Any]:
    """Who can play a game here: players by name, and the agents of the server's folders."""
    if game not in CATALOGUE:
        raise HTTPException(404, f"there is no game {game[:40]!r}")
    config: Config = request.app.state.config
    return {
        "named": {name: entry.about for name, entry in PLAYERS[game].items()},
        "agents": agents_by_game(config)[game] if acts(request) else [],  # their texts are paths of this machine
    }


@router.get("/api/tables")
def tables(request: Request) -> list[dict[str, Any]]:
    """The games that are not over, the one that was touched last first."""
    return room(request.app).listed()


@router.post("/api/tables", dependencies=acting, status_code=201)
async def open_table(request: Request, given: NewTable) -> dict[str, Any]:
    """Begin a game."""
    here = room(request.app)
    options = {"size": given.size, "setup": given.setup, "first": given.first}
    table = await asyncio.to_thread(
        here.open, given.game, given.seats, options, given.limits.allowed, given.seed, given.position or None
    )
    here.wake(table)
    return await told_later(table)


@router.get("/api/tables/{name}")
async def look(table: Seated, since: Since = None) -> dict[str, Any]:
    """A game as it stands."""
    return await told_later(table, since)


@router.get("/api/tables/{name}/events")
async def events(request: Request, table: Seated) -> Response:
    """A stream that says when the table has changed."""
    return table.feed.response(request)


@router.post("/api/tables/{name}/move", dependencies=acting)
async def move(request: Request, table: Seated, given: GivenMove, since: Since = None) -> dict[str, Any]:
    """A human's move."""
    await asyncio.to_thread(table.move, given.move, given.ply)
    answer = await told_later(table, since)
    room(request.app).wake(table)
    return answer


@router.post("/api/tables/{name}/undo", dependencies=acting)
async def undo(request: Request, table: Seated) -> dict[str, Any]:
    """Take back the last decision of a human and all that came after it."""
    await asyncio.to_thread(table.undo)
    room(request.app).wake(table)
    return await told_later(table)


@router.post("/api/tables/{name}/resign", dependencies=acting)
async def resign(request: Request, table: Seated) -> dict[str, Any]:
    """Give up."""
    await asyncio.to_thread(table.resign)
    room(request.app).wake(table)
    return await told_later(table)


@router.delete("/api/tables/{name}", dependencies=acting)
async def remove(request: Request, table: Seated) -> dict[str, str]:
    """Give up a game that is not over: nothing of it is kept."""
    await asyncio.to_thread(room(request.app).remove, table)
    return {"id": table.name}


@router.post("/api/tables/{name}/hint", dependencies=acting)
async def hint(request: Request, table: Seated) -> dict[str, Any]:
    """What the champion would play here, and why."""
    state, ply = await asyncio.to_thread(table.humans_turn)
    config: Config = request.app.state.config
    seconds = min(table.limits.seconds or HINT_SECONDS, config.longest_move)
    found = await think(request, ADVISOR, state, Limits(seconds=seconds), seed=ply)
    await asyncio.to_thread(table.count_hint)
    why = reason(state, found, champions_score(state, found.value))
    return {"move": str(state.named(found.move)), "ply": ply, "by": ADVISOR, "reason": why}


@router.post("/api/tables/{name}/rematch", dependencies=acting, status_code=201)
async def rematch(request: Request, table: Seated) -> dict[str, Any]:
    """The same game with seats swapped."""
    here = room(request.app)
    found = await asyncio.to_thread(here.rematch, table)
    here.wake(found)
    return await told_later(found)
