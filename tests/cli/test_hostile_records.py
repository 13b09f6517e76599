"""Records, stores and unfinished games that somebody else wrote: what they name is not run unless the user types it."""

import json
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import harena
from arena.test_replay import random_record
from cli.conftest import Harena
from cli.support import Answer
from harena.agents.contestant import ProcessContestant
from harena.agents.launch import launch
from harena.arena.claims import file_of
from harena.arena.contest import Contest, Spec
from harena.arena.record import Record
from harena.arena.replay import as_text, states
from harena.arena.review import Reviewer
from harena.arena.running import play_missing
from harena.arena.sources import file_options, own_files, sources, texts_of, untyped_files, whole_digests
from harena.arena.store import STOPPED, Store
from harena.errors import BadFile, HarenaError
from harena.kernel.trusted import NotTrusted, is_trusted, only_trusted, rules_digest

EXAMPLE = Path(__file__).parents[2] / "examples" / "tictactoe.py"
AGENT = "from harena.agents.bot import run\nrun(lambda turn: turn.legal[0])\n"
SEARCH = "class Mine:\n    def run(self, state, limits, turn):\n        return state.moves()[0]\n"


@pytest.fixture
def evil(tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that leaves a mark when it is run, on the path of modules too."""
    folder = tmp_path / "evil"
    folder.mkdir()
    file = folder / "evil_rules.py"
    file.write_text(f"open({str(tmp_path / 'mark')!r}, 'w').close()\nclass Mine: ...\ndef score(state, me): return 0\n")
    monkeypatch.syspath_prepend(str(folder))
    return file


def names_of(evil: Path) -> list[str]:
    return [str(evil), f"{evil}:Mine", "evil_rules:Mine", os.path.relpath(evil)]


def check_harmless(evil: Path) -> None:
    assert not (evil.parents[1] / "mark").exists() and "evil_rules" not in sys.modules


def check_refused(answer: Answer, evil: Path, *words: str) -> None:
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1), answer
    assert all(word in answer.err for word in ("harena: ", "evil", *words)), answer.err
    check_harmless(evil)


def hostile(game: str, **others: Any) -> Record:
    record = random_record("isolation", 1)
    conditions = {**record.conditions, "sources": {game: "0123456789abcdef"}}
    return replace(record, game=game, conditions=conditions, **others)


def stored(path: Path, record: Record, kind: str = "match", spec: dict[str, Any] | None = None) -> str:
    with Store(path) as store:
        run = store.new_run(kind, spec or {}).id
        store.add_game(run, "0-1/0/0", record)
        store.finish(run, STOPPED)
    return run


@pytest.mark.slow
@pytest.mark.parametrize("which", range(4))
@pytest.mark.parametrize("hashed", [True, False])
def test_a_record_is_data(harena: Harena, path: Path, tmp_path: Path, evil: Path, which: int, hashed: bool) -> None:
    name = names_of(evil)[which]
    record = hostile(name, seats=(f"{evil}:Mine", f"id(heuristic={evil}:score)"))
    record = record if hashed else replace(record, conditions={})
    run = stored(path, record)
    (tmp_path / "game.jsonl").write_text(as_text(record) + "\n")
    check_refused(harena("replay", str(tmp_path / "game.jsonl")), evil, "if you trust it, add --game ")
    check_refused(harena("replay", "1", "--svg", str(tmp_path / "frames")), evil, "if you trust it")
    check_refused(harena("review", "1"), evil, "if you trust it")
    shown = harena("records", "show", "1")
    assert shown.code == 0 and "it cannot be played again: the rules of this game are code" in shown.out
    for words in (["list"], ["list", "--run", run], ["export", "-"], ["export", str(tmp_path / "games.csv")]):
        assert harena("records", *words).code == 0
    harena("report", run, str(tmp_path / "page.html"))
    assert harena("ratings", "isolation").code == 2
    check_harmless(evil)


def test_a_program_that_reads_a_store_runs_nothing(path: Path, evil: Path) -> None:
    stored(path, hostile(str(evil)))
    (found,) = harena.games_in(path)
    for read in (found.states, lambda: states(found.record), lambda: list(harena.games_in(path, game="mine"))):
        with pytest.raises(HarenaError):
            next(iter(read()))
    check_harmless(evil)


def match_spec(evil: Path, game: str, agents: list[str], **others: Any) -> dict[str, Any]:
    spec = {"game": game, "variants": [{}], "agents": agents, "folder": str(evil.parent), "limits": {"nodes": 1}}
    return {"spec": {**spec, "sources": sources(game, agents), **others}, "pairs": 1}


RUNS: list[Callable[[Path], tuple[str, dict[str, Any]]]] = [
    lambda evil: ("match", match_spec(evil, str(evil), ["random", "random"], local=True)),
    lambda evil: ("match", match_spec(evil, "evil_rules:Mine", ["random", "random"], local=True)),
    lambda evil: ("match", match_spec(evil, "isolation", [f"{evil}:Mine", "random"], local=True)),
    lambda evil: ("match", match_spec(evil, "isolation", ["random", f"id(heuristic={evil}:score)"], local=True)),
    lambda evil: ("match", match_spec(evil, "isolation", ["random", "id(heuristic=evil_rules.py:score)"])),
    lambda evil: ("match", match_spec(evil, "isolation", ["random", str(evil)], sandbox="off")),
    lambda evil: ("match", match_spec(evil, "isolation", ["random", f"aind:{evil}:Mine"], sandbox="off")),
    lambda evil: ("match", match_spec(evil, "isolation", ["random", f"aind:{evil.parent}"], sandbox="off")),
    lambda evil: (
        "tournament",
        {**match_spec(evil, "isolation", ["random", f"{evil}:Mine"]), "type": "round-robin", "rounds": None},
    ),
    lambda evil: (
        "tune",
        {
            **match_spec(evil, "isolation", []),
            **{"template": f"{evil}:Mine(c={{c}})", "steps": 1, "rate": 1.0, "plot": None, "csv": None},
            "parameters": [{"name": "c", "start": 1.0, "scale": 2.0, "low": None, "high": None, "log": True}],
        },
    ),
]


@pytest.mark.parametrize("made", RUNS)
def test_a_store_starts_nothing(harena: Harena, path: Path, evil: Path, made: Any) -> None:
    kind, plan = made(evil)
    spec = {**plan, "sprt": None} if kind == "match" else plan
    run = stored(path, random_record("isolation", 1), kind, spec)
    check_refused(harena("resume", run), evil, "if you trust it, type: harena resume", run)
    check_refused(harena("resume", run, "--game", str(EXAMPLE), "--agent", str(EXAMPLE)), evil, "if you trust it")
    listed = harena("records", "list")
    assert file_options(spec) in listed.out.replace("\n", "") and listed.code == 0


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("text", ["{}", "{}:Mine", "id(heuristic={}:score)", "aind:{}"])
def test_a_game_that_was_left_starts_nothing(harena: Harena, path: Path, evil: Path, text: str, seat: int) -> None:
    agent = text.format(evil)
    folder = path.with_name(f"{path.name}.unfinished")
    folder.mkdir()
    seats = ("human", agent) if seat else (agent, "human")
    record = replace(random_record("isolation", 1), plies=(), reason="unfinished", winner=None, seats=seats)
    (folder / "0.json").write_text(as_text(record))
    option = "--second" if seat else "--first"
    check_refused(harena("play", "--resume"), evil, f"type: harena play --resume {option} ")
    other = harena("play", "--resume", option, "random")
    assert other.code == 2 and other.err.startswith(f"harena: --resume goes on with a game as it is: {option} is ")
    (folder / "0.json").write_text(as_text(replace(record, game=str(evil), seats=("human", "random"))))
    check_refused(harena("play", "--resume"), evil, "type: harena play /")
    check_harmless(evil)


# What the user types, with the content that the record had


@pytest.fixture
def own(path: Path) -> Record:
    """A stored game of a user's own, which was played in a folder that is not there."""
    name = "/gone/tictactoe.py"
    made = Contest(Spec(game=str(EXAMPLE), variants=[{}], agents=["random", "random"], local=True)).conditions
    record = random_record(str(EXAMPLE), 1)
    record = replace(record, game=name, conditions={"sources": {name: made["sources"][str(EXAMPLE)]}})
    stored(path, record)
    return record


@pytest.mark.usefixtures("own")
def test_what_the_user_types_is_replayed_by_the_same_rules_only(harena: Harena, tmp_path: Path) -> None:
    refused = harena("replay", "1")
    assert (refused.code, refused.out) == (2, "") and refused.err.endswith(" add --game /gone/tictactoe.py\n")
    other = tmp_path / "tictactoe.py"
    other.write_text(EXAMPLE.read_text("utf-8") + "# changed\n", "utf-8")
    for game in (str(EXAMPLE), f"{EXAMPLE}:TicTacToeFace"):
        answer = harena("replay", "1", "--game", str(other), "--game", game)
        assert (answer.code, answer.err) == (0, "") and "ply 1: player 1 plays" in answer.out
    assert "cannot be played" not in harena("records", "show", "1", "--game", str(EXAMPLE)).out
    assert harena("replay", "1", "--game", "none.py").err == "harena: none.py: there is no such file\n"
    for words in (["replay", "1"], ["review", "1"]):
        answer = harena(*words, "--game", str(other))
        assert (answer.code, answer.out) == (2, "")
        said = "/gone/tictactoe.py is not as it was when this game was played: put that version back"
        assert answer.err.splitlines()[-1] == f"harena: {said}"


def test_what_a_game_imports_belongs_to_it(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("import sizes\n")
    (tmp_path / "sizes.py").write_text("NINE = 9\n")
    before = rules_digest(str(tmp_path / "rules.py"))
    assert before == whole_digests(str(tmp_path / "rules.py"))[str(tmp_path / "rules.py")]
    (tmp_path / "sizes.py").write_text("NINE = 10\n")
    assert rules_digest(str(tmp_path / "rules.py")) != before


@pytest.mark.parametrize("conditions", [{}, {"sources": {}}, {"sources": {"/gone/tictactoe.py": ""}}, {"sources": 1}])
def test_a_record_without_a_hash_needs_a_word_of_its_own(
    harena: Harena,
    own: Record,
    path: Path,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    conditions: dict[str, Any],
) -> None:
    """Version 0.1.0 kept none; and whoever exchanges the rules takes it away."""
    monkeypatch.setattr("harena.find._said", set[str]())
    stored(path, replace(own, conditions=conditions))
    (tmp_path / "game.jsonl").write_text(as_text(replace(own, conditions=conditions)) + "\n")
    for words in (["replay", "2"], ["replay", str(tmp_path / "game.jsonl")], ["review", "2"]):
        answer = harena(*words, "--game", str(EXAMPLE))
        assert (answer.code, answer.out) == (2, "") and "ply" not in answer.err
        said = answer.err.splitlines()[-1]
        assert said.startswith("harena: this record holds no hash of /gone/tictactoe.py: it cannot be verified")
        assert said.endswith(f"name the file as unchecked:{EXAMPLE}")
    assert not caplog.records
    answer = harena("replay", "2", "--game", f"unchecked:{EXAMPLE}")
    assert answer.code == 0 and "ply 1: player 1 plays" in answer.out
    assert [one.getMessage() for one in caplog.records] == [
        f"harena: this record holds no hash of {EXAMPLE}: it cannot be verified that these are its rules"
    ]
    (tmp_path / "other.py").write_text("")
    assert harena("replay", "2", "--game", f"unchecked:{tmp_path / 'other.py'}").code == 2
    assert harena("replay", "2", "--game", "unchecked:none.py").err == "harena: none.py: there is no such file\n"


@pytest.mark.usefixtures("own")
def test_a_hash_is_compared_wherever_there_is_one(harena: Harena, tmp_path: Path) -> None:
    other = tmp_path / "tictactoe.py"
    other.write_text(EXAMPLE.read_text("utf-8") + "# changed\n", "utf-8")
    answer = harena("replay", "1", "--game", f"unchecked:{other}")
    assert (answer.code, answer.out) == (2, "") and "is not as it was when this game was played" in answer.err
    assert harena("replay", "1", "--game", f"unchecked:{EXAMPLE}").code == 0


def test_a_program_says_which_game_it_trusts(own: Record, path: Path) -> None:
    (first,) = harena.games_in(path)
    with pytest.raises(NotTrusted):
        next(first.states())
    with only_trusted([EXAMPLE]):
        assert len(list(first.states())) == len(own.plies) + 1
        assert [one.number for one in harena.games_in(path, game="tictactoe")] == [1]
        assert Reviewer(own, "mcts").total > len(own.plies)
    with pytest.raises(BadFile, match="there is no such file"):
        harena.trust_game("none.py")


def stop(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.process
@pytest.mark.parametrize(("agent", "options"), [("mine.py:Mine", "--local"), ("mine.py", "--seconds=5")])
def test_the_printed_command_goes_on(
    harena: Harena, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: str, options: str
) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(AGENT if agent == "mine.py" else SEARCH)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("harena.cli.match.play_missing", stop)
    limits = [options, *(["--nodes", "1"] if options == "--local" else [])]
    answer = harena("match", "isolation", agent, "random", "--games", "2", "--size", "4", *limits)
    command = answer.out.splitlines()[-1].removeprefix("stopped; go on with: harena ").split()
    whole = f"{mine}{agent.removeprefix('mine.py')}"
    assert answer.code == 130 and command[0] == "resume" and command[-2:] == ["--agent", whole]
    monkeypatch.setattr("harena.cli.match.play_missing", play_missing)
    refused = harena(*command[:2])
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    code = "mine.py" if agent == "mine.py" else "mine.py:Mine (without a sandbox)"
    assert refused.err.endswith(f"runs code of {code}: if you trust it, type: harena {' '.join(command)}\n")
    before = mine.read_text()
    mine.write_text(before + "# changed\n")
    assert f"mine.py has changed since run {command[1]} began" in harena(*command).err
    mine.write_text(before)
    monkeypatch.chdir("/")  # from another folder
    answer = harena(*command)
    assert answer.code == 0 and "2 games" in answer.out, answer.err


def test_a_run_that_kept_no_digests_is_not_gone_on_with(harena: Harena, path: Path, evil: Path) -> None:
    spec = match_spec(evil, "isolation", ["random", f"{evil}:Mine"], sources={})
    run = stored(path, random_record("isolation", 1), "match", {**spec, "sprt": None})
    check_refused(harena("resume", run, "--agent", f"{evil}:Mine"), evil, f"run {run} has kept no digest of ")


# Walls that a store would take away


SPY = """
from harena.agents.bot import run
try:
    open({mark!r}, "w").close()
except OSError:
    pass
run(lambda turn: turn.legal[0])


class Mine:
    def run(self, state, limits, turn):
        return state.moves()[0]


class Other(Mine): ...
"""
WORDS = ("--games", "2", "--size", "4", "--seconds", "20")


@pytest.fixture
def spy(tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that leaves a mark where no walls keep it from that, and a search; its run is stopped at once."""
    file = tmp_path / "spy" / "spy.py"
    file.parent.mkdir()
    file.write_text(SPY.format(mark=str(tmp_path / "mark")))
    monkeypatch.chdir(file.parent)
    return file


def stopped_run(harena: Harena, path: Path, *words: str) -> tuple[str, str]:
    """A run that was stopped before its first game: its name, and the command that goes on with it."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("harena.cli.match.play_missing", stop)
        answer = harena(*words)
    assert answer.code == 130, answer.err
    with Store(path) as store:
        return store.runs()[-1].id, answer.out.splitlines()[-1].removeprefix("stopped; go on with: harena ")


def rewrite(path: Path, run: str, **changed: Any) -> None:
    """Change what a store says of a run, as whoever has its file can."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        (text,) = database.execute("SELECT spec FROM runs WHERE id = ?", (run,)).fetchone()
        plan = json.loads(text)
        plan["spec"] |= changed
        database.execute("UPDATE runs SET spec = ? WHERE id = ?", (json.dumps(plan), run))


@pytest.mark.process
@pytest.mark.parametrize("level", ["off", "limits", "off,signals"])
def test_a_store_takes_no_walls_away(harena: Harena, path: Path, spy: Path, level: str) -> None:
    run, _ = stopped_run(harena, path, "match", "isolation", "spy.py", "random", *WORDS, "--sandbox", "required")
    mark = spy.parents[1] / "mark"
    mark.unlink(missing_ok=True)
    rewrite(path, run, sandbox=level)
    for typed in (["--agent", "spy.py"], ["--agent", str(spy.parent)]):
        answer = harena("resume", run, *typed)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1), answer
        said = (
            f"harena: run {run} runs spy.py without a sandbox: if you trust it, type: harena resume {run} --agent {spy}"
        )
        assert answer.err.startswith(f"{said} --sandbox {level}")
    answer = harena("resume", run, "--agent", "spy.py", "--sandbox", "required")
    said = f"harena: run {run} has --sandbox {level}, and the conditions of a run do not change\n"
    assert (answer.code, answer.out, answer.err) == (2, "", said) and not mark.exists()


@pytest.mark.process
def test_a_run_without_walls_goes_on_where_that_is_typed(harena: Harena, path: Path, spy: Path) -> None:
    run, command = stopped_run(harena, path, "match", "isolation", "spy.py", "random", *WORDS, "--sandbox", "off")
    assert command.startswith(f"resume {run} --agent {spy} --sandbox off")
    answer = harena(*command.split())
    assert answer.code == 0 and "2 games" in answer.out and "sandbox off" in answer.out
    assert "harena: spy.py runs without a sandbox\n" in answer.err


@pytest.mark.process
def test_no_agent_is_started_without_walls_unless_that_is_typed(spy: Path, tmp_path: Path) -> None:
    """Whatever names it: the numbers of a sweep make texts, too."""
    for agent in (str(spy), f"aind:{spy}"):
        for level in ("off", "limits"):
            with only_trusted([], [spy]), pytest.raises(NotTrusted, match=f"type --sandbox {level}"):
                launch(agent, level, str(tmp_path))
            with only_trusted([], [spy], level):
                assert launch(agent, level, str(tmp_path)).level == level
        with only_trusted([]), pytest.raises(NotTrusted, match="is not started"):
            launch(agent, "auto", str(tmp_path))


@pytest.mark.process
@pytest.mark.parametrize(
    "changed",
    [
        {"agents": ["spy.py:Mine", "random"]},
        {"agents": ["random", "id(heuristic=2*spy.py:score)"]},
        {"game": "spy.py"},
        {"game": "spy.py:Mine"},
    ],
)
def test_what_was_typed_as_an_agent_behind_walls_is_not_run_without(
    harena: Harena, path: Path, spy: Path, changed: dict[str, Any]
) -> None:
    run, _ = stopped_run(harena, path, "match", "isolation", "spy.py", "random", *WORDS)
    mark = spy.parents[1] / "mark"
    mark.unlink(missing_ok=True)
    rewrite(path, run, **changed)
    for typed in ("spy.py", str(spy), str(spy.parent), *(["spy.py:Other"] if "agents" in changed else [])):
        answer = harena("resume", run, "--agent", typed)
        assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1), answer
        assert " (without a sandbox): if you trust it, type: harena resume " in answer.err
    assert not mark.exists()


def test_a_game_that_was_left_runs_nothing_without_walls_that_was_typed_with_them(
    harena: Harena, path: Path, spy: Path
) -> None:
    folder = path.with_name(f"{path.name}.unfinished")
    folder.mkdir()
    seats = ("spy.py:Mine", "spy.py")
    record = replace(random_record("isolation", 1), plies=(), reason="unfinished", winner=None, seats=seats)
    (folder / "0.json").write_text(as_text(record))
    answer = harena("play", "--resume", "--second", "spy.py")
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "runs code of spy.py:Mine (without a sandbox): if you trust it, type: " in answer.err
    assert not (spy.parents[1] / "mark").exists()


# What else a store can name


@pytest.mark.process
def test_a_store_names_no_file_that_is_written(
    harena: Harena, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "values.csv"
    words = ["sweep", "isolation", "mcts(c={c},iterations=2)", "random", "--over", "c=1,2", "--games", "2"]
    with monkeypatch.context() as patched:
        patched.setattr("harena.cli.sweep.play_missing", stop)
        for _ in range(2):
            answer = harena(*words, "--size", "4", "--csv", str(target))
            assert answer.code == 130 and f" --csv {target}" in answer.out.splitlines()[-1]
    target.unlink(missing_ok=True)
    with Store(path) as store:
        first, second = (run.id for run in store.runs())
    assert harena("resume", first).code == 0 and not target.exists()
    assert harena("resume", second, "--csv", str(target)).code == 0 and target.exists()


def test_the_name_of_a_run_is_no_path(path: Path, tmp_path: Path) -> None:
    """Its file is emptied and removed when the run has been played."""
    victim = tmp_path / "thesis"
    for name in (str(victim), f"../{victim.name}", ".."):
        assert file_of(path, name).parent == path.with_name(f"{path.name}.playing")
    assert file_of(path, "0a1b2c3d").name == "0a1b2c3d"


def test_a_hostile_path_cannot_be_pasted_into_a_shell() -> None:
    text = "x$(touch mark);\x1b[2J.py"
    spec = {"spec": {"game": "isolation", "agents": [f"./{text}"], "folder": "/a"}}
    assert file_options(spec) == " --agent '/a/./x$(touch mark);?[2J.py'"


def test_devices_are_not_read_for_their_digest() -> None:
    assert sources("isolation", ["/dev/zero"])["/dev/zero"] == ""


def test_files_are_found_in_every_text_that_loads_them() -> None:
    for text, files in {
        "mine.py:S": ["mine.py"],
        " a b.py:S (x=1)": ["a b.py"],
        "id(heuristic=2*a.py:f+phased(b.py:g(w=1), c.py:h))": ["a.py", "b.py", "c.py"],
        "a.py:S(heuristic=b.py:f)": ["a.py", "b.py"],
    }.items():
        assert [path.strip() for path in own_files(text)] == files
    with only_trusted([]):
        assert not is_trusted("a.py") and untyped_files({"spec": {"game": "a.py:F", "agents": ["b.py"]}}) == [
            "a.py (without a sandbox)",
            "b.py",
        ]
        assert texts_of({"spec": None}) == ("", []) and untyped_files({}) == []


@pytest.mark.process
def test_a_module_in_the_present_folder_is_not_taken_for_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a folder of submissions, from which an instructor plays a match."""
    for name in ("numpy", "harena", "json"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'mark')!r}, 'w').close()\n")
    monkeypatch.chdir(tmp_path)
    contestant = ProcessContestant("random", "isolation", [{"size": 4}], margin=60.0)
    try:
        contestant.start()
    finally:
        contestant.close()
    assert not (tmp_path / "mark").exists()
