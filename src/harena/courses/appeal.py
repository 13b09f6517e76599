"""An appeal: the games of one submission, played again and compared with the graded ones.

A game is played again with everything that followed from its place in the grading: start, dice, seat, opponent, limits,
and the seeds of Python's and numpy's generators. What still differs comes from the clock, or from chance that the
agent makes itself. The graded games stay what they are.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from harena.agents.clocks import Clock
from harena.arena.contest import Spec
from harena.arena.judgement import Review
from harena.arena.outputs import Outputs
from harena.arena.record import Ply, Record
from harena.arena.runs.executors import Batch
from harena.arena.slot import Slot
from harena.courses.catalogue import COURSES
from harena.courses.grading import Plan, Submission
from harena.errors import printable
from harena.termination import Termination

SAME, OTHER_MOVES, OTHER_RESULT = "same", "other moves", "other result"
AGENT, OPPONENT, CHANCE_MOVE, START = "agent", "opponent", "chance", "start"  # what differed first
ANOTHER = "another submission"  # an opponent whose name is nobody else's business
RESULTS = {1.0: "won", 0.5: "drawn", 0.0: "lost"}
CHANCE = 2  # who makes a landing
MOST_LOG = 1 << 16  # bytes of what an agent prints in a game


@dataclass(frozen=True, kw_only=True)
class Difference:
    """How a game that was played again differs from the graded one: `kind`, what differed first, and a sentence."""

    kind: str
    cause: str
    text: str


@dataclass(frozen=True, kw_only=True)
class AppealGame:
    """A graded game (`then`) and the same game played again (`now`), from the view of one submission."""

    slot: Slot
    number: int  # of the graded game, as the student's report has it
    opponent: str
    is_level: bool
    seat: int
    then: Record
    now: Record
    log: str = ""  # what the agent printed when the game was played again
    review: Review | None = None  # of the graded game

    @cached_property
    def difference(self) -> Difference:
        """How the two games differ."""
        return compare(self)

    @property
    def is_lost(self) -> bool:
        """Whether the submission lost the graded game or the new one."""
        return 1 - self.seat in (self.then.winner, self.now.winner)

    def result(self, record: Record) -> str:
        """Won, drawn or lost."""
        return RESULTS[record.points(self.seat)]

    def is_own_fault(self, record: Record) -> bool:
        """Whether the submission lost this game by a fault of its own."""
        return record.reason != Termination.RULES and record.winner == 1 - self.seat


@dataclass(frozen=True, kw_only=True)
class Appeal:
    """All games of a submission, and how they were played."""

    plan: Plan
    submission: Submission
    home: str  # the folder of its files, which a report does not name
    games: tuple[AppealGame, ...]

    @property
    def spec(self) -> Spec:
        """How the games are played."""
        return self.plan.spec_for(self.submission)

    @property
    def clock(self) -> Clock:
        """The course's clock."""
        return COURSES[self.plan.course].clock

    @property
    def lost(self) -> list[AppealGame]:
        """The games that were lost then or now."""
        return [game for game in self.games if game.is_lost]

    def count(self, kind: str) -> int:
        """How many games differ so."""
        return sum(game.difference.kind == kind for game in self.games)

    def points(self, *, now: bool) -> float:
        """Points against the levels."""
        return sum((game.now if now else game.then).points(game.seat) for game in self.games if game.is_level)

    @property
    def level_games(self) -> int:
        """How many games were against levels."""
        return sum(game.is_level for game in self.games)

    def faults(self, *, now: bool) -> Counter[str]:
        """The submission's own faults, by their reasons."""
        records = [(game, game.now if now else game.then) for game in self.games]
        return Counter(record.reason for game, record in records if game.is_own_fault(record))

    @property
    def causes(self) -> Counter[str]:
        """What differed first, over all games that differ."""
        return Counter(game.difference.cause for game in self.games if game.difference.kind != SAME)


# Playing again


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What the contest of a graded game had that the plan of a later grading does not say."""

    round: int
    fresh: bool
    levels: int  # as the grading had it in which the game was played


def setting_of(record: Record, played_in: Plan) -> Setting:
    """The setting of a game that was played in this grading, maybe to be taken over by later ones."""
    conditions = record.conditions
    return Setting(
        round=int(conditions.get("round", 0)),
        fresh=bool(conditions.get("fresh", False)),
        levels=played_in.spec.levels,
    )


def batch_for(
    plan: Plan, setting: Setting, records: Mapping[Slot, Record], secret: bytes, logs: Outputs | None = None
) -> Batch:
    """These graded games of one setting, to be played again as they were."""
    return Batch(
        spec=replace(plan.spec, round=setting.round, rounds={}, fresh=setting.fresh, levels=setting.levels),
        secret=secret if setting.round else b"",
        # a game that the machine interrupted had other dice after that
        replays={str(slot): int(record.conditions.get("replays", 0)) for slot, record in records.items()},
        outputs=logs,
    )


class GameLogs(Outputs):
    """Keeps what one agent of a contest prints, by game."""

    def __init__(self, agent: int) -> None:
        self.agent = agent
        self.texts: dict[str, bytes] = {}  # by slot

    def heard(self, slot: str, agent: int, seat: int | None, said: bytes) -> None:
        """Keep what the agent wrote in a game."""
        if slot and agent == self.agent and said:
            self.texts[slot] = (self.texts.get(slot, b"") + said)[-MOST_LOG:]

    def void(self, slot: str, why: str) -> None:
        """Forget a game that does not count."""
        self.texts.pop(slot, None)

    def ended(self, slot: str, number: int | None, record: Record) -> None:
        """Nothing: the texts are taken by `text_of`."""

    def close(self) -> None:
        """Nothing: no file is open."""

    def text_of(self, slot: str) -> str:
        """What the agent printed in a game, in lines without codes for a terminal."""
        text = self.texts.get(slot, b"").decode("utf-8", "replace").replace("\r\n", "\n").expandtabs(4)
        return "\n".join(map(printable, text.rstrip().splitlines()))


# Comparing


def compare(game: AppealGame) -> Difference:
    """How the game played again differs from the graded one, and what differed first."""
    then, now = game.then, game.now
    if then.start != now.start:
        text = "The new game began from another position, so that the two cannot be compared."
        return Difference(kind=_kind(game, is_same=False), cause=START, text=text)
    ply = common_plies(then.plies, now.plies)
    is_same = ply == len(then.plies) == len(now.plies) and then.reason == now.reason and then.winner == now.winner
    if is_same:
        again = "; the fault came back" if game.is_own_fault(then) else ""
        return Difference(kind=SAME, cause="", text=f"The game came back move for move{again}.")
    kind = _kind(game, is_same=False)
    end = "with the same result" if kind == OTHER_MOVES else f"and now it is {game.result(now)}"
    cause, text = _first_difference(game, ply)
    return Difference(kind=kind, cause=cause, text=f"The new game went otherwise, {end}. {text}")


def common_plies(one: Sequence[Ply], other: Sequence[Ply]) -> int:
    """How many plies two games have in common at their beginning."""
    pairs = zip(one, other, strict=False)
    differ = (
        number for number, (first, second) in enumerate(pairs) if (first.by, first.move) != (second.by, second.move)
    )
    return next(differ, min(len(one), len(other)))


def _kind(game: AppealGame, *, is_same: bool) -> str:
    if is_same:
        return SAME
    return OTHER_MOVES if game.then.points(game.seat) == game.now.points(game.seat) else OTHER_RESULT


def _first_difference(game: AppealGame, ply: int) -> tuple[str, str]:
    """What differed first, after so many common plies, and the sentence about it."""
    then, now = game.then, game.now
    ended = [record for record in (then, now) if len(record.plies) == ply]
    if not ended:
        return _other_move(game, ply)
    failed = [record for record in ended if game.is_own_fault(record)]
    if not failed:
        other = (
            "a fault of the opponent" if any(record.reason != Termination.RULES for record in ended) else "another end"
        )
        return OPPONENT, f"The first {ply} plies are the same; then one of the games ended by {other}."
    if len(failed) == 2:
        return AGENT, f"Both games ended by a fault after ply {ply}: {then.reason} then, {now.reason} now."
    if failed[0] is now:
        return AGENT, f"After the same {ply} plies your agent failed now ({now.reason}), but not when it was graded."
    return AGENT, f"After the same {ply} plies your agent did not fail again: {_answered(game, ply)}"


def _answered(game: AppealGame, ply: int) -> str:
    if len(game.now.plies) <= ply:
        return "the game ended otherwise."
    answer = game.now.plies[ply]
    took = "" if answer.seconds is None else f" after {answer.seconds:.3f} s"
    lost = f" The {game.then.reason} fault" if game.then.reason != Termination.TIME else " The loss on time"
    return f"it answered {printable(answer.move)}{took}.{lost} did not come back."


def _other_move(game: AppealGame, ply: int) -> tuple[str, str]:
    one, other = game.then.plies[ply], game.now.plies[ply]
    moves = f"{printable(one.move)} then and {printable(other.move)} now"
    if CHANCE in (one.by, other.by):
        why = "the machine stood still in one of the two, and a game that is interrupted gets other dice"
        return CHANCE_MOVE, f"The dice differ from ply {ply + 1} on ({moves}): {why}."
    if one.by == game.seat:
        return AGENT, f"In the same position, at ply {ply + 1}, your agent chose {moves}."
    return OPPONENT, f"In the same position, at ply {ply + 1}, your opponent chose {moves}."
