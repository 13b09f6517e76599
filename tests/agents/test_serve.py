"""Our players as processes: what they load, they load before they say that they are ready."""

import json
import subprocess
import sys

import pytest

REHEARSED = """
import sys
from harena import game
from harena.agents.serve import Server
from harena.kernel import cache

name, text = sys.argv[1:]
server, loaded = Server(text), []
server.hear({"type": "hello", "game": name, "variants": [{}]})
for method in ("load_overload", "save_overload"):
    def told(self, *rest, before=getattr(cache.KernelCache, method)):
        loaded.append(self._function.__qualname__)
        return before(self, *rest)
    setattr(cache.KernelCache, method, told)
server.hear({"type": "new", "options": {}, "start": game(name).initial(3).text})
moves = []
for number in range(4):
    move = server.hear({"type": "go", "id": number, "moves": moves, "limits": {"nodes": 50}, "seed": 0})["move"]
    moves.append(move)
print(loaded)
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [("colosseum", "uct"), ("colosseum", "random_agent"), ("isolation", "champion"), ("tiles", "greedy")],
)
def test_no_kernel_is_loaded_in_a_players_time(name: str, text: str) -> None:
    words = [sys.executable, "-c", REHEARSED, name, text]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout.replace("'", '"')) == []
