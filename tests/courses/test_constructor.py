"""The constructor of a course agent: it knows nothing of the game, has a second, and thinks ahead in nobody's time."""

from hashlib import sha1
from pathlib import Path
from typing import Any

import pytest

from courses.checking import lines, marks
from harena.agents.contestant import ProcessContestant
from harena.arena.contest import Contest, Spec
from harena.arena.record import Record
from harena.arena.slot import Slot
from harena.courses.finding import OK, RED
from harena.courses.subject import subject
from harena.find import game
from harena.kernel.rng import generator

pytestmark = pytest.mark.process

SPY = r'''
import gc, hashlib, os, re, sys

DIGEST = ""  # of the one text that counts, where there is one
TOLD = ("new", "go")  # the messages that tell of a game
TEXT = re.compile(  # such a message as a line, and the positions of the three games
    r'\{"type": "(new|go)".*\s*|\d+ [a-l]\d+ [a-l]\d+ [12] \S+|[.x12]{3,}(/[.x12]{3,})+ [12]( walk \d+| aim \d+)?'
)


def spy():
    """All that tells of a game in this process: frames, what they and the collector reach, arguments, environment."""
    roots = [*sys.argv, *sys.orig_argv, *os.environ.values(), open("/proc/self/cmdline").read(), os.getcwd()]
    for frame in sys._current_frames().values():
        while frame is not None:
            roots += frame.f_locals.values()
            frame = frame.f_back
    todo, known, seen = [*roots, *gc.get_objects()], set(), []
    while todo:
        one = todo.pop()
        if id(one) in known or one is seen or one is todo or one is known:
            continue
        known.add(id(one))
        if DIGEST:
            if type(one) is str and hashlib.sha1(one.encode("utf-8", "replace")).hexdigest() == DIGEST:
                seen.append(one)
        elif type(one) is str and TEXT.fullmatch(one):
            seen.append(one)
        elif type(one) is dict and type(one.get("type")) is str and one["type"] in TOLD:
            seen.append(repr(one))
        todo += gc.get_referents(one)
    return "; ".join(seen) or "nothing"
'''
COURSES = {
    "comp424": (
        "colosseum",
        "student_agent.py",
        """
from agents.agent import Agent
from spy import spy
from store import register_agent

@register_agent("student_agent")
class StudentAgent(Agent):
    def __init__(self):
        self.saw = spy()
    def step(self, chess_board, my_pos, adv_pos, max_step):
        raise ValueError(f"the constructor saw {self.saw}; step sees {spy()[:20]}")
""",
    ),
    "w4701": (
        "trap",
        "PlayerAI.py",
        """
from BaseAI import BaseAI
from spy import spy

class PlayerAI(BaseAI):
    def __init__(self):
        self.saw = spy()
    def getMove(self, grid):
        raise ValueError(f"the constructor saw {self.saw}; step sees {spy()[:20]}")
    def getTrap(self, grid):
        pass
""",
    ),
    "aind": (
        "isolation",
        "game_agent.py",
        """
from spy import spy

class CustomPlayer:
    def __init__(self):
        self.saw = spy()
    def get_move(self, game, time_left):
        raise ValueError(f"the constructor saw {self.saw}; step sees {spy()[:20]}")
""",
    ),
}
COURSES["w4701-reused"] = COURSES["w4701"]
AIND = COURSES["aind"][2]
EARLY = AIND.replace("game, time_left", "game, legal_moves, time_left")
GENERATIONS = {"G1": EARLY, "G1c": EARLY + "\n        game._board_state\n", "G2": AIND}
SPIES = [
    *(pytest.param(course, source, id=course) for course, (_, _, source) in COURSES.items() if course != "aind"),
    *(pytest.param("aind", source, id=f"aind, {generation}") for generation, source in GENERATIONS.items()),
]


ONE = [Slot(a=0, b=1, pair=0, swapped=False)]
BOTH = [*ONE, Slot(a=0, b=1, pair=0, swapped=True)]
PAIRS = [*ONE, Slot(a=0, b=1, pair=1, swapped=False)]


def played(folder: Path, course: str, source: str, *, slots: list[Slot] = ONE, **spec: Any) -> list[Record]:
    """Games of this source against a random player."""
    plays, name, _ = COURSES[course]
    (folder / name).write_text(source)
    given: dict[str, Any] = {"limits": {"seconds": 20.0}, "margin": 20.0} | spec
    contest = Contest(Spec(game=plays, variants=[{}], agents=[f"{course}:{folder}", "random"], local=True, **given))
    contestants: dict[int, Any] = {}
    try:
        return [contest.play(slot, contestants) for slot in slots]
    finally:
        for one in contestants.values():
            one.close()
        contest.probe.stop()


@pytest.mark.parametrize(("course", "source"), SPIES)
def test_a_constructor_finds_nothing_of_the_game(course: str, source: str, tmp_path: Path) -> None:
    (tmp_path / "spy.py").write_text(SPY)
    (record,) = played(tmp_path, course, source)
    assert record.reason == "crash" and "the constructor saw nothing; step sees " in record.detail
    assert "step sees nothing" not in record.detail  # the spy finds what is there


@pytest.mark.parametrize("course", ["comp424", "w4701", "aind"])
def test_a_constructor_in_a_process_that_has_played_finds_nothing_of_the_next_game(course: str, tmp_path: Path) -> None:
    name, _, source = COURSES[course]
    openings = [opening(name, seed) for seed in (1, 2)]
    (tmp_path / "spy.py").write_text(SPY.replace('""', f'"{sha1(openings[1].encode()).hexdigest()}"', 1))
    first, second = played(tmp_path, course, source, slots=PAIRS, openings=openings)
    assert "the constructor saw nothing; step sees nothing" in first.detail
    assert "the constructor saw nothing; step sees " in second.detail and "sees nothing" not in second.detail


def opening(name: str, seed: int) -> str:
    """A position in which the first player begins its turn, some random moves after the start."""
    state, before, random = game(name).initial(seed), 0, generator(seed)
    while state.mover != 0 or before == 0:
        before, state = state.mover, state.play(state.random_move(random))
    return state.text


SLOW = "import sys, time\n        time.sleep(9 if hasattr(sys, 'is_tried') or FIRST else 0); sys.is_tried = True"


def slow(course: str) -> str:
    """An agent whose constructor takes long; not when it is loaded, where it is tried whether it can be made."""
    source = COURSES[course][2].replace("from spy import spy", "").replace("self.saw = spy()", SLOW)
    return source.replace("FIRST", str(course == "comp424"))


@pytest.mark.parametrize(("course", "slots"), [("comp424", ONE), ("w4701", ONE), ("aind", BOTH)])
def test_a_constructor_that_takes_too_long_loses(
    course: str, slots: list[Slot], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("harena.agents.loading.CONSTRUCTOR_MARGIN", 0.05)
    for seat, record in enumerate(played(tmp_path, course, slow(course), slots=slots, margin=0.05)):
        assert (record.reason, record.winner, record.plies) == ("time", 1 - seat, ())
        assert record.detail == "when the game began: its constructor took longer than 1 s"


@pytest.mark.parametrize("call", ["setPosition", "setPlayerNum"])
def test_what_w4701_calls_when_a_game_begins_is_on_the_clock_of_the_first_turn(call: str, tmp_path: Path) -> None:
    source = f"""
import time

class PlayerAI:
    def {call}(self, told):
        time.sleep(9)
    def getMove(self, grid):
        raise ValueError("asked")
    def getTrap(self, grid):
        pass
"""
    (record,) = played(tmp_path, "w4701", source, limits={"seconds": 0.5}, by_turn=True, margin=0.05)
    assert (record.reason, record.winner, record.plies) == ("time", 1, ())
    assert record.detail.startswith("no answer after ")


def test_w4701_says_who_an_agent_is_before_its_first_walk_and_once_a_game(tmp_path: Path) -> None:
    source = """
class PlayerAI:
    def __init__(self):
        self.calls = []
    def setPosition(self, cell):
        self.calls.append(cell)
    def setPlayerNum(self, number):
        self.calls.append(number)
    def getMove(self, grid):
        if len(self.calls) > 2:
            raise ValueError(self.calls)
        return {1: (1, 3), 2: (5, 3)}[self.calls[1]]
    def getTrap(self, grid):
        return (3, 0)
"""
    first, second = played(tmp_path, "w4701", source, slots=BOTH)
    assert "[(0, 3), 1, (1, 3)]" in first.detail
    assert "[(6, 3), 2, (5, 3)]" in second.detail


def test_what_a_constructor_draws_follows_from_the_seed_of_the_game(tmp_path: Path) -> None:
    for course in ("w4701", "aind"):
        draws = "import random; self.saw = random.random()"
        source = COURSES[course][2].replace("from spy import spy", "spy = str").replace("self.saw = spy()", draws)
        details = [[record.detail for record in played(tmp_path, course, source, slots=BOTH, seed=3)] for _ in range(2)]
        assert details[0] == details[1] and details[0][0] != details[0][1]


def test_check_reports_the_time_of_the_constructor(tmp_path: Path) -> None:
    agent = tmp_path / "game_agent.py"
    plays = "class CustomPlayer:\n    def get_move(self, game, time_left): return game.get_legal_moves()[0]\n"
    agent.write_text(plays)
    found = lines(subject(str(agent), "aind", None, 20.0))
    assert found["constructor"].mark == OK and found["constructor"].text.endswith(" ms of 1 s")


def test_check_is_red_where_the_constructor_takes_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harena.courses.asking.ENOUGH", 2)
    agent = tmp_path / "game_agent.py"
    agent.write_text(slow("aind"))
    found = lines(subject(str(agent), "aind", None, 0.2))
    assert "constructor" in marks(found, RED) and found["time"].mark != RED
    assert found["constructor"].text == "2 of 2 instances took longer than 1 s"
    assert "top level" in found["constructor"].advice


FORGED_READY = """
import os
for descriptor in range(3, 20):
    try:
        os.write(descriptor, b'{"type": "ready", "harena": 1, "begins": true, "name": "forged"}\\n')
    except OSError:
        pass
"""


@pytest.mark.parametrize("course", COURSES)
def test_a_submission_that_speaks_for_its_host_gains_no_time(course: str, tmp_path: Path) -> None:
    """It shares the host's process; one that said `begins` had ten seconds off the clock, knowing seat and start."""
    name, file, source = COURSES[course][:3]
    (tmp_path / "spy.py").write_text(SPY)
    (tmp_path / file).write_text(FORGED_READY + source)
    agent = ProcessContestant(f"{course}:{tmp_path}", name, [{}], margin=1.0)
    try:
        agent.start()
        assert agent.makes and not agent.begins
        agent.begin({}, game(name).initial().text, 0, 1)
        assert agent.made_in is not None
    finally:
        agent.close()


def test_players_of_ours_have_as_many_threads_as_they_like() -> None:
    agent = ProcessContestant("random", "tiles", [{}], margin=1.0)
    try:
        agent.start()
        assert agent.process is not None and agent.process.group is not None
        folder = agent.process.group.places.controllers["pids"]
        assert Path(folder, "pids.max").read_text().strip() == "max"
    finally:
        agent.close()
