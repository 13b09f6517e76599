"""What a search thinks of a position: the page, the analysis, and its tree opened node by node."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Request
from pydantic import Field
from starlette.responses import Response

from harena.api import State
from harena.games.catalogue import CATALOGUE
from harena.web.forms import Form, GameName, LimitsGiven, MoveText, PlayerText, Position, Seed, Setup, Size
from harena.web.given import addressed, check_player, known_game, placed
from harena.web.security import acts, may_act
from harena.web.seeing import seen
from harena.web.thinking import Job, thinking
from harena.web.understanding import Question, Understanding, analysed, choices


@asynccontextmanager
async def _closing(app: FastAPI) -> AsyncIterator[None]:
    yield
    if hasattr(app.state, "understanding"):
        await asyncio.to_thread(app.state.understanding.close)


router = APIRouter(lifespan=_closing)

Ticket = Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{8,64}$")]
MOST_TICKETS = 100
# Where the address says nothing: nothing is proven here, the moves differ, and depth 4 finds what depth 7 still plays.
EXAMPLE = ("colosseum", "7 d6 a3 1 a2d,b3d,f3r,c4r,d4r,f4d,b5r,c5r,d5r,d5d,a6d,e6d")


class Asked(Form):
    """A position, or the start of a game, and who is to think about it."""

    game: GameName
    position: Position = ""
    size: Size = ""
    setup: Setup = ""
    start: Annotated[Seed, Field(description="which of the random starts")] = 0
    player: PlayerText = "champion"
    limits: LimitsGiven = LimitsGiven()
    seed: Seed = 0

    def state(self) -> State:
        """The position."""
        if self.position.strip():
            return placed(self.game, self.position)
        return known_game(self.game, self.size, self.setup).initial(self.start)

    def question(self, request: Request) -> Question:
        """What is asked, if this server may run it."""
        state = self.state()
        check_player(request.app.state.config, self.player, state.game.name)
        return Question(state, self.player, self.limits.allowed, self.seed)


class Analysed(Asked):
    """A question whose search can be stopped by its ticket: it then answers with what it has."""

    ticket: Ticket | None = None


class Opened(Asked):
    """A node of the tree: the moves that lead to it."""

    path: list[MoveText] = Field(default=[], max_length=60)
    depth: int | None = Field(default=None, ge=1, le=12)
    width: int = Field(default=12, ge=1, le=400)


class Stopped(Form):
    """The search to stop."""

    ticket: Ticket


def understanding(request: Request) -> Understanding:
    """The thoughts of this server."""
    state = request.app.state
    if not hasattr(state, "understanding"):
        state.understanding = Understanding(state.config, thinking(request.app))
        state.tickets = {}
    found: Understanding = state.understanding
    return found


@router.get("/understand", include_in_schema=False)
def show(request: Request, game: str = "", position: str = "", player: str = "", other: str = "") -> Response:
    """The page, with the position it begins with; what is wrong with the one in the address is said on it."""
    from harena.web.app import page

    name, state, mistake = addressed(game, position or ("" if game else EXAMPLE[1]), EXAMPLE[0])
    given = {
        "game": name,
        "state": seen(state),
        "player": player[:500],
        "other": other[:500],
        "choices": {one: choices(one) for one in CATALOGUE},
        "acts": acts(request),
    }
    return page(request, "understand.html", games=CATALOGUE.values(), given=given, mistake=mistake)


@router.post("/api/analyse", dependencies=[Depends(may_act)])
async def analyse(request: Request, asked: Analysed) -> dict[str, Any]:
    """What a search thinks: its move and line, every move of the root, and how warm each cell is."""
    thoughts, job = understanding(request), Job()
    question = await asyncio.to_thread(asked.question, request)  # its game may have to be compiled
    tickets: dict[str, Job] = request.app.state.tickets
    if asked.ticket and len(tickets) < MOST_TICKETS:
        tickets[asked.ticket] = job
    try:
        thought = await thoughts.searches.run(lambda _: thoughts.thought(question, job, again=True), request, job)
    finally:
        tickets.pop(asked.ticket or "", None)
    return await asyncio.to_thread(lambda: {"state": seen(question.state), **analysed(thought)})


@router.post("/api/analyse/stop", dependencies=[Depends(may_act)])
def stop(request: Request, stopped: Stopped) -> dict[str, bool]:
    """Stop a search: whoever asked for it gets what it has found so far."""
    understanding(request)
    job: Job | None = request.app.state.tickets.get(stopped.ticket)
    if job is not None:
        job.stop()
    return {"stopped": job is not None}


@router.post("/api/tree", dependencies=[Depends(may_act)])
async def tree(request: Request, asked: Opened) -> dict[str, Any]:
    """A node of a search's tree, with its children: what each is worth, and what was cut off and why."""
    thoughts, job = understanding(request), Job()
    question = await asyncio.to_thread(asked.question, request)
    return await thoughts.searches.run(
        lambda _: thoughts.tree(question, asked.path, asked.depth, asked.width, job), request, job
    )
