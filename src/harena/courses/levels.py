"""What each course grades against: its levels, how many games, and how many wins are enough."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Level:
    """A player of ours that submissions meet; `needed` wins are a pass, where the course says so."""

    player: str
    needed: int | None = None


@dataclass(frozen=True, kw_only=True)
class Grading:
    """How a course grades."""

    game: str
    levels: tuple[Level, ...]
    games: int  # against each level
    variants: list[dict[str, Any]] = field(default_factory=lambda: [{}])
    file: str  # what is played of a submission
    keeps_process: bool = False  # one process of a submission plays all its games, as the course's grader had it
    counts_beaten: bool = False  # other submissions that it beats are points, too, where all play all


_COURSES: Mapping[str, Grading] = {
    "comp424": Grading(
        game="colosseum",
        levels=(Level(player="random_agent"), Level(player="greedy"), Level(player="lookahead2"), Level(player="uct")),
        games=20,
        variants=[{"size": str(size)} for size in range(6, 13)],
        file="student_agent.py",
    ),
    "w4701": Grading(
        game="trap",
        levels=(
            Level(player="easy", needed=6),
            Level(player="medium", needed=4),
            Level(player="hard", needed=2),
        ),
        games=10,
        file="PlayerAI.py",
        counts_beaten=True,
    ),
    "aind": Grading(
        game="isolation",
        levels=tuple(
            Level(player=name)
            for name in ("random", "mm_null", "mm_open", "mm_improved", "ab_null", "ab_open", "ab_improved")
        ),
        games=20,
        variants=[{"setup": "random-placements"}],
        file="game_agent.py",
    ),
}
_BOARDS_OF_2022 = [board | {"setup": "2022"} for board in _COURSES["comp424"].variants]
GRADINGS: Mapping[str, Grading] = {
    **_COURSES,
    "comp424-2022": replace(_COURSES["comp424"], variants=_BOARDS_OF_2022),  # with the clock of that year
    "w4701-reused": replace(_COURSES["w4701"], keeps_process=True),  # one instance for all games
}
