"""Search classes of a file that was named as a program, found in its source."""

import pytest

from harena.agents.user_search import find_search_classes

SEARCH = "class Beam:\n    def run(self, state, limits, turn):\n        return state.moves()[0]\n"
TEXTS = {
    SEARCH: ["Beam"],
    SEARCH + SEARCH.replace("Beam", "Wide"): ["Beam", "Wide"],
    "class Beam:\n    def run(self, *all): ...\n": ["Beam"],
    "@search.method(Beam, object)\ndef beam(a, b): ...\nclass Beam(NamedTuple): ...\n": ["Beam"],
    "class Beam:\n    def run(self): ...\n": [],
    "class Beam: ...\n": [],
    f"import sys\n{SEARCH}for line in sys.stdin: ...\n": [],
    f"from harena.agents.bot import run\n{SEARCH}": [],
    f'{SEARCH}print(\'{{"type": "ready"}}\')\n': [],
    f"{SEARCH}def broken(:\n": [],
    "\0": [],
}


@pytest.mark.parametrize("text", TEXTS)
def test_a_search_in_a_file_that_speaks_no_protocol(text: str) -> None:
    assert find_search_classes(text) == TEXTS[text]
