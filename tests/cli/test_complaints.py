"""A command line that cannot be read: one line in our words, with an example that can be."""

import shlex
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from cli.support import run
from harena.cli.complaints import EXAMPLES, plainly
from harena.cli.main import app

MATCH = "match isolation random greedy"
SAID = {
    f"{MATCH} --games ten": "--games is a whole number, not ten",
    f"{MATCH} --seconds soon": "--seconds is a number, not soon",
    f"{MATCH} --concurrency 0": "--concurrency is at least 1, not 0",
    f"{MATCH} --concurrency 99": "--concurrency is at most 64, not 99",
    f"{MATCH} --games": "--games needs a value after it",
    f"{MATCH} uct": "match takes GAME A B only; too much: uct (a text with blanks needs quotes)",
    "games trap": "games takes none of these; too much: trap (a text with blanks needs quotes)",
    "match": f"match needs GAME A B, for instance: harena {MATCH}",
    "match isolation random": f"match needs GAME A B, for instance: harena {MATCH}",
    "grade mine": "grade needs FOLDER --course COURSE, for instance: harena grade submissions --course comp424",
    "review abc": "GAME_ID is a whole number, not abc, for instance: harena review 12",
    "records show": "records show needs NUMBER, for instance: harena records show 12",
    "match --gamez 3": "match has no --gamez; did you mean --games?",
    "match --zzzzzz 3": "match has no --zzzzzz; `harena match --help` lists what it has",
    "records shw": "no command 'shw'; did you mean 'show'?",
    "qqqqqqq": "no command 'qqqqqqq'; `harena --help` lists them",
}


@pytest.mark.parametrize("words", SAID)
def test_a_mistake_is_told_in_our_words(
    words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = run(capsys, monkeypatch, *words.split())
    assert (answer.code, answer.out, answer.err) == (2, "", f"harena: {SAID[words]}\n")


def commands(group: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    for name, one in group.commands.items():
        if hasattr(one, "commands"):
            yield from commands(one, f"{name} ")
        else:
            yield before + name, one


def test_every_command_that_needs_words_has_an_example_that_can_be_read() -> None:
    found = dict(commands(typer.main.get_command(app)))
    assert {name for name, one in found.items() if any(param.required for param in one.params)} == set(EXAMPLES)
    for name, example in EXAMPLES.items():
        found[name].make_context(name, shlex.split(example))


def test_what_we_have_no_words_for_is_said_as_it_is() -> None:
    assert plainly(typer.BadParameter("a\nriddle")) == "Invalid value: a riddle"
    assert plainly(typer.BadParameter("a riddle", param=typer.main.get_command(app).params[0])).endswith(": a riddle")
