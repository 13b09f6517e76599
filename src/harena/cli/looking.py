"""Verbs that look at games, positions and players, and at this installation."""

from typing import Annotated

import typer

from harena.cli.app import (
    DepthOption,
    FirstOption,
    GameFilesOption,
    GameName,
    IterationsOption,
    JsonOption,
    NodesOption,
    PositionOption,
    SecondsOption,
    SeedOption,
    SetupOption,
    SizeOption,
    StoreOption,
    app,
)


@app.command()
def games() -> None:
    """List the games with sizes, set-ups and notation."""
    from harena.cli.games import list_games

    list_games()


@app.command()
def show(
    game: GameName,
    size: SizeOption = None,
    setup: SetupOption = None,
    first: FirstOption = None,
    seed: SeedOption = 0,
    position: PositionOption = None,
    svg: Annotated[str | None, typer.Option("--svg", help="Write the board into this SVG file.")] = None,
) -> None:
    """Draw a position with its legal moves."""
    from harena.cli.show import show_position

    show_position(game, {"size": size, "setup": setup, "first": first}, seed, position, svg)


@app.command()
def perft(
    game: GameName,
    depth: Annotated[int, typer.Argument(help="How many plies.")],
    size: SizeOption = None,
    setup: SetupOption = None,
    first: FirstOption = None,
    seed: SeedOption = 0,
    position: PositionOption = None,
    divide: Annotated[bool, typer.Option("--divide", help="Split the number by the first move.")] = False,
) -> None:
    """Count the move sequences of a given length."""
    from harena.cli.perft import count

    count(game, depth, {"size": size, "setup": setup, "first": first}, seed, position, divide)


@app.command()
def bench(
    games: Annotated[list[str] | None, typer.Argument(help="Games to measure; all when none is named.")] = None,
    seconds: Annotated[float, typer.Option("--seconds", help="How long each program runs, for each game.")] = 2.0,
    search: Annotated[bool, typer.Option("--search", help="Measure the searches in place of playouts.")] = False,
    arena: Annotated[
        bool, typer.Option("--arena", help="Measure contests beside what they aim at, and the referee's cost.")
    ] = False,
    quick: Annotated[bool, typer.Option("--quick", help="With --arena: fewer games, half a minute.")] = False,
    sustain: Annotated[int, typer.Option("--sustain", help="With --search: also one tree grown so long.", min=0)] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure the speed of rules, searches and arena.

    Random playouts are compared with the same loop in C; --search measures the searches, --arena matches.
    """
    if arena:
        from harena.cli.bench_arena import run_arena

        run_arena(json, quick=quick)
        return
    if search:
        from harena.cli.bench_search import run_searches

        run_searches(games or [], seconds, sustain, json)
        return
    from harena.cli.bench import run

    run(games or [], seconds, json)


@app.command()
def agents(
    game: Annotated[str | None, typer.Argument(help="A game: also shows its searches and heuristics.")] = None,
) -> None:
    """List the players, searches and heuristics."""
    from harena.cli.agents import list_agents

    list_agents(game)


@app.command()
def analyse(
    game: GameName,
    size: SizeOption = None,
    setup: SetupOption = None,
    first: FirstOption = None,
    seed: SeedOption = 0,
    position: PositionOption = None,
    agent: Annotated[str | None, typer.Option("--agent", help="A player (`harena agents`); the champion.")] = None,
    seconds: SecondsOption = None,
    nodes: NodesOption = None,
    iterations: IterationsOption = None,
    depth: DepthOption = None,
    moves: Annotated[int, typer.Option("--moves", help="How many moves the table shows.", min=1)] = 10,
    tree: Annotated[str | None, typer.Option("--tree", help="Write the top of the tree: FILE.json, FILE.svg.")] = None,
    levels: Annotated[int, typer.Option("--levels", help="How many plies of the tree.", min=1, max=6)] = 2,
    json: JsonOption = False,
) -> None:
    """Show what a player thinks of a position.

    It prints the chosen move, the expected line, the value of every move, and draws heat on the board.
    """
    from harena.cli.analyse import analyse as run
    from harena.search.result import Limits

    limits = Limits(seconds=seconds, nodes=nodes, iterations=iterations, depth=depth)
    where = {"size": size, "setup": setup, "first": first}
    run(game, where, seed, position, agent, limits, shown=moves, tree=tree, levels=levels, as_json=json)


@app.command()
def solve(
    game: GameName,
    size: SizeOption = None,
    setup: SetupOption = None,
    first: FirstOption = None,
    seed: SeedOption = 0,
    position: PositionOption = None,
    seconds: SecondsOption = 60.0,
    nodes: NodesOption = None,
    memory: Annotated[float, typer.Option("--memory", help="Megabytes for the table.")] = 512.0,
    every: Annotated[bool, typer.Option("--all", help="Settle every move, not only the best.")] = False,
    json: JsonOption = False,
) -> None:
    """Prove the exact value of a position.

    It prints a best line, or how far the proof got.
    """
    from harena.cli.solve import solve as run
    from harena.search.result import Limits

    where = {"size": size, "setup": setup, "first": first}
    limits = Limits(seconds=seconds, nodes=nodes)
    run(game, where, seed, position, limits, complete=every, memory=memory, as_json=json)


@app.command()
def review(
    number: Annotated[int, typer.Argument(metavar="GAME_ID", help="The number of a stored game.")],
    player: Annotated[
        str | None, typer.Option("--player", help="Who goes over it (`harena agents`); the champion, or mcts.")
    ] = None,
    nodes: Annotated[
        int | None, typer.Option("--nodes", help="Positions looked at for each decision and proof; 400,000.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option("--seconds", help="A limit of time for each, in place of one of nodes.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Go over it again, though a review is kept.")] = False,
    json: JsonOption = False,
    game: GameFilesOption = None,
    store: StoreOption = None,
) -> None:
    """Find the mistakes in a stored game.

    It marks inaccuracies, mistakes and blunders, shows better moves, and says when the game was decided.
    """
    from harena.cli.review import review as run

    run(number, player, nodes, seconds, again=again, as_json=json, games=game or [], store=store)


@app.command()
def cache(
    prune: Annotated[bool, typer.Option("--prune", help="Remove what the present sources no longer use.")] = False,
    clear: Annotated[bool, typer.Option("--clear", help="Remove everything.")] = False,
    is_listed: Annotated[bool, typer.Option("--list", help="List the folders.")] = False,
) -> None:
    """Show or remove compiled code kept on disk."""
    from harena.cli.cache import report

    report(prune=prune, clear=clear, is_listed=is_listed)


@app.command()
def demo(
    seed: SeedOption = 1,
    games: Annotated[int, typer.Option("--games", help="Of each pairing.", min=2)] = 4,
) -> None:
    """Play a small tournament in each game."""
    from harena.cli.demo import exhibit

    exhibit(seed, games)
