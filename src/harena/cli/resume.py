"""`harena resume`: whatever was interrupted goes on."""

import os
from collections.abc import Sequence
from dataclasses import replace

from harena.agents.launch import is_ours
from harena.arena.sources import check_unchanged, sources, texts_of, untyped_files
from harena.arena.store import FINISHED, Run, Store
from harena.cli.carrying import resuming
from harena.cli.isolation_tournament import resume_isolation_tournament
from harena.cli.match import resume_match
from harena.cli.sweep import output, resume_sweep
from harena.cli.tournament import resume_tournament
from harena.cli.tune import resume_tune
from harena.courses import isolation_tournament, trap_game
from harena.errors import BadFile, UsageError
from harena.kernel.trusted import only_trusted, printable

ELSEWHERE = {
    "grade": "a grading goes on when `harena grade` is given the same words again",
    "play": "a game of yours goes on with `harena play --resume`, or on the web page",
    trap_game.KIND: "its games are told move by move: call `harena trap-game` again",
    "watch": "a game that was watched goes on when the web page is served again",
}
WRITING = ("sweep", "tune")  # kinds of runs that may write files at their end
RESUME = {
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
    files: Sequence[str] = (),
    plot: str | None = None,
    csv: str | None = None,
) -> None:
    """Find the run and hand it to whoever can go on with it; `longest` is the web page's, for runs begun elsewhere.

    A store is data, and anybody may have written it: code is run, and a file is written, only where it was typed.
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
        if not isinstance(run.spec.get("spec"), dict):
            raise UsageError(f"run {run.id} describes itself in a way that this version does not know")
        command = resuming(kept, run, concurrency)
        run = replace(run, spec={**run.spec, **_outputs(run, plot, csv)})
        with only_trusted(files):
            _go_where_it_began(run)
            _check_files(run, command)
            if longest is not None:
                run = replace(run, spec={**run.spec, "spec": {**run.spec["spec"], "longest": longest}})
            RESUME[run.kind](kept, run, concurrency)


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
