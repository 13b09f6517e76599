"""Kernels on disk, seen by real processes: what is kept is used, and nothing that has changed is ever run."""

from pathlib import Path

import pytest

from kernel.support import BATTERY, GAMES, RUN_FILE, copy_of_package, edit, kernel_files, run_well, write

pytestmark = pytest.mark.process

LOOK = """
import sys
import harena
from kernel.support import compiled
state = harena.game(sys.argv[1]).initial(2)
for pick in (0, -1):
    state = state.play(state.moves()[pick]) if state.moves() else state
print(state.mover, state.outcome, len(state.moves()), state.key)
print(compiled())
"""

MINE = """
from pathlib import Path
import numpy as np
from harena.kernel.compile import kernel
from harena.kernel.generic import helper
from rules_beside import FACTOR, rule

HERE = Path(__file__).parent
TABLE = np.loadtxt(HERE / "table.txt", dtype=np.int64, ndmin=1)
PAIR = (np.loadtxt(HERE / "pair.txt", dtype=np.int64, ndmin=1), 1)


def make(number):
    @helper
    def add(x):
        return x + number
    return add


add = make(int((HERE / "closure.txt").read_text()))


@helper
def shift(x, by=int((HERE / "default.txt").read_text())):
    return x + by


@kernel
def run(x):
    return shift(add(rule(x) * FACTOR + TABLE[0] + PAIR[0][0])) + 1
"""


def users_folder(folder: Path) -> Path:
    """A user's file with a file of rules and four of data beside it; run(1) is 1008."""
    text = "from harena.kernel.generic import helper\nFACTOR = 1\n\n@helper\ndef rule(x):\n    return x + 2\n"
    write(folder / "rules_beside.py", text)
    for name, number in {"table": 1000, "pair": 1, "closure": 1, "default": 2}.items():
        write(folder / f"{name}.txt", str(number))
    return write(folder / "mine.py", MINE)


def test_a_second_process_compiles_nothing_and_gets_the_same_results(tmp_path: Path) -> None:
    truth = run_well(BATTERY, *GAMES, cache=None, HARENA_JIT="0").json[0]
    cold, kernels = run_well(BATTERY, *GAMES, cache=tmp_path).json
    assert cold == truth
    assert len(kernel_files(tmp_path)) == sum(kernels.values())
    assert {"look", "step", "list_moves", "count_sequences", "playouts"} <= set(kernels)
    assert run_well(BATTERY, *GAMES, cache=tmp_path).json == [truth, {}]
    everything_first = f"import harena.cli.main, harena.cli.perft, harena.cli.show, harena.games.faces.trap\n{BATTERY}"
    assert run_well(everything_first, *reversed(GAMES), cache=tmp_path).json[1] == {}


RULES = {
    "isolation": [
        ("games/isolation.py", "(1, 2), (2, -1)", "(1, 1), (1, 3), (2, -1)"),  # a table made at import
        ("contract.py", "return Outcome(result, NO", "return Outcome(1 - result // 3, NO"),  # a helper
        ("kernel/bits.py", "(0xBF58476D1CE4E5B9)", "(0xBF58476D1CE4E5BB)"),  # at the bottom of all
    ],
    "tiles": [
        ("games/tiles.py", "return state.player", "return 1 - state.player"),  # a rule
        ("kernel/boards.py", "popcount(board.a)\n", "popcount(board.a) - 1\n"),  # a method in another file
    ],
}


@pytest.mark.parametrize("game", RULES)
def test_an_edited_rule_is_never_run_stale(tmp_path: Path, game: str) -> None:
    package = copy_of_package(tmp_path / "copy")
    before, _ = run_well(LOOK, game, cache=tmp_path / "cache", package=package).lines
    for file, old, new in RULES[game]:
        edit(package / file, old, new)
        after, _ = run_well(LOOK, game, cache=tmp_path / "cache", package=package).lines
        truth, _ = run_well(LOOK, game, cache=None, package=package, HARENA_JIT="0").lines
        assert after == truth, file
        assert after != before, file
        edit(package / file, new, old)


EDITS = [
    ("mine.py", ") + 1", ") + 6", 1013),
    ("rules_beside.py", "x + 2", "x + 3", 1009),
    ("rules_beside.py", "FACTOR = 1", "FACTOR = 2", 1011),
    ("table.txt", "1000", "2000", 2008),
    ("pair.txt", "1", "5", 1012),
    ("closure.txt", "1", "5", 1012),
    ("default.txt", "2", "5", 1011),
]


def test_an_edited_file_of_a_users_is_never_run_stale(tmp_path: Path) -> None:
    """One edit at a time, each taken back before the next; the kernel of the first text is kept all the while."""
    mine = users_folder(tmp_path)
    assert run_well(RUN_FILE, mine, 1, cache=tmp_path / "cache").json == [1008, {"run": 1}]
    for file, old, new, result in EDITS:
        edit(tmp_path / file, old, new)
        answer = run_well(RUN_FILE, mine, 1, cache=tmp_path / "cache").json
        assert answer == [result, {"run": 1}], f"{file}: {old} to {new}"
        edit(tmp_path / file, new, old)
    assert run_well(RUN_FILE, mine, 1, cache=tmp_path / "cache").json == [1008, {}]


def test_an_unchanged_file_of_a_users_is_not_compiled_again(tmp_path: Path) -> None:
    mine = users_folder(tmp_path)
    results = [run_well(RUN_FILE, mine, 1, cache=tmp_path / "cache").json for _ in range(2)]
    assert results == [[1008, {"run": 1}], [1008, {}]]


def test_a_file_edited_after_it_was_imported_does_not_pass_for_the_new_one(tmp_path: Path) -> None:
    """The process that imported the old text compiles it after the edit; the next one must not find that."""
    mine = users_folder(tmp_path)
    edit_it = "rules = Path(sys.argv[1]).with_name('rules_beside.py')\n"
    edit_it += "rules.write_text(rules.read_text().replace('+ 2', '+ 3'))\n"
    late_edit = RUN_FILE.replace("print(", f"{edit_it}print(")
    assert run_well(late_edit, mine, 1, cache=tmp_path / "cache").json[0] == 1008
    assert run_well(RUN_FILE, mine, 1, cache=tmp_path / "cache").json[0] == 1009


def test_a_reloaded_module_is_compiled_from_its_new_text(tmp_path: Path) -> None:
    text = "from harena.kernel.compile import kernel\n\n@kernel\ndef run(x):\n    return x + 1\n"
    write(tmp_path / "again.py", text)
    script = """
    import importlib, pathlib, sys
    sys.path.insert(0, sys.argv[1])
    import again
    print(again.run(1))
    file = pathlib.Path(again.__file__)
    file.write_text(file.read_text().replace("+ 1", "+ 10"))
    print(importlib.reload(again).run(1))
    """
    assert run_well(script, tmp_path, cache=tmp_path / "cache").lines == ["2", "11"]


def test_a_vanished_file_of_a_users_disturbs_nobody(tmp_path: Path) -> None:
    mine = write(
        tmp_path / "mine.py",
        """
        from typing import NamedTuple
        from harena.contract import key
        from harena import calls
        import numpy as np

        class Mine(NamedTuple):
            number: int

        @key.method(Mine)
        def _(state):
            return np.uint64(state.number)

        def run(x):
            return int(calls.hash_of(Mine(x)))
        """,
    )
    before, _ = run_well(LOOK, "isolation", cache=tmp_path / "cache").lines
    assert run_well(RUN_FILE, mine, 7, cache=tmp_path / "cache").json == [7, {"hash_of": 1}]
    mine.unlink()
    assert run_well(LOOK, "isolation", cache=tmp_path / "cache").lines == [before, "{}"]
