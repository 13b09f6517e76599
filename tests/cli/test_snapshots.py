"""What the commands print, word for word."""

import pytest

from cli.snapshots import GOLDEN, SESSIONS, masked, session

MARKED = [pytest.param(name, marks=pytest.mark.process) if name == "mistakes" else name for name in SESSIONS]


@pytest.mark.slow
@pytest.mark.parametrize("name", MARKED)
def test_a_session_prints_what_it_did(name: str) -> None:
    golden = (GOLDEN / f"{name}.txt").read_text("utf-8")
    assert session(name) == golden, (
        "if this is meant: python tests/cli/golden/regenerate.py, and look at the difference"
    )


def test_nothing_is_wider_than_the_terminal() -> None:
    for file in GOLDEN.glob("*.txt"):
        for line in file.read_text("utf-8").splitlines():
            is_long = line.startswith(("$ harena ", "harena", "'")) or "|" in line or file.stem.startswith("report")
            assert is_long or len(line) <= 80, f"{file.name}: {line}"


def test_every_golden_file_has_its_session() -> None:
    assert {file.stem for file in GOLDEN.glob("*.txt")} == set(SESSIONS)


def test_what_changes_is_masked_and_nothing_else() -> None:
    assert masked("run 12345678, 2026-11-16 03:30 UTC, 12.5 ms  \n", {"12345678": "RUN"}) == "run RUN, DATE UTC, # ms\n"
    for text, left in (
        ("seed 491037992, 12345678 games\n", "seed 491037992, 12345678 games\n"),
        ("  1  2   g7      0.125  0.833      2\n", "  1  2   g7      #.###  0.833      2\n"),
        ("greedy | 159 | 0.09 | 1,000.20 | 0.38\n", "greedy | 159 | # | # | #\n"),
    ):
        assert masked(text, {}) == left
