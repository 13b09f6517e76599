"""Sessions of the command line whose output is kept in `golden/`; `python tests/cli/golden/regenerate.py` writes it."""

import contextlib
import io
import os
import re
import shlex
import sys
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from harena.arena.store import Store
from harena.cli.main import main

GOLDEN = Path(__file__).parent / "golden"
FIELD = "random greedy mm_null mm_open --local --nodes 100"
MATCH = "match isolation 'mcts(c=1, iterations=20)' mm_null --games 8 --local"

# Each session: commands in one store; after << what is typed, one line a word, _ being a blank. RUN is the last run.
SESSIONS: dict[str, list[str]] = {
    "match": [MATCH, "match trap random random --games 2 --local --seed 3"],
    "match-sprt": ["match isolation 'mcts(iterations=30)' random --local --sprt quick"],
    "round-robin": [f"tournament isolation {FIELD} --games 4"],
    "gauntlet": [f"tournament isolation {FIELD} --games 4 --type gauntlet"],
    "swiss": [f"tournament isolation {FIELD} --games 2 --type swiss"],
    "knockout": [f"tournament isolation {FIELD} --games 2 --type knockout"],
    "sweep": ["sweep isolation 'mcts(c={c}, iterations=20)' mm_null --over c=0.1,0.5,2 --games 8"],
    "tune": ["tune isolation 'mcts(c={c}, iterations=20)' --start c=1 --steps 4"],
    "records": [
        MATCH,
        "match isolation random greedy --games 2 --local --size 4",
        f"tournament isolation {FIELD} --games 2 --type knockout",
        "records list",
        "records list --run RUN",
        "records show 1",
        "replay 9",
    ],
    "report": [f"tournament isolation {FIELD} --games 2 --type knockout", "report RUN page.html"],
    "report-match": [MATCH, "report RUN page.html"],
    "play": [
        "play isolation --size 5 --second greedy --nodes 100 --seed 1 << help a1 a2 moves undo b2 c4 resign",
        "play tiles --first human --second human --seed 1 << xyz 1_2 a1 quit",
        "play --resume << resign",
        "play trap --size 4 --second champion --nodes 100 --seed 2 << b1 ? @a4 hint quit",
    ],
    "replay": ["replay moves.json", "replay moves.json --game tiles"],
    "mistakes": [
        "match isolation random chmpion --games 2",
        "match isolation random human --games 2",
        "match isolation random random --games 3",
        "tournament isolation random --games 2",
        "resume",
        "report nothing",
        "replay 1",
    ],
}
QUIET = {"records": (0, 1, 2), "report": (0,), "report-match": (0,)}  # commands whose output another session shows
HERE = {"harena": "1.0", "python": "3.11.7", "numba": "0.61.2", "machine": "Linux x86_64, 2 processors"}
MASKS = [
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?"), "DATE"),
    (re.compile(r"\b\d+\.\d+ ms\b"), "# ms"),
    (re.compile(r"^( *\d+  (?:1|2|chance) +\S+ +)\d+\.\d{3}\b", re.MULTILINE), r"\1#.###"),  # seconds of a move
    (re.compile(r"( \| [\d,]+\.\d\d){3}$", re.MULTILINE), " | # | # | #"),  # milliseconds of moves
    (re.compile(r" +$", re.MULTILINE), ""),
]


def session(name: str) -> str:
    """What a session prints, with what changes from run to run masked."""
    with TemporaryDirectory() as folder, _alone(folder), patch("harena.arena.machine.here", lambda: HERE):
        Path("moves.json").write_text("[[3, 3], [2, 1], [1, 2], [3, 2]]", "utf-8")
        out = []
        for number, line in enumerate(SESSIONS[name]):
            command, _, typed = line.partition(" << ")
            said = _said(shlex.split(command.replace("RUN", _runs()[-1] if "RUN" in command else "")), typed.split())
            if number not in QUIET.get(name, ()):
                out.append(f"$ harena {command}\n{said}")
        if Path("page.html").exists():
            out.append(_words(Path("page.html").read_text("utf-8")))
        return masked("\n".join(out), {folder: "FOLDER", **dict.fromkeys(_runs(), "RUN-NAME")})


def _runs() -> list[str]:
    with Store() as store:
        return [run.id for run in store.runs()]


def masked(text: str, names: Mapping[str, str]) -> str:
    """Without times, dates and these names, in whose place others stand."""
    for name, put in names.items():
        text = text.replace(name, put)
    for pattern, put in MASKS:
        text = pattern.sub(put, text)
    return text


@contextlib.contextmanager
def _alone(folder: str) -> Iterator[None]:
    """In a folder and a store of its own, at 80 columns."""
    before, place, arguments = dict(os.environ), os.getcwd(), sys.argv
    os.environ |= {"HARENA_STORE": os.path.join(folder, "games.sqlite"), "COLUMNS": "80"}
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(place)
        sys.argv = arguments
        os.environ.clear()
        os.environ.update(before)


def _said(words: list[str], typed: list[str]) -> str:
    """Output and errors of a command, which are apart so that progress bars do not matter."""
    out, errors = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    sys.argv, stdin = ["harena", *words], sys.stdin
    sys.stdin = io.StringIO("".join(f"{word.replace('_', ' ')}\n" for word in typed))
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors), contextlib.suppress(SystemExit):
            main()
    finally:
        sys.stdin = stdin
    told = []
    for stream in (out, errors):
        stream.flush()
        told.append(stream.buffer.getvalue().decode())
    complaints = [line for line in told[1].splitlines(keepends=True) if line.startswith("harena: ")]
    return "".join([told[0], *complaints])


def _words(page: str) -> str:
    """The text of a page, one line for each row of a table."""
    reader = _Reader()
    reader.feed(page)
    lines = "".join(reader.parts).splitlines()
    return "\n".join(line.strip(" |") for line in lines if line.strip(" |")) + "\n"


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.hidden = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("style", "svg") and not self.hidden:
            self.hidden = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == self.hidden:
            self.hidden = ""
        self.parts.append(" | " if tag in ("th", "td") else "\n" if tag in ENDS_LINE else "")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.parts.append(data)


ENDS_LINE = ("title", "h1", "h2", "p", "nav", "caption", "tr", "summary")
