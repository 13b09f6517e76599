"""Where the games of a course's command are, and which of them are worth a look: a line after its own report."""

from collections.abc import Mapping, Sequence

from harena.arena.slot import Slot
from harena.errors import clean

MOST_PLAYERS, MOST_GAMES = 3, 5  # that are named


def lost_line(run: str, option: str, numbers: Mapping[str, int], lost: Mapping[str, Sequence[Slot]]) -> str:
    """The run, the numbers of the games that each of these has lost, and the commands that show one.

    `option` names the store; `numbers` are those of all games, by slot.
    """
    games = {clean(who): sorted(numbers[str(slot)] for slot in slots) for who, slots in lost.items() if slots}
    parts = [f"{who} lost {_games_text(found)}" for who, found in games.items()][:MOST_PLAYERS]
    parts += ["others too"] if len(games) > MOST_PLAYERS else [] if games else ["no game was lost"]
    number = next((found[0] for found in games.values()), min(numbers.values(), default=None))
    show = f" (harena review {number}{option}, harena replay {number}{option})" if number is not None else ""
    return f"{', '.join(parts)}{show}; all games: harena records list --run {run}{option}"


def _games_text(numbers: Sequence[int]) -> str:
    """Games by number; the first ones of many."""
    listed = ", ".join(map(str, numbers[:MOST_GAMES])) + ("" if len(numbers) <= MOST_GAMES else " ...")
    return f"{'game' if len(numbers) == 1 else 'games'} {listed}"
