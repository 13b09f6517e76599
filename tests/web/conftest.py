"""Starlette's client warns when it is imported, of a package that it would like better: that is no fault of a test."""

import asyncio
import warnings
from collections.abc import Iterator

import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import fastapi.testclient  # noqa: F401 (once imported, it is silent)


@pytest.fixture(autouse=True)
def no_loop_of_the_browsers() -> Iterator[None]:
    """Playwright keeps a loop running in the thread of all tests: `asyncio.run` would refuse to start another."""
    running = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(running)
