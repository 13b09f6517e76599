"""Verbs that play games and keep them."""

import sys
from typing import Annotated

import typer

from harena.cli.app import (
    AgentsArgument,
    ClockOption,
    ConcurrencyOption,
    DepthOption,
    FirstOption,
    GameFilesOption,
    GameName,
    IterationsOption,
    JsonOption,
    MarginOption,
    MemoryOption,
    NodesOption,
    OpeningsOption,
    PositionOption,
    PythonOption,
    RunOption,
    SandboxOption,
    SecondsOption,
    SeedOption,
    SetupOption,
    SizeOption,
    StoreOption,
    app,
)
from harena.cli.completion import complete_agent, complete_run

SizesOption = Annotated[str | None, typer.Option("--size", help="7, or 6-12: the pairs take turns.")]
LocalOption = Annotated[bool, typer.Option("--local", help="Our players in this process; no limit of time.")]
RunSeedOption = Annotated[
    int | None, typer.Option("--seed", help="Of starts and dice; else 0, or drawn if an agent is not ours.")
]
PlotOption = Annotated[str | None, typer.Option("--plot", help="Draw it into this file, .png or .svg.")]
CsvOption = Annotated[str | None, typer.Option("--csv", help="Write its numbers into this file.")]


@app.command()
def match(
    game: GameName,
    a: Annotated[
        str,
        typer.Argument(
            metavar="A", help="An agent: a player's text, or the file of an agent.", autocompletion=complete_agent
        ),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The other.", autocompletion=complete_agent)],
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            help="How many; they come in pairs with seats swapped. Without: 100, or what --sprt may need.",
            show_default=False,
        ),
    ] = None,
    seconds: SecondsOption = None,
    nodes: NodesOption = None,
    iterations: IterationsOption = None,
    depth: DepthOption = None,
    size: Annotated[str | None, typer.Option("--size", help="7, or 6-12: the pairs take turns.")] = None,
    setup: SetupOption = None,
    sprt: Annotated[
        str | None, typer.Option("--sprt", help="Stop when sure: quick, normal, careful, or E0,E1 in Elo.")
    ] = None,
    seed: RunSeedOption = None,
    concurrency: ConcurrencyOption = 1,
    margin: MarginOption = 0.05,
    memory: MemoryOption = None,
    local: LocalOption = False,
    openings: OpeningsOption = None,
    clock: ClockOption = None,
    sandbox: SandboxOption = "auto",
    python: PythonOption = None,
    output: Annotated[
        str | None, typer.Option("--output", help="A folder for what agents print to standard error, game by game.")
    ] = None,
    json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Play two agents and say what the result means."""
    from harena.arena.runs.start import start_match
    from harena.cli.live_run import announce
    from harena.cli.match import play_match

    run = announce(start_match)(
        game,
        a,
        b,
        games=games,
        seconds=seconds,
        nodes=nodes,
        iterations=iterations,
        depth=depth,
        sprt=sprt,
        size=size,
        setup=setup,
        clock=clock,
        openings=openings,
        seed=seed,
        margin=margin,
        memory=memory,
        local=local,
        sandbox=sandbox,
        python=python,
        output=output,
        concurrency=concurrency,
        store=store,
    )
    play_match(run, as_json=json)


@app.command()
def tournament(
    game: Annotated[str, typer.Argument(help="A game, or a .toml file that describes the tournament.")],
    agents: AgentsArgument = None,
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
    seed: RunSeedOption = None,
    concurrency: ConcurrencyOption = 1,
    margin: MarginOption = 0.05,
    memory: MemoryOption = None,
    local: LocalOption = False,
    openings: OpeningsOption = None,
    clock: ClockOption = None,
    sandbox: SandboxOption = "auto",
    python: PythonOption = None,
    json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Play many agents and rate them together."""
    from harena.arena.runs.start import start_tournament
    from harena.cli.live_run import announce, play_run

    run = announce(start_tournament)(
        game,
        agents or [],
        games=games,
        type=kind,
        rounds=rounds,
        seconds=seconds,
        nodes=nodes,
        iterations=iterations,
        depth=depth,
        size=size,
        setup=setup,
        clock=clock,
        openings=openings,
        seed=seed,
        margin=margin,
        memory=memory,
        local=local,
        sandbox=sandbox,
        python=python,
        concurrency=concurrency,
        store=store,
    )
    play_run(run, is_new=True, as_json=json)


@app.command()
def sweep(
    game: GameName,
    agent: Annotated[
        str, typer.Argument(metavar="AGENT", help='With a name in braces: "mcts(c={c}, iterations=200)".')
    ],
    opponent: Annotated[str, typer.Argument(metavar="OPPONENT", help="Against whom every value plays.")],
    over: Annotated[str, typer.Option("--over", help="The parameter and its values: c=0.1,0.3,1,3 or c=0.1:2:0.1.")],
    games: Annotated[int, typer.Option("--games", help="For each value; an even number.")] = 100,
    seconds: SecondsOption = None,
    nodes: NodesOption = None,
    iterations: IterationsOption = None,
    depth: DepthOption = None,
    size: SizesOption = None,
    setup: SetupOption = None,
    seed: RunSeedOption = None,
    concurrency: ConcurrencyOption = 1,
    margin: MarginOption = 0.05,
    memory: MemoryOption = None,
    openings: OpeningsOption = None,
    plot: PlotOption = None,
    csv: CsvOption = None,
    json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Play a match for each value of one parameter.

    The result is the score over the values, as a table and, with --plot, as a picture.
    """
    from harena.arena.runs.start import start_sweep
    from harena.cli.live_run import announce, play_run

    run = announce(start_sweep)(
        game,
        agent,
        opponent,
        over,
        games=games,
        seconds=seconds,
        nodes=nodes,
        iterations=iterations,
        depth=depth,
        size=size,
        setup=setup,
        openings=openings,
        seed=seed,
        margin=margin,
        memory=memory,
        plot=plot,
        csv=csv,
        concurrency=concurrency,
        store=store,
    )
    play_run(run, is_new=True, as_json=json)


@app.command()
def tune(
    game: GameName,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help='With names in braces: "mcts(c={c}, iterations=200)".')],
    start: Annotated[str, typer.Option("--start", help="Where each parameter begins: c=1,r=1000.")],
    opponent: Annotated[
        str | None, typer.Argument(metavar="OPPONENT", help="Both variants play it; without one, each other.")
    ] = None,
    steps: Annotated[int, typer.Option("--steps", help="How often the parameters move.", min=1)] = 200,
    scale: Annotated[
        str | None, typer.Option("--scale", help="How far the first step shakes: a factor (1.5) if positive.")
    ] = None,
    within: Annotated[str | None, typer.Option("--within", help="Bounds: epsilon=0:1.")] = None,
    linear: Annotated[str | None, typer.Option("--linear", help="Names that are not positive by nature: w,v.")] = None,
    whole: Annotated[str | None, typer.Option("--whole", help="Names that take whole numbers: d,n.")] = None,
    games: Annotated[int, typer.Option("--games", help="Of a step's match; an even number.")] = 2,
    rate: Annotated[
        float | None, typer.Option("--rate", help="Scales that a clean win moves at first.", min=0.001, max=10)
    ] = None,
    seconds: SecondsOption = None,
    nodes: NodesOption = None,
    iterations: IterationsOption = None,
    depth: DepthOption = None,
    size: SizesOption = None,
    setup: SetupOption = None,
    seed: RunSeedOption = None,
    concurrency: ConcurrencyOption = 1,
    margin: MarginOption = 0.05,
    memory: MemoryOption = None,
    plot: PlotOption = None,
    csv: CsvOption = None,
    json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Tune several parameters at once (SPSA)."""
    from harena.arena.runs.start import start_tune
    from harena.cli.live_run import announce, play_run

    run = announce(start_tune)(
        game,
        agent,
        opponent,
        start=start,
        steps=steps,
        scale=scale,
        within=within,
        linear=linear,
        whole=whole,
        games=games,
        rate=rate,
        seconds=seconds,
        nodes=nodes,
        iterations=iterations,
        depth=depth,
        size=size,
        setup=setup,
        seed=seed,
        margin=margin,
        memory=memory,
        plot=plot,
        csv=csv,
        concurrency=concurrency,
        store=store,
    )
    play_run(run, is_new=True, as_json=json)


@app.command()
def ratings(
    game: GameName,
    run: Annotated[list[str] | None, typer.Option("--run", help="Only the games of this run; may be repeated.")] = None,
    size: Annotated[str | None, typer.Option("--size", help="Only this size: 7, or 6-12.")] = None,
    setup: Annotated[str | None, typer.Option("--setup", help="Only this set-up.")] = None,
    least: Annotated[int, typer.Option("--least", help="Show players with so many games; all are rated.", min=1)] = 1,
    json: JsonOption = False,
    csv: CsvOption = None,
    store: StoreOption = None,
) -> None:
    """Rate all agents by every stored game."""
    from harena.cli.ratings import rate

    rate(game, run or [], size=size, setup=setup, least=least, as_json=json, csv_file=csv, store=store)


@app.command()
def report(
    run: Annotated[
        str, typer.Argument(help="A run's name: `harena records list` shows them.", autocompletion=complete_run)
    ],
    file: Annotated[str | None, typer.Argument(metavar="FILE.html", help="The page; else RUN.html, here.")] = None,
    store: StoreOption = None,
) -> None:
    """Write a run as one HTML page.

    Takes a match, a tournament or a sweep. The page needs no other file.
    """
    from harena.cli.report import report as run_it

    run_it(run, file, store)


@app.command()
def resume(
    run: Annotated[
        str | None,
        typer.Argument(help="A run's name; the latest unfinished one if none is given.", autocompletion=complete_run),
    ] = None,
    concurrency: ConcurrencyOption = 1,
    game: GameFilesOption = None,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            "--agent",
            help="A file of its agents, or their folder; FILE:NAME for one that runs without a sandbox: "
            "that runs it. May be repeated.",
        ),
    ] = None,
    sandbox: Annotated[
        str | None, typer.Option("--sandbox", help="As it was when the run began; needed if that leaves out walls.")
    ] = None,
    python: Annotated[
        str | None, typer.Option("--python", help="The interpreter that hosts its course agents: that runs it.")
    ] = None,
    plot: PlotOption = None,
    csv: CsvOption = None,
    json: JsonOption = False,
    store: StoreOption = None,
) -> None:
    """Continue an interrupted run where it stopped."""
    from harena.arena.runs.api import type_files
    from harena.arena.runs.executors import LocalExecutor
    from harena.arena.runs.resuming import reopened
    from harena.cli.live_run import play_run

    typed = type_files(games=game or [], agents=agent or [], sandbox=sandbox, python=python, plot=plot, csv=csv)
    with reopened(run, store, LocalExecutor(concurrency), typed, needs_result=json) as (found, notes):
        for note in notes:
            print(f"harena: {note}", file=sys.stderr)
        play_run(found, as_json=json)


records_app = typer.Typer(no_args_is_help=True, help="List, show and export stored games.")
app.add_typer(records_app, name="records")


@records_app.command("list")
def list_records(
    run: RunOption = None,
    player: Annotated[str | None, typer.Option("--player", help="Games of agents whose text has this in it.")] = None,
    lost_by: Annotated[str | None, typer.Option("--lost-by", help="Games that such an agent lost.")] = None,
    fault: Annotated[
        str | None, typer.Option("--fault", help="Games that ended by a fault: any, or its kind (time, crash ...).")
    ] = None,
    store: StoreOption = None,
) -> None:
    """List the runs that are stored, or the games of one, or those of all runs that fit."""
    from harena.cli.records import list_records as run_it

    run_it(run, store, player=player, lost_by=lost_by, fault=fault)


@records_app.command("show")
def show_record(
    number: Annotated[int, typer.Argument(help="A game's number: `harena records list` shows them.")],
    game: GameFilesOption = None,
    store: StoreOption = None,
) -> None:
    """Show a game: its last position, players, result and moves."""
    from harena.cli.records import show_record as run_it

    run_it(number, game or [], store)


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
    game: Annotated[
        list[str] | None,
        typer.Option(
            "--game",
            help="The game of a bare list of moves; of records, your own game's file: that runs it. May be repeated.",
        ),
    ] = None,
    size: SizeOption = None,
    setup: SetupOption = None,
    first: FirstOption = None,
    seed: SeedOption = 0,
    position: PositionOption = None,
    svg: Annotated[str | None, typer.Option("--svg", help="Draw every position into this folder.")] = None,
    store: StoreOption = None,
) -> None:
    """Step through a game, checking every move."""
    from harena.cli.replay import replay as run_it

    run_it(what, line, game or [], ({"size": size, "setup": setup, "first": first}, seed, position), store, svg)


@app.command()
def play(
    game: Annotated[str | None, typer.Argument(help="A game's name, or the path of your own game's file.")] = None,
    first: Annotated[str | None, typer.Option("--first", help="Who begins: human, or an agent; the human.")] = None,
    second: Annotated[str | None, typer.Option("--second", help="The other: human, or an agent; the champion.")] = None,
    size: SizeOption = None,
    setup: SetupOption = None,
    colour: Annotated[str | None, typer.Option("--colour", help="Tiles: the human's colour, R or B.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Of start and throws; else each game its own.")] = None,
    seconds: SecondsOption = None,
    nodes: NodesOption = None,
    iterations: IterationsOption = None,
    depth: DepthOption = None,
    delay: Annotated[
        float, typer.Option("--delay", help="Seconds after each move, to watch two agents.", min=0, max=60)
    ] = 0.0,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the game that you left last.")] = False,
    store: StoreOption = None,
) -> None:
    """Play against an agent or a human, or watch."""
    from harena.cli.play import new_game, resume_game
    from harena.search.result import Limits

    limits = Limits(seconds=seconds, nodes=nodes, iterations=iterations, depth=depth)
    if resume:
        given = {"first": first, "second": second, "size": size, "setup": setup, "colour": colour, "seed": seed}
        resume_game(game, given, limits, store)
    else:
        new_game(game, (first, second), {"size": size, "setup": setup}, colour, seed, limits, store, delay=delay)
