"""`harena grade`: a folder of submissions that nobody has read, played and written up."""

import sys
from contextlib import closing

import typer
from rich.console import Console

from harena.arena.runs.display import RunDisplay
from harena.arena.runs.runner import Progress
from harena.arena.words import count
from harena.cli.leaderboard import tell, tell_where
from harena.cli.live_run import live_run
from harena.courses.grade import GradeOptions, Listener, Writer, open_grading
from harena.courses.grading import Plan
from harena.errors import clean
from harena.web.exporting import export_game


def grade_folder(folder: str, course: str, options: GradeOptions) -> None:
    """Grade, or go on where an earlier call with the same submissions stopped."""
    with open_grading(folder, course, options, export_game, Terminal()) as grading:
        writer = grading.writer
        if grading.is_done:
            list(grading.play())  # writes its files again
            report(Console(highlight=False), writer)
            return
        again = f"harena grade with the same words goes on; nothing of {clean(writer.target)} is lost"
        with (
            live_run(RunDisplay(grading.book), lambda console: report(console, writer), again=again),
            closing(grading.play()) as events,
        ):
            for event in events:
                if isinstance(event, Progress):
                    print(f"harena: {event.text}", file=sys.stderr, flush=True)


class Terminal(Listener):
    """Prints lines to standard error, and asks where somebody can answer."""

    def tell(self, line: str) -> None:
        """Print it."""
        print(f"harena: {line}", file=sys.stderr)

    def may_play_anew(self, plan: Plan) -> bool:
        """Ask at a terminal whether the whole class shall be played again; elsewhere nobody could answer, and it is."""
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            return True
        question = f"play all {count(len(plan.slots()), 'game')} again? The earlier grading stays in the store."
        return typer.confirm(question, err=True)


def report(console: Console, writer: Writer) -> None:
    """The leaderboard, and where everything is."""
    tell(console, writer.book, writer.shown)
    tell_where(console, writer.target, writer.kept.path)
