"""`harena serve`: the web page on this machine."""

import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from harena.arena.store_files import store_path
from harena.errors import BadFile, UsageError
from harena.find import typed_games
from harena.kernel.trusted import only_trusted
from harena.sandbox.walls import has_walls, parse_choice
from harena.sandbox.walls import sandbox as walls_of
from harena.web.config import LOCAL, Config

WAITING = 128  # connections that may wait to be accepted
IDLE = 150  # connections beside those with requests; then uvicorn refuses by itself: systems often allow 1024 files


def serve_page(
    port: int,
    host: str,
    *,
    public: bool,
    new_token: bool,
    agents: list[str],
    games: Sequence[str] = (),
    browser: bool,
    sandbox: str,
    store: str | None,
) -> None:
    """Serve until Ctrl-C."""
    try:
        import uvicorn

        from harena.web.app import create_app
        from harena.web.connections import Connection, OwnConnection
        from harena.web.peers import can_find_peers
        from harena.web.tokens import VARIABLE, kept_token
    except ImportError as error:
        raise UsageError(f"the web page needs {error.name}: pip install '.[web]' in a checkout of Harena") from None
    for folder in agents:
        if not os.path.isdir(folder):
            raise BadFile(f"{folder}: there is no such folder")
    if has_walls() or sandbox != "auto":
        walls_of(sandbox)  # where there are none, an agent that needs them is refused when it is chosen
    files = typed_games(games)
    if files and (public or host not in LOCAL):
        raise UsageError("--game is for a server of this machine alone, as showing such a game runs its file")
    listening = _listen(host, port)
    config = Config(
        host=host,
        port=listening.getsockname()[1],
        store=store_path(store),
        finds_owner=can_find_peers(),
        public=public,
        agents=tuple(Path(folder).resolve() for folder in agents),
        sandbox=sandbox,
    )
    if new_token or config.needs_token or VARIABLE in os.environ:
        config = replace(config, token=kept_token(config.store, new=new_token))
    print(f"Harena is at {config.address}  (Ctrl-C ends it)", flush=True)
    if not config.needs_token:
        print(f"Other users of this machine, and proxies, need its token: {config.token_address}", flush=True)
    if browser:
        threading.Timer(0.5, webbrowser.open, [_address_to_open(config)]).start()
    settings = uvicorn.Config(
        create_app(config),
        http=Connection if config.is_guarded else OwnConnection,
        proxy_headers=config.is_guarded,  # a server for its own user takes no client's word for where it comes from
        log_level="warning",
        access_log=False,  # addresses may hold the token
        limit_concurrency=config.at_once + IDLE,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    with only_trusted(files, config.agents, parse_choice(sandbox).level):
        uvicorn.Server(settings).run([listening])


def _address_to_open(config: Config) -> str:
    """The page for the browser, with the token only where other users cannot read the arguments of its process."""
    return config.address if sys.platform in ("darwin", "win32") else config.url


def _listen(host: str, port: int) -> socket.socket:
    """An open socket, or one line that says why not."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(found[4][:2], family=found[0], backlog=WAITING)
    except OSError as error:
        raise UsageError(f"{host}:{port} cannot be listened on: {error.strerror or error}; try --port 0") from None
