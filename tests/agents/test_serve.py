"""Our players as processes: what they load, they load before they say that they are ready."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.process

REHEARSED = """
import gc, sys
from harena import game
from harena.agents.serve import Server
from harena.contract import CHANCE
from harena.kernel import cache

name, text = sys.argv[1:]
server, loaded = Server(text), []
server.hear({"type": "hello", "game": name, "variants": [{}]})
assert gc.get_freeze_count() > 100 * len(gc.get_objects())  # no collection takes long
for method in ("load_overload", "save_overload"):
    def told(self, *rest, before=getattr(cache.KernelCache, method)):
        loaded.append(self._function.__qualname__)
        return before(self, *rest)
    setattr(cache.KernelCache, method, told)
server.hear({"type": "new", "options": {}, "start": game(name).initial(3).text})
moves, limits = [], {"nodes": 50, "seconds": 10.0}
for number in range(6):
    if server.state.mover == CHANCE:
        move = str(server.state.moves()[0])
    else:
        move = server.hear({"type": "go", "id": number, "moves": moves, "limits": limits, "seed": 0})["move"]
    moves.append(move)
    server.state, server.played = server.state.play(move), len(moves)
print(loaded)
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("colosseum", "uct"),
        ("colosseum", "random_agent"),
        ("tiles", "greedy"),
        *((name, "champion") for name in ("isolation", "colosseum", "trap", "tiles")),
        ("trap", "champion(level=3)"),
        ("isolation", "champion(threads=2)"),
    ],
)
def test_no_kernel_is_loaded_in_a_players_time(name: str, text: str) -> None:
    words = [sys.executable, "-c", REHEARSED, name, text]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout.replace("'", '"')) == []


MEMORY = """
import sys, tracemalloc
from harena import game
from harena.agents.serve import Server

server, sizes, most = Server("champion(memory=64)"), (6, 7, 8, 9), []
server.hear({"type": "hello", "game": "colosseum", "variants": [{"size": size} for size in sizes]})
tracemalloc.start()  # after all code is loaded or compiled, which takes several times as long when it is traced
for number, size in enumerate(sizes):
    start = game("colosseum", size=size).initial(1).text
    server.hear({"type": "new", "options": {"size": size}, "start": start})
    server.hear({"type": "go", "id": number, "moves": [], "limits": {"seconds": 0.5}, "seed": 0})
    most.append(tracemalloc.get_traced_memory()[0] / 2**20)
print(*most)
"""


def test_a_player_of_many_sizes_keeps_the_memory_of_one_game() -> None:
    done = subprocess.run([sys.executable, "-c", MEMORY], capture_output=True, text=True, check=True)
    used = [float(word) for word in done.stdout.split()]
    assert used[-1] < 1.5 * used[0]
