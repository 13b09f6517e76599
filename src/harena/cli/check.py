"""`harena check`: an agent looked over, one line a thing."""

from collections import Counter

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from harena.arena.words import count
from harena.cli.live_run import plain_progress, print_json
from harena.cli.new import started
from harena.courses.check_agent import Check, open_check
from harena.courses.finding import NOTE, OK, RED, Finding
from harena.errors import clean_lines

STYLES = {OK: "green", NOTE: "yellow", RED: "bold red"}
NARROWEST = 20  # letters of a line's text, however narrow the window
WIDEST = 15  # letters of what a line is about


def check_agent(
    path: str,
    course: str | None,
    game: str | None,
    *,
    seconds: float | None,
    thorough: bool,
    sandbox: str,
    python: str | None = None,
    as_json: bool = False,
) -> None:
    """Print the lines about an agent as they are known; exit code 1 if one of them is red. A zip is unpacked first.

    `as_json` prints one object in their place, when all are known.
    """
    console = Console(highlight=False, stderr=as_json)
    with open_check(
        path, course, game=game, seconds=seconds, thorough=thorough, sandbox=sandbox, python=python
    ) as found:
        if not as_json:
            console.print(Text(f"{found.agent}: {found.subject.game}, {found.limits}", "bold"), soft_wrap=True)
        result = found.result(_examine(console, found, is_printed=not as_json))
    if as_json:
        print_json(result.to_dict())
    else:
        console.print(_summary(Counter(finding.mark for finding in result.findings)))
    if not result.passed:
        raise typer.Exit(1)


def _examine(console: Console, found: Check, *, is_printed: bool) -> list[Finding]:
    """The findings, each printed as soon as it is known."""
    findings = []
    progress = _progress(console)
    task = progress.add_task("loading", total=None)
    now = ["loading"]

    def watch(what: str, done: int, total: int) -> None:
        progress.update(task, description=what, completed=done, total=total)
        now[0] = f"{what}, {done} of {total}"

    with plain_progress(lambda: now[0]) if progress.disable else progress:
        for finding in found.findings(watch):
            if is_printed:
                _print(console, finding)
            findings.append(finding)
    return findings


def _progress(console: Console) -> Progress:
    """Below the lines where those go to a terminal, else on standard error; nothing where nobody looks."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    shown = console if console.is_terminal else Console(stderr=True)
    return Progress(*columns, console=shown, transient=True, disable=not shown.is_terminal)


def _print(console: Console, finding: Finding) -> None:
    """The mark, what it is about, and how it is; below, what to do. A command stays whole, so that it can be copied."""
    style = STYLES[finding.mark]
    lead = Text.assemble((f"{finding.mark:<4}", style), f"  {finding.what:<{WIDEST}}  ")
    room = max(NARROWEST, console.width - len(lead))
    told = Text(finding.text).wrap(console, room)
    if finding.advice:
        told.extend(Text(finding.advice, style).wrap(console, room))
    for line in told:
        line.rstrip()
        console.print(lead + line, soft_wrap=True)
        lead = Text(" " * len(lead))
    for row in clean_lines(finding.traceback):
        console.print(Text(f"      {row}", "dim"), soft_wrap=True)
    if finding.command:
        console.print(Text(f"      {finding.command.replace('harena', started('harena'), 1)}"), soft_wrap=True)


def _summary(marks: Counter[str]) -> Text:
    lines = count(marks.total(), "line")
    if marks[RED]:
        are, they = ("is", "it advises") if marks[RED] == 1 else ("are", "they advise")
        return Text(f"{marks[RED]} of {lines} {are} red: see what {they}", STYLES[RED])
    notes = f", {count(marks[NOTE], 'note')}" if marks[NOTE] else ""
    return Text(f"nothing red in {lines}{notes}", STYLES[OK])
