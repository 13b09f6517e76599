"""Made the fixtures beside this folder with harena 0.1.0; kept for the record, as other versions make other files.

    python make.py HARENA PLACE

HARENA is the command of version 0.1.0, and PLACE an empty folder that may be named in the files.
"""

import json
import os
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

HERE = Path(__file__).resolve().parent
HARENA, PLACE = os.path.abspath(sys.argv[1]), Path(sys.argv[2])
LONGEST_REPORT = 10_000  # bytes
FAULTS = ("crash", "exit", "time", "output", "memory", "illegal", "unreadable", "resigns", "repeats")


def start(words, **more):
    print("harena", words, flush=True)
    environment = {"PATH": os.environ["PATH"], "HOME": str(PLACE), "COLUMNS": "100", "LC_ALL": "C.UTF-8"}
    return subprocess.Popen(
        [HARENA, *shlex.split(words)], cwd=PLACE, env=environment, text=True, stdout=subprocess.PIPE, **more
    )


def harena(words, name=None, typed=None):
    """Run a command to its end, and keep what it prints under this name."""
    running = start(words, stdin=subprocess.PIPE)
    printed, _ = running.communicate(typed or "")
    assert running.returncode == 0, printed
    if name:
        (PLACE / "printed" / f"{name}.txt").write_text(printed, "utf-8")
    return printed


def stop(words, store, games, number):
    """Run a command and end it by a signal as soon as its store has so many games."""
    running = start(words)
    while count(store) < games:
        assert running.poll() is None, "it ended before it could be stopped"
        time.sleep(0.005)
    running.send_signal(number)
    print(running.communicate()[0])


def count(store):
    try:
        reading = sqlite3.connect(f"file:{PLACE / store}?mode=ro", uri=True)
        found = reading.execute("SELECT count(*) FROM games").fetchone()[0]
        reading.close()
        return found
    except sqlite3.OperationalError:
        return 0


def make_store():
    store = "store/games.sqlite"
    at = f"--store {store}"
    harena(f"match isolation 'mcts(iterations=20)' 'mm_open(depth=1)' --size 4 --seed 5 --games 10 {at}", "match")
    harena(f"match colosseum random lookahead2 --size 3-4 --seed 6 --games 8 {at} --local", "match-local")
    harena(f"match trap agents/centre.py random --size 4 --seed 7 --games 4 {at}", "match-program")
    harena(f"tournament tiles random greedy 'mcts(iterations=20)' --size 3 --seed 8 --games 4 {at}", "tournament")
    harena(
        f"tournament isolation random mm_null mm_open ab_null --type knockout --depth 1 --size 4 --seed 9 --games 2 {at}",
        "knockout",
    )
    harena(f"sweep tiles 'mcts(c={{c}},iterations=10)' random --over c=0.1,1 --size 3 --seed 10 --games 4 {at}", "sweep")
    harena(f"tune tiles 'mcts(c={{c}},iterations=10)' random --start c=1 --steps 3 --size 3 --seed 11 {at}", "tune")
    harena(f"play trap --first human --second random --size 4 --seed 12 {at}", "play", "resign\n")
    harena(f"play isolation --first human --second random --size 4 --seed 13 {at}", typed="a1\n")
    print(harena(f"records list {at}"))
    harena(f"review 1 --nodes 500 {at}", "review")
    for words, games in (
        ("tournament tiles random greedy 'mcts(iterations=9)' --games 20 --size 4 --seed 14 --local", 7),
        ("match trap agents/centre.py medium --games 12 --size 4 --seed 15", 5),
        ("tune tiles 'mcts(c={c},iterations=10)' random --start c=1 --steps 8 --size 3 --seed 16", 5),
        ("sweep tiles 'mcts(c={c},iterations=10)' random --over c=0.1,1 --size 3 --seed 17 --games 8", 5),
    ):
        stop(f"{words} {at}", store, count(store) + games, signal.SIGINT)


def make_killed():
    """A match that ended by kill -9: the last games are only in the log beside the store."""
    whole = "match isolation 'mcts(iterations=20)' 'mm_open(depth=1)' --size 4 --seed 20 --games 20"
    harena(f"{whole} --store whole.sqlite", "killed-whole")
    harena("records export records/killed-whole.jsonl --store whole.sqlite")
    stop(f"{whole} --store killed/games.sqlite", "killed/games.sqlite", 7, signal.SIGKILL)


def make_faults():
    for kind in FAULTS:
        words = f"match isolation random agents/{kind}.py --games 2 --size 5 --seed 30"
        words += " --seconds 0.2" if kind == "time" else " --seconds 5"
        words += " --memory 300" if kind == "memory" else ""
        harena(f"{words} --store faults/games.sqlite", f"fault-{kind}")


def read_all():
    """What version 0.1.0 says of its own files, and the records that it exports."""
    for name in ("store", "faults"):
        at = f"--store {name}/games.sqlite"
        harena(f"records list {at}", f"{name}-list")
        for form in ("jsonl", "csv"):
            harena(f"records export records/{name}.{form} {at}")
        lines = (PLACE / f"records/{name}.jsonl").read_text().splitlines()
        for game in sorted({json.loads(line)["game"] for line in lines}):
            (PLACE / "printed" / f"{name}-ratings-{game}.json").write_text(harena(f"ratings {game} --json {at}"))


def make_gradings():
    harena("grade class/comp424 --course comp424 --games 2 --seconds 0.1 --out grades/comp424", "grade-comp424")
    harena("grade class/w4701 --course w4701 --games 2 --all-against-all --out grades/w4701", "grade-w4701")
    stop(
        "grade class/aind --course aind --games 2 --out grades/aind", "grades/aind/games.sqlite", 20, signal.SIGINT
    )


def keep():
    """Put all that a later version needs beside this folder; pages of games and long reports can be written again."""
    kept = HERE.parent
    for folder in ("printed", "records", "store", "killed", "faults", "grades"):
        shutil.rmtree(kept / folder, ignore_errors=True)
        shutil.copytree(PLACE / folder, kept / folder, ignore=shutil.ignore_patterns("*-shm", "replays", "__pycache__"))
    with closing(sqlite3.connect(kept / "grades/aind/games.sqlite")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # its log may be left, and is long
    for report in kept.glob("grades/*/reports/*"):
        if report.stat().st_size > LONGEST_REPORT:
            report.unlink()
    pages = sorted(str(page.relative_to(PLACE)) for page in PLACE.glob("grades/*/replays/*/*"))
    (kept / "grades" / "replays.txt").write_text("".join(f"{page}\n" for page in pages))


def main():
    PLACE.mkdir(parents=True)
    for folder in ("printed", "records", "store", "killed", "faults", "grades"):
        (PLACE / folder).mkdir()
    for folder in ("agents", "class"):
        shutil.copytree(HERE.parent / folder, PLACE / folder)
    make_store()
    make_killed()
    make_faults()
    read_all()
    make_gradings()
    keep()


main()
