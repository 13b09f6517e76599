"""The position editor: its page, and the check of a position's text."""

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from harena.errors import HarenaError
from harena.games.catalogue import CATALOGUE
from harena.web.forms import Form, GameName, MoveText, Position, Seed, Setup, Size
from harena.web.given import addressed, known_game, placed
from harena.web.seeing import seen

router = APIRouter()


class Placed(Form):
    """A position's text, and moves that are played from it; without a text, the start of a game."""

    game: GameName
    text: Position = ""
    size: Size = ""
    setup: Setup = ""
    start: Seed = 0
    moves: list[MoveText] = Field(default=[], max_length=200)


@router.get("/editor", include_in_schema=False)
def show(request: Request, game: str = "", position: str = "") -> Response:
    """The page, with the position it begins with; what is wrong with the one in the address is said on it."""
    from harena.web.app import page

    name, state, mistake = addressed(game, position, "trap")
    entries = {
        one.name: {
            "title": one.title,
            "sizes": one.sizes,
            "default_size": one.default_size,
            "rectangles": one.rectangles,
            "setups": list(one.setups.items()),
            "notation": one.notation,
        }
        for one in CATALOGUE.values()
    }
    given = {"game": name, "state": seen(state), "games": entries}
    return page(request, "editor.html", games=CATALOGUE.values(), given=given, mistake=mistake)


class Checked(BaseModel):
    """A position as a page draws it, or what is wrong with it in words."""

    state: dict[str, Any] | None = None
    mistake: str | None = None


@router.post("/api/position")
def check(asked: Placed) -> Checked:
    """The position of a text, after these moves. A wrong one is no error here: telling so is what this is for."""
    try:
        if asked.text.strip():
            state = placed(asked.game, asked.text)
        else:
            state = known_game(asked.game, asked.size, asked.setup).initial(asked.start)
        for move in asked.moves:
            state = state.play(move)
    except HarenaError as error:
        return Checked(mistake=str(error))
    return Checked(state=seen(state))
