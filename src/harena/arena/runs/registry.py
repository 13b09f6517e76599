"""The kinds of runs by name: where each is implemented, and what is known of it without loading it."""

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harena.arena.runs.kind import RunKind

OTHER_PACKAGES = ("harena.courses",)  # that register kinds when they are imported


@dataclass(frozen=True, kw_only=True)
class KindEntry:
    """A kind of run: its name in stores, the class that implements it, and its name in sentences."""

    name: str
    home: str = ""  # "package.module:Class"; empty for runs that only hold games
    title: str = ""
    elsewhere: str = ""  # how such a run goes on, where `harena resume` does not take it
    has_report: bool = False  # whether `harena report` can write it as a page
    is_followed: bool = True  # whether pages list it as a contest
    is_rated: bool = True  # whether its games count for the ratings of a whole store
    copies_games: bool = False  # whether it holds copies of games of earlier runs
    has_pseudonyms: bool = False  # whether its note may ask to hide names
    leaderboard_rank: int = 0  # of the runs that a leaderboard can show the highest rank is shown; 0: never

    @property
    def is_resumable(self) -> bool:
        """Whether `harena resume` takes such a run."""
        return not self.elsewhere

    def load(self) -> "type[RunKind] | None":
        """The class; None for runs that only hold games."""
        module, _, name = self.home.partition(":")
        found: type[RunKind] | None = getattr(import_module(module), name) if module else None
        return found


_ENTRIES: dict[str, KindEntry] = {}


def register(entry: KindEntry) -> None:
    """Add a kind of run."""
    _ENTRIES[entry.name] = entry


def entries() -> dict[str, KindEntry]:
    """All kinds by name."""
    for package in OTHER_PACKAGES:
        import_module(package)
    return _ENTRIES


def kind_entry(name: str) -> KindEntry:
    """The kind of this name; where this version does not know it, one that only holds games."""
    return _ENTRIES.get(name) or entries().get(name, UNKNOWN)


def kind_named(name: str) -> "type[RunKind] | None":
    """The class of a kind; None where there is none."""
    return kind_entry(name).load()


def resumable_kinds() -> tuple[str, ...]:
    """The names of the kinds that `harena resume` takes."""
    return tuple(one.name for one in entries().values() if one.is_resumable)


UNKNOWN = KindEntry(name="", elsewhere="there is nothing in it to go on with", is_followed=False)
HOME = "harena.arena.runs"
register(KindEntry(name="match", home=f"{HOME}.match:Match", title="match", has_report=True))
register(
    KindEntry(
        name="tournament",
        home=f"{HOME}.tournament:Tournament",
        title="tournament",
        has_report=True,
        leaderboard_rank=1,
    )
)
register(KindEntry(name="sweep", home=f"{HOME}.sweep:Sweep", title="sweep", has_report=True))
register(KindEntry(name="tune", home=f"{HOME}.tune:Tuning", title="tuning", is_rated=False))
register(
    KindEntry(
        name="play",
        home=f"{HOME}.single_game:SingleGame",
        title="game",
        elsewhere="a game of yours goes on with `harena play --resume`, or on the web page",
        is_followed=False,
    )
)
register(
    KindEntry(
        name="watch",
        title="game",
        elsewhere="a game that was watched goes on when the web page is served again",
        is_followed=False,
    )
)
