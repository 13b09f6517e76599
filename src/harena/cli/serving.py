"""The verb of the web page."""

from typing import Annotated

import typer

from harena.cli.app import SandboxOption, StoreOption, app


@app.command()
def serve(
    port: Annotated[
        int, typer.Option("--port", help="Where to listen; 0 takes any that is free.", min=0, max=65535)
    ] = 8700,
    host: Annotated[
        str, typer.Option("--host", help="The address to listen on; only you on this machine, unless said.")
    ] = "127.0.0.1",
    public: Annotated[bool, typer.Option("--public", help="Anybody may look; acting wants the printed token.")] = False,
    new_token: Annotated[
        bool, typer.Option("--new-token", help="Make another token: browsers that know the old one may act no more.")
    ] = False,
    agents: Annotated[
        list[str] | None, typer.Option("--agents", help="A folder whose agents may play; may be given several times.")
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option("--game", help="Your own game's file, to show stored games of it: that runs it. May be repeated."),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page.")] = True,
    sandbox: SandboxOption = "auto",
    store: StoreOption = None,
) -> None:
    """Open the web page: play, watch, analyse."""
    from harena.cli.serve import serve_page

    serve_page(
        port,
        host,
        public=public,
        new_token=new_token,
        agents=agents or [],
        games=game or [],
        browser=browser,
        sandbox=sandbox,
        store=store,
    )
