"""`harena report`: a run as one HTML page that needs nothing else."""

import re
import sys

from harena.arena import words
from harena.arena.report_html import write_report
from harena.arena.store import Store


def report(name: str, file: str | None, store: str | None) -> None:
    """Write the page of a run."""
    with Store(store, writing=False) as opened:
        run = opened.run_like(name)
        path = file or f"{re.sub(r'[^0-9A-Za-z]', '_', run.id)}.html"  # a store may hold any text there
        found = write_report(opened, run, path, lambda line: print(f"harena: {line}", file=sys.stderr))
    print(f"wrote {words.count(len(found.games), 'game')} of {run.kind} {run.id} to {path}")
