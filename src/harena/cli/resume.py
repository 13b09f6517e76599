"""`harena resume`: whatever was interrupted goes on."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from harena.arena.sources import (
    check_unchanged,
    choice_without_walls,
    sources,
    stored_agents,
    texts_of,
    untyped_files,
)
from harena.arena.store import FINISHED, Run, Store
from harena.cli.carrying import resuming
from harena.cli.isolation_tournament import resume_isolation_tournament
from harena.cli.match import resume_match
from harena.cli.sweep import output, resume_sweep
from harena.cli.tournament import resume_tournament
from harena.cli.tune import resume_tune
from harena.courses import isolation_tournament, trap_game
from harena.errors import BadFile, UsageError, printable
from harena.kernel.beside import GAME
from harena.kernel.trusted import only_trusted
from harena.sandbox.walls import parse_choice

ELSEWHERE = {
    "grade": "a grading goes on when `harena grade` is given the same words again",
    "play": "a game of yours goes on with `harena play --resume`, or on the web page",
    trap_game.KIND: "its games are told move by move: call `harena trap-game` again",
    "watch": "a game that was watched goes on when the web page is served again",
}
WRITING = ("sweep", "tune")  # kinds of runs that may write files at their end
WITHOUT_JSON = (isolation_tournament.KIND,)  # kinds of runs whose report is the course's own
RESUME: Mapping[str, Callable[..., None]] = {
    "match": resume_match,
    "tournament": resume_tournament,
    "sweep": resume_sweep,
    "tune": resume_tune,
    isolation_tournament.KIND: resume_isolation_tournament,
}


def resume_run(
    name: str | None,
    concurrency: int,
    store: str | None,
    longest: float | None = None,
    *,
    code: Sequence[str] = (),
    agents: Sequence[str] = (),
    sandbox: str | None = None,
    plot: str | None = None,
    csv: str | None = None,
    as_json: bool = False,
) -> None:
    """Find the run and hand it to whoever can go on with it; `longest` is the web page's, for runs begun elsewhere.

    A store is data, and anybody may have written it: code is run, walls are left out, and a file is written, only where
    that was typed. `code` runs without walls; `agents` are files and folders.
    """
    with Store(store, new=False) as kept:
        run = kept.latest_unfinished(RESUME) if name is None else kept.run_like(name)
        if run is None:
            raise UsageError("there is nothing to resume: no match, tournament, sweep or tuning was interrupted")
        if run.status == FINISHED:
            listing = f"harena records list --run {run.id}{kept.option}"
            raise UsageError(f"run {run.id} is finished: `{listing}` lists its games")
        if run.kind not in RESUME:
            where = ELSEWHERE.get(run.kind, "there is nothing in it to go on with")
            raise UsageError(f"run {run.id} is not for `harena resume`: {where}")
        if as_json and run.kind in WITHOUT_JSON:
            raise UsageError(f"run {run.id} is of {run.kind}, which has no --json: leave it out")
        if not isinstance(run.spec.get("spec"), dict):
            raise UsageError(f"run {run.id} describes itself in a way that this version does not know")
        command = resuming(kept, run, concurrency)
        run = replace(run, spec={**run.spec, **_outputs(run, plot, csv)})
        with only_trusted(code, agents, parse_choice(sandbox).level if sandbox else ""):
            _go_where_it_began(run)
            _check_files(run, command)
            _check_sandbox(run, sandbox, command)
            if longest is not None:
                run = replace(run, spec={**run.spec, "spec": {**run.spec["spec"], "longest": longest}})
            RESUME[run.kind](kept, run, concurrency, **({"as_json": True} if as_json else {}))


def _outputs(run: Run, plot: str | None, csv: str | None) -> dict[str, str | None]:
    """The files that a sweep or a tuning writes at its end: as they are typed now, not as the store has them."""
    if run.kind not in WRITING:
        return {}
    return {"plot": output(plot, "--plot"), "csv": output(csv, "--csv")}


def _check_files(run: Run, command: str) -> None:
    """UsageError if the run has code that was not typed, or that is not what it was."""
    if untyped := untyped_files(run.spec):
        listed = ", ".join(map(printable, untyped))
        raise UsageError(f"run {run.id} runs code of {listed}: if you trust it, type: {command}")
    game, agents = texts_of(run.spec)
    kept = run.spec["spec"].get("sources")
    check_unchanged(run.id, kept if isinstance(kept, dict) else {}, sources(game, agents))


def _check_sandbox(run: Run, sandbox: str | None, command: str) -> None:
    """UsageError if the run has no walls and that was not typed, or if another `--sandbox` was typed than it has."""
    agents = stored_agents(run.spec)
    kept = str(run.spec["spec"].get("sandbox", "auto"))
    if sandbox and any(agent.paths() for agent in agents) and parse_choice(sandbox) != parse_choice(kept):
        raise UsageError(f"run {run.id} has --sandbox {printable(kept)}, and the conditions of a run do not change")
    if not choice_without_walls(run.spec):
        return
    files = [printable(path) for path in dict.fromkeys(path for agent in agents for path in agent.walled_paths())]
    if sandbox is None:
        listed = ", ".join(files)
        raise UsageError(f"run {run.id} runs {listed} without a sandbox: if you trust it, type: {command}")
    for path in files:
        print(f"harena: {path} runs without a sandbox", file=sys.stderr)


def _go_where_it_began(run: Run) -> None:
    """The paths of agents and of a game start at the folder in which the run was begun."""
    folder, game = run.spec["spec"].get("folder"), texts_of(run.spec)[0]
    has_paths = GAME.match(game) is not None or any(agent.paths() for agent in stored_agents(run.spec))
    if not folder or not has_paths:
        return
    try:
        os.chdir(folder)
    except OSError as error:
        raise BadFile(f"run {run.id} was begun in {folder}, where its agents are: {error.strerror}") from None
