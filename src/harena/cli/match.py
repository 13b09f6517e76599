"""`harena match`: two agents, many games, and what the result means."""

import sys

from harena.arena.contest import NotStarted
from harena.arena.runs.match import Match, describe_test
from harena.arena.runs.run import Run
from harena.cli.live_run import play_run


def play_match(run: Run, *, as_json: bool) -> None:
    """Play a new match; if an agent cannot be started, also say where what it printed is to be found."""
    match = run.kind
    assert isinstance(match, Match)
    try:
        play_run(run, is_new=True, as_json=as_json, news=describe_test(match))
    except NotStarted:
        if match.outputs is not None and match.outputs.files:
            print(*match.describe_outputs(), file=sys.stderr)
        raise
