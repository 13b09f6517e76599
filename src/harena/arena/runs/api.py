"""Runs for Python programs: `harena.match`, `tournament`, `sweep`, `tune` and `resume` play a run to its end.

Nothing is printed, and nothing ends the program: what goes wrong is a `HarenaError`, and `progress=True` shows a bar.
Ctrl-C is a KeyboardInterrupt as anywhere; what was played is in the store, and `resume` goes on with it.
"""

from collections.abc import Sequence
from typing import TypedDict, Unpack

from harena.agents.environments import find_program
from harena.arena.runs.executors import LocalExecutor
from harena.arena.runs.results import MatchResult, RunResult, SweepResult, TournamentResult, TuneResult
from harena.arena.runs.resuming import Typed, reopened
from harena.arena.runs.run import StorePath
from harena.arena.runs.start import Agent, start_match, start_sweep, start_tournament, start_tune
from harena.arena.sources import typed_agent
from harena.find import typed_games


class RunOptions(TypedDict, total=False):
    """What all runs take: limits for a move, the board, chance, and where games are played and kept."""

    seconds: float | None
    nodes: int | None
    iterations: int | None
    depth: int | None
    size: str | int | None
    setup: str | None
    seed: int | None
    margin: float
    memory: float | None
    concurrency: int
    store: StorePath


class ContestOptions(RunOptions, total=False):
    """What matches and tournaments take besides."""

    clock: str | None
    openings: str | None
    local: bool
    sandbox: str
    python: str | None


class ExperimentOptions(RunOptions, total=False):
    """What sweeps and tunings take besides: files to write at the end."""

    plot: str | None
    csv: str | None


def match(
    game: str,
    a: Agent,
    b: Agent,
    *,
    games: int | None = None,
    sprt: str | None = None,
    output: str | None = None,
    progress: bool = False,
    **options: Unpack[ContestOptions],
) -> MatchResult:
    """Play a match of two agents to its end; the result is that of the first.

    An agent is a text as on the command line, a function `state -> move`, an object with `run`, or its class. Without
    a number of games as many are played as a test (`sprt`) may need, or 100. Other options are those of `start_match`.
    """
    run = start_match(game, a, b, games=games, sprt=sprt, output=output, **options)
    found = run.result(progress=progress)
    assert isinstance(found, MatchResult)
    return found


def tournament(
    game: str,
    agents: Sequence[Agent] = (),
    *,
    games: int = 10,
    type: str = "round-robin",  # noqa: A002 (as the option is called)
    rounds: int | None = None,
    progress: bool = False,
    **options: Unpack[ContestOptions],
) -> TournamentResult:
    """Play a tournament to its end; the other options are those of `start_tournament`."""
    run = start_tournament(game, agents, games=games, type=type, rounds=rounds, **options)
    found = run.result(progress=progress)
    assert isinstance(found, TournamentResult)
    return found


def sweep(
    game: str,
    agent: str,
    opponent: str,
    over: str,
    *,
    games: int = 100,
    openings: str | None = None,
    progress: bool = False,
    **options: Unpack[ExperimentOptions],
) -> SweepResult:
    """Play a match for each value of one parameter; the other options are those of `start_sweep`."""
    run = start_sweep(game, agent, opponent, over, games=games, openings=openings, **options)
    found = run.result(progress=progress)
    assert isinstance(found, SweepResult)
    return found


def tune(
    game: str,
    agent: str,
    opponent: str | None = None,
    *,
    start: str,
    steps: int = 200,
    games: int = 2,
    scale: str | None = None,
    within: str | None = None,
    linear: str | None = None,
    whole: str | None = None,
    rate: float | None = None,
    progress: bool = False,
    **options: Unpack[ExperimentOptions],
) -> TuneResult:
    """Tune several parameters at once by the games they win; the other options are those of `start_tune`."""
    run = start_tune(
        game,
        agent,
        opponent,
        start=start,
        steps=steps,
        games=games,
        scale=scale,
        within=within,
        linear=linear,
        whole=whole,
        rate=rate,
        **options,
    )
    found = run.result(progress=progress)
    assert isinstance(found, TuneResult)
    return found


def resume(
    run: str | None = None,
    *,
    games: Sequence[str] = (),
    agents: Sequence[str] = (),
    sandbox: str | None = None,
    python: str | None = None,
    plot: str | None = None,
    csv: str | None = None,
    concurrency: int = 1,
    store: StorePath = None,
    progress: bool = False,
) -> RunResult:
    """Go on with a run that was stopped, to its end: by its id, or the latest.

    A store is data: the files of its game and agents are loaded only if they are named here, as `harena resume` wants
    them, and so is a `sandbox` that leaves out walls. Meanwhile the process is in the folder where the run began.
    """
    typed = type_files(games=games, agents=agents, sandbox=sandbox, python=python, plot=plot, csv=csv)
    with reopened(run, store, LocalExecutor(concurrency), typed) as (found, _):
        return found.result(progress=progress)


def type_files(
    *,
    games: Sequence[str] = (),
    agents: Sequence[str] = (),
    sandbox: str | None = None,
    python: str | None = None,
    plot: str | None = None,
    csv: str | None = None,
    longest: float | None = None,
) -> Typed:
    """What the user names for a run that goes on, as `reopened` takes it."""
    named = [typed_agent(text) for text in agents]
    code = [*typed_games(games), *(name for names, _ in named for name in names)]
    code += [find_program(python)] if python else []
    files = [path for _, paths in named for path in paths]
    return Typed(code=code, agents=files, sandbox=sandbox, plot=plot, csv=csv, longest=longest)
