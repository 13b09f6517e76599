"""`harena grade`: a folder of submissions that nobody has read, played and written up."""

import hashlib
import os
import secrets
import shlex
import shutil
import sys
import time
from dataclasses import replace
from pathlib import Path
from string import ascii_uppercase

from rich.console import Console, Group
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table as RichTable
from rich.text import Text

from harena.agents.clocks import CLOCKS
from harena.agents.guests import COURSES
from harena.arena.claims import claimed
from harena.arena.conditions import conditions, pairs_of
from harena.arena.contest import Contest, Slot, Spec, slot_of
from harena.arena.record import Record
from harena.arena.running import play_missing, stored
from harena.arena.store import FINISHED, Run, Store
from harena.cli.carrying import carried
from harena.cli.report import save
from harena.cli.telling import clean
from harena.courses import gradebook
from harena.courses.forbidden import broken_rules
from harena.courses.grading import GRADED, PSEUDONYMS, Book, Plan, Submission, ordered, plan_of
from harena.courses.intake import BadSubmission, remarks, submissions, take_in
from harena.courses.levels import GRADINGS
from harena.errors import BadFile, UnknownName, UsageError
from harena.sandbox.walls import sandbox as walls_of
from harena.search.result import Limits
from harena.web.exporting import exported
from harena.web.replays import document

KIND = "grade"
SECONDS_BETWEEN = 5.0  # two leaderboards
STAGED = ".staged-by-harena"  # marks a folder of copies that may be replaced
LONGEST_NAME = 16  # letters that a table keeps room for
MEMORY = 1000.0  # megabytes, where the course says nothing
MARGIN = 0.1  # seconds beyond a limit; half of it where the limit itself is short
FOR_SPREADSHEETS = "utf-8-sig"  # else some of them take accents for other letters


def grade_folder(
    folder: str,
    course: str,
    *,
    out: str | None,
    games: int | None,
    seconds: float | None,
    everybody: bool,
    pseudonyms: bool,
    concurrency: int,
    sandbox: str,
    store: str | None,
) -> None:
    """Grade, or go on where an earlier call with the same submissions stopped."""
    if course not in GRADINGS:
        raise UnknownName("course", course, GRADINGS)
    if not os.path.isdir(folder):
        raise BadFile(f"{folder}: there is no such folder")
    source, target = Path(folder).resolve(), Path(out or f"{os.path.abspath(folder)}-grades").resolve()
    if target.is_relative_to(source) or source.is_relative_to(target):
        raise UsageError(f"{target} and the submissions lie within each other: name another folder with --out")
    Limits(seconds=seconds)
    pairs = pairs_of(GRADINGS[course].games if games is None else games)
    walls_of(sandbox)  # refuses before anything is written
    if not submissions(source):
        raise UsageError(f"{folder}: there is no submission in it: files ending in .py, folders or zips")
    for remark in remarks(source):
        print(f"harena: {clean(remark)}", file=sys.stderr)
    target.mkdir(parents=True, exist_ok=True)
    with claimed(
        target / "grading", "now", f"{target} is being graded by another process: wait for it, or stop it first"
    ):
        found = stage(source, target / "submissions", course)
        plan = new_plan(course, found, pairs, seconds=seconds, everybody=everybody, sandbox=sandbox)
        with Store(store or target / "games.sqlite") as kept:
            run = begun(kept, plan)
            kept.finish(run.id, run.status, PSEUDONYMS if pseudonyms else "")  # for whoever shows the run
            grade(kept, run, plan_of(dict(run.spec)), target, concurrency, has_pseudonyms=pseudonyms)


def stage(folder: Path, target: Path, course: str) -> list[Submission]:
    """A copy of each submission in a folder of its own, so that none can see another's."""
    found = []
    if target.exists() and not (target / STAGED).exists():
        raise UsageError(f"{target} is in the way: it was not made by an earlier grading; name another --out")
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    (target / STAGED).touch()
    for one in submissions(folder):
        home = target / one.name
        home.mkdir(parents=True)
        try:
            take_in(one.path, home)
        except BadSubmission as error:
            found.append(Submission(name=one.name, refused=str(error), file=one.path.name))
            continue
        agent = f"{course}:{only_file(home).absolute()}"
        found.append(
            Submission(name=one.name, agent=agent, digest=digest(home), file=one.path.name, rules=broken_rules(agent))
        )
    return found


def only_file(folder: Path) -> Path:
    """The file of a submission that is just one, so that what is wrong is said of it; else the folder."""
    files = list(folder.iterdir())
    return files[0] if len(files) == 1 and files[0].suffix == ".py" else folder


def digest(folder: Path) -> str:
    """Of all files, with their names."""
    summed = hashlib.blake2b(digest_size=16)
    for file in sorted(one for one in folder.rglob("*") if one.is_file()):
        summed.update(str(file.relative_to(folder)).encode() + b"\0" + hashlib.blake2b(file.read_bytes()).digest())
    return summed.hexdigest()


def new_plan(
    course: str, found: list[Submission], pairs: int, *, seconds: float | None, everybody: bool, sandbox: str
) -> Plan:
    """The games to be played; the seed is nobody's guess, and kept with the run."""
    grading = GRADINGS[course]
    limit = seconds or CLOCKS[COURSES[course].clock].seconds or MARGIN
    spec = Spec(
        game=grading.game,
        variants=grading.variants,
        agents=[*(level.player for level in grading.levels), *(one.agent for one in found if not one.refused)],
        limits={} if seconds is None else {"seconds": seconds},
        by_turn=CLOCKS[COURSES[course].clock].by_turn and seconds is not None,
        memory=CLOCKS[COURSES[course].clock].memory or MEMORY,
        margin=MARGIN if limit > 3 * MARGIN else MARGIN / 2,
        sandbox=sandbox,
        folder=os.getcwd(),
    )
    plan = Plan(course=course, spec=spec, pairs=pairs, submissions=tuple(found), everybody=everybody)
    return ordered(plan, secrets.randbits(62))


def begun(kept: Store, plan: Plan) -> Run:
    """The run of an earlier call if it is the same but for its seed; else a new one, with the games that still hold."""
    runs = [run for run in kept.runs() if run.kind == KIND]
    for run in reversed(runs):
        old = plan_of(dict(run.spec))
        if old.course != plan.course:
            raise UsageError(f"{kept.path} holds a grading of {old.course}: name another folder with --out")
        same = ordered(plan, old.spec.seed)
        if replace(same, spec=replace(same.spec, folder=old.spec.folder)) == old:
            return run
    return carried_over(kept, runs[-1], plan) if runs else kept.new_run(KIND, plan.as_dict())


def carried_over(kept: Store, last: Run, plan: Plan) -> Run:
    """A new run for other submissions; whoever has not changed keeps the games against the levels."""
    old = plan_of(dict(last.spec))
    same = (old.course, old.pairs, old.spec.limits, old.spec.sandbox, old.spec.agents[: len(old.levels)])
    now = (plan.course, plan.pairs, plan.spec.limits, plan.spec.sandbox, plan.spec.agents[: len(plan.levels)])
    plan = ordered(plan, old.spec.seed)
    run = kept.new_run(KIND, plan.as_dict())
    if same != now:
        return run
    known = {(one.name, one.digest): old.number(one) for one in old.playing}
    moved = {known[key]: plan.number(one) for one in plan.playing if (key := (one.name, one.digest)) in known}
    for slot, record in stored(kept, last.id):
        if slot.a < len(plan.levels) and slot.b in moved:
            kept.add_game(run.id, str(replace(slot, b=moved[slot.b])), record)
    return run


def grade(kept: Store, run: Run, plan: Plan, target: Path, concurrency: int, *, has_pseudonyms: bool) -> None:
    """Play what is missing; write each submission's results as soon as its games are there."""
    book = Book(plan, dict(stored(kept, run.id)))
    writer = Writer(kept, run, book, target, has_pseudonyms)
    writer.write_all()
    if run.status == FINISHED and all(slot in book.records for slot in plan.slots()):
        report(Console(highlight=False), writer)
        return

    def watch(slot: Slot, record: Record) -> bool:
        for one in book.add(slot, record):
            writer.write(one)
        return False

    again = f"harena grade with the same words goes on; nothing of {target} is lost"
    with carried(kept, run, Display(book), lambda console: report(console, writer), again=again):
        try:
            play_missing(kept, run.id, Contest(plan.spec), plan.slots(), concurrency, watch)
        finally:
            writer.write_all()


class Writer:
    """The files about the submissions; each is written whole or not at all."""

    def __init__(self, kept: Store, run: Run, book: Book, target: Path, has_pseudonyms: bool) -> None:
        self.kept, self.run, self.book, self.target = kept, run, book, target
        self.written = 0.0
        self.exported = set[int]()  # games whose pages are written
        names = [one.name for one in book.plan.submissions]
        self.shown = {name: name for name in names}
        if has_pseudonyms:
            self.shown = gradebook.pseudonyms(names, book.plan.spec.seed)
            lines = "".join(f"{self.shown[name]},{name}\n" for name in names)
            save(str(target / "pseudonyms.csv"), f"pseudonym,name\n{lines}".encode(FOR_SPREADSHEETS))
        for folder in ("reports", "replays", "gradescope"):
            (target / folder).mkdir(exist_ok=True)
            for old in (target / folder).iterdir():
                if old.name.removesuffix(".html") not in names:  # of a submission that was withdrawn
                    shutil.rmtree(old) if old.is_dir() else old.unlink()

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
        save(str(self.target / "leaderboard.csv"), table.encode(FOR_SPREADSHEETS))
        save(str(self.target / "leaderboard.html"), gradebook.leaderboard_page(self.book, self.shown, said).encode())

    def _student(self, submission: Submission) -> None:
        result = self.book.result(submission)
        numbers = {slot_of(text): number for text, number in self.kept.numbers(self.run.id).items()}
        page = gradebook.student_page(self.book, result, numbers, conditions(self.book.plan.spec, seed=False))
        save(str(self.target / "reports" / f"{submission.name}.html"), page.encode("utf-8", "replace"))
        shown = self.target / "replays" / submission.name
        shown.mkdir(exist_ok=True)
        lost = {numbers[slot] for slot in gradebook.lost_games(self.book, result) if slot in numbers}
        for old in shown.iterdir():
            if old.stem not in map(str, lost):  # of an earlier grading
                old.unlink()
        for number in lost - self.exported:
            game = exported(document(self.kept.text(number), self.kept.row(number)))
            save(str(shown / f"{number}.html"), game.encode("utf-8", "replace"))
        self.exported |= lost
        folder = self.target / "gradescope" / submission.name
        folder.mkdir(exist_ok=True)
        save(str(folder / "results.json"), gradebook.gradescope(self.book, result).encode())


class Display:
    """The grading as it goes."""

    def __init__(self, book: Book) -> None:
        self.book, self.begin = book, time.perf_counter()
        columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        self.progress = Progress(*columns)
        self.task = self.progress.add_task("", total=len(book.plan.slots()), completed=len(book.records))

    def __rich__(self) -> Group:
        self.progress.update(self.task, completed=len(self.book.records))
        done = [one for one in self.book.plan.submissions if self.book.is_complete(one)]
        now = next((one.name for one in self.book.plan.submissions if one not in done), "all against all")
        return Group(self.progress, Text(f"{len(done)} of {len(self.book.plan.submissions)} graded; now {clean(now)}"))


def report(console: Console, writer: Writer) -> None:
    """The leaderboard, what is to be said about some, and where everything is."""
    headings, rows = gradebook.leaderboard_rows(writer.book, writer.shown)
    headings, told = headings[:-2], [row[:-2] for row in rows]  # walls and verdicts are said below
    levels = [level.player for level in writer.book.plan.levels]
    letters = dict(zip(levels, ascii_uppercase, strict=False))
    full = f" of {2 * writer.book.plan.pairs}"
    is_narrow = sum(len(heading) + 2 for heading in headings) + LONGEST_NAME > console.width
    lines = RichTable(box=None, padding=(0, 1))
    for heading in headings:
        shown = letters[heading] if is_narrow and heading in letters else heading
        lines.add_column(shown, justify="left" if heading == "name" else "right", overflow="fold")
    for row in told:
        cells = [
            cell.removesuffix(full) if is_narrow and heading in letters else cell
            for heading, cell in zip(headings, row, strict=True)
        ]
        lines.add_row(*(Text(clean(cell)) for cell in cells))
    if is_narrow:
        named = ", ".join(f"{letter}: {name}" for name, letter in letters.items())
        console.print(Text(f"{named}; points{full} against each", "dim"))
    console.print(lines)
    console.print()
    for row in rows:
        if row[-1] != GRADED:
            console.print(Text(clean(f"{row[1]}: {row[-1]}")))
    console.print(Text(f"\n{conditions(writer.book.plan.spec, seed=False)}", "dim"))
    console.print(f"leaderboard, reports and Gradescope's results are in {writer.target}", soft_wrap=True)
    shown = f"harena serve --public --store {shlex.quote(str(writer.kept.path))}"
    console.print(Text(f"to show it to the class, at /leaderboard: {shown}", "dim"), soft_wrap=True)
