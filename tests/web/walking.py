"""A server's routes, one by one."""

from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute


def routes(app: FastAPI) -> list[APIRoute]:
    """All of them, those of included routers too."""
    found: list[APIRoute] = []
    todo: list[Any] = list(app.router.routes)
    while todo:
        one = todo.pop()
        if isinstance(one, APIRoute):
            found.append(one)
        todo += getattr(getattr(one, "original_router", None), "routes", [])
    assert len(found) > 20
    return found
