"""Positions in which an agent is asked for a single turn: of every size and phase of its game, the same ones always.

They come from random games of our own rules, with fixed seeds, so that nothing an agent is used to leads there. The few
that have a name (lost, one move, the opponent stuck) are written down; tests prove that they are what they are called.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from harena.api import Game, State
from harena.contract import CHANCE
from harena.find import game
from harena.games.face import read_position
from harena.kernel.rng import generator

START, EARLY, MIDDLE, LATE = "start", "early", "middle", "late"
SHORTEST = 8  # turns: a shorter game has no phases


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A position where a turn begins, and what it is called."""

    state: State
    where: str

    @property
    def options(self) -> dict[str, Any]:
        """Of the game that begins with this position."""
        return self.state.game.options


@dataclass(frozen=True, kw_only=True)
class Survey:
    """Which positions of a game an agent is asked in: of each size so many random games, in these phases."""

    sizes: tuple[int, ...]
    games: int
    phases: Mapping[str, float]  # their share of the way through a game
    about: str
    situations: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


LOST, ONE_MOVE, STUCK = "lost", "one move", "opponent stuck"
SURVEYS: Mapping[str, Survey] = {
    "colosseum": Survey(
        sizes=(6, 7, 8, 9, 10, 11, 12),
        games=1,
        phases={START: 0.0, MIDDLE: 0.5, LATE: 0.85},
        about="sizes 6 to 12; start, middle and late",
        situations={
            LOST: (
                "6 e5 d3 1 a1r,e1d,b2r,c2r,d2d,e2d,a3r,b3r,c3d,d3r,d3d,a4r,a4d,c4d,d4r,e4r,b5r,c5d,d5r,d5d,e5d,e6r",
                "6 b1 b2 2 a1r,e1d,b2r,b2d,c2r,c2d,d2d,e2d,d3r,e3d,c4d,d4r,d4d,f4d,b5r,b5d,c5r,d5r,c6r",
            ),
            ONE_MOVE: (
                "6 c4 d4 2 b1r,b1d,c1d,d1r,a2d,b2d,d2r,e2r,e2d,f2d,a3r,c3r,d3d,b4r,d4r,d4d,e4r,f4d,c5r,d5d,e5d",
                "8 c6 c5 2 b1d,c1d,c2r,c2d,a3r,a3d,b3d,c3r,d3r,e3r,e3d,b4d,c4r,c4d,e4r,f4r,h4d,a5r,b5r,c5r,a6r,c6d,e6r,"
                "f6d,a7r,c7d,f7r,g7d,a8r",
            ),
        },
    ),
    "trap": Survey(
        sizes=(7,),
        games=2,
        phases={START: 0.0, EARLY: 0.05, MIDDLE: 0.2, LATE: 0.4},  # random players need very long
        about="start, early, middle and late",
        situations={
            LOST: ("......./.xxxxx./.x.x.x./.xx1xx./..x2x../......./....... 1 walk 26",),
            ONE_MOVE: ("..x.x../.xx.1../....x../....x../..x..../.xxxx../.xx2... 2 walk 13",),
            STUCK: (
                "......./..1..../......./......./......./.....xx/.....x2 1 walk 12",
                "1x...../xx...../......./......./......./...2.../....... 2 walk 11",
            ),
        },
    ),
    "isolation": Survey(
        sizes=(7,),
        games=8,
        phases={START: 0.0, EARLY: 0.1, MIDDLE: 0.5, LATE: 0.85},
        about="placements, early, middle and late",
        situations={
            LOST: (
                "2xxxxxx/xx.xxxx/x.xxxxx/xxx1xxx/xxxxxxx/xxxx.xx/xxxxxxx 1",
                "xx.xx../.xxx.x./xx.xxx./1xxxxxx/x.xxxx./xxx2xxx/...xx.x 2",
                "..x..../xx..2../..xx.../xxx1.x./xxxxxx./x.xxxx./.xxxx.. 1",
            ),
            ONE_MOVE: (
                "x....../..x..../.x2.x../x.x..../x.x.x../.1....x/...xx.. 1",
                "1....../..x..../....x../......./....2../......x/....x.. 1",
            ),
            STUCK: (
                "x....../..x..2./.xx.x../x.x.x.1/x.xxx../.x...xx/...xx.. 2",
                "..x.x2./x.xxx../...xxxx/.x..x.x/..xxx../x....x./..1.... 1",
            ),
        },
    ),
    "tiles": Survey(
        sizes=(4, 6, 10),
        games=2,
        phases={START: 0.0, MIDDLE: 0.5, LATE: 0.85},
        about="sizes 4, 6 and 10; start, middle and late",
        situations={
            LOST: ("BXXR/XXXB/XXXR/BRRX R 1", "XXBXXX/XXXXXX/XXRXXX/BBXXXX/XXXXXX/XXXXXX B 2"),
            ONE_MOVE: ("RXXX/BXXX/XXXX/XXXX B 2", "XXXR/XXXX/XBXX/XXXX B 2"),
        },
    ),
}
SETUPS = {"tiles": "random"}  # of the games from which positions are drawn; else the game's own


def samples(name: str, sizes: Sequence[int] = (), setup: str = "") -> list[Sample]:
    """The positions of a game's survey, in these sizes and from this set-up if they are given."""
    survey = SURVEYS[name]
    found: dict[str, Sample] = {}
    for size in sizes or survey.sizes:
        made = game(name, size=size, setup=setup or SETUPS.get(name))
        seeds = count()
        for number in range(survey.games):
            turns = _random_game(made, seeds)
            for index, (phase, share) in enumerate(survey.phases.items()):
                state = _at(turns, share, wanted=(number + index + size) % 2)
                found.setdefault(state.text, Sample(state=state, where=f"size {size}, {phase}"))
    return list(found.values())


def situation(name: str, called: str) -> list[Sample]:
    """The positions of a game that have this name; none where it has no such thing."""
    found = []
    for text in SURVEYS[name].situations.get(called, ()):
        face = game(name).face
        found.append(
            Sample(state=game(name, **face.options_of(read_position(face, text))).position(text), where=called)
        )
    return found


def _random_game(made: Game, seeds: "count[int]") -> list[State]:
    """The positions in which turns begin, of the next random game that is long enough."""
    while True:
        seed = next(seeds)
        rng, state, turns = generator(seed), made.initial(seed), list[State]()
        while not state.is_over:
            if state.mover != CHANCE and not (state.previous is not None and state.previous.mover == state.mover):
                turns.append(state)
            state = state.play(state.random_move(rng))
        if len(turns) >= SHORTEST:
            return turns


def _at(turns: list[State], share: float, wanted: int) -> State:
    """The position so far into a game, with this player to move; the start is the first player's."""
    index = round(share * (len(turns) - 1))
    return turns[index - 1] if index and turns[index].mover != wanted else turns[index]
