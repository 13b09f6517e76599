"""The front page, and the lists that forms are made of."""

from typing import Any

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import RedirectResponse, Response

from harena.agents.names import PLAYERS
from harena.games.catalogue import CATALOGUE
from harena.web.config import Config
from harena.web.security import is_token, keep_token

router = APIRouter()


@router.get("/", include_in_schema=False)
def front(request: Request, token: str = "") -> Response:
    """The front page; with the printed token it lets a browser act on a public server."""
    from harena.web.app import page

    config: Config = request.app.state.config
    if token:
        if not is_token(config, token):
            raise HTTPException(401, "this is not the token of this server: ask whoever runs it for the right address")
        response = RedirectResponse("/", 303)
        keep_token(request, response)
        return response
    return page(request, "home.html", games=CATALOGUE.values(), config=config)


@router.get("/api/games")
def games() -> list[dict[str, Any]]:
    """The games, with what forms need to know of them."""
    return [
        {
            "name": one.name,
            "title": one.title,
            "summary": one.summary,
            "sizes": one.sizes,
            "default_size": one.default_size,
            "rectangles": one.rectangles,
            "setups": dict(one.setups),
            "firsts": list(one.firsts),
            "players": {name: entry.about for name, entry in PLAYERS[one.name].items()},
        }
        for one in CATALOGUE.values()
    ]
