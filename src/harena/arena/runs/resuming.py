"""Going on with a stored run: a store is data, and anybody may have written it.

Code is run, walls are left out, and a file is written, only where the user has typed that now.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from harena.agents.python_object import is_object_text
from harena.arena.runs.executors import Executor
from harena.arena.runs.kind import RunKind
from harena.arena.runs.output_files import check_output
from harena.arena.runs.registry import kind_entry, resumable_kinds
from harena.arena.runs.run import Run, StorePath, reopen_run, resume_command
from harena.arena.sources import (
    check_unchanged,
    choice_without_walls,
    sources,
    stored_agents,
    texts_of,
    untyped_files,
)
from harena.arena.store import FINISHED, Store
from harena.arena.store import Run as StoredRun
from harena.errors import BadFile, UsageError, printable
from harena.kernel.beside import GAME
from harena.kernel.trusted import only_trusted
from harena.sandbox.walls import parse_choice


@dataclass(frozen=True, kw_only=True)
class Typed:
    """What the user has typed for a run that goes on: code without walls, files of agents, the sandbox, outputs."""

    code: Sequence[str] = ()
    agents: Sequence[str] = ()
    sandbox: str | None = None
    plot: str | None = None
    csv: str | None = None
    longest: float | None = None  # seconds that any move may take


@contextmanager
def reopened(
    name: str | None, store: StorePath, executor: Executor, typed: Typed, *, needs_result: bool = False
) -> Iterator[tuple[Run, list[str]]]:
    """The run of this name, or the latest that was interrupted, to be played inside; and lines to be said before.

    Inside, the process is in the folder in which the run was begun, and nothing is loaded that was not typed.
    """
    with Store(store, new=False) as opened:
        run = _find(opened, name)
        kind = _kind_of(run, needs_result=needs_result)
        command = resume_command(opened, run, executor.concurrency)
        if kind.writes_files:
            outputs = {"plot": check_output(typed.plot, "--plot"), "csv": check_output(typed.csv, "--csv")}
            run = replace(run, spec={**run.spec, **outputs})
        level = parse_choice(typed.sandbox).level if typed.sandbox else ""
        with only_trusted(typed.code, typed.agents, level), _folder_of(run):
            _check_files(run, command)
            notes = _check_sandbox(run, typed.sandbox, command)
            if typed.longest is not None:
                run = replace(run, spec={**run.spec, "spec": {**run.spec["spec"], "longest": typed.longest}})
            yield reopen_run(opened, run, executor), notes


def _find(store: Store, name: str | None) -> StoredRun:
    """The run to go on with; UsageError if there is none, or if it is over."""
    run = store.latest_unfinished(resumable_kinds()) if name is None else store.run_like(name)
    if run is None:
        raise UsageError("there is nothing to resume: no match, tournament, sweep or tuning was interrupted")
    if run.status == FINISHED:
        listing = f"harena records list --run {run.id}{store.option}"
        raise UsageError(f"run {run.id} is finished: `{listing}` lists its games")
    return run


def _kind_of(run: StoredRun, *, needs_result: bool) -> type[RunKind]:
    """The kind of a run; UsageError if such runs do not go on here, or have no result for programs."""
    found = kind_entry(run.kind)
    kind = found.load() if found.is_resumable else None
    if kind is None:
        raise UsageError(f"run {run.id} is not for `harena resume`: {found.elsewhere}")
    if needs_result and kind.result_dict is RunKind.result_dict:
        raise UsageError(f"run {run.id} is of {run.kind}, which has no --json: leave it out")
    if not isinstance(run.spec.get("spec"), dict):
        raise UsageError(f"run {run.id} describes itself in a way that this version does not know")
    return kind


def _check_files(run: StoredRun, command: str) -> None:
    """UsageError if the run has code that was not typed, or that is not what it was."""
    if untyped := untyped_files(run.spec):
        files = ", ".join(map(printable, untyped))
        raise UsageError(f"run {run.id} runs code of {files}: if you trust it, type: {command}")
    game, agents = texts_of(run.spec)
    if objects := [printable(text) for text in agents if is_object_text(text)]:
        raise UsageError(f"run {run.id} cannot go on: {', '.join(objects)} was an object of another Python process")
    digests = run.spec["spec"].get("sources")
    check_unchanged(run.id, digests if isinstance(digests, dict) else {}, sources(game, agents))


def _check_sandbox(run: StoredRun, sandbox: str | None, command: str) -> list[str]:
    """UsageError if the run has no walls and that was not typed, or if another sandbox was typed than it has.

    Else a line about each file that runs without walls.
    """
    agents = stored_agents(run.spec)
    choice = str(run.spec["spec"].get("sandbox", "auto"))
    if sandbox and any(agent.paths() for agent in agents) and parse_choice(sandbox) != parse_choice(choice):
        raise UsageError(f"run {run.id} has --sandbox {printable(choice)}, and the conditions of a run do not change")
    if not choice_without_walls(run.spec):
        return []
    files = [printable(path) for path in dict.fromkeys(path for agent in agents for path in agent.walled_paths())]
    if sandbox is None:
        names = ", ".join(files)
        raise UsageError(f"run {run.id} runs {names} without a sandbox: if you trust it, type: {command}")
    return [f"{path} runs without a sandbox" for path in files]


@contextmanager
def _folder_of(run: StoredRun) -> Iterator[None]:
    """Be in the folder in which the run was begun: there the paths of agents and of a game start."""
    folder, before = run.spec["spec"].get("folder"), os.getcwd()
    game = texts_of(run.spec)[0]
    has_paths = GAME.match(game) is not None or any(agent.paths() for agent in stored_agents(run.spec))
    if not folder or not has_paths:
        yield
        return
    try:
        os.chdir(folder)
    except OSError as error:
        raise BadFile(f"run {run.id} was begun in {folder}, where its agents are: {error.strerror}") from None
    try:
        yield
    finally:
        os.chdir(before)
