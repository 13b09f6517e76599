"""Starlette's client warns when it is imported, of a package that it would like better: that is no fault of a test."""

import asyncio
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from fastapi.testclient import TestClient  # once imported, it is silent

from web.seating import client_of


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """Of a server with a store of its own."""
    with client_of(tmp_path) as made:
        yield made


@pytest.fixture(autouse=True)
def no_loop_of_the_browsers() -> Iterator[None]:
    """Playwright keeps a loop running in the thread of all tests: `asyncio.run` would refuse to start another."""
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(running)
