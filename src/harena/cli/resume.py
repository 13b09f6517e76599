"""`harena resume`: whatever was interrupted goes on."""

from harena.arena.store import FINISHED, Store
from harena.cli.match import resume_match
from harena.cli.sweep import resume_sweep
from harena.cli.tournament import resume_tournament
from harena.cli.tune import resume_tune
from harena.errors import UsageError

RESUME = {"match": resume_match, "tournament": resume_tournament, "sweep": resume_sweep, "tune": resume_tune}


def resume_run(name: str | None, concurrency: int, store: str | None) -> None:
    """Find the run and hand it to whoever can go on with it."""
    with Store(store) as kept:
        run = kept.latest_unfinished() if name is None else kept.run(name)
        if run is None:
            raise UsageError("there is nothing to resume: every run has been played to its end")
        if run.status == FINISHED:
            raise UsageError(f"run {run.id} is finished: `harena records list --run {run.id}` lists its games")
        RESUME[run.kind](kept, run, concurrency)
