"""Looks an agent over before it is handed in: each thing that can go wrong is a line, green, yellow or red.

It is asked for single turns in sampled positions, and plays only a few short games, so that a minute is enough;
`thorough` plays whole ones.
"""

import shlex
import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from harena.agents import contestant
from harena.agents.environments import environments_for, versions_text
from harena.agents.fault import AgentFault
from harena.agents.loading import CONSTRUCTOR_SECONDS
from harena.arena.words import count, nth
from harena.courses.asking import STOPS, Asker, Turn
from harena.courses.finding import Finding, fine, note, red
from harena.courses.forbidden import rules_of, writes
from harena.courses.hosting.encoding import NAME, SAVE, parted
from harena.courses.hosting.importing import EXITED, OUTSIDE
from harena.courses.hosting.parsing import TOO_DEEP
from harena.courses.hosting.stand_ins import part_missing
from harena.courses.opponents import THOROUGH, play_levels, short_games
from harena.courses.sampling import LOST, ONE_MOVE, STUCK, SURVEYS, Sample, samples, situation
from harena.courses.subject import Subject
from harena.sandbox.walls import sandbox
from harena.termination import Termination

CLOSE = 0.95  # of a limit: worth a note
TWICE = 3  # positions that are asked again
HANGS = 2  # turns without any answer: one alone may be a slip where the limit is brief
Watch = Callable[[str, int, int], None]  # told what is done, how much of it, and of how much

FORMS = {
    "comp424": "((row, column), side)",
    "comp424-2022": "((row, column), side)",
    "w4701": "(row, column), two integers",
    "w4701-reused": "(row, column), two integers",
    "aind": "(row, column), two integers",
}
UNREACHED = "put the file beside your agent, and name it by a relative path; the position:"
LOADING = {  # what a fault at the start says, and what to do about it; the first that fits
    OUTSIDE: "put the file beside your agent, and name it by a relative path",
    EXITED: "no exit, quit or sys.exit at the top level of the file",
    TOO_DEEP: "split its longest expressions and chains of elif: Python cannot read the file",
    "Non-UTF-8": f"{SAVE}{NAME}",
    "SyntaxError": "mend that line: Python cannot read the file",
    "IndentationError": "mend the indentation of that line: Python cannot read the file",
    "TabError": "indent with blanks only: Python cannot read the file",
    "not ready after": "is there a loop at the top level of the file, or in the constructor?",
    "": "nothing can be asked before it loads",
}
BUSY = "close other programs, and check again"
SITUATIONS = {
    LOST: ("when lost", "every move loses, and a legal one is played"),
    ONE_MOVE: ("one move", "the only one is played"),
    STUCK: ("other stuck", "the opponent cannot move any more, and a legal move is played"),
}


def nobody(what: str, done: int, total: int) -> None:
    """For whoever does not want to see how it goes."""


def examine(
    subject: Subject,
    *,
    walls: str = "auto",
    python: str | None = None,
    thorough: bool = False,
    sizes: Sequence[int] = (),
    watch: Watch = nobody,
) -> Iterator[Finding]:
    """The lines about an agent, as they are known; boards of these sizes only, if some are given.

    `python` names the Python that hosts it, as `--python` does.
    """
    environments = environments_for([subject.agent], python)
    asked = samples(subject.game, sizes, subject.setup)
    options = [dict(given) for given in {tuple(one.options.items()): one.options for one in asked}.values()]
    with Asker(subject, walls, options, environments) as asker:
        watch("loading", 0, 1)
        try:
            seconds = asker.start()
        except AgentFault as fault:
            yield unloaded(fault)
            yield from rules_of(subject)
            return
        hosted = f"; {versions_text(asker.hosted)}" if asker.hosted else ""
        yield fine("loads", f"in {_seconds(seconds)}; sandbox: {sandbox(walls).level}{hosted}")
        turns = list(_watched(asker, asked, watch))
        answers = Answers(subject, asker, turns, len(asked))
        yield from (answers.legal(), answers.time(), *answers.constructor(), answers.memory())
        known = {str(turn.fault) for turn in answers.wrong[:1]}
        before = len(asker.cuts)
        for called in SITUATIONS:
            yield from _in_situation(subject, asker, called, known, watch)
        is_told = before >= HANGS or asker.overruns > 0
        yield from _again(asker, turns, watch)
        if not is_told and len(asker.cuts) > before:
            told = red if asker.overruns or len(asker.cuts) >= HANGS else note
            yield told("answers", _stopped(asker.cuts), STOPS)
        yield from rules_of(subject)
        yield _output(subject, asker)
        usual = None if asker.has_given_up else answers.usual
        opening = max(answers.openings, default=0.0)
    if thorough and usual is not None:
        yield from play_levels(subject, THOROUGH[subject.game], walls=walls, environments=environments, watch=watch)
    elif usual is not None:
        yield from short_games(subject, usual, opening, walls=walls, environments=environments, watch=watch)
    else:
        yield note("strength", "no games: first it has to answer, and in time")


def _watched(asker: Asker, asked: Sequence[Sample], watch: Watch) -> Iterator[Turn]:
    for done, turn in enumerate(asker.ask_all(asked), 1):
        watch("asking for moves", done, len(asked))
        yield turn


@dataclass(frozen=True)
class Answers:
    """What an agent did in the sampled positions."""

    subject: Subject
    asker: Asker
    turns: list[Turn]
    wanted: int  # positions

    @property
    def gave_up(self) -> str:
        """Said where it was not asked in all positions."""
        left = self.wanted - len(self.turns)
        return f"; given up, {count(left, 'position')} not asked" if left else ""

    @property
    def usual(self) -> float | None:
        """Seconds of a turn, usually."""
        return statistics.median(self.times) if self.times else None

    @property
    def times(self) -> list[float]:
        """Of the turns that were answered, in time or not; not of first moves that have a limit of their own."""
        return [turn.seconds for turn in self.turns if turn.moves and not turn.is_opening]

    @property
    def shown(self) -> str:
        """Its times in words; a turn that was cut off took at least as long as that."""
        times, cut = self.times, max((turn.cut for turn in self.asker.cuts), default=0.0)
        if not times:
            return f"no answer after {_seconds(cut)}" if cut else "no answer"
        longest = f"{_seconds(cut)} (no answer)" if cut > max(times) else _seconds(max(times))
        return f"median {_seconds(statistics.median(times))}, longest {longest}"

    @property
    def openings(self) -> list[float]:
        """The times of first moves, where they have a limit of their own."""
        return [turn.opening for turn in self.turns if turn.moves and turn.opening is not None]

    @property
    def told(self) -> list[Turn]:
        """The turns that show what it answers; what was late or too large has its own line."""
        return [turn for turn in self.turns if turn.moves or turn.reason not in (Termination.TIME, Termination.MEMORY)]

    @property
    def wrong(self) -> list[Turn]:
        """Of these the ones without a legal move."""
        return [turn for turn in self.told if not turn.moves]

    def legal(self) -> Finding:
        """Whether every answer was a legal move."""
        told, wrong = self.told, self.wrong
        if wrong:
            often = f"{len(wrong)} of {count(len(told), 'answer')} {'is' if len(wrong) == 1 else 'are'} no legal move"
            return faulty(
                "legal", self.subject, wrong[0], f"{often}, the first in {wrong[0].sample.where}", self.gave_up
            )
        if not told:
            return note("legal", f"no answer to look at{self.gave_up}")
        return fine("legal", f"in {count(len(told), 'position')} ({SURVEYS[self.subject.game].about}){self.gave_up}")

    def time(self) -> Finding:
        """The time of its turns against the limit."""
        limit, first, times, openings = self.subject.clock.seconds, self.subject.clock.first, self.times, self.openings
        shown, cuts = self.shown, self.asker.cuts
        if openings:
            shown = f"first moves up to {_seconds(max(openings))}, then {shown}"
        late = [turn for turn in self.turns if turn.is_late]
        if limit is None or not (times or late):
            return note("time", f"{shown}{self.gave_up}")
        unit = "a turn, walk and aim" if self.subject.clock.by_turn else "a move"
        allowed = f"{_seconds(limit)} {unit}"
        if first is not None:
            allowed = f"{_seconds(first)} for the first of a game, then {allowed}"
        if late:
            often = f"{len(late)} of {count(len(self.turns), 'turn')} took longer than {allowed}"
            advice = "look at the clock in your search, and answer with the best so far when 80 % of the time is over"
            hung = f"; {_stopped(cuts)}" if cuts and times else ""
            return red("time", f"{often}, the first in {late[0].sample.where}; {shown}{hung}{self.gave_up}", advice)
        if len(cuts) >= HANGS:
            return red("time", f"{_stopped(cuts)}; {shown} of {allowed}{self.gave_up}", STOPS)
        if max(times, default=0.0) > CLOSE * limit or max(openings, default=0.0) > CLOSE * (first or limit):
            close = "that is close: the machine of the course may be slower"
            return self._slipped(f"{shown} of {allowed}") or note("time", f"{shown} of {allowed}", close)
        return self._slipped(f"{shown} of {allowed}") or fine("time", f"{shown} of {allowed}")

    def _slipped(self, shown: str) -> Finding | None:
        """The note about turns that were answered in time only when asked again, if there are some."""
        if busy := [turn for turn in self.turns if turn.waited and (turn.slipped or turn.is_excused)]:
            return note("time", f"{shown}; {_busy(busy)}", BUSY)
        if cuts := self.asker.cuts:
            answered = "and a fresh process answered in time"
            return note("time", f"{_stopped(cuts)}, {answered}; {shown}", f"{STOPS}; or {BUSY}")
        if slipped := sum(turn.slipped for turn in self.turns):
            often = f"{count(slipped, 'turn')} late, and in time when asked again"
            return note("time", f"{shown}; {often}", "keep more time in hand, or close other programs")
        return None

    def constructor(self) -> Iterator[Finding]:
        """The longest time of its constructor against the limit; nothing of an agent that is not a course's class."""
        times, slow = self.asker.constructors, self.asker.slow_constructors
        limit = _seconds(CONSTRUCTOR_SECONDS)
        late = slow + sum(seconds > CONSTRUCTOR_SECONDS for seconds in times)
        if late > 1 or (slow and not times):
            often = f"{late} of {count(slow + len(times), 'instance')} took longer than {limit}"
            yield red("constructor", often, "load data at the top level of the file, and think in the moves")
        elif late:
            yield note("constructor", f"{_seconds(statistics.median(times))} of {limit}, and once longer", BUSY)
        elif times:
            yield fine("constructor", f"{_seconds(max(times))} of {limit}")

    def memory(self) -> Finding:
        """The most memory it used against the limit."""
        limit, peak = self.subject.clock.memory, f"{self.asker.peak:.0f} MB at most"
        wrong = [turn for turn in self.turns if turn.reason == Termination.MEMORY]
        if wrong:
            shown = f"{wrong[0].fault}, the first time in {wrong[0].sample.where}{self.gave_up}"
            return red("memory", shown, "keep less: bound the size of trees and tables")
        if not self.asker.peak:
            return note("memory", "no answer, so nothing was measured")
        if limit is None:
            return fine("memory", peak)
        if self.asker.peak > limit:
            return red("memory", f"{peak}, of {limit:g} MB", "keep less: bound the size of trees and tables")
        if self.asker.peak > CLOSE * limit:
            return note("memory", f"{peak}, of {limit:g} MB", "that is close: games are longer than single moves")
        return fine("memory", f"{peak}, of {limit:g} MB")


def faulty(what: str, subject: Subject, turn: Turn, shown: str, more: str = "") -> Finding:
    """A red line about a fault in a position, with what to do and how to see the position."""
    fault = turn.fault
    assert fault is not None
    form = FORMS.get(subject.course or "", "the text of a legal move")
    command = f"harena show {subject.game} --position {shlex.quote(turn.sample.state.text)}"
    advice = fault.reason.words.advice.format(form=form)
    if fault.reason == Termination.CRASH and OUTSIDE in fault.detail:
        advice = UNREACHED
    elif fault.reason == Termination.CRASH and fault.detail.startswith(EXITED):
        advice = Termination.EXIT.words.advice
    return red(what, f"{shown}: {fault}{more}", advice, command, fault.traceback)


def unloaded(fault: AgentFault) -> Finding:
    """The red line about an agent that cannot be started."""
    said = fault.detail or fault.reason
    if said.startswith("no answer after"):
        said = f"not ready after {contestant.LOAD_SECONDS:g} s"
    what, advice = parted(said)
    if not advice:
        what, advice = part_missing(said)
    advice = advice or next(advice for words, advice in LOADING.items() if words in said)
    return red("loads", what, advice, traceback=fault.traceback)


def _stopped(cuts: Sequence[Turn]) -> str:
    """What is said of turns that were cut off."""
    first, often = cuts[0], f" {len(cuts)} times" if len(cuts) > 1 else ""
    place = f"at its {nth(first.number)} move since it was started ({first.sample.where})"
    return f"it stopped answering{often}: no answer after {_seconds(first.cut)}, {place}"


def _busy(turns: Sequence[Turn]) -> str:
    """What the machine did to these turns."""
    longest, late = max(turn.waited for turn in turns), [turn for turn in turns if turn.is_excused]
    still = f"{len(late)} still when asked again" if late else "in time when asked again"
    lost = f"it kept the agent waiting for up to {_seconds(longest)}"
    return f"this machine was busy: {count(len(turns), 'turn')} late while {lost}, {still}"


def _in_situation(subject: Subject, asker: Asker, called: str, known: set[str], watch: Watch) -> Iterator[Finding]:
    """How it behaves in the positions of this name, where its game has some; a fault that is known is told once."""
    asked = situation(subject.game, called)
    if not asked:
        return
    what, text = SITUATIONS[called]
    turns = list(asker.ask_all(asked))
    watch(what, 1, 1)
    wrong = [turn for turn in turns if turn.fault and not turn.is_excused]
    often = f"{len(wrong)} of {count(len(turns), 'position')} went wrong"
    if wrong and str(wrong[0].fault) in known:
        yield red(what, f"{often}, as above", "mend that first")
    elif wrong:
        known.add(str(wrong[0].fault))
        yield faulty(what, subject, wrong[0], often)
    elif busy := [turn for turn in turns if turn.is_excused]:
        yield note(what, _busy(busy), BUSY)
    elif len(turns) < len(asked):
        yield note(what, "not asked: it was given up before")
    else:
        yield fine(what, f"{text} ({count(len(turns), 'position')})")


def _again(asker: Asker, turns: list[Turn], watch: Watch) -> Iterator[Finding]:
    """Whether a fresh process answers the same; good to know, and neither right nor wrong."""
    answered = [turn for turn in turns if turn.fault is None]
    chosen = answered[:: max(1, len(answered) // TWICE)][:TWICE]
    asker.restart()
    second = list(asker.ask_all(turn.sample for turn in chosen))
    watch("same twice", 1, 1)
    if not second:
        yield note("same twice", "not asked: it was given up before" if chosen else "no answer to compare")
        return
    differing = sum(one.moves != other.moves for one, other in zip(chosen, second, strict=False))
    if differing:
        shown = f"{differing} of {count(len(second), 'answer')} differed when asked again"
        yield fine("same twice", f"{shown}: it draws at random, or the clock decides. Games cannot be repeated")
    else:
        yield fine("same twice", f"{count(len(second), 'answer')} the same in a fresh process")


def _output(subject: Subject, asker: Asker) -> Finding:
    """What it prints and writes."""
    found = []
    if asker.words:
        shown = asker.words if len(asker.words) <= 40 else f"{asker.words[:40]}..."
        found.append(f"it prints, the last line: {shown}")
    if written := writes(subject.file):
        found.append(f"it writes files: {', '.join(f'{name} (line {line})' for name, line in written.items())}")
    if found:
        return note("output", "; ".join(found), "take that out: it costs time, and nobody reads it in a tournament")
    return fine("output", "prints nothing, and no call in it writes a file")


def _seconds(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"
