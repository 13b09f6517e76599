"""The command `harena` itself, and the options that several of its verbs share."""

import os
from typing import Annotated

import typer

from harena import __version__
from harena.cli.completion import complete_agent, complete_game, complete_run
from harena.cli.panels import Commands
from harena.errors import UsageError

app = typer.Typer(
    name="harena",
    no_args_is_help=True,
    cls=Commands,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

GameName = Annotated[
    str,
    typer.Argument(
        help="A game's name (see `harena games`) or the path of your own game's file.", autocompletion=complete_game
    ),
]
AgentsArgument = Annotated[
    list[str] | None, typer.Argument(metavar="AGENT...", help="The agents.", autocompletion=complete_agent)
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

JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON object and nothing else; progress goes to standard error.")
]
RunOption = Annotated[
    str | None, typer.Option("--run", help="Only the games of this run.", autocompletion=complete_run)
]

MarginOption = Annotated[float, typer.Option("--margin", help="Seconds beyond the limit before an agent loses.", min=0)]
MemoryOption = Annotated[float | None, typer.Option("--memory", help="Megabytes an agent may use.", min=1)]
OpeningsOption = Annotated[
    str | None, typer.Option("--openings", help="A file of start positions, one a line; the pairs take turns.")
]
ClockOption = Annotated[
    str | None,
    typer.Option(
        "--clock",
        help="A course's limits (comp424, comp424-2022, w4701, aind, tiles), what counts (wall, cpu), or both: "
        "comp424,cpu.",
    ),
]
SandboxOption = Annotated[
    str,
    typer.Option(
        "--sandbox",
        help="Walls around agents that are not ours: auto, required, bubblewrap, namespaces, limits or off; "
        "with ,group or ,signals after it: how they are stopped out of their turn.",
    ),
]
PythonOption = Annotated[
    str | None,
    typer.Option(
        "--python",
        help="The Python that hosts course agents: a course (its environment), an interpreter, the folder of a virtual "
        "environment, or harena for the one that Harena runs on. Else the environment of their course, if it was made.",
    ),
]
GameFilesOption = Annotated[
    list[str] | None,
    typer.Option("--game", help="Your own game's file, for stored games of it: that runs it. May be repeated."),
]
ConcurrencyOption = Annotated[int, typer.Option("--concurrency", help="Games at once.", min=1, max=64)]


def _check_folder(store: str | None) -> str | None:
    """The path of a store whose folder exists: a mistyped one is not made."""
    folder = os.path.dirname(os.path.expanduser(store or ""))
    if folder and not os.path.isdir(folder):
        raise UsageError(f"--store {store}: there is no folder {folder}: make it, or mend the path")
    return store


StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store", help="The file of games; else HARENA_STORE, else your data folder.", callback=_check_folder
    ),
]


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
