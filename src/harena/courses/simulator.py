"""Colosseum Survival! as the simulator.py of COMP 424 plays it: what its names mean, its games, and what they show.

No answer loses a game here: one that fails (illegal, an exception, a crash) becomes the course's random walk, and is
counted. No clock runs; the time of each turn is measured.
"""

import os
import runpy
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from harena.agents.contestant import Contestant, LocalContestant, ProcessContestant, Said
from harena.agents.environments import usual_environment
from harena.agents.fault import AgentFault
from harena.agents.names import PLAYERS
from harena.agents.spec import AgentSpec, CourseAgent, parse_agent
from harena.agents.walker import random_walk
from harena.api import State
from harena.arena import words
from harena.arena.contest import A_LOT
from harena.arena.play.session import SEEDS, GameSession
from harena.arena.schedule import drawn
from harena.arena.scores import Tally
from harena.courses.catalogue import COURSES
from harena.courses.hosting.comp424_finding import registered_in
from harena.errors import BadFile, BadOption, BadText, UnknownName, UsageError
from harena.find import game
from harena.kernel import patience
from harena.kernel.rng import generator

GAME, COURSE = "colosseum", "comp424"
HUMAN, RANDOM = "human_agent", "random_agent"
AGENTS = Path("agents")
SIZES = (6, 12)  # of the course's boards, both included
LETTERS = "AB"


def main() -> None:
    """What a file `simulator.py` in the course's checkout calls: `python -m harena simulator` with what was typed."""
    sys.argv[1:1] = ["simulator"]
    runpy.run_module("harena", run_name="__main__", alter_sys=True)


# Names


def player_text(name: str) -> str:
    """The text of a player named as in the course; UsageError says what is wrong with a name that is none.

    In a course's checkout the names that are registered in `./agents` come before ours, but for the random agent.
    """
    if name in (HUMAN, RANDOM):
        return name
    here = registered_in(AGENTS)
    if name in here:
        return f"{COURSE}:{here[name].as_posix()}:{name}"
    if (file := AGENTS / f"{name}.py").is_file():
        return f"{COURSE}:{file.as_posix()}"
    agent = _course_agent(name) or parse_agent(name)
    if isinstance(agent, CourseAgent):
        agent.locate()
        if agent.game != GAME:
            raise BadOption(f"{name} plays {agent.game}, and this is {GAME}")
    elif agent.is_trusted:
        _check_player(agent, list(here))
    return agent.text


def _course_agent(name: str) -> CourseAgent | None:
    """The agent of the course that a bare path names, a folder's or a file's, :NAME added or not; else None."""
    agent = COURSES[COURSE].agent_at(name)
    path, _ = agent.split_path()
    if parse_agent(name).course or not os.path.exists(path) or _is_player(name):
        return None
    is_agent = os.path.isdir(path) or (parse_agent(path).is_program and b"def step(" in Path(path).read_bytes())
    return agent if is_agent else None


def _is_player(name: str) -> bool:
    """Whether it is a player of the game, whatever lies here under that name."""
    try:
        return parse_agent(name).resolve(GAME) is not None
    except UsageError:
        return False


def _check_player(agent: AgentSpec, here: list[str]) -> None:
    """BadText or UnknownName for a player that neither the game nor the checkout in which this runs has."""
    try:
        agent.resolve(GAME)
    except UnknownName:
        error = UnknownName("player", agent.text, [*here, HUMAN, *PLAYERS[GAME]])
        if AGENTS.is_dir():
            raise error from None
        hint = f"there is no ./{AGENTS} here: run this in the course's checkout, or write {COURSE}:PATH"
        message = f"{error} T{hint[1:]}" if str(error).endswith("?") else f"{error}; {hint}"
        raise BadText(message) from None
    agent.player(game(GAME))


# Players and their turns


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A move that was made: the game after it, by which seat, and its seconds; a random walk replaced a `fault`."""

    session: GameSession
    seat: int
    seconds: float
    fault: AgentFault | None = None

    @property
    def state(self) -> State:
        """The position that the move led to."""
        return self.session.state


class Competitor:
    """A player over all its games, and what is counted of it."""

    def __init__(self, name: str, contestant: Contestant, unwalled: Sequence[str] = ()) -> None:
        self.name, self.contestant = name, contestant
        self.unwalled = unwalled  # files of a user's own whose code runs without a sandbox
        self.slowest = 0.0
        self.faults: Counter[str] = Counter()

    @property
    def is_enclosed(self) -> bool:
        """Whether it is somebody else's code, behind walls."""
        return isinstance(self.contestant, ProcessContestant)

    def ready(self, start: State) -> None:
        """Compile it for such a board, or start its process; BadFile if it cannot be loaded."""
        if isinstance(self.contestant, ProcessContestant):
            try:
                self.contestant.start()
            except AgentFault as fault:
                raise BadFile(f"{self.name}: {fault}") from None
        else:
            self.begin(start, 0, 0)

    def begin(self, start: State, seat: int, seed: int) -> None:
        """A new game; BadFile if it cannot be begun."""
        self.start, self.seat, self.seed = start, seat, seed
        options = {"size": int(start.value.size)}
        try:
            if isinstance(self.contestant, LocalContestant):
                patience.run(self.contestant.begin, options, start.text, seat, seed)
            else:
                self.contestant.begin(options, start.text, seat, seed)
        except AgentFault as fault:
            raise BadFile(f"{self.name}: {fault}") from None

    def play(self, session: GameSession) -> Turn:
        """Its move, or the random walk that replaces an answer that fails."""
        begin = time.perf_counter()
        try:
            answer = self._ask(session)
            turn = Turn(session=session.answer(answer), seat=self.seat, seconds=answer.seconds)
        except AgentFault as fault:
            seconds = time.perf_counter() - begin
            self.faults[fault.reason] += 1
            walk = int(random_walk(session.state.value, generator(session.ply_seed(self.seat))))
            turn = Turn(session=session.play(walk), seat=self.seat, seconds=seconds, fault=fault)
        self.slowest = max(self.slowest, turn.seconds)
        return turn

    def _ask(self, session: GameSession) -> Said:
        contestant, (limits, _) = self.contestant, session.limits_for(self.seat)
        question = (session.state, session.moves, limits, session.ply_seed(self.seat))
        if isinstance(contestant, LocalContestant) and contestant.thinker.search.bounded_by:  # it may think for long
            return patience.run(contestant.choose, *question)
        if isinstance(contestant, ProcessContestant) and contestant.process is None:  # it went down at its last answer
            self.begin(self.start, self.seat, self.seed)
        return contestant.choose(*question)


def competitor(name: str, sizes: tuple[int, int], sandbox: str, human: Contestant) -> Competitor:
    """The player of a name; `human` answers for the one who sits here."""
    text = player_text(name)
    if text == HUMAN:
        return Competitor(name, human)
    agent = parse_agent(text)
    agent.check_walls(sandbox)
    if agent.is_trusted:
        return Competitor(name, LocalContestant(agent, GAME), agent.unwalled_files())
    variants = [{"size": size} for size in range(sizes[0], sizes[1] + 1)]
    environment = usual_environment(agent.course)
    contestant = ProcessContestant(
        agent, GAME, variants, margin=0.0, memory=A_LOT, walls=sandbox, environment=environment
    )
    return Competitor(name, contestant)


def turns(start: State, seats: tuple[Competitor, Competitor], seed: int) -> Iterator[Turn]:
    """A game, turn by turn."""
    first, second = (drawn(seed, "game", seat) % SEEDS for seat in (0, 1))
    session = GameSession.begin(start, (seats[0].name, seats[1].name), agent_seeds=(first, second))
    for seat in (0, 1):
        seats[seat].begin(start, seat, session.agent_seeds[seat])
    while not session.is_over:
        turn = seats[session.mover].play(session)
        session = turn.session
        yield turn


# Games


def checked_sizes(low: int, high: int) -> tuple[int, int]:
    """The sizes of autoplay; BadOption if there are none, or some that the game does not have."""
    if low > high:
        raise BadOption(f"--board_size_min {low} is more than --board_size_max {high}")
    for size in (low, high):
        game(GAME, size=size)
    return low, high


def start_of(seed: int, number: int, sizes: tuple[int, int]) -> State:
    """The start of a game of this run: a size that is drawn, both ends included, and a board of its own."""
    low, high = sizes
    size = low + drawn(seed, "size", number) % (high - low + 1)
    return game(GAME, size=size).initial(drawn(seed, "board", number) % SEEDS)


class Series:
    """Autoplay: each game on a board of its own; player 1 moves first in the first game, then they take turns."""

    def __init__(
        self, players: tuple[Competitor, Competitor], sizes: tuple[int, int], seed: int, conditions: str = ""
    ) -> None:
        self.players, self.sizes, self.seed, self.conditions = players, sizes, seed, conditions
        self.tally = Tally()  # of player 1

    def play(self, number: int) -> Iterator[tuple[Competitor, Turn]]:
        """A game, turn by turn with whose it is; at its end it is counted."""
        seats = self.players if number % 2 == 0 else self.players[::-1]
        start = start_of(self.seed, number, self.sizes)
        for turn in turns(start, seats, drawn(self.seed, "seats", number)):
            yield seats[turn.seat], turn
            outcome = turn.state.outcome
        assert outcome is not None
        self.tally = self.tally.add(0.5 if outcome.winner is None else float(seats[outcome.winner] is self.players[0]))

    def report(self) -> list[str]:
        """What was played, if a game was finished; the course's own two lines come last."""
        tally = self.tally
        if not tally.games:
            return []
        tied = f", {tally.draws} tied" if tally.draws else ""
        won = f"player 1 won {tally.wins}, player 2 won {tally.losses}{tied}"
        lines = [f"{words.count(tally.games, 'game')}, seed {self.seed}{self.conditions}: {won}"]
        lines.append(words.verdict("player 1", "player 2", tally))
        lines += [replaced(f"Player {seat + 1}", one) for seat, one in enumerate(self.players) if one.faults]
        for seat, one in enumerate(self.players):
            share = tally.score if seat == 0 else 1 - tally.score
            lines.append(
                f"Player {seat + 1}, agent {one.name}, win percentage: {round(share, 4)}. "
                f"Maximum turn time was {one.slowest:.5f} seconds."
            )
        return lines


def replaced(who: str, one: Competitor) -> str:
    """How many answers of a player became random walks, and why."""
    number = one.faults.total()
    became = "answer became a random walk" if number == 1 else "answers became random walks"
    reasons = ", ".join(f"{reason} {count}" for reason, count in one.faults.most_common())
    return f"{who}, agent {one.name}: {number} {became} ({reasons})"
