"""`harena isolation-tournament`: the course's table, the same on every run with a budget, and what may be evaluated."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

import harena
from cli.support import Answer, run
from harena.arena.contest import Contest
from harena.arena.running import stored
from harena.arena.scores import Pairs
from harena.arena.store import FINISHED, STOPPED, Store
from harena.cli.compiling import WORDS
from harena.courses.isolation_tournament import (
    FIELDS,
    OPPONENTS,
    entrant,
    match_line,
    tournament,
    tournament_of,
    verdict,
)
from harena.heuristics.catalogue import HEURISTICS
from harena.search.result import Limits

AGENTS = Path(__file__).parent / "agents" / "aind"
ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "snapshots" / "isolation_tournament.txt"

Harena = Callable[..., Answer]
BEGUN = re.compile(r"run (\w{8}): harena resume \1(?: --concurrency 2)?(?: --agent \S+)* goes on if it is stopped\n")
KEPT = re.compile(r"(.* lost games? [^(]*|no game was lost )\(.*\); all games: harena records list --run (\w{8})\n")


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HARENA_STORE", str(tmp_path / "games.sqlite"))
    return tmp_path / "games.sqlite"


@pytest.fixture(name="hold")
def held(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Harena:
    return lambda *words: run(capsys, monkeypatch, "isolation-tournament", *words)


@pytest.mark.slow
@pytest.mark.parametrize("concurrency", ["1", "2"])
def test_the_table_is_the_course_s_and_the_same_on_every_run(hold: Harena, concurrency: str) -> None:
    words = ("net_advantage", "0.5*improved + proximity", "--nodes", "60", "--games", "4", "--seed", "1")
    answer = hold(*words, "--concurrency", concurrency)
    assert answer.code == 0 and BEGUN.match(answer.err) and BEGUN.sub("", answer.err) in ("", f"{WORDS}\n")
    golden = GOLDEN.read_text("utf-8")  # to renew it: print what the command prints into the file, but its last line
    assert answer.out.startswith(golden) and KEPT.fullmatch(answer.out.removeprefix(golden))


def test_the_later_course_had_other_opponents(hold: Harena, store: Path) -> None:
    """From 2017 on with the heuristic center, and AB players that deepen: these get the budget, and no fixed depth."""
    answer = hold("center", "--field", "2017", "--nodes", "30", "--games", "2")
    names = re.findall(r"Match \d: +ID_center +vs +(\S+)", answer.out)
    assert names == ["Random", "MM_Open", "MM_Center", "MM_Improved", "AB_Open", "AB_Center", "AB_Improved"], answer.err
    assert "ID_center does not beat ID_improved" in answer.out
    with Store(store) as kept:
        (held,) = kept.runs()
    assert tournament_of(held.spec).opponents == FIELDS["2017"]
    assert held.spec["spec"]["agents"][1:5] == [
        *("mm_open(nodes=1000000000)", "mm_center(nodes=1000000000)", "mm_improved(nodes=1000000000)"),
        "id(heuristic=open)",
    ]
    del held.spec["field"]  # of a run before there were several
    assert tournament_of(held.spec).opponents == OPPONENTS
    assert "no field '2016'; did you mean '2017'?" in hold("open", "--field", "2016").err


@pytest.mark.slow
def test_its_games_are_kept_and_the_lost_ones_are_named(
    hold: Harena, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "other.sqlite"
    answer = hold("open", "--nodes", "20", "--games", "2", "--store", str(path))
    with Store(path) as kept:
        (held,) = kept.runs()
        lost = [row.id for row in kept.rows(held.id) if row.seats[row.winner == 0] == "id(heuristic=open)"]
    option = f" --store {path}"
    listed = f"{', '.join(map(str, lost[:5]))}{' ...' if len(lost) > 5 else ''}"
    assert len(lost) > 1 and answer.out.splitlines()[-1] == (
        f"ID_open lost games {listed} (harena review {lost[0]}{option}, harena replay {lost[0]}{option}); "
        f"all games: harena records list --run {held.id}{option}"
    )
    assert held.status == FINISHED and held.kind == "isolation-tournament"
    assert run(capsys, monkeypatch, "replay", str(lost[0]), "--store", str(path)).code == 0
    listing = run(capsys, monkeypatch, "records", "list", "--store", str(path)).out
    assert f"{held.id}  isolation-tournament  isolation  finished     28" in listing


@pytest.mark.slow
def test_a_stopped_tournament_goes_on_to_the_same_table(
    hold: Harena, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, store: Path
) -> None:
    words = ("open", "--nodes", "20", "--games", "2", "--seed", "3")
    whole = hold(*words).out

    with monkeypatch.context() as patched:
        played = 0
        add = Store.add_game

        def add_some(self: Store, *game: Any) -> int | None:
            nonlocal played
            played += 1
            if played > 17:
                raise KeyboardInterrupt
            return add(self, *game)

        patched.setattr(Store, "add_game", add_some)
        answer = hold(*words)
    with Store() as kept:
        _, second = kept.runs()
        assert second.status == STOPPED and len(kept.slots_done(second.id)) == 17
    assert answer.code == 130 and "\nso far:\n" in answer.out
    assert answer.out.endswith(f"\nstopped; go on with: harena resume {second.id}\n")
    answer = run(capsys, monkeypatch, "resume")
    assert answer.code == 0 and "goes on" not in answer.err  # whoever resumes knows
    assert KEPT.sub("", answer.out) == KEPT.sub("", whole) != whole
    with Store() as kept:
        games = [
            {slot: [ply.move for ply in record.plies] for slot, record in stored(kept, one.id)} for one in kept.runs()
        ]
        assert games[0] == games[1] and len(games[0]) == 28 and kept.run(second.id).status == FINISHED


@pytest.mark.slow
def test_the_page_shows_what_is_printed(hold: Harena, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "courses" / "aind.md").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    printed = hold("--nodes", "200").out.splitlines()
    shown = page[page.index("    " + "*" * 25) : page.index("Each agent meets")].splitlines()
    assert len(shown) > 10
    assert all(line.removeprefix("    ") in [*printed, "  ..."] for line in shown)


def test_a_line_is_spaced_as_in_the_course() -> None:
    assert match_line(1, "ID_improved", "Random", 20, 0) == "  Match 1: ID_improved vs   Random      Result: 20 to 0"
    ends = {line.index("Result") for line in (match_line(2, "ID_open", name, 1, 1) for name in OPPONENTS)}
    assert len(ends) == 1


def test_all_meet_the_same_opponents_from_the_same_openings_in_both_orders() -> None:
    held = tournament(["open"], games=20, limits=Limits(nodes=5))
    assert [one.label for one in held.entrants] == ["ID_improved", "ID_open"]
    slots = held.slots()
    assert len(slots) == 2 * 7 * 20
    contest = Contest(held.spec)
    starts: dict[tuple[int, int], list[tuple[str, bool]]] = {}
    for slot in slots:
        starts.setdefault((slot.b, slot.a), []).append((contest.start_of(slot)[1].text, slot.swapped))
    (openings,) = {tuple(found) for found in starts.values()}
    assert len({text for text, _ in openings}) == 10
    for text, _ in openings:
        assert (text.count("1"), text.count("2"), text.count("x")) == (2, 1, 0) and text.endswith(" 1")
        assert {swapped for other, swapped in openings if other == text} == {True, False}


def test_what_may_be_evaluated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    agent = AGENTS / "template_g2" / "game_agent.py"
    Path("mine.py").write_text(
        "def score(state, me):\n    return 0.0\n\n\nclass Player:\n    def get_move(self): ...\n"
    )
    Path("program.py").write_text("print()\n")
    Path("game_agent.py").write_text("def broken(:\n")
    for text, label, found in (
        ("improved", "ID_improved", "id(heuristic=improved)"),
        ("phased(open, 2*improved)", "ID_phased(open, 2*improved)", "id(heuristic=phased(open, 2*improved))"),
        ("mine.py:score", "ID_mine.py:score", "id(heuristic=mine.py:score)"),
        ("id_open", "ID_open", "id_open"),
        ("champion", "champion", "champion"),
        ("mcts(iterations=5)", "mcts(iterations=5)", "mcts(iterations=5)"),
        ("id(heuristic=open)", "id(heuristic=open)", "id(heuristic=open)"),
        (f"aind:{agent}", f"aind:{agent}", f"aind:{agent}"),
        (str(agent), str(agent), f"aind:{agent}"),
        (f"{agent}:MinimaxPlayer", f"{agent}:MinimaxPlayer", f"aind:{agent}:MinimaxPlayer"),
        (str(agent.parent), str(agent.parent), f"aind:{agent.parent}"),
        ("mine.py", "mine.py", "aind:mine.py"),
        ("mine.py:Player", "mine.py:Player", "aind:mine.py:Player"),
        ("game_agent.py", "game_agent.py", "aind:game_agent.py"),
        ("program.py", "program.py", "program.py"),
    ):
        one = entrant(text, harena.game("isolation"))
        assert (one.label, one.text) == (label, found)


@pytest.mark.slow
def test_all_heuristics_are_named_once_and_a_program_of_ours_plays_too(hold: Harena) -> None:
    answer = hold("id_improved", "random", "--all", "--nodes", "1", "--games", "2")
    evaluated = [line.split()[-1] for line in answer.out.splitlines() if "Evaluating" in line]
    rest = [f"ID_{name}" for name in HEURISTICS["isolation"] if name != "improved"]
    assert answer.code == 0 and evaluated == ["ID_improved", "random", *rest]


@pytest.mark.process
def test_agents_of_the_course_beside_programs_and_heuristics(hold: Harena, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(AGENTS / "on_samples")
    program = str(ROOT / "examples" / "agents" / "centre.py")
    answer = hold("game_agent.py", f"{AGENTS / 'crashes'}", program, "--nodes", "20", "--games", "2")
    assert answer.code == 0 and BEGUN.sub("", answer.err) in ("", f"{WORDS}\n")
    blocks = answer.out.split("Evaluating: ")
    assert blocks[2].startswith("game_agent.py\n") and "lost:" not in blocks[2]
    assert "  lost: crash " in blocks[3] and "(ZeroDivisionError: integer" in blocks[3]
    assert blocks[3].count("Result: 0 to 2") == 7 and "0.00%" in blocks[3]
    assert "crashes does not beat ID_improved, which is ahead: a score of " in blocks[-1]
    assert "more than noise" in blocks[-1]
    assert "20 nodes a move, seed 0, sandbox " in blocks[-1] and "lost:" not in blocks[4].split("20 nodes")[0]


@pytest.mark.process
def test_an_agent_that_cannot_be_loaded_is_told_before_the_first_game(hold: Harena, tmp_path: Path) -> None:
    broken = f"aind:{AGENTS / 'other_names'}:Nobody"
    store = tmp_path / "games.sqlite"
    answer = hold(broken, "--nodes", "20", "--games", "2", "--store", str(store))
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1) and not store.exists()
    assert f"{broken} did not load: no Python file here has a class Nobody" in answer.err


@pytest.mark.process
def test_without_a_name_it_is_the_agent_that_lies_here(
    hold: Harena, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(AGENTS / "on_samples")
    assert "Evaluating: game_agent.py" in hold("--nodes", "2", "--games", "2").out
    monkeypatch.chdir(tmp_path)
    answer = hold("--nodes", "2", "--games", "2")
    assert answer.out.count("Evaluating") == 1
    assert answer.out.splitlines()[-2].startswith("ID_improved is what others are measured by: name a heuristic")


@pytest.mark.process
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["improvd"], "no heuristic 'improvd'; did you mean 'improved'?"),
        (["improved", "--games", "5"], "each opening is played in both orders: an even number of games, not 5"),
        (["nowhere/game_agent.py"], "nowhere/game_agent.py: there is no such file or folder"),
        (["nothing.py"], "nothing.py: there is no such file"),
        (["nothing.py:Player"], "nothing.py: cannot be read"),
        (["comp424:{agents}"], "plays colosseum, and this is isolation"),
        (["open", "--sandbox", "concrete"], "no sandbox 'concrete'"),
    ],
)
def test_mistakes_are_one_line(hold: Harena, words: list[str], message: str) -> None:
    answer = hold(*(word.format(agents=AGENTS) for word in words))
    assert answer.code == 2 and answer.out == "" and message in answer.err and answer.err.count("\n") == 1


def test_the_last_line_says_whether_a_difference_means_anything() -> None:
    better, base = Pairs(counts=(0, 0, 35, 0, 35)), Pairs(counts=(1, 0, 36, 0, 33))
    assert verdict("A", better, "B", base) == (
        "A scored more than B, 75.0 % over 72.9 %, but on 140 games that is noise (z = 0.41)"
    )
    assert verdict("A", base, "B", better).startswith("A does not beat B, which is ahead: a score of 75.0 % over ")
    assert verdict("A", base, "B", base) == "A does not beat B: both made 72.9 % of their games"
    assert verdict("A", Pairs(counts=(0, 0, 0, 0, 70)), "B", base).endswith("is more than noise (z = 6.63)")
    assert verdict("A", Pairs(), "B", base) == "A and B cannot be compared: not both have played"


@pytest.mark.process
def test_an_opponent_that_loses_by_a_fault_is_told_apart() -> None:
    held = tournament([], games=2, limits=Limits(nodes=1))
    contest = Contest(held.spec)
    for slot, record in contest.run(held.match(0, 0), 1, threading.Event()):
        fault = {"reason": "time", "detail": "too late", "winner": slot.seats.index(slot.b)}
        held.add(slot, type(record)(**{**vars(record), **fault}))
    assert held.results(0)[-1] == "  won by the opponent's fault: time 2 (too late)"


COMMAND = [sys.executable, "-m", "harena", "isolation-tournament"]


@pytest.mark.process
def test_ctrl_c_prints_what_there_is_and_leaves_nobody_behind() -> None:
    process = subprocess.Popen(
        [*COMMAND, "open", "--games", "2", "--seconds", "0.04"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    seen = ""
    while "Match 1:" not in seen:
        seen += (line := process.stdout.readline())
        assert line, process.communicate()
    children = psutil.Process(process.pid).children(recursive=True)
    assert any(one.ppid() != process.pid for one in children)  # players are children of a template
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 130 and BEGUN.fullmatch(err)
    assert "so far:" in out and "ID_improved" in out and "0.04 s a move, seed 0" in out
    *_, verdict_, kept, blank, stopped = out.splitlines()
    assert verdict_ == "ID_open and ID_improved cannot be compared: not both have played"
    assert KEPT.fullmatch(f"{kept}\n") and blank == ""
    assert re.fullmatch(r"stopped; go on with: harena resume \w{8}", stopped)
    gone, alive = psutil.wait_procs(children, timeout=300)
    assert gone and not alive


@pytest.mark.process
def test_a_terminal_shows_how_far_it_is() -> None:
    ours, theirs = pty.openpty()
    process = subprocess.Popen([*COMMAND, "--games", "2", "--nodes", "5"], stdout=theirs, stderr=theirs)
    os.close(theirs)
    shown, deadline = b"", time.monotonic() + 300
    while time.monotonic() < deadline:
        ready, _, _ = select.select([ours], [], [], 1.0)
        try:
            data = os.read(ours, 1 << 16) if ready else b" "
        except OSError:  # the other end is closed
            break
        shown += data
    os.close(ours)
    assert process.wait(300) == 0
    assert b"games" in shown and b"14/14" in shown and b"Match 7: ID_improved" in shown
