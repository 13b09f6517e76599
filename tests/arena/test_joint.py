"""Ratings over a whole store: order plays no part, and nothing is left out, mixed or counted twice in silence."""

import os
import random
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.stores import change
from arena.test_replay import random_record
from harena.arena.joint import COPIES, ITSELF, PEOPLE, joint, part
from harena.arena.ratings import fit
from harena.arena.record import Record
from harena.arena.sources import WHOLE, rules_version, sources, version
from harena.arena.store import Store
from harena.errors import BadOption, HarenaError, UnknownName, UsageError

EXAMPLES = Path(__file__).parents[2] / "examples"
MOVES = [random_record("isolation", number) for number in range(6)]


def game(first: str, second: str, winner: int | None, number: int = 0, **changes: Any) -> Record:
    given = {"seats": (first, second), "winner": winner, "reason": "rules"} | changes
    return replace(MOVES[number % len(MOVES)], **given)


def keep(store: Store, records: list[Record], kind: str = "match", spec: dict[str, Any] | None = None) -> str:
    run = store.new_run(kind, {"spec": spec or {}} if kind != "grade" else spec or {})
    for number, record in enumerate(records):
        store.add_game(run.id, f"0-1/{number}/0", record)
    store.finish(run.id)
    return run.id


def some_games(count: int = 60) -> list[Record]:
    drawn = random.Random(5)
    return [game(*drawn.sample("abcd", 2), drawn.choice([0, 0, 1, None]), number) for number in range(count)]


def test_all_runs_count_and_their_order_plays_no_part(tmp_path: Path) -> None:
    games = some_games()
    with Store(tmp_path / "one.sqlite") as one, Store(tmp_path / "two.sqlite") as two:
        runs = [keep(one, games[:20]), keep(one, games[20:])]
        found = joint(one, "isolation")
        shuffled = random.Random(1).sample(games, len(games))
        for start in range(0, 60, 15):
            keep(two, shuffled[start : start + 15])
        again = joint(two, "isolation")
        assert found.ratings == again.ratings == fit((*game.seats, game.points(0)) for game in games)
        assert (found.games, found.runs, again.runs) == (60, 2, 4) and not found.mixed and not found.left_out
        first = joint(one, "isolation", runs=[runs[0][:6], runs[0]])
        assert first.games == 20 and first.runs == 1
        assert joint(one, "isolation", runs=runs).ratings == found.ratings


def test_what_says_nothing_new_is_left_out_and_counted(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        keep(store, [game("a", "b", 0), game("a", "a", 1), game("human", "b", 0), game("b", "human", 0)])
        numbers = keep(store, [game("a", "b", 0, 1), game("b", "a", 0, 2)], "grade")
        later = store.new_run("grade", {})
        store.copy_games(later.id, {number: slot for slot, number in store.numbers(numbers).items()})
        store.add_game(later.id, "0-1/9/0", game("a", "b", 1, 3))
        found = joint(store, "isolation")
        assert found.games == 4 and found.left_out == {ITSELF: 1, PEOPLE: 2, COPIES: 2}
        alone = joint(store, "isolation", runs=[later.id])
        assert alone.games == 3 and not alone.left_out  # its originals are not among them


def test_the_same_games_in_two_runs_both_count_and_are_warned_of(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        for _ in range(3):
            keep(store, [game("a", "b", 0, number) for number in range(4)])
        found = joint(store, "isolation")
    assert found.games == 12
    assert found.repeated[0].startswith("of 12 games only 4 are different") and "too narrow" in found.repeated[0]


def test_what_is_mixed_is_told_and_can_be_chosen(tmp_path: Path) -> None:
    fast, slow = ({"limits": {"seconds": limit}, "harena": "0.1.0"} for limit in (0.05, 1))
    with Store(tmp_path / "games.sqlite") as store:
        keep(store, [game("a", "b", 0, number, options={}, conditions=fast) for number in range(3)])
        run = keep(
            store, [game("a", "b", 1, 4, options={"size": "5x7", "setup": "random-placements"}, conditions=slow)]
        )
        found = joint(store, "isolation")
        assert found.mixed["size"] == {"7": 3, "5x7": 1} and found.mixed["limit"] == {"0.05 s": 3, "1 s": 1}
        assert len(found.mixed["set-up"]) == 2 and "version of harena" not in found.mixed
        for sizes in (["7x7"], ["7"], ["6", "7"]):
            assert joint(store, "isolation", sizes=sizes).games == 3
        only = joint(store, "isolation", sizes=["5x7"], setup="random-placements")
        assert only.games == 1 and not only.mixed
        for given, said in (
            ({"sizes": ["6"]}, "no game of isolation of that size is stored in "),
            ({"sizes": ["6"], "setup": "start"}, "no game of isolation of that size and set-up is stored in "),
            ({"runs": [run], "setup": "start"}, "no game of isolation of that set-up is stored in those runs in "),
        ):
            with pytest.raises(UsageError, match=f"^{said}{tmp_path}"):
                joint(store, "isolation", **given)
        with pytest.raises(UnknownName, match="no set-up of isolation 'random'; did you mean 'random-placements'"):
            joint(store, "isolation", setup="random")
        with pytest.raises(BadOption, match="sizes from 3 to 8"):
            joint(store, "isolation", sizes=["20"])


def test_faults_are_losses_and_told_by_player(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        keep(store, [game("a", "b", 0, reason="time", detail="60 ms late"), game("b", "a", 1, 1, reason="crash")])
        found = joint(store, "isolation")
    assert found.ratings["a"].score == 1 and found.faults == {"b": {"time": 1, "crash": 1}}
    assert found.first_fault == {"b": "60 ms late"}


def test_versions_of_a_file_are_players_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file, helper = Path("mine.py"), Path("helper.py")
    file.write_text("import helper\n")
    games = [game("mine.py", "b", number % 2, number) for number in range(4)]
    with Store(tmp_path / "games.sqlite") as store:
        runs = []
        for content in ("one = 1\n", "one = 2\n", "one = 1\n"):
            helper.write_text(content)
            spec = {"folder": str(tmp_path), "sources": sources("isolation", ["mine.py", "b"])}
            runs.append(keep(store, games, spec=spec))
        names = ["mine.py, version 1", "mine.py, version 2"]
        found = joint(store, "isolation")
        assert sorted(found.texts) == ["b", *names] and found.texts[names[0]] == "mine.py"
        assert [(one.label, one.runs) for one in found.versions] == [("1", (runs[0], runs[2])), ("2", (runs[1],))]
        assert found.ratings[names[0]].games == 8 and found.ratings["b"].games == 12
        assert sorted(joint(store, "isolation", runs=[runs[0], runs[2]]).texts) == ["b", "mine.py"]
        keep(store, games)  # a run that kept nothing of its files
        assert "mine.py, version unknown" in joint(store, "isolation").texts


def test_the_version_of_an_agent_is_that_of_its_own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("mine.py", "other.py", "student/game_agent.py", "moved/mine.py"):
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text("x = 1\n")
    texts = ["mine.py", "other.py", "aind:student", "id(heuristic=mine.py:score)", "uct"]
    before = sources("isolation", texts)
    told = {text: version(text, str(tmp_path), before) for text in texts}
    assert told["uct"] == "" and all(told[text] for text in texts[:-1]) and told["mine.py"] != told["other.py"]
    Path("other.py").write_text("x = 2\n")
    Path("student/more.py").write_text("y = 1\n")
    after = sources("isolation", texts)
    changed = {text for text in texts if version(text, str(tmp_path), after) != told[text]}
    assert changed == {"other.py", "aind:student"}
    monkeypatch.chdir(tmp_path / "moved")  # the same content under the same text, elsewhere
    assert version("mine.py", os.getcwd(), sources("isolation", ["mine.py"])) == told["mine.py"]
    shutil.rmtree(tmp_path / "student")
    assert version("aind:student", str(tmp_path), before) == told["aind:student"]
    assert version("mine.py", str(tmp_path), {}) is None
    assert version("mine.py", "/gone", before) == told["mine.py"]


@pytest.mark.parametrize("is_old", [False, True])
def test_what_becomes_of_the_files_later_plays_no_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_old: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = ["mine.py", "random", "aind:student"]
    for name, content in {"mine.py": "import helper", "helper.py": "", "student/agent.py": "", "ttt.py": ""}.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_text(f"{content}\n")
    kept = sources("ttt.py", texts)
    if is_old:  # of a run that did not keep whose the files were
        kept = {path: digest for path, digest in kept.items() if not path.startswith(WHOLE)}

    def told() -> list[str | None]:
        rules = rules_version("ttt.py", str(tmp_path), kept, texts)
        return [rules, *(version(text, str(tmp_path), kept, ["ttt.py", *texts]) for text in texts)]

    before = told()
    assert all(before[0:2]) and before[2] == "" and before[3]
    Path("mine.py").write_text("import ttt\n")  # what it imports now is not what it imported then
    Path("student/agent.py").write_text("import more\n")
    assert told() == before
    for name in ("mine.py", "helper.py", "ttt.py"):
        Path(name).unlink()
    shutil.rmtree("student")
    assert told() == before


def test_the_version_of_an_agent_is_the_same_whoever_it_meets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("mine.py", "other.py"):
        Path(name).write_text("import helper\n" + ("import another\n" if name == "other.py" else ""))
    for name in ("helper.py", "another.py"):
        Path(name).write_text("x = 1\n")
    opponents = (["mine.py"], ["mine.py", "other.py"], ["other.py", "mine.py"])
    assert len({version("mine.py", str(tmp_path), sources("isolation", texts)) for texts in opponents}) == 1


def test_a_run_that_begins_meanwhile_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        first = keep(store, [game("/x/mine.py", "b", 0)], spec={"sources": {"/x/mine.py": "1"}})
        listed = store.runs()
        later = keep(store, [game("/x/mine.py", "b", 0, 1)], spec={"sources": {"/x/mine.py": "2"}})
        monkeypatch.setattr(Store, "runs", lambda self: listed)
        found = joint(store, "isolation")
    assert found.games == 2 and [one.runs for one in found.versions] == [(first,), (later,)]


def test_submissions_of_a_grading_go_by_their_digests(tmp_path: Path) -> None:
    agent = "comp424:/class/alice"
    with Store(tmp_path / "games.sqlite") as store:
        for seed, digest in enumerate(("aa", "bb", "aa")):
            games = [game(agent, "random", 0, game="colosseum", options={"size": 6}, seed=seed)]
            keep(store, games, "grade", {"submissions": [{"agent": agent, "digest": digest}], "spec": {}})
        found = joint(store, "colosseum")
    assert [(one.label, len(one.runs)) for one in found.versions] == [("1", 2), ("2", 1)] and not found.left_out


def test_a_game_of_ones_own_from_any_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "games").mkdir()
    own = tmp_path / "games" / "ttt.py"
    shutil.copy(EXAMPLES / "tictactoe.py", own)
    monkeypatch.chdir(tmp_path)
    with Store(tmp_path / "games.sqlite") as store:
        for folder, name in ((tmp_path, "games/ttt.py"), (tmp_path / "games", "ttt.py")):
            spec = {"game": name, "folder": str(folder), "sources": {name: "1" if folder == tmp_path else "2"}}
            keep(store, [game("a", "b", 0, number, game=name, options={}) for number in range(2)], spec=spec)
        for typed, games in (("games/ttt.py", 4), (str(own), 4)):
            found = joint(store, typed)
            assert found.games == games and found.mixed["version of the rules"].keys() == {
                rules_version(name, str(folder), {name: digest})
                for folder, name, digest in ((tmp_path, "games/ttt.py", "1"), (tmp_path / "games", "ttt.py", "2"))
            }
        Path("unplayed.py").write_text(own.read_text())
        with pytest.raises(UsageError, match=r"^no game of unplayed\.py is stored in .+games\.sqlite$"):
            joint(store, "unplayed.py")


def test_nothing_to_rate_is_said_in_a_line(tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        keep(store, [game("a", "a", 0, number) for number in range(3)])
        with pytest.raises(UsageError, match=r"^no game of trap is stored in .+games\.sqlite$"):
            joint(store, "trap")
        with pytest.raises(
            UsageError, match=r"no two players to rate in .+: there are only 3 games of a player against"
        ):
            joint(store, "isolation")
        with pytest.raises(UnknownName, match="did you mean 'isolation'"):
            joint(store, "isolaton")
        with pytest.raises(HarenaError, match="no run 'zzz'"):
            joint(store, "isolation", runs=["zzz"])


def test_damaged_games_are_named_and_the_others_count(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with Store(path) as store:
        keep(store, [game("a", "b", 0, number) for number in range(3)])
    change(path, "UPDATE games SET record = 'x' WHERE id = 2")
    said: list[str] = []
    with Store(path, writing=False) as store:
        assert joint(store, "isolation", report=said.append).games == 2
    assert len(said) == 1 and "game 2" in said[0]


def test_a_part_of_the_players_keeps_its_numbers() -> None:
    fitted = fit([("a", "b", 1), ("b", "c", 1), ("c", "a", 0.5), ("x", "y", 1), ("y", "x", 0.5)])
    some = part(fitted, ["c", "a", "y"])
    assert [row.name for row in some.rows] == [row.name for row in fitted.rows if row.name in "acy"]
    assert some["a"] == fitted["a"] and some.confidence("a", "c") == fitted.confidence("a", "c")
    assert some.groups == (("a", "c"), ("y",)) and part(fitted, "abcxy") == fitted
