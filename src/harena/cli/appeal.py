"""`harena grade --again NAME`: the games of one submission played again, and a report for its author."""

import difflib
import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from rich.console import Console
from rich.text import Text

from harena.agents.environments import OWN, find_environment, typed_places
from harena.agents.launch import WALL_LESS
from harena.agents.spawn import check_processes
from harena.agents.spec import parse_agent
from harena.arena import reviews
from harena.arena.claims import claimed
from harena.arena.judgement import Review
from harena.arena.privacy import private_files
from harena.arena.record import Record
from harena.arena.review import ReviewStopped, usual
from harena.arena.runs.display import RunDisplay
from harena.arena.runs.executors import Batch, LocalExecutor
from harena.arena.runs.kind import CHANGING, RunKind, games_line
from harena.arena.runs.presentation import Block, Line, Summary
from harena.arena.runs.runner import GameFinished, Progress, Runner, stored_games
from harena.arena.shelf import originals
from harena.arena.slot import Slot, slot_of
from harena.arena.store import FINISHED, Run, Store
from harena.cli.live_run import live_run
from harena.courses import gradebook
from harena.courses.appeal import ANOTHER, Appeal, AppealGame, GameLogs, Setting, batch_for, setting_of
from harena.courses.appeal_report import json_of, page_of, sentences, text_of
from harena.courses.catalogue import COURSES
from harena.courses.grade import BUSY, STAGED_IN, STORE, check_walls, digest
from harena.courses.grading import PSEUDONYMS, Book, Plan, Submission, plan_of
from harena.courses.grading_run import Grading
from harena.courses.intake import is_safe_name, only_file
from harena.courses.levels import GRADINGS
from harena.courses.rounds import SECRET_FILE, History
from harena.errors import BadFile, UnknownName, UsageError, clean
from harena.files import write_output
from harena.kernel import patience
from harena.kernel.trusted import only_trusted, quoted
from harena.sandbox.walls import parse_choice
from harena.search.result import Limits
from harena.termination import Termination

APPEALS, PLAYED = "appeals", "games"  # folders: reports, and within it the stores and logs of the games
LIMITS = Limits(nodes=100_000)  # of a review: quicker than `harena review`, and enough for the turning point
MOST_NAMES = 8  # submissions that a message lists
NEAR = 0.4  # how much a name resembles what was typed, to be offered


def play_again(
    folder: str | None,
    name: str,
    course: str | None = None,
    sandbox: str = "auto",
    python: str | None = None,
    *,
    out: str | None,
    store: str | None,
    concurrency: int,
    as_json: bool,
) -> None:
    """Play the games of a submission again, or go on with an appeal that was stopped; write and print the report.

    A grading is data, and anybody may have written it: nothing is started but the submissions in its folder. They have
    walls unless `sandbox` is a level without them, and an interpreter hosts them by its path only if `python` names it.
    """
    check_processes()
    target = find_grading(folder, out)
    busy, games = BUSY.format(target), target / APPEALS / PLAYED
    with (
        private_files(),
        claimed(target / "grading", "now", busy),
        Store(store or target / STORE, new=False) as grading,
    ):
        case = open_case(grading, target, name, sandbox)
        if course not in (None, case.plan.course):
            raise UsageError(f"{clean(target)} is a grading of {case.plan.course}, not of {course}")
        check_python(case.plan, python)
        homes = [home_of(target, player) for player in players_of(case.plan, case.graded)]
        check_no_links(target / APPEALS)
        games.mkdir(parents=True, exist_ok=True)
        with (
            only_trusted([], homes, parse_choice(sandbox).level),
            Store(games / f"{case.submission.name}.sqlite") as kept,
        ):
            Hearing(case, grading, kept, games / f"{case.submission.name}.logs").hold(concurrency, as_json)


def check_options(given: Mapping[str, object]) -> None:
    """UsageError if an option of `grade` is typed that would change how games are played."""
    if typed := [name for name, value in given.items() if value not in (None, False)]:
        raise UsageError(f"--again plays as the grading did: leave {' and '.join(typed)} out")


def find_grading(folder: str | None, out: str | None) -> Path:
    """The folder of a grading: as named, beside the submissions, or the only one in the current folder."""
    if out is not None:
        found = Path(out)
    elif folder is not None:
        found = Path(folder) if (Path(folder) / STORE).exists() else Path(f"{Path(folder).resolve()}-grades")
    else:
        near = [Path()] if Path(STORE).exists() else sorted(path.parent for path in Path().glob(f"*-grades/{STORE}"))
        if len(near) != 1:
            listed = f": there are {', '.join(clean(path) for path in near)}" if near else ""
            raise UsageError(f"--again needs the folder of the submissions or of the grading{listed}")
        found = near[0]
    if not found.is_dir():
        raise BadFile(f"{clean(found)}: there is no such folder; harena grade makes it, --out names another")
    return found.resolve()


@dataclass(frozen=True, kw_only=True)
class Case:
    """A graded submission whose games can be played again."""

    target: Path
    run: Run
    plan: Plan
    submission: Submission
    secret: bytes
    graded: Mapping[Slot, Record]
    numbers: Mapping[Slot, int]  # of the graded games, as the report of the submission has them
    settings: Mapping[Slot, Setting]


def open_case(grading: Store, target: Path, name: str, sandbox: str = "auto") -> Case:
    """The latest grading of this submission; UsageError says why its games cannot be played again."""
    runs = [run for run in grading.runs() if run.kind == Grading.kind]
    if not runs:
        raise UsageError(f"{grading.path} holds no grading: harena grade makes one")
    run, plan = runs[-1], plan_of(dict(runs[-1].spec))
    check_plan(plan)
    check_sandbox(plan.spec.sandbox, sandbox)
    submission = find_submission(plan, name, has_pseudonyms=run.note == PSEUDONYMS)
    if submission.refused:
        raise UsageError(f"{submission.name} was refused and has no games: {clean(submission.refused)}")
    me = plan.number(submission)
    graded = {slot: record for slot, record in stored_games(grading, run.id) if me in (slot.a, slot.b)}
    if not Book(plan, graded).is_complete(submission):
        raise UsageError(f"{submission.name} is not graded yet: harena grade with the same words goes on")
    check_files(target, submission, plan.course)
    for opponent in players_of(plan, graded):
        if opponent != submission:
            check_files(target, opponent, plan.course, owner=f"an opponent of {submission.name}")
    first = originals(grading, run.id)
    numbers = {slot_of(text): first.get(number, number) for text, number in grading.numbers(run.id).items()}
    settings = {slot: setting_of(record, _played_in(grading, numbers[slot])) for slot, record in graded.items()}
    history = History(grading, runs, target)
    for number in sorted({setting.round for setting in settings.values()}):
        if not history.can_play(number):
            raise UsageError(
                f"the secret of round {number} is not in {clean(target / SECRET_FILE)}: "
                "without it no game can be played again with the same dice"
            )
    return Case(
        target=target,
        run=run,
        plan=plan,
        submission=submission,
        secret=history.secret,
        graded=graded,
        numbers=numbers,
        settings=settings,
    )


def _played_in(grading: Store, number: int) -> Plan:
    """The plan of the grading in which a game was played."""
    return plan_of(dict(grading.run(grading.row(number).run).spec))


def find_submission(plan: Plan, name: str, *, has_pseudonyms: bool) -> Submission:
    """The submission of this name, file name or pseudonym; UsageError offers the nearest names."""
    names = {one.name: one for one in plan.submissions}
    known = {one.file: one for one in plan.submissions if one.file} | names
    if has_pseudonyms:
        shown = gradebook.pseudonyms([*names], plan.spec.seed)
        known = {shown[one]: submission for one, submission in names.items()} | known
    if name in known:
        return known[name]
    lower = {one.lower(): one for one in known}
    near = [lower[one] for one in difflib.get_close_matches(name.lower(), lower, n=3, cutoff=NEAR)]
    if near:
        offer = f"the nearest: {', '.join(map(clean, near))}"
    else:
        more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
        offer = f"there are: {', '.join(map(clean, sorted(names)[:MOST_NAMES]))}{more}"
    raise UsageError(f"no submission {clean(name)!r} in this grading; {offer}")


def players_of(plan: Plan, slots: Iterable[Slot]) -> list[Submission]:
    """The submissions that play in these games, in the order of the plan."""
    numbers = {number for slot in slots for number in (slot.a, slot.b)}
    return [submission for submission in plan.playing if plan.number(submission) in numbers]


def check_plan(plan: Plan) -> None:
    """UsageError unless a stored plan is one that `grade` makes: the game, players of ours as levels, and submissions.

    A plan names code, and a game or a level in a file runs without walls.
    """
    if plan.course not in GRADINGS:
        raise UnknownName("course", plan.course, GRADINGS)
    game, levels = GRADINGS[plan.course].game, [level.player for level in plan.levels]
    if plan.spec.game != game:
        raise UsageError(
            f"this grading is of {clean(plan.spec.game)}, and {plan.course} plays {game}: nothing is played"
        )
    if files := [file for level in levels for file in parse_agent(level).paths()]:
        raise UsageError(f"this grading has code as a level, {clean(files[0])}: it is not run")
    if plan.spec.agents != [*levels, *(submission.agent for submission in plan.playing)]:
        raise UsageError("this grading has other agents than levels and submissions: nothing is played")
    if names := [submission.name for submission in plan.submissions if not is_safe_name(submission.name)]:
        raise UsageError(f"this grading has a submission of the name {clean(names[0])!r}, which grade gives to none")


def check_sandbox(graded_with: str, typed: str) -> None:
    """UsageError if another sandbox is typed than the grading had, or none where it had no walls.

    SandboxError if its walls cannot be had here.
    """
    is_typed, is_same = typed != "auto", parse_choice(typed) == parse_choice(graded_with)
    if is_typed and not is_same:
        raise UsageError(f"--again plays as the grading did, with --sandbox {clean(graded_with)}: type that")
    if parse_choice(graded_with).level in WALL_LESS and not is_typed:
        raise UsageError(
            f"submissions ran without walls in this grading: if you trust them, type --sandbox {clean(graded_with)}"
        )
    check_walls(graded_with)


def check_python(plan: Plan, typed: str | None) -> None:
    """UsageError if another Python is typed than hosted the grading, or none where its place is a path."""
    described = plan.spec.environments.get(plan.course, {"place": OWN})
    graded_with = str(described.get("place"))
    environment = find_environment(plan.course, typed) if typed else None
    place = OWN if environment is None else environment.place
    if typed and place != graded_with:
        raise UsageError(f"--again plays as the grading did, with --python {quoted(graded_with)}: type that")
    if not typed and (paths := typed_places(plan.spec.environments)):
        shown = quoted(paths[0])
        raise UsageError(f"submissions were hosted by {shown} in this grading: if you trust it, type --python {shown}")


def check_no_links(folder: Path) -> None:
    """UsageError if a link leads out of a folder that is written to."""
    if link := next((path for path in (folder, *folder.rglob("*")) if path.is_symlink()), None):
        raise UsageError(f"{clean(link)} is a link: remove it, since reports are written there")


def home_of(target: Path, submission: Submission) -> Path:
    """The folder with the copy of a submission that was graded."""
    return target / STAGED_IN / submission.name


def check_files(target: Path, submission: Submission, course: str, owner: str = "") -> None:
    """UsageError unless the files that were graded are still in the folder of the grading; `owner` says whose."""
    home = home_of(target, submission)
    if not submission.agent.startswith(f"{course}:{home}"):
        raise UsageError(
            f"{submission.name} was graded in another folder than {clean(target)}: "
            "run harena grade there first, which keeps its games"
        )
    if home.is_symlink() or not home.is_dir() or digest(home) != submission.digest:
        whose = f" ({owner})" if owner else ""
        raise UsageError(
            f"{clean(home)}{whose} is not what was graded: run harena grade first, which plays what has changed"
        )
    if submission.agent not in agent_texts(course, home):
        raise UsageError(f"{submission.name} has an agent that is not in {clean(home)}: it is not started")


def agent_texts(course: str, home: Path) -> list[str]:
    """The texts that `grade` may have given the agent in this folder, now and in version 0.1.0."""
    file = only_file(home)
    return [COURSES[course].agent_text(home, file), *([] if file is None else [f"{course}:{file}"])]


class Hearing(RunKind):
    """An appeal while its games are played and looked at."""

    kind: ClassVar[str] = "appeal"

    def __init__(self, case: Case, grading: Store, kept: Store, logs: Path) -> None:
        self.case, self.grading, self.kept, self.logs = case, grading, kept, logs
        self.spec = case.plan.spec
        self.records: dict[Slot, Record] = {}
        self.game_logs = GameLogs(case.plan.number(case.submission))
        self.step = ""  # what is done after the games
        self.found: Appeal | None = None  # when all is done

    def hold(self, concurrency: int, as_json: bool) -> None:
        """Play what is missing, look into the lost games, write the report and print what came of it."""
        run = self._begin()
        again = f"harena grade --again {clean(self.case.submission.name)} with the same words goes on"
        result = self.result_json if as_json else None
        runner = Runner(self.kept, LocalExecutor(concurrency))
        with (
            live_run(RunDisplay(self), self.print_result, again=again, result=result),
            closing(runner.play(run.id, self)) as events,
        ):
            for event in events:
                if isinstance(event, GameFinished) and (text := self.game_logs.text_of(str(event.slot))):
                    write_output(str(self._log(event.slot)), text.encode("utf-8", "replace"))
                elif isinstance(event, Progress) and event.text != self.step:
                    print(f"harena: {event.text}", file=sys.stderr, flush=True)

    def _begin(self) -> Run:
        """The run of an appeal that was stopped, if it is about the same games; else a new one."""
        spec = self.to_dict()
        old = [run for run in self.kept.runs() if run.status != FINISHED and dict(run.spec) == spec]
        if not old:
            shutil.rmtree(self.logs, ignore_errors=True)
        self.logs.mkdir(exist_ok=True)
        run = old[-1] if old else self.kept.new_run(self.kind, spec)
        self.add_all((slot, record) for slot, record in stored_games(self.kept, run.id) if slot in self.case.graded)
        return run

    # As a run

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> NoReturn:
        """Nothing: an appeal is made from the grading that it is about."""
        raise UsageError("an appeal goes on when `harena grade --again` is given the same words again")

    def to_dict(self) -> dict[str, Any]:
        """The stored form."""
        case = self.case
        return {
            "grading": case.run.id,
            "submission": case.submission.name,
            "digest": case.submission.digest,
            "rounds": sorted({setting.round for setting in case.settings.values()}),
        }

    def needed(self) -> list[Slot]:
        """The games of one setting, those of another after them."""
        settings = sorted(set(self.case.settings.values()), key=str)
        missing = [setting for setting in settings if any(slot not in self.records for slot in self._slots(setting))]
        return self._slots(missing[0]) if missing else []

    def _slots(self, setting: Setting) -> list[Slot]:
        return [slot for slot in self.case.graded if self.case.settings[slot] == setting]

    @property
    def planned(self) -> int:
        """All games that were graded."""
        return len(self.case.graded)

    def batch(self) -> Batch:
        """The games of one setting, played as they were graded."""
        case, slots = self.case, self.needed()
        records = {slot: case.graded[slot] for slot in slots}
        return batch_for(case.plan, case.settings[slots[0]], records, case.secret, self.game_logs)

    def after_games(self) -> Iterator[str]:
        """Look for the turning points of lost games, and write the report."""
        reviews: dict[Slot, Review] = {}
        lost = self._lost()
        for done, slot in enumerate(lost, 1):
            with CHANGING:
                self.step = f"looking for the turning point of lost game {done} of {len(lost)}"
            yield self.step
            reviews[slot] = self._review(slot)
        with CHANGING:
            self.step = ""
        self._write(self._appeal(reviews))

    def summary(self) -> Summary:
        """The game."""
        return Summary(game=self.spec.game, agents=[], planned=self.planned)

    def live(self) -> list[Block]:
        """What is done now."""
        return [Line(self.step or f"playing again: {self.case.submission.name}")]

    def progress_line(self, before: int, begin: float) -> str:
        """Games, or what is done after them."""
        return self.step or f"{super().progress_line(before, begin)} played again"

    # The games

    def _log(self, slot: Slot) -> Path:
        return self.logs / f"{str(slot).replace('/', '_')}.log"

    def _lost(self) -> list[Slot]:
        """The graded games that were lost by the rules."""
        me = self.case.plan.number(self.case.submission)
        return [
            slot
            for slot, record in self.case.graded.items()
            if record.reason == Termination.RULES and record.winner == 1 - slot.seats.index(me)
        ]

    def _review(self, slot: Slot) -> Review:
        number, player = self.case.numbers[slot], usual(self.case.plan.spec.game)
        found = reviews.latest(self.grading, number, player)
        if found is not None:
            return found
        try:
            return patience.run_until_stopped(
                lambda flag: reviews.make(self.grading, number, player, LIMITS, flag=flag)
            )
        except ReviewStopped:
            raise KeyboardInterrupt from None

    def _appeal(self, found: Mapping[Slot, Review]) -> Appeal:
        """The games then and now."""
        case, plan = self.case, self.case.plan
        me, games = plan.number(case.submission), list[AppealGame]()
        for slot, then in sorted(case.graded.items()):
            other = slot.a if slot.b == me else slot.b
            is_level = other < len(plan.levels)
            games.append(
                AppealGame(
                    slot=slot,
                    number=case.numbers[slot],
                    opponent=plan.levels[other].player if is_level else ANOTHER,
                    is_level=is_level,
                    seat=slot.seats.index(me),
                    then=then,
                    now=self.records[slot],
                    log=self._log(slot).read_text("utf-8") if self._log(slot).exists() else "",
                    review=found.get(slot),
                )
            )
        home = str(case.target / STAGED_IN / case.submission.name)
        return Appeal(plan=plan, submission=case.submission, home=home, games=tuple(games))

    # The report

    def _write(self, found: Appeal) -> None:
        write_output(str(self.page_file), page_of(found).encode("utf-8", "replace"))
        write_output(str(self.text_file), text_of(found).encode("utf-8", "replace"))
        self.found = found

    @property
    def page_file(self) -> Path:
        """Where the report for the author is."""
        return self.case.target / APPEALS / f"{self.case.submission.name}.html"

    @property
    def text_file(self) -> Path:
        """The same as plain text."""
        return self.page_file.with_name(f"{self.case.submission.name}.txt")

    def print_result(self, console: Console) -> None:
        """What came of it, and where the report is; how far it is where it was stopped."""
        if self.found is None:
            played = games_line(len(self.records), len(self.case.graded), before=0, begin=time.perf_counter())
            console.print(f"{played.partition(',')[0]}; no report is written yet", markup=False)
            return
        for line in sentences(self.found):
            console.print(Text(line))
        where = f"\nfor its author: {clean(self.page_file)}; as plain text: {clean(self.text_file)}"
        console.print(where, markup=False, soft_wrap=True)

    def result_json(self) -> dict[str, Any]:
        """The same for programs."""
        if self.found is None:
            done = {"submission": self.case.submission.name, "games_played": len(self.records)}
            return {"kind": self.kind, **done, "games_planned": len(self.case.graded)}
        files = {"page": str(self.page_file), "text": str(self.text_file)}
        return {"kind": self.kind, **json_of(self.found), **files}
