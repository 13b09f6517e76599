"""Grades a folder of submissions that nobody has read: takes them in, plays, and writes everything up."""

import hashlib
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from harena.agents.clocks import parse_clock
from harena.agents.environments import Environment, describe, find_environment
from harena.agents.fault import WALL
from harena.agents.spawn import check_processes
from harena.arena.claims import claimed
from harena.arena.conditions import conditions, pairs_of
from harena.arena.contest import Spec
from harena.arena.privacy import close_to_others, private_files
from harena.arena.runs.executors import Executor, LocalExecutor
from harena.arena.runs.runner import Event, GameFinished, Runner, stored_games
from harena.arena.shelf import originals
from harena.arena.slot import slot_of
from harena.arena.store import FINISHED, Row, Run, Store
from harena.arena.store_files import files_of
from harena.arena.words import count
from harena.courses import gradebook
from harena.courses.catalogue import COURSES
from harena.courses.course import STAGED
from harena.courses.forbidden import broken_rules
from harena.courses.grading import (
    PSEUDONYMS,
    Book,
    Plan,
    Submission,
    can_share_games,
    conditions_of,
    have_same_boards,
    have_same_processes,
    ordered,
    plan_of,
)
from harena.courses.grading_run import Grading
from harena.courses.intake import BadSubmission, is_safe_name, only_file, remarks, submissions, take_in
from harena.courses.levels import GRADINGS
from harena.courses.rounds import History
from harena.errors import BadFile, UnknownName, UsageError, clean
from harena.files import write_output
from harena.sandbox.walls import SandboxError, has_walls, parse_choice
from harena.sandbox.walls import sandbox as walls_of
from harena.search.result import Limits

SECONDS_BETWEEN = 5.0  # two leaderboards
STORE, STAGED_IN = "games.sqlite", "submissions"  # in the folder of a grading, as are the next
REPLAY = re.compile(r"\d+-[0-9a-f]{4}\.html")  # the page of a game, in the folder of a submission
STUDENTS = ("reports", "replays", "gradescope")
LEADERBOARDS = ("leaderboard.csv", "leaderboard.html", "pseudonyms.csv")
MEMORY = 1000.0  # megabytes, where the course says nothing
MARGIN = 0.1  # seconds beyond a limit; half of it where the limit itself is short
BUSY = "{} is being graded by another process: wait for it, or stop it first"
MOST_NAMES = 5  # in a line about changes
Export = Callable[[str, Row], str]  # the page of a game, from its stored text and its row
FOR_SPREADSHEETS = "utf-8-sig"  # else some of them take accents for other letters


@dataclass(frozen=True, kw_only=True)
class GradeOptions:
    """How a folder of submissions is graded; None: as the course does."""

    out: str | None = None  # where results go
    games: int | None = None  # against each level
    seconds: float | None = None
    clock: str | None = None
    everybody: bool = False  # also each against each
    rounds: int | None = None  # pairs of games of each against each, then
    pseudonyms: bool = False
    keep_process: bool = False
    concurrency: int = 1
    sandbox: str = "auto"
    python: str | None = None
    store: str | None = None


@contextmanager
def open_grading(
    folder: str, course: str, options: GradeOptions, export: Export, listener: "Listener | None" = None
) -> Iterator["GradingRun"]:
    """Take submissions in; the grading to be played inside, begun or continued where an earlier one stopped.

    `export` makes the page of a game; the `listener` is told lines, and asked whether a class is to be played again.
    """
    heard = listener or Listener()
    check_processes()
    source, target, pairs = _check_options(folder, course, options)
    environment = find_environment(course, options.python)
    if not submissions(source):
        raise UsageError(f"{folder}: there is no submission in it: files ending in .py, folders or zips")
    for remark in remarks(source):
        heard.tell(clean(remark))
    with private_files():
        target.mkdir(parents=True, exist_ok=True)
    with private_files(), claimed(target / "grading", "now", BUSY.format(target)):
        check_target(target)
        close_earlier_files(target)
        place, file = target / STAGED_IN, options.store or target / STORE
        with stage_beside(source, place, course) as staged, Store(file) as store:
            plan = new_plan(
                course,
                staged.submissions,
                pairs,
                seconds=options.seconds,
                clock=clock_kind(course, options.clock),
                everybody=options.everybody,
                rounds=options.rounds or 1,
                sandbox=options.sandbox,
                keep_process=options.keep_process,
                environment=environment,
            )
            run, secret = begin(store, plan, target, heard)
            staged.put_in_place()
            store.finish(run.id, run.status, PSEUDONYMS if options.pseudonyms else "")  # for whoever shows the run
            book = Grading(plan_of(dict(run.spec)), dict(stored_games(store, run.id)), secret)
            writer = Writer(store, run, book, target, options.pseudonyms, export)
            yield GradingRun(store, run, book, writer, LocalExecutor(options.concurrency))


def _check_options(folder: str, course: str, options: GradeOptions) -> tuple[Path, Path, int]:
    """The folders of submissions and of results, and pairs of games; an error if these make no sense."""
    if course not in GRADINGS:
        raise UnknownName("course", course, GRADINGS)
    source, target = find_folders(folder, options.out)
    Limits(seconds=options.seconds)
    if options.rounds is not None and not options.everybody:
        raise UsageError("--rounds is for --all-against-all: give both, or none")
    clock_kind(course, options.clock)
    pairs = pairs_of(GRADINGS[course].games if options.games is None else options.games)
    check_walls(options.sandbox)  # before anything is written
    return source, target, pairs


def find_folders(folder: str, out: str | None) -> tuple[Path, Path]:
    """The folder of the submissions and the one of their grading; BadFile or UsageError if they cannot be that."""
    if os.path.isfile(folder):
        raise BadFile(f"{folder} is a file: grade takes a folder of submissions, and harena check one agent")
    if not os.path.isdir(folder):
        raise BadFile(f"{folder}: there is no such folder")
    source, target = Path(folder).resolve(), Path(out or f"{os.path.abspath(folder)}-grades").resolve()
    if target.is_relative_to(source) or source.is_relative_to(target):
        raise UsageError(f"{target} and the submissions lie within each other: name another folder with --out")
    return source, target


def check_target(target: Path) -> None:
    """UsageError if a folder holds files of the names that a grading writes, and no grading made it."""
    marks = (f"{STAGED_IN}/{STAGED}", f"{STAGED_IN}.old/{STAGED}", STORE)
    if any((target / mark).exists() for mark in marks):
        return
    folders = [target / name for name in STUDENTS if (target / name).is_dir() and any((target / name).iterdir())]
    files = [target / name for name in (*STUDENTS, *LEADERBOARDS) if (target / name).is_file()]
    if taken := [*folders, *files]:
        raise UsageError(f"{taken[0]} is in the way: it was not made by an earlier grading; name another --out")


class Listener:
    """Hears what is said while a grading begins; this one keeps the lines, and lets a class be played again."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def tell(self, line: str) -> None:
        """A line about submissions, or about what has changed."""
        self.lines.append(line)

    def may_play_anew(self, plan: Plan) -> bool:
        """Whether all games may be played again, where the grading before was under other conditions."""
        return True


class GradingRun:
    """A grading that is ready to be played."""

    def __init__(self, store: Store, run: Run, book: Grading, writer: "Writer", executor: Executor) -> None:
        self.store, self.run, self.book, self.writer, self.executor = store, run, book, writer, executor

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to be played."""
        return self.run.status == FINISHED and self.book.is_decided

    def play(self) -> Generator[Event, None, None]:
        """Play what is missing; each submission's results are written as soon as its games are there."""
        self.writer.write_all()
        if self.is_done:
            return
        try:
            with closing(Runner(self.store, self.executor).play(self.run.id, self.book)) as events:
                for event in events:
                    if isinstance(event, GameFinished):
                        for submission in self.book.completed_by(event.slot):
                            self.writer.write(submission)
                    yield event
        finally:
            self.writer.write_all()


def close_earlier_files(target: Path) -> None:
    """Close what an earlier version has written here to other users; the folder itself may be the user's own."""
    for file in (*files_of(target / STORE), *(target / name for name in LEADERBOARDS)):
        close_to_others(file)
    for folder in (target / STAGED_IN, *(target / name for name in STUDENTS)):
        close_to_others(folder)


def check_walls(sandbox: str) -> None:
    """SandboxError if submissions cannot be run as asked: behind walls, unless a weaker level was typed."""
    wanted = parse_choice(sandbox)
    try:
        walls_of(str(replace(wanted, level="required")) if wanted.level == "auto" else sandbox)
    except SandboxError as error:
        if wanted.level != "auto" or not has_walls():
            raise
        weaker = "or type --sandbox limits, which lets submissions read and change your files"
        raise SandboxError(f"nothing is graded without walls: {error}; {weaker}") from None


@dataclass(frozen=True, kw_only=True)
class Staged:
    """Copies of submissions beside those of the last grading, which stay until it is decided that this one is made."""

    submissions: list[Submission]
    place: Path  # where they belong

    @property
    def new(self) -> Path:
        """Where they are until then."""
        return self.place.with_name(f"{self.place.name}.new")

    @property
    def old(self) -> Path:
        """The earlier copies, for the moment of the exchange."""
        return self.place.with_name(f"{self.place.name}.old")

    def put_in_place(self) -> None:
        """Exchange the earlier copies for these; after a kill `tidy` finds one of the two whole."""
        if self.place.exists():
            self.place.rename(self.old)
        self.new.rename(self.place)
        self.tidy()

    def tidy(self) -> None:
        """Undo an exchange that was begun, and remove copies that are not in their place."""
        if not self.place.exists() and (self.old / STAGED).exists():
            self.old.rename(self.place)
        for folder in (self.old, self.new):
            remove_copies(folder)


def remove_copies(folder: Path) -> None:
    """Remove a folder of copies, its mark last, or an empty one; UsageError for any other folder."""
    if not folder.exists():
        return
    paths = list(folder.iterdir())
    if paths and not (folder / STAGED).exists():
        raise UsageError(f"{folder} is in the way: it was not made by an earlier grading; name another --out")
    for path in sorted(paths, key=lambda path: path.name == STAGED):
        remove_path(path)
    folder.rmdir()


def remove_path(path: Path) -> None:
    """Remove a file, a link or a folder with all that is in it, if there is one."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextmanager
def stage_beside(folder: Path, place: Path, course: str) -> Iterator[Staged]:
    """Copies of the submissions in a folder for as long as this lasts, or for good once they are put in place."""
    Staged(submissions=[], place=place).tidy()
    if place.exists() and not (place / STAGED).exists():
        raise UsageError(f"{place} is in the way: it was not made by an earlier grading; name another --out")
    found = list[Submission]()
    staged = Staged(submissions=found, place=place)
    try:
        found += stage(folder, staged.new, course, place)
        yield staged
    finally:
        staged.tidy()


def stage(folder: Path, target: Path, course: str, place: Path | None = None) -> list[Submission]:
    """A copy of each submission in a folder of its own, so that none can see another's; `place`: where it is moved."""
    found = []
    target.mkdir(parents=True)
    (target / STAGED).touch()
    for one in submissions(folder):
        home = (target / one.name).absolute()
        home.mkdir(parents=True)
        try:
            take_in(one.path, home)
        except BadSubmission as error:
            found.append(Submission(name=one.name, refused=str(error), file=one.file))
            continue
        file, later = only_file(home), ((place or target) / one.name).absolute()
        found.append(
            Submission(
                name=one.name,
                agent=COURSES[course].agent_text(later, file and later / file.name),
                digest=digest(home),
                file=one.file,
                rules=broken_rules(COURSES[course].agent_text(home, file)),
            )
        )
    return found


def digest(folder: Path) -> str:
    """Of all files, with their names."""
    summed = hashlib.blake2b(digest_size=16)
    for file in sorted(one for one in folder.rglob("*") if one.is_file()):
        summed.update(str(file.relative_to(folder)).encode() + b"\0" + hashlib.blake2b(file.read_bytes()).digest())
    return summed.hexdigest()


def new_plan(
    course: str,
    found: list[Submission],
    pairs: int,
    *,
    seconds: float | None,
    clock: str = WALL,
    everybody: bool,
    rounds: int = 1,
    sandbox: str,
    keep_process: bool = False,
    environment: Environment | None = None,
) -> Plan:
    """The games to be played. The seed is random and kept with the run: it orders submissions and names pseudonyms."""
    grading = GRADINGS[course]
    own = COURSES[course].clock
    limit = seconds or own.seconds or MARGIN
    spec = Spec(
        game=grading.game,
        variants=grading.variants[: max(pairs, rounds)],  # no others are played
        agents=[*(level.player for level in grading.levels), *(one.agent for one in found if not one.refused)],
        levels=len(grading.levels),
        limits={} if seconds is None else {"seconds": seconds},
        by_turn=own.by_turn and seconds is not None,
        memory=own.memory or MEMORY,
        clock=clock,
        margin=MARGIN if limit > 3 * MARGIN else MARGIN / 2,
        sandbox=sandbox,
        folder=os.getcwd(),
        fresh=not (keep_process or grading.keeps_process),
        environments={} if environment is None else {course: describe(environment, course)},
    )
    plan = Plan(course=course, spec=spec, pairs=pairs, submissions=tuple(found), everybody=everybody, rounds=rounds)
    return ordered(plan, secrets.randbits(62))


def clock_kind(course: str, text: str | None) -> str:
    """The kind of clock that a text names; a clock that it names has to be the course's own."""
    clock, kind = parse_clock(text)
    own = COURSES[course]
    if clock is not None and clock is not own.clock:
        raise UsageError(
            f"--clock {text}: {course} has the clock {own.clock_name}; give wall or cpu, and --seconds for other limits"
        )
    return kind


def begin(kept: Store, plan: Plan, target: Path, listener: Listener) -> tuple[Run, bytes]:
    """The run of an earlier call if it is the same but for its seed, else a new one; with the games that still hold.

    Also the secret from which its missing games are derived.
    """
    runs = [run for run in kept.runs() if run.kind == Grading.kind]
    for old in (plan_of(dict(run.spec)) for run in runs):
        if old.course != plan.course:
            raise UsageError(f"{kept.path} holds a grading of {old.course}: name another folder with --out")
    history = History(kept, runs, target)
    same = ((run, old) for run, old in reversed(history.earlier) if is_same(plan, old))
    found = next((run for run, old in same if history.can_finish(run, old)), None)
    if found is None:
        seed = plan_of(dict(runs[-1].spec)).spec.seed if runs else plan.spec.seed
        plan, earlier = ordered(plan, seed), [old for _, old in history.earlier]
        anew = played_anew(plan, earlier)
        if anew:
            listener.tell(anew)
            if not listener.may_play_anew(plan):
                raise UsageError(
                    "nothing was played: grade with the earlier options, or name another folder with --out"
                )
        plan, lost = history.assign_rounds(plan)
        found = kept.new_run(Grading.kind, plan.as_dict())
        for line in filter(None, (lost, "" if anew or not earlier else describe_changes(plan, earlier[-1]))):
            listener.tell(line)
    if found.status != FINISHED:  # also one that was stopped before it had them all
        for run in reversed(runs):
            carry_over(kept, run, found)
    return found, history.secret


def played_anew(plan: Plan, earlier: Sequence[Plan]) -> str:
    """Why no game of the earlier gradings, the latest last, holds in this one; nothing if some may."""
    if not earlier or any(
        conditions_of(old) == conditions_of(plan) and have_same_processes(plan, old) for old in earlier
    ):
        return ""
    now, before = (conditions(one.spec, seed=False).split(", ") for one in (plan, earlier[-1]))
    others = [", ".join(part for part in one if part not in other) for one, other in ((now, before), (before, now))]
    if any(others):
        what = f"now {others[0] or 'without'}, before {others[1] or 'without'}"
    elif plan.spec.environments != earlier[-1].spec.environments:
        what = "other packages are installed in the environment"
    else:
        what = "the levels have changed"
    return f"everybody is played anew, since the grading before was under other conditions: {what}"


def describe_changes(plan: Plan, old: Plan) -> str:
    """What was handed in, changed or withdrawn since an earlier grading, in a line; nothing if nothing was."""
    before, now = ({one.name: one.digest for one in one_plan.submissions} for one_plan in (old, plan))
    groups = {
        "new": now.keys() - before.keys(),
        "changed": {name for name in now.keys() & before.keys() if now[name] != before[name]},
        "withdrawn": before.keys() - now.keys(),
    }
    named = [f"{kind}: {_few_names(names)}" for kind, names in groups.items() if names]
    unchanged = len(now) - len(groups["new"]) - len(groups["changed"])
    kept = f"{count(unchanged, 'unchanged submission')} {'keeps its' if unchanged == 1 else 'keep their'} games"
    return f"since the last grading: {'; '.join(named)}; {kept}" if named else ""


def _few_names(names: Iterable[str]) -> str:
    ordered_names = sorted(names)
    more = len(ordered_names) - MOST_NAMES
    return ", ".join(map(clean, ordered_names[:MOST_NAMES])) + (f" and {more} more" if more > 0 else "")


def is_same(plan: Plan, old: Plan) -> bool:
    """Whether an earlier grading asks for the same games; how seeds were drawn then, and from where, does not count."""
    now = ordered(plan, old.spec.seed)
    spec = replace(
        now.spec,
        folder=old.spec.folder,
        levels=old.spec.levels,
        variants=old.spec.variants,
        fresh=old.spec.fresh,
        round=old.spec.round,
        rounds=old.spec.rounds,
    )
    is_equal = replace(now, spec=spec, secrets=old.secrets) == old
    return is_equal and have_same_boards(plan, old) and have_same_processes(plan, old)


def carry_over(kept: Store, earlier: Run, run: Run) -> None:
    """Who has not changed keeps the games, against levels and others like that, and their numbers: see `originals`."""
    old, plan = plan_of(dict(earlier.spec)), plan_of(dict(run.spec))
    if earlier.id == run.id or not can_share_games(plan, old):
        return
    known = {(one.name, one.digest): old.number(one) for one in old.playing}
    moved = {known[key]: plan.number(one) for one in plan.playing if (key := (one.name, one.digest)) in known}
    moved |= {level: level for level in range(len(plan.levels))}
    numbers, wanted, places = kept.numbers(earlier.id), set(plan.slots()), dict[int, str]()
    there = {slot for slot, _ in stored_games(kept, earlier.id)}
    for slot in there:
        if slot.a in moved and slot.b in moved:
            place = replace(slot, a=moved[slot.a], b=moved[slot.b])  # the lower is still first: one seed, one order
            is_whole_pair = slot.a >= len(plan.levels) and replace(slot, swapped=not slot.swapped) in there
            if place in wanted and (is_whole_pair or old.round_of(slot) == plan.round_of(place)):
                places[numbers[str(slot)]] = str(place)
    kept.copy_games(run.id, places)


def submitted_before(kept: Store) -> set[str]:
    """The names of all submissions that a store has gradings of, as far as they are names of files."""
    plans = (plan_of(dict(run.spec)) for run in kept.runs() if run.kind == Grading.kind)
    return {one.name for plan in plans for one in plan.submissions if is_safe_name(one.name)}


class Writer:
    """The files about the submissions; each is written whole or not at all."""

    def __init__(self, kept: Store, run: Run, book: Book, target: Path, has_pseudonyms: bool, export: Export) -> None:
        self.kept, self.run, self.book, self.target, self.export = kept, run, book, target, export
        self.written = 0.0
        self.exported = set[str]()  # pages of games that are written
        self.originals = originals(kept, run.id)
        names = [one.name for one in book.plan.submissions]
        self.shown = {name: name for name in names}
        if has_pseudonyms:
            self.shown = gradebook.pseudonyms(names, book.plan.spec.seed)
            write_output(str(target / "pseudonyms.csv"), gradebook.pseudonyms_csv(self.shown).encode(FOR_SPREADSHEETS))
        for folder in STUDENTS:
            (target / folder).mkdir(exist_ok=True)
            for name in submitted_before(kept).difference(names):  # withdrawn
                remove_path(target / folder / (f"{name}.html" if folder == "reports" else name))

    def write_all(self) -> None:
        """Everything that is complete, and the leaderboard."""
        for one in self.book.plan.submissions:
            if self.book.is_complete(one):
                self._student(one)
        self._leaderboard()

    def write(self, submission: Submission) -> None:
        """One submission's results, and the leaderboard if it has not just been written."""
        self._student(submission)
        if time.monotonic() - self.written > SECONDS_BETWEEN:
            self._leaderboard()

    def _leaderboard(self) -> None:
        self.written = time.monotonic()
        said = conditions(self.book.plan.spec, seed=False)
        table = gradebook.leaderboard_csv(self.book, self.shown)
        write_output(str(self.target / "leaderboard.csv"), table.encode(FOR_SPREADSHEETS))
        page = gradebook.leaderboard_page(self.book, self.shown, said)
        write_output(str(self.target / "leaderboard.html"), page.encode())

    def _student(self, submission: Submission) -> None:
        result = self.book.result(submission)
        numbers = {slot_of(text): self.originals.get(one, one) for text, one in self.kept.numbers(self.run.id).items()}
        said = conditions(self.book.plan.spec_for(submission), seed=False)
        page = gradebook.student_page(self.book, result, numbers, said)
        write_output(str(self.target / "reports" / f"{submission.name}.html"), page.encode("utf-8", "replace"))
        lost = gradebook.lost_games(self.book, result)
        self._replays(submission, {gradebook.replay_file(self.book, slot, numbers): numbers[slot] for slot in lost})
        folder = self.target / "gradescope" / submission.name
        folder.mkdir(exist_ok=True)
        write_output(str(folder / "results.json"), gradebook.gradescope(self.book, result).encode())

    def _replays(self, submission: Submission, wanted: Mapping[str, int]) -> None:
        """The pages of these games, by file; those of an earlier submission go, and the folder if nothing is in it."""
        folder = self.target / "replays" / submission.name
        folder.mkdir(exist_ok=True)
        for page in folder.iterdir():
            if page.name not in wanted and REPLAY.fullmatch(page.name):
                page.unlink()
        if not any(folder.iterdir()) and not wanted:
            folder.rmdir()
        for file in wanted.keys() - self.exported:
            game = self.export(self.kept.text(wanted[file]), self.kept.row(wanted[file]))
            write_output(str(folder / file), game.encode("utf-8", "replace"))
        self.exported |= wanted.keys()
