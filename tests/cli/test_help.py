"""`harena --help` and shell completion: every command has its place, fits the screen, and offers what can be typed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from harena.cli.completion import complete_agent, complete_game, complete_run
from harena.cli.main import app
from harena.cli.panels import PANELS

COLUMNS = 80


def text_of(*words: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "harena", *words],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": str(COLUMNS), "TERMINAL_WIDTH": str(COLUMNS), **environment},
    )
    return done.stdout


def test_every_command_is_in_one_panel() -> None:
    listed = [command for commands in PANELS.values() for command in commands]
    group = typer.main.get_command(app)
    assert sorted(listed) == sorted(group.commands)  # type: ignore[attr-defined]


def test_the_help_lists_the_panels_in_order_with_a_line_for_each_command() -> None:
    lines = text_of("--help").splitlines()
    headings = [line for line in lines if "─ " in line]
    assert [line.strip("╭╮─ ") for line in headings] == ["Options", *PANELS]
    assert max(map(len, lines)) <= COLUMNS
    for panel, commands in PANELS.items():
        first = next(number for number, line in enumerate(lines) if f"─ {panel} ─" in line)
        rows = [line.strip("│ ") for line in lines[first + 1 : first + 1 + len(commands)]]
        assert [row.split()[0] for row in rows] == list(commands)
        assert all(row.endswith(".") for row in rows), "a description takes one line"


def test_the_help_of_a_command_ends_with_an_example() -> None:
    assert text_of("match", "--help").rstrip().endswith("Example: harena match isolation random greedy")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("harena mat", ["match"]),
        ("harena match i", ["isolation"]),
        ("harena match isolation id_rea", ["id_reach"]),
        ("harena tournament trap e", ["easy", "expectiminimax"]),
    ],
)
def test_bash_completes_commands_games_and_agents(typed: str, offered: list[str]) -> None:
    program = Path(sys.executable).with_name("harena")
    done = subprocess.run(
        [str(program)],
        capture_output=True,
        text=True,
        check=True,
        env={
            **os.environ,
            "_HARENA_COMPLETE": "complete_bash",
            "COMP_WORDS": typed,
            "COMP_CWORD": str(typed.count(" ")),
        },
    )
    assert done.stdout.split() == offered


class Typed:
    """What was typed before the word that is completed."""

    def __init__(self, **params: object) -> None:
        self.params = params


def test_what_is_offered_says_what_it_is(tmp_path: Path) -> None:
    assert dict(complete_game("ti")).keys() == {"tiles"}
    assert {name for name, _ in complete_agent(Typed(game="tiles"), "uct")} == {"uct1000"}
    assert {"uct", "uct1000"} <= {name for name, _ in complete_agent(Typed(), "uct")}
    store = str(tmp_path / "games.sqlite")
    words = "match tiles random greedy --games 2 --local --store"
    text_of(*words.split(), store)
    ((run, about),) = complete_run(Typed(store=store), "")
    assert about == "match of tiles, finished"
    assert list(complete_run(Typed(store=store), run[:3])) == [(run, about)]
    assert list(complete_run(Typed(store=store), "-")) == []
    assert list(complete_run(Typed(store=str(tmp_path / "none.sqlite")), "")) == []
