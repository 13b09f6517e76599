"""The command `harena`: one file a verb, imported when it is called, so that `harena --help` answers at once.

Errors have two levels: a mistake of the user's is one plain line and exit code 2; anything else is a bug of ours.
"""

import os
import sys
import traceback
from typing import Annotated, NoReturn

import typer

from harena import __version__
from harena.errors import HarenaError
from harena.kernel.modules import HEURISTIC_FILES, user_files, user_line
from harena.kernel.switch import DEBUG

app = typer.Typer(
    name="harena",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameName = Annotated[
    str, typer.Argument(help="A game's name (see `harena games`) or the path of your own game's file.")
]
SizeOption = Annotated[str | None, typer.Option("--size", help="7, or 5x7 for rows x columns.")]
SetupOption = Annotated[str | None, typer.Option("--setup", help="A set-up's name; tiles: also a board file.")]
FirstOption = Annotated[str | None, typer.Option("--first", help="Tiles: the colour that moves first, R or B.")]
SeedOption = Annotated[int, typer.Option("--seed", help="For random set-ups: each seed its own start.")]
PositionOption = Annotated[str | None, typer.Option("--position", help="A position's text, in place of a set-up.")]

SecondsOption = Annotated[float | None, typer.Option("--seconds", help="A limit of time.")]
NodesOption = Annotated[int | None, typer.Option("--nodes", help="A limit of positions looked at.")]
IterationsOption = Annotated[int | None, typer.Option("--iterations", help="A limit of playouts, for MCTS.")]
DepthOption = Annotated[int | None, typer.Option("--depth", help="A limit of depth.")]


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"harena {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """One arena for two-player board games: Trap!, Colosseum Survival!, knight Isolation, tile removal."""


@app.command()
def games() -> None:
    """List the games, with their sizes, set-ups, defaults and notation."""
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
    """Draw a start position, or any other, with its legal moves."""
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
    """Count the sequences of moves of a given length."""
    from harena.cli.perft import count

    count(game, depth, {"size": size, "setup": setup, "first": first}, seed, position, divide)


@app.command()
def bench(
    games: Annotated[list[str] | None, typer.Argument(help="Games to measure; all when none is named.")] = None,
    seconds: Annotated[float, typer.Option("--seconds", help="How long each program runs, for each game.")] = 2.0,
    search: Annotated[bool, typer.Option("--search", help="Measure the searches in place of playouts.")] = False,
    sustain: Annotated[int, typer.Option("--sustain", help="With --search: also one tree grown so long.", min=0)] = 0,
    json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Measure random playouts beside the same loop in C, and how long a start takes; or the searches."""
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
    """List the players, with a line about each and where it comes from."""
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
    agent: Annotated[str, typer.Option("--agent", help="A player: `harena agents` lists them.")] = "champion",
    seconds: SecondsOption = None,
    nodes: NodesOption = None,
    iterations: IterationsOption = None,
    depth: DepthOption = None,
    moves: Annotated[int, typer.Option("--moves", help="How many moves the table shows.", min=1)] = 10,
    tree: Annotated[str | None, typer.Option("--tree", help="Write the top of the tree: FILE.json, FILE.svg.")] = None,
    levels: Annotated[int, typer.Option("--levels", help="How many plies of the tree.", min=1, max=6)] = 2,
    json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> None:
    """Show what a player thinks of a position: the move, its line, the value of every move, heat on the board."""
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
) -> None:
    """Prove the exact value of a position, with a best line; or say how far it got."""
    from harena.cli.solve import solve as run
    from harena.search.result import Limits

    where = {"size": size, "setup": setup, "first": first}
    run(game, where, seed, position, Limits(seconds=seconds, nodes=nodes), complete=every, memory=memory)


@app.command()
def cache(
    prune: Annotated[bool, typer.Option("--prune", help="Remove what the present sources no longer use.")] = False,
    clear: Annotated[bool, typer.Option("--clear", help="Remove everything.")] = False,
) -> None:
    """Show the compiled code that is kept on disk, or remove it."""
    from harena.cli.cache import report

    report(prune=prune, clear=clear)


@app.command()
def demo(
    seed: SeedOption = 1,
) -> None:
    """A short exhibition: a few random games of each of the four games."""
    from harena.cli.demo import exhibit

    exhibit(seed)


def main() -> None:
    """The entry point: runs a command and turns whatever goes wrong into a line and an exit code."""
    try:
        code = app(standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except typer.TyperException as error:
        _fail(error.format_message().replace("\n", " "), getattr(error, "exit_code", 2))
    except HarenaError as error:
        _fail(str(error), 2)
    except (KeyboardInterrupt, typer.Abort):
        _fail("stopped", 130)
    except BrokenPipeError:  # the reader of our output has gone, as in `harena ... | head`
        _give_up_output()
        sys.exit(141)
    except OSError as error:
        _give_up_output()
        _fail(f"cannot write the output: {error.strerror}" if error.filename is None else str(error), 74)
    except Exception as error:
        _explain(error)
    sys.exit(code if isinstance(code, int) else 0)


def _explain(error: Exception) -> NoReturn:
    """An exception that nobody foresaw: the fault of a user's own game, if there is one, else ours."""
    if place := user_line(error):
        _fail(place, 2)
    if files := user_files():
        if DEBUG:
            traceback.print_exc()
        hint = "is max_moves right?" if isinstance(error, IndexError) else "does each method return what it should?"
        if files[-1] in HEURISTIC_FILES:
            hint = "HARENA_JIT=0 shows the line"
        _fail(f"{files[-1]}: {type(error).__name__}: {' '.join(str(error).split())} ({hint})", 2)
    traceback.print_exc()
    _fail("this is a bug in Harena, not your mistake: please report it with the lines above", 70)


def _give_up_output() -> None:
    """Keep Python from trying again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _fail(message: str, code: int) -> NoReturn:
    if message:
        print(f"harena: {message}", file=sys.stderr)
    sys.exit(code)
