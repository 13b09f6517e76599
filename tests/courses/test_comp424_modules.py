"""The modules that agents of COMP 424 import: `world` against recorded games of the original and against our rules."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import harena
from harena.courses.hosting import importing, stand_ins

pytestmark = pytest.mark.process

MODULES = importing.MODULES / "comp424"
TRACES = Path(__file__).parents[1] / "data" / "traces" / "colosseum.jsonl"


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    """What the script beside this file finds, in a process that has the course's modules."""
    script = Path(__file__).parent / "comp424_world.py"
    words = [sys.executable, "-P", "-B", str(script), str(MODULES), str(TRACES)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_games_of_the_original_come_out_the_same(found: dict[str, Any]) -> None:
    records = [json.loads(line) for line in TRACES.read_text("utf-8").splitlines()[::2]]
    assert len(found["replayed"]) == len(records)
    for record, replayed in zip(records, found["replayed"], strict=True):
        assert replayed["legal"] == [ply["legal"] for ply in record["plies"] if "legal" in ply]
        assert replayed["end"] == [True, *record["areas"]]
        assert sum(replayed["times"]) == len(record["plies"])


def test_random_games_agree_with_our_rules(found: dict[str, Any]) -> None:
    for game in found["random"]:
        for text, legal, (is_over, first, second) in game:
            size = int(text.split()[0])
            state = harena.game("colosseum", size=size).position(text)
            assert state.is_over == is_over
            if state.outcome is not None:
                assert state.outcome.score == (first, second)
            else:
                assert first == second and [as_course(str(move)) for move in state.moves()] == legal


def as_course(move: str) -> str:
    return f"{int(move[1:-1]) - 1},{'abcdefghijkl'.index(move[0])},{move[-1]}"


def test_start_walls_of_both_years(found: dict[str, Any]) -> None:
    sizes = range(3, 13)
    assert found["starts"]["2023"] == {str(size): [2 * (size // 2 - 1)] for size in sizes}
    assert found["starts"]["2022"] == {str(size): [2 * ((size + 1) // 2)] for size in sizes}


def test_a_board_of_five_is_whole_or_in_two_parts(found: dict[str, Any]) -> None:
    assert found["golden"] == [[False, 25, 25], [True, 15, 10]]


def test_an_answer_that_fails_becomes_a_random_walk(found: dict[str, Any]) -> None:
    kinds = ("raises", "none", "three", "float", "bool", "off", "side")
    assert found["replaced"] == {kind: [2, True] for kind in kinds}  # one wall, seen from its two cells


def test_mistakes_are_told(found: dict[str, Any]) -> None:
    assert found["refused"] == [
        "no agent 'nobody': is @register_agent('nobody') above its class, and its file imported?",
        "the agent 'off' does not play by itself",
        "an agent named 'random_agent' is registered already",
    ]


def test_the_human_agent_asks_as_the_course_does(found: dict[str, Any]) -> None:
    (answer, said), (left, _) = found["typed"]
    assert answer == [[1, 2], 1] and left == "exit 0"
    assert said.count("Your move (x,y,dir) or input q to quit: ") == 4
    assert "three fields" in said and said.count("two numbers from 0 to 4 and one of u, r, d, l") == 2


def test_a_world_is_drawn_and_left(found: dict[str, Any]) -> None:
    drawn, code = found["shown"]
    assert code == 0 and len(drawn) == 7 and drawn[0] == "+---+---+---+" and "A" in "".join(drawn)


def test_the_other_words_of_the_modules(found: dict[str, Any]) -> None:
    walker, module, quiet, missing, base, unanswered, sizes = found["odds"]
    assert (walker, module, quiet, base) == ("RandomAgent", "agents.random_agent", 50, "DummyAgent")
    assert missing == "module 'agents' has no attribute 'Nobody'" and "step" in unanswered
    assert sizes == list(range(6, 13))


# Imports


def test_a_copy_counts_as_their_own_if_it_defines_more(tmp_path: Path) -> None:
    file = tmp_path / "module.py"
    for text, names in {
        "A = B = 1\nC, D = 1, 2\n": {"A", "B", "C", "D"},
        "A = 1\ndef f(): pass\nasync def g(): pass\nclass H:\n    def i(self): pass\n": {"f", "g", "H", "H.i"},
        "def f(:": set(),
    }.items():
        file.write_text(text)
        assert importing.definitions(file) == names
    assert importing.definitions(tmp_path / "none.py") == set()


def test_a_library_that_is_missing_does_nothing_at_all() -> None:
    missing = stand_ins.StandIns()
    assert missing.find_spec("torch") is None
    spec = missing.find_spec("pygame.sprite")
    assert spec is not None
    module: Any = missing.create_module(spec)
    missing.exec_module(module)
    thing = module.Process().memory_info(full=True)
    figure, axes = thing.subplots()
    axes[0] = figure["x"]
    with thing as inside:
        assert inside is thing
    assert float(thing) == 0 and list(range(3))[thing] == 0 and thing / 3 == 2 * thing == thing * 2 == 0
    assert thing < 1 and not thing > 1 and thing > -1
    assert module.command()(len) is len

    class Derived(module.Sprite):  # type: ignore[misc]
        pass

    assert Derived.__mro__ == (Derived, object)
    for odd in (module, thing):
        with pytest.raises(AttributeError):
            _ = odd.__wrapped__
