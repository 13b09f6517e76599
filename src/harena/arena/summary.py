"""A run in a few words: who plays, how many games are planned, and the result so far."""

from collections.abc import Sequence

from harena.arena.runs.kind import games_summary
from harena.arena.runs.presentation import Summary
from harena.arena.runs.registry import kind_named
from harena.arena.store import Row, Run, Store
from harena.errors import HarenaError

DAMAGE = (KeyError, TypeError, ValueError, IndexError, AttributeError, HarenaError)  # of a run that was not ours


def summary(store: Store, run: Run) -> Summary:
    """Of any run, also of one that describes itself in a way that this harena does not know."""
    return summary_of(run, list(store.rows(run.id, lambda damage: None)))  # whoever lists its games is told


def summary_of(run: Run, rows: Sequence[Row]) -> Summary:
    """The same from the games that are there; where the run does not tell, what its games say."""
    kind = kind_named(run.kind)
    try:
        if kind is not None:
            return kind.summarise(run.spec, rows)
    except DAMAGE:
        pass
    return games_summary(rows)
