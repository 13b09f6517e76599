"""What is said of a name that no player of a game has: the nearest one here, or the games that have it."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from harena.agents.algorithms import OF_ONE_GAME
from harena.agents.names import PARTNER, PLAYERS
from harena.errors import BadText, UnknownName, UsageError, nearest

MOST_TOLD = 8  # names
ALIKE = 0.75  # of the letters, where a name might be a class's


def unknown(name: str, here: Sequence[str]) -> UsageError:
    """The complaint about a name that is none of `here`, the names of a game.

    Only what exists here is offered as what may be meant; of another game's player, misspelt or not, that game is
    named. A name with a capital that is like none of them is taken for that of a class.
    """
    elsewhere = dict.fromkeys(other for game in PLAYERS for other in (*PLAYERS[game], *OF_ONE_GAME.get(game, {})))
    if name in elsewhere:
        return BadText(f"the player {name} is {_owners(name)}; here {_offer(name, here)}")
    near = _near(name, [*here, *elsewhere])
    if name[:1].isupper() and (near is None or _likeness(name, near) < ALIKE):
        return BadText(f"no player {name!r}; a search of your own is named with its file, as file.py:{name}")
    if near is None:
        return UnknownName("player", name, _offered(name, here), guesses=False, more=_more(name, here))
    if near in here:
        return UnknownName("player", name, [near])
    return BadText(f"no player {name!r}; {near} is {_owners(near)}; here {_offer(name, here)}")


def _owners(name: str) -> str:
    """The games that have this player."""
    games = [game for game in PLAYERS if name in PLAYERS[game] or name in OF_ONE_GAME.get(game, {})]
    return f"{games[0]}'s" if len(games) == 1 else f"for {', '.join(games[:-1])} and {games[-1]}"


def _offer(name: str, here: Sequence[str]) -> str:
    return f"there are: {', '.join(_offered(name, here))}{_more(name, here)}"


def _offered(name: str, here: Sequence[str]) -> list[str]:
    """The names there are; those most like it, where all of a game's are too many."""
    names = _alike(name, here)
    return names if _is_told(names, here) else sorted(names, key=lambda other: -_likeness(name, other))[:MOST_TOLD]


def _more(name: str, here: Sequence[str]) -> str:
    return "" if _is_told(_alike(name, here), here) else " ... (`harena agents` lists all)"


def _is_told(names: Sequence[str], here: Sequence[str]) -> bool:
    """Whether all of them are: few, or the partners."""
    return len(names) <= MOST_TOLD or len(names) < len(here)


def _likeness(name: str, other: str) -> float:
    return SequenceMatcher(None, name.lower(), other).ratio()


def _alike(name: str, names: Iterable[str]) -> list[str]:
    """The names of its kind: of a sparring partner's the partners', else all."""
    found = list(names)
    partners = [other for other in found if other.startswith(PARTNER)]
    return partners if name.lower().startswith(PARTNER) and partners else found


def _near(name: str, names: Iterable[str]) -> str | None:
    """The nearest name; of partners without what all of them begin with, which would make any two look alike."""
    key = name.lower()
    if not key.startswith(PARTNER):
        return nearest(key, names)
    near = nearest(key.removeprefix(PARTNER), [other.removeprefix(PARTNER) for other in _alike(name, names)])
    return None if near is None else PARTNER + near
