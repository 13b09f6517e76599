"""A real server and a real Chromium: `visit(path)` opens a page; what the browser complains of fails the test."""

import os
import random
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

PATIENCE = 120_000  # milliseconds: pages refresh at leisure, machines are busy, and searches may have to be compiled
expect.set_options(timeout=PATIENCE)

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)
SIZES = {"phone": (390, 844), "tablet": (820, 1180), "desk": (1280, 900)}


@dataclass
class Server:
    """A `harena serve` of our own."""

    process: subprocess.Popen[str]
    url: str
    store: Path
    log: Path

    def stop(self, *, faulty: bool = False) -> None:
        """Kill it; what it said must have no fault of ours in it, unless the test looks for one."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        said = self.log.read_text("utf-8", "replace")
        assert faulty or "Traceback" not in said, said


def start_server(folder: Path, *options: str, port: int = 0) -> Server:
    """Start one on the store of this folder, and wait until it says where it is."""
    store = folder / "games.sqlite"
    words = ["serve", "--no-browser", "--port", str(port), "--store", str(store), *options]
    log = folder / f"server-{len(list(folder.glob('server-*.log')))}.log"
    with log.open("wb") as said:  # a file: a pipe that nobody reads would stop the server once it is full
        process = subprocess.Popen(
            [sys.executable, "-m", "harena", *words], stdout=subprocess.PIPE, stderr=said, text=True
        )
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    server = Server(process, found[0] if found else "", store, log)
    if not found:
        server.stop(faulty=True)
    assert found, line + log.read_text("utf-8", "replace")
    return server


def quiet_port() -> int:
    """A free port that the system gives to nobody who does not ask for it: it stays free between two servers."""
    for port in random.SystemRandom().sample(range(20_000, 30_000), 100):
        with socket.socket() as trial, suppress(OSError):
            trial.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One for all tests of a worker that do not restart it."""
    started = start_server(tmp_path_factory.mktemp("server"))
    yield started
    started.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    assert program, "Chromium is missing: scripts/system-packages chromium=chromium installs it"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield launched
        launched.close()


Visit = Callable[..., Page]
REFUSED = "Failed to load resource"  # what a browser notes of an answer like 422, or of a server that was killed


def noted(page: Page, *, refusals: bool = False) -> list[str]:
    """What goes wrong in a page from now on: errors of scripts and of the browser, refused requests if wanted."""
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(f"{page.url}: {error}"))
    page.on(
        "console",
        lambda said: (
            found.append(f"{page.url}: {said.text}")
            if said.type == "error" and (refusals or not said.text.startswith(REFUSED))
            else None
        ),
    )
    return found


@pytest.fixture
def careless(browser: Browser) -> Iterator[Page]:
    """A page whose user makes mistakes, or whose server dies: refused requests are no errors here, all else is."""
    page = browser.new_page(reduced_motion="reduce")
    page.set_default_timeout(PATIENCE)
    troubles = noted(page)
    yield page
    page.close()
    assert not troubles


@pytest.fixture
def visit(server: Server, browser: Browser) -> Iterator[Visit]:
    """Open a path of the server in a new page: `visit("/play", size="phone", dark=True)`."""
    pages: list[Page] = []
    complaints: list[list[str]] = []

    def open_page(path: str = "/", *, size: str = "desk", dark: bool = False, base: str | None = None) -> Page:
        width, height = SIZES[size]
        page = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        complaints.append(noted(page, refusals=True))
        page.set_default_timeout(PATIENCE)
        pages.append(page)
        page.goto((base or server.url).rstrip("/") + path)
        return page

    yield open_page
    for page in pages:
        if "HARENA_SHOTS" in os.environ:  # a folder for pictures of where each test ended
            page.screenshot(
                path=Path(os.environ["HARENA_SHOTS"]) / f"{len(os.listdir(os.environ['HARENA_SHOTS']))}.png"
            )
        page.close()
    assert not [one for page in complaints for one in page]
