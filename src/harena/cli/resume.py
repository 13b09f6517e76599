"""`harena resume`: whatever was interrupted goes on."""

import os
from dataclasses import replace

from harena.agents.launch import is_ours
from harena.arena.sources import check_unchanged
from harena.arena.store import FINISHED, Run, Store
from harena.cli.isolation_tournament import resume_isolation_tournament
from harena.cli.match import resume_match
from harena.cli.sweep import resume_sweep
from harena.cli.tournament import resume_tournament
from harena.cli.tune import resume_tune
from harena.courses import isolation_tournament, trap_game
from harena.errors import BadFile, UsageError

ELSEWHERE = {
    "grade": "a grading goes on when `harena grade` is given the same words again",
    "play": "a game of yours goes on with `harena play --resume`, or on the web page",
    trap_game.KIND: "its games are told move by move: call `harena trap-game` again",
    "watch": "a game that was watched goes on when the web page is served again",
}
RESUME = {
    "match": resume_match,
    "tournament": resume_tournament,
    "sweep": resume_sweep,
    "tune": resume_tune,
    isolation_tournament.KIND: resume_isolation_tournament,
}


def resume_run(name: str | None, concurrency: int, store: str | None, longest: float | None = None) -> None:
    """Find the run and hand it to whoever can go on with it; `longest` is the web page's, for runs begun elsewhere."""
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
        _go_where_it_began(run)
        check_unchanged(run.id, run.spec["spec"].get("sources", {}))
        if longest is not None:
            run = replace(run, spec={**run.spec, "spec": {**run.spec["spec"], "longest": longest}})
        RESUME[run.kind](kept, run, concurrency)


def _go_where_it_began(run: Run) -> None:
    """The paths of agents and of a game start at the folder in which the run was begun."""
    folder = run.spec["spec"].get("folder")
    spec = run.spec["spec"]
    texts = [spec["game"], *spec["agents"], run.spec.get("template", "")]
    if not folder or all(is_ours(text) and ".py:" not in text for text in texts):
        return
    try:
        os.chdir(folder)
    except OSError as error:
        raise BadFile(f"run {run.id} was begun in {folder}, where its agents are: {error.strerror}") from None
