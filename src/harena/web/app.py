"""The server: its pages, what they ask for, and how mistakes are answered."""

from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from harena import __version__
from harena.errors import HarenaError
from harena.games.catalogue import CATALOGUE
from harena.termination import Termination
from harena.web.config import Config
from harena.web.naming import without_paths
from harena.web.routes import contests, editor, games, home, play, review, understand, watch
from harena.web.security import HEADERS, Guard, acts
from harena.web.wording import complaint, missing

HERE = Path(__file__).parent
ROUTERS = tuple(one.router for one in (home, contests, play, understand, editor, games, watch, review))


def create_app(config: Config) -> FastAPI:
    """The application; whoever runs it decides where it listens."""
    app = FastAPI(title="Harena", version=__version__, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json")
    app.state.config = config
    app.state.pages = Jinja2Templates(HERE / "templates", context_processors=[_common])
    app.state.pages.env.policies["json.dumps_kwargs"] = {}  # lists for forms keep their order
    app.state.pages.env.globals["rules_of"] = lambda name: CATALOGUE[name].rules if name in CATALOGUE else ()
    app.state.pages.env.globals["Termination"] = Termination
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    for router in ROUTERS:
        app.include_router(router)
    app.add_exception_handler(HarenaError, _mistake)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _unreadable)
    app.add_exception_handler(Exception, _fault)
    app.add_middleware(Guard, config=config, answer=_answer)
    return app


def _common(request: Request) -> dict[str, Any]:
    """What every page knows."""
    config: Config = request.app.state.config
    return {"version": __version__, "acts": acts(request), "public": config.public, "guarded": config.is_guarded}


def page(request: Request, template: str, **given: Any) -> Response:
    """A page made from a template."""
    pages: Jinja2Templates = request.app.state.pages
    return pages.TemplateResponse(request, template, given)


def _answer(request: Request, status: int, words: str) -> Response:
    """A mistake: as JSON for scripts, as a page for people; where files lie is for whoever may act."""
    words = words if acts(request) else without_paths(words)
    if request.url.path.startswith("/api/") or "text/html" not in request.headers.get("accept", ""):
        return JSONResponse({"detail": words}, status)
    response = page(request, "mistake.html", status=status, words=words)
    response.status_code = status
    return response


def _mistake(request: Request, error: Exception) -> Response:
    return _answer(request, 422, str(error))


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _answer(request, error.status_code, str(error.detail))


def _unreadable(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    lost = missing(error.errors())
    if lost is not None and not request.url.path.startswith("/api/"):
        return _answer(request, 404, lost)
    return _answer(request, 422, complaint(error.errors()[0]))


def _fault(request: Request, error: Exception) -> Response:
    """Ours; what it was is in the server's log. It passes outside of the guard, which sets the headers elsewhere."""
    response = _answer(request, 500, "something went wrong in the server: its terminal says what")
    response.headers.update(HEADERS)
    return response
