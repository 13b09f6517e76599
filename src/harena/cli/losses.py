"""Where the games of a course's command are, and which of them are worth a look: a line after its own report."""

from collections.abc import Mapping, Sequence

from rich.text import Text

from harena.arena.slot import Slot
from harena.arena.store import Run, Store
from harena.cli.telling import clean

MOST_PLAYERS, MOST_GAMES = 3, 5  # that are named


def where_lost(kept: Store, run: Run, lost: Mapping[str, Sequence[Slot]]) -> Text:
    """The run, the numbers of the games that each of these has lost, and the commands that show one."""
    numbers = kept.numbers(run.id)
    games = {clean(who): sorted(numbers[str(slot)] for slot in slots) for who, slots in lost.items() if slots}
    said = [f"{who} lost {_listed(found)}" for who, found in games.items()][:MOST_PLAYERS]
    said += ["others too"] if len(games) > MOST_PLAYERS else [] if games else ["no game was lost"]
    one = next((found[0] for found in games.values()), min(numbers.values(), default=None))
    show = f" (harena review {one}{kept.option}, harena replay {one}{kept.option})" if one is not None else ""
    return Text(f"{', '.join(said)}{show}; all games: harena records list --run {run.id}{kept.option}", "dim")


def _listed(numbers: Sequence[int]) -> str:
    """Games by number; the first ones of many."""
    shown = ", ".join(map(str, numbers[:MOST_GAMES])) + ("" if len(numbers) <= MOST_GAMES else " ...")
    return f"{'game' if len(numbers) == 1 else 'games'} {shown}"
