"""The courses and their clocks, by name, as they are registered for `agents`."""

from collections.abc import Mapping
from dataclasses import replace

from harena.agents.clocks import Clock
from harena.agents.registry import register
from harena.courses.course import Course

CLOCKS: Mapping[str, Clock] = {
    "comp424": Clock(seconds=2.0, memory=500.0, about="COMP 424 (2023): 2 s a move, 500 MB"),
    "comp424-2022": Clock(
        seconds=2.0, first=30.0, memory=500.0, about="COMP 424 (2022): 30 s, then 2 s a move, 500 MB"
    ),
    "w4701": Clock(seconds=5.0, by_turn=True, about="W4701: 5 s for walk and aim together"),
    "aind": Clock(seconds=0.15, about="AIND: 150 ms a move"),
    "tiles": Clock(iterations=1000, about="tiles: 1000 iterations of MCTS a move"),
}
# Below 2, because a matplotlib as old as the course's was built for numpy 1.
_COMP424_PACKAGES = (("numpy", ">=1.22.2,<2"), ("matplotlib", "==3.5.1"), ("tqdm", "==4.62.3"), ("click", "==8.0.4"))
_NUMPY_1 = (("numpy", "<2"), ("termcolor", ""))
_COMP424 = Course(
    name="comp424",  # of McGill: a class with step(...)
    game="colosseum",
    clock_name="comp424",
    clock=CLOCKS["comp424"],
    environment="comp424",
    requirements=_COMP424_PACKAGES,
    signs=("register_agent",),
    has_checkout=True,
)
_W4701 = Course(
    name="w4701",  # of Columbia: PlayerAI with getMove and getTrap
    game="trap",
    clock_name="w4701",
    clock=CLOCKS["w4701"],
    environment="w4701",
    requirements=_NUMPY_1,
    signs=("def getTrap", "class PlayerAI"),
)
_AIND = Course(
    name="aind",  # of Udacity: a player with get_move(...)
    game="isolation",
    clock_name="aind",
    clock=CLOCKS["aind"],
    environment="aind",
    requirements=_NUMPY_1,
    signs=("def get_move(",),
)
_COMP424_2022 = replace(
    _COMP424,
    name="comp424-2022",  # with 30 s for the first move of a game, and more walls at its start
    clock_name="comp424-2022",
    clock=CLOCKS["comp424-2022"],
    setup="2022",
    environment="comp424-2022",
    requirements=(("numpy", "==1.22.2"), *_COMP424_PACKAGES[1:]),
    signs=(),
)
_W4701_REUSED = replace(_W4701, name="w4701-reused", signs=())  # one instance for all games, as its grader did
COURSES: Mapping[str, Course] = {
    course.name: course for course in (_COMP424, _COMP424_2022, _W4701, _W4701_REUSED, _AIND)
}
register(COURSES, CLOCKS)
