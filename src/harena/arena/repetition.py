"""Games that repeat others move for move: agents that leave nothing to chance, on starts that do not differ."""

from collections.abc import Callable, Hashable, Iterable, Sequence

from harena.arena import words
from harena.arena.record import Record


def moves_of(record: Record) -> str:
    """What tells a game from others of the same seats: its start and its moves."""
    return f"{record.start} {' '.join(ply.move for ply in record.plies)}"


def warning(records: Iterable[Record], said: Callable[[int, int], str] = words.copies) -> list[str]:
    """A sentence if most of these games repeat others; those without moves are left out."""
    return warning_of([(record.seats, moves_of(record)) for record in records if record.plies], said)


def warning_of(games: Sequence[Hashable], said: Callable[[int, int], str] = words.copies) -> list[str]:
    """The same of games by what tells them apart."""
    different = len(set(games))
    return [said(different, len(games))] if 2 * different < len(games) else []
