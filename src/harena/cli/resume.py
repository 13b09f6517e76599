"""`harena resume`: whatever was interrupted goes on."""

import os
from dataclasses import replace

from harena.agents.launch import is_ours
from harena.arena.store import FINISHED, Run, Store
from harena.cli.match import resume_match
from harena.cli.sweep import resume_sweep
from harena.cli.tournament import resume_tournament
from harena.cli.tune import resume_tune
from harena.errors import BadFile, UsageError

RESUME = {"match": resume_match, "tournament": resume_tournament, "sweep": resume_sweep, "tune": resume_tune}


def resume_run(name: str | None, concurrency: int, store: str | None, longest: float | None = None) -> None:
    """Find the run and hand it to whoever can go on with it; `longest` is the web page's, for runs begun elsewhere."""
    with Store(store) as kept:
        run = kept.latest_unfinished() if name is None else kept.run(name)
        if run is None:
            raise UsageError("there is nothing to resume: every run has been played to its end")
        if run.status == FINISHED:
            raise UsageError(f"run {run.id} is finished: `harena records list --run {run.id}` lists its games")
        _go_where_it_began(run)
        if longest is not None:
            run = replace(run, spec={**run.spec, "spec": {**run.spec["spec"], "longest": longest}})
        RESUME[run.kind](kept, run, concurrency)


def _go_where_it_began(run: Run) -> None:
    """The paths of agents start at the folder in which the run was begun."""
    folder = run.spec["spec"].get("folder")
    if not folder or all(is_ours(text) for text in run.spec["spec"]["agents"]):
        return
    try:
        os.chdir(folder)
    except OSError as error:
        raise BadFile(f"run {run.id} was begun in {folder}, where its agents are: {error.strerror}") from None
