"""What an agent did wrong, and the moment at which an answer has to be there."""

import json
import time
import traceback
from dataclasses import dataclass
from pathlib import Path

from harena.errors import HarenaError, printable
from harena.termination import Termination

OURS = Path(__file__).parents[1]
LONGEST_DETAIL = 300  # letters
LONGEST_TRACEBACK = 1 << 15  # letters
MOST_SENT = 48_000  # bytes of a traceback in a line of JSON, which has 64 kB at most
WALL, CPU = "wall", "cpu"  # the kinds of clocks
CLOCK_KINDS = (WALL, CPU)
SLEEP_FACTOR, SLEEP_SECONDS = (
    3.0,
    1.0,
)  # wall time after which a CPU clock gives up: this often the limit, and this more
STUBBORN = 60.0  # seconds more for an agent whose game was interrupted once before


class AgentFault(HarenaError):
    """What an agent did wrong: `reason` is why it loses, `detail` is a line about it.

    `traceback` is the traceback of a crash, of several lines, as far as it is known.
    `is_stall` says that the machine is to blame: it had no processor for the agent for so long that nobody waits on.
    `has_answered` says of a late agent that no answer is to come any more.
    """

    def __init__(
        self,
        reason: str,
        detail: str = "",
        *,
        traceback: str = "",
        is_stall: bool = False,
        has_answered: bool = False,
        seconds: float = 0.0,
    ) -> None:
        short = printable(" ".join(detail.split()))[:LONGEST_DETAIL]
        super().__init__(f"{reason}: {short}" if short else reason)
        self.reason, self.detail = Termination(reason), short
        self.is_stall, self.has_answered = is_stall, has_answered
        self.traceback = shorten_traceback(traceback)
        self.seconds = seconds  # that a late answer was waited for


class Stopped(HarenaError):
    """The contest is over before its end: nothing is asked any more."""


def traceback_of_cause(error: BaseException) -> str:
    """The traceback of the exception behind an error of ours, without frames of Harena; nothing if there is none."""
    if error.__cause__ is None:
        return ""
    whole = traceback.TracebackException.from_exception(error.__cause__)
    kept = [frame for frame in whole.stack if not Path(frame.filename).is_relative_to(OURS)]
    whole.stack = traceback.StackSummary.from_list(kept)
    return "".join(whole.format(chain=False)) if kept else ""


def shorten_traceback(text: str, most: int = LONGEST_TRACEBACK) -> str:
    """The last part of a traceback that may be kept, in whole lines, without the codes that steer a terminal."""
    lines = text[-2 * most :].expandtabs(4).splitlines()
    plain = "\n".join(map(printable, lines)).strip("\n")
    if len(plain) <= most and len(text) <= 2 * most:
        return plain
    last = plain[-most:]
    return f"[...]\n{last.partition(chr(10))[2] or last}"


def fit_into_line(text: str) -> str:
    """The traceback of a player of ours as it is sent in a line of JSON."""
    most = LONGEST_TRACEBACK
    while len(json.dumps(short := shorten_traceback(text, most))) > MOST_SENT:
        most //= 2
    return short


@dataclass(kw_only=True)
class Due:
    """When an answer has to be there, on the clock of `time.perf_counter`."""

    begin: float
    limit: float  # seconds that the agent knows of
    margin: float = 0.0  # seconds more until it is stopped
    clock: str = WALL
    stubborn: bool = False  # wait far longer for an agent that the machine has no processor for; then it is its fault
    spent: float = 0.0  # seconds that it has used before
    is_part: bool = False  # of a turn that is timed as a whole: what the machine took counts to the millisecond
    moment: float = 0.0  # the next look at what the agent has used

    def __post_init__(self) -> None:
        self.moment = self.begin + self.allowed

    @property
    def allowed(self) -> float:
        """Seconds that the agent may still use."""
        return max(0.0, self.limit + self.margin - self.spent)

    @property
    def patience(self) -> float:
        """Seconds of wall time after which nobody waits, whatever the agent has used."""
        return SLEEP_FACTOR * self.limit + SLEEP_SECONDS + self.margin + (STUBBORN if self.stubborn else 0.0)

    @property
    def waited(self) -> float:
        """Seconds since the question."""
        return time.perf_counter() - self.begin

    def late(self, event: str, used: float, *, is_stall: bool = False, has_answered: bool = False) -> AgentFault:
        """The fault of an agent that used so much: how long it took, what the limit is, and the overrun."""
        used += self.spent
        times = (f"{1000 * seconds:.0f} ms" for seconds in (used, self.limit, used - self.limit))
        kind = " of CPU time" if self.clock == CPU else ""
        text = "{} after {}{kind}: limit {}, {} over".format(event, *times, kind=kind)
        return AgentFault(Termination.TIME, text, is_stall=is_stall, has_answered=has_answered, seconds=self.waited)

    def asleep(self, used: float) -> AgentFault:
        """The fault of an agent that does not use its CPU time, and does not answer either."""
        waited = f"no answer after {self.waited:.1f} s, of which it used {1000 * used:.0f} ms of CPU time"
        return AgentFault(Termination.TIME, f"{waited}: limit {1000 * self.limit:.0f} ms", seconds=self.waited)
