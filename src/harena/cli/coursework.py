"""Verbs of the courses: their own commands, and what students and instructors need."""

from typing import Annotated

import typer

from harena.cli.app import ClockOption, ConcurrencyOption, JsonOption, PythonOption, SandboxOption, StoreOption, app
from harena.errors import UsageError

CourseOption = Annotated[
    str | None,
    typer.Option("--course", help="comp424, w4701 or aind (also comp424-2022, w4701-reused); else it is found out."),
]


@app.command()
def simulator(
    player_1: Annotated[
        str, typer.Option("--player_1", help="A registered name, a player or an agent.")
    ] = "random_agent",
    player_2: Annotated[str, typer.Option("--player_2", help="The other.")] = "random_agent",
    board_size: Annotated[int | None, typer.Option("--board_size", help="Else drawn at random.")] = None,
    board_size_min: Annotated[int, typer.Option("--board_size_min", help="Smallest board of autoplay.")] = 6,
    board_size_max: Annotated[int, typer.Option("--board_size_max", help="Largest board of autoplay, included.")] = 12,
    display: Annotated[bool, typer.Option("--display", help="Animate the game in the terminal.")] = False,
    display_delay: Annotated[float, typer.Option("--display_delay", help="Seconds after each frame.", min=0)] = 0.4,
    display_save: Annotated[bool, typer.Option("--display_save", help="Write one picture (SVG) a frame.")] = False,
    display_save_path: Annotated[str, typer.Option("--display_save_path", help="Their folder.")] = "plots/",
    autoplay: Annotated[bool, typer.Option("--autoplay", help="Play a series and report it.")] = False,
    autoplay_runs: Annotated[int, typer.Option("--autoplay_runs", help="Games of autoplay.", min=1)] = 1000,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Of boards and random walks; else each run its own.")
    ] = None,
    sandbox: SandboxOption = "auto",
) -> None:
    """Run Colosseum Survival! as COMP 424 does.

    The options are those of the course's simulator.py.
    """
    from harena.cli.simulator import simulate

    simulate(
        (player_1, player_2),
        board_size=board_size,
        sizes=(board_size_min, board_size_max),
        display=display,
        delay=display_delay,
        save=display_save_path if display_save else None,
        runs=autoplay_runs if autoplay else None,
        seed=seed,
        sandbox=sandbox,
    )


@app.command("isolation-tournament")
def isolation_tournament(
    agents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="AGENT...", help="Heuristics, players or agents' files; else ./game_agent.py, if there is one."
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All of isolation's heuristics.")] = False,
    field: Annotated[str, typer.Option("--field", help="Its opponents: the first course's, or 2017's.")] = "first",
    games: Annotated[int, typer.Option("--games", help="Against each opponent; an even number.")] = 20,
    seconds: Annotated[float, typer.Option("--seconds", help="For a move.", min=0.001)] = 0.15,
    nodes: Annotated[
        int | None, typer.Option("--nodes", help="Positions for a move in place of seconds: repeatable.", min=1)
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of the openings.")] = 0,
    concurrency: ConcurrencyOption = 1,
    sandbox: SandboxOption = "auto",
    store: StoreOption = None,
) -> None:
    """Run the tournament of the Isolation course.

    Each agent plays against the course's seven opponents.
    """
    from harena.cli.isolation_tournament import hold

    hold(
        agents or [],
        every=every,
        games=games,
        seconds=seconds,
        nodes=nodes,
        seed=seed,
        concurrency=concurrency,
        sandbox=sandbox,
        store=store,
        against=field,
    )


@app.command("trap-game")
def trap_game(
    player_1: Annotated[str, typer.Argument(help="A player or an agent.")] = "random",
    player_2: Annotated[str, typer.Argument(help="The other.")] = "random",
    seconds: Annotated[float, typer.Option("--seconds", help="For walk and aim together.", min=0.001)] = 5.0,
    games: Annotated[int, typer.Option("--games", help="How many.", min=1)] = 1,
    seed: Annotated[int | None, typer.Option("--seed", help="Of the throws; else each game its own.")] = None,
    sandbox: SandboxOption = "auto",
    store: StoreOption = None,
) -> None:
    """Run Trap! as the course's Game.py does."""
    from harena.cli.trap_game import play_games

    play_games((player_1, player_2), seconds=seconds, games=games, seed=seed, sandbox=sandbox, store=store)


@app.command()
def tiles(
    board: Annotated[str | None, typer.Option("--board", help="A board file of the course; else 4x4.")] = None,
    agent: Annotated[str, typer.Option("--agent", help="Who plays against you.")] = "uct1000",
    seed: Annotated[int | None, typer.Option("--seed", help="Of the agent; else each game its own.")] = None,
) -> None:
    """Play a session of the tiles course.

    Choose order and colour, then type row and column.
    """
    from harena.cli.tiles import session

    session(board, agent, seed)


@app.command()
def check(
    path: Annotated[str, typer.Argument(help="An agent's file, folder or zip, or COURSE:PATH.")],
    course: CourseOption = None,
    game: Annotated[str | None, typer.Option("--game", help="For an agent in our own protocol: what it plays.")] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="A move; else the course's.", min=0.001)] = None,
    thorough: Annotated[bool, typer.Option("--thorough", help="Play whole games too.")] = False,
    json: JsonOption = False,
    sandbox: SandboxOption = "auto",
    python: PythonOption = None,
) -> None:
    """Check whether an agent is legal, fast and good.

    It takes about a minute and says what to do about every problem.
    """
    from harena.cli.check import check_agent

    check_agent(path, course, game, seconds=seconds, thorough=thorough, sandbox=sandbox, python=python, as_json=json)


@app.command()
def new(
    what: Annotated[str, typer.Argument(help="A game (our own format), comp424, w4701, aind, or simulator.")],
    path: Annotated[str, typer.Argument(help="The file or folder to write.")],
) -> None:
    """Write a starter agent that already plays."""
    from harena.cli.new import write_starter

    write_starter(what, path)


@app.command()
def grade(
    folder: Annotated[str | None, typer.Argument(help="Submissions: files, folders and zips.")] = None,
    course: Annotated[
        str | None, typer.Option("--course", help="comp424, w4701 or aind; also comp424-2022, w4701-reused.")
    ] = None,
    out: Annotated[str | None, typer.Option("--out", help="Where results go; else FOLDER-grades.")] = None,
    games: Annotated[int | None, typer.Option("--games", help="Against each level; else the course's number.")] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", help="For a move; else the course's.")] = None,
    clock: ClockOption = None,
    everybody: Annotated[bool, typer.Option("--all-against-all", help="Also each against each.")] = False,
    rounds: Annotated[
        int | None, typer.Option("--rounds", help="Pairs of games of each against each, then; else 1.", min=1)
    ] = None,
    pseudonyms: Annotated[bool, typer.Option("--pseudonyms", help="No names on the leaderboard.")] = False,
    keep_process: Annotated[
        bool, typer.Option("--keep-process", help="One process of a submission for all its games, not one for each.")
    ] = False,
    concurrency: ConcurrencyOption = 1,
    sandbox: SandboxOption = "auto",
    python: PythonOption = None,
    store: Annotated[str | None, typer.Option("--store", help="The file of games; else OUT/games.sqlite.")] = None,
    again: Annotated[
        str | None,
        typer.Option("--again", metavar="NAME", help="An appeal: play this submission's games again; grades stay."),
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="With --again: print one JSON object and nothing else.")] = False,
) -> None:
    """Grade submissions: leaderboard, reports, Gradescope."""
    if again is not None:
        from harena.cli.appeal import check_options, play_again

        check_options(
            {
                "--games": games,
                "--seconds": seconds,
                "--clock": clock,
                "--all-against-all": everybody,
                "--rounds": rounds,
                "--pseudonyms": pseudonyms,
                "--keep-process": keep_process,
            }
        )
        play_again(folder, again, course, sandbox, python, out=out, store=store, concurrency=concurrency, as_json=json)
        return
    if folder is None or course is None:
        from harena.cli.complaints import GRADE_NEEDS

        raise UsageError(GRADE_NEEDS)
    if json:
        raise UsageError("--json is for --again: a grading writes leaderboard.csv and Gradescope's results.json")
    from harena.cli.grade import grade_folder
    from harena.courses.grade import GradeOptions

    options = GradeOptions(
        out=out,
        games=games,
        seconds=seconds,
        clock=clock,
        everybody=everybody,
        rounds=rounds,
        pseudonyms=pseudonyms,
        keep_process=keep_process,
        concurrency=concurrency,
        sandbox=sandbox,
        python=python,
        store=store,
    )
    grade_folder(folder, course, options)


course_app = typer.Typer(no_args_is_help=True, help="What a course's agents need on this machine.")
app.add_typer(course_app, name="course")


@course_app.command("env")
def course_environment(
    course: Annotated[str, typer.Argument(help="comp424, comp424-2022, w4701 or aind.")],
    python: Annotated[
        str | None, typer.Option("--python", help="The interpreter it is made of; else the one that Harena runs on.")
    ] = None,
    wheels: Annotated[
        str | None, typer.Option("--wheels", help="A folder of wheels to install from, in place of a package index.")
    ] = None,
    extra: Annotated[
        list[str] | None, typer.Option("--with", help="One more package: NAME or NAME==VERSION. May be repeated.")
    ] = None,
    folder: Annotated[
        str | None, typer.Option("--folder", help="Where it is made; else your data folder. Use it with --python.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Remove it.")] = False,
) -> None:
    """Install the packages of a course.

    The environment hosts the course's agents with the Python and the versions that the course requires.
    """
    from harena.cli.course import make_environment, remove_environment

    if remove:
        remove_environment(course, folder)
    else:
        make_environment(course, python=python, wheels=wheels, extra=extra or [], folder=folder)
