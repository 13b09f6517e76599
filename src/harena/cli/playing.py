"""Verbs that play games and keep them."""

from typing import Annotated

import typer

from harena.cli.app import (
    ConcurrencyOption,
    DepthOption,
    FirstOption,
    GameName,
    IterationsOption,
    MarginOption,
    MemoryOption,
    NodesOption,
    PositionOption,
    RunOption,
    SecondsOption,
    SeedOption,
    SetupOption,
    SizeOption,
    StoreOption,
    app,
)


@app.command()
def match(
    game: GameName,
    a: Annotated[str, typer.Argument(metavar="A", help="An agent: a player's text, or the file of an agent.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The other.")],
    games: Annotated[int, typer.Option("--games", help="How many; they come in pairs with seats swapped.")] = 100,
    seconds: SecondsOption = None,
    nodes: NodesOption = None,
    iterations: IterationsOption = None,
    depth: DepthOption = None,
    size: Annotated[str | None, typer.Option("--size", help="7, or 6-12: the pairs take turns.")] = None,
    setup: SetupOption = None,
    sprt: Annotated[
        str | None, typer.Option("--sprt", help="Stop when sure: quick, normal, careful, or E0,E1 in Elo.")
    ] = None,
    seed: SeedOption = 0,
    concurrency: ConcurrencyOption = 1,
    margin: MarginOption = 0.05,
    memory: MemoryOption = None,
    local: Annotated[bool, typer.Option("--local", help="Our players in this process; no limit of time.")] = False,
    store: StoreOption = None,
) -> None:
    """Play a match between two agents and say what the result means."""
    from harena.cli.match import new_match
    from harena.search.result import Limits

    new_match(
        game,
        (a, b),
        games,
        Limits(seconds=seconds, nodes=nodes, iterations=iterations, depth=depth),
        sizes=size,
        setup=setup,
        sprt=sprt,
        seed=seed,
        margin=margin,
        memory=memory,
        local=local,
        concurrency=concurrency,
        store=store,
    )


@app.command()
def tournament(
    game: Annotated[str, typer.Argument(help="A game, or a .toml file that describes the tournament.")],
    agents: Annotated[list[str] | None, typer.Argument(metavar="AGENT...", help="The agents.")] = None,
    games: Annotated[int, typer.Option("--games", help="For each pairing; an even number.")] = 10,
    kind: Annotated[
        str, typer.Option("--type", help="round-robin, gauntlet (the first against all), swiss or knockout.")
    ] = "round-robin",
    rounds: Annotated[int | None, typer.Option("--rounds", help="Of a Swiss tournament.", min=1)] = None,
    seconds: SecondsOption = None,
    nodes: NodesOption = None,
    iterations: IterationsOption = None,
    depth: DepthOption = None,
    size: Annotated[str | None, typer.Option("--size", help="7, or 6-12: the pairs take turns.")] = None,
    setup: SetupOption = None,
    seed: SeedOption = 0,
    concurrency: ConcurrencyOption = 1,
    margin: MarginOption = 0.05,
    memory: MemoryOption = None,
    store: StoreOption = None,
) -> None:
    """Play a tournament and rate all its agents together."""
    from harena.cli.tournament import new_tournament
    from harena.search.result import Limits

    new_tournament(
        game,
        agents or [],
        games,
        Limits(seconds=seconds, nodes=nodes, iterations=iterations, depth=depth),
        kind=kind,
        rounds=rounds,
        sizes=size,
        setup=setup,
        seed=seed,
        margin=margin,
        memory=memory,
        concurrency=concurrency,
        store=store,
    )


@app.command()
def resume(
    run: Annotated[str | None, typer.Argument(help="A run's name; the latest unfinished one if none is given.")] = None,
    concurrency: ConcurrencyOption = 1,
    store: StoreOption = None,
) -> None:
    """Go on with a run that was interrupted, exactly where it stopped."""
    from harena.cli.resume import resume_run

    resume_run(run, concurrency, store)


records_app = typer.Typer(no_args_is_help=True, help="List, show and export the games that are stored.")
app.add_typer(records_app, name="records")


@records_app.command("list")
def list_records(run: RunOption = None, store: StoreOption = None) -> None:
    """List the runs that are stored, or the games of one."""
    from harena.cli.records import list_records as run_it

    run_it(run, store)


@records_app.command("show")
def show_record(
    number: Annotated[int, typer.Argument(help="A game's number: `harena records list` shows them.")],
    store: StoreOption = None,
) -> None:
    """Show a game: its last position, players, result and moves."""
    from harena.cli.records import show_record as run_it

    run_it(number, store)


@records_app.command("export")
def export_records(
    file: Annotated[str, typer.Argument(help="The file to write; - for the output.")],
    format: Annotated[str | None, typer.Option("--format", help="jsonl, csv or parquet; by the file's name.")] = None,  # noqa: A002
    run: RunOption = None,
    store: StoreOption = None,
) -> None:
    """Write games into a file: JSON lines are whole records, CSV and Parquet have one line a game."""
    from harena.cli.records import export_records as run_it

    run_it(file, format, run, store)


@app.command()
def replay(
    what: Annotated[str, typer.Argument(help="A stored game's number, or a file: records, or a bare list of moves.")],
    line: Annotated[int, typer.Option("--line", help="Which record of a file.", min=1)] = 1,
    game: Annotated[str, typer.Option("--game", help="Of a bare list of moves: its game.")] = "isolation",
    size: SizeOption = None,
    setup: SetupOption = None,
    first: FirstOption = None,
    seed: SeedOption = 0,
    position: PositionOption = None,
    svg: Annotated[str | None, typer.Option("--svg", help="Draw every position into this folder.")] = None,
    store: StoreOption = None,
) -> None:
    """Step through a game in the terminal, checking every move against the rules."""
    from harena.cli.replay import replay as run_it

    run_it(what, line, (game, {"size": size, "setup": setup, "first": first}, seed, position), store, svg)
