"""A real server and a real Chromium: `visit(path)` opens a page; what the browser complains of fails the test."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

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

    def stop(self) -> None:
        self.process.kill()
        self.process.communicate()


def start_server(folder: Path, *options: str, port: int = 0) -> Server:
    """Start one on the store of this folder, and wait until it says where it is."""
    store = folder / "games.sqlite"
    words = ["serve", "--no-browser", "--port", str(port), "--store", str(store), *options]
    process = subprocess.Popen(
        [sys.executable, "-m", "harena", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"http://\S+", line)
    assert found, line + (process.stdout.read() if process.poll() is not None else "")
    return Server(process, found[0], store)


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


@pytest.fixture
def visit(server: Server, browser: Browser) -> Iterator[Visit]:
    """Open a path of the server in a new page: `visit("/play", size="phone", dark=True)`."""
    pages: list[Page] = []
    complaints: list[str] = []

    def open_page(path: str = "/", *, size: str = "desk", dark: bool = False, base: str | None = None) -> Page:
        width, height = SIZES[size]
        page = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        page.on("pageerror", lambda error: complaints.append(f"{path}: {error}"))
        page.on("console", lambda said: complaints.append(f"{path}: {said.text}") if said.type == "error" else None)
        page.set_default_timeout(30_000)
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
    assert not complaints
