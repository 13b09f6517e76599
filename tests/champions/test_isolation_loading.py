"""Isolation's champion loads nothing while it thinks: in a fresh process, since a kernel is loaded only once."""

import os
import subprocess
import sys

import pytest

from harena.kernel.switch import JIT

PROGRAM = """
import sys
import harena
from harena import Limits

def signatures():
    dispatchers = {
        id(thing): thing
        for name, module in list(sys.modules.items()) if name.startswith("harena")
        for thing in list(vars(module).values())
        if hasattr(thing, "nopython_signatures") and not isinstance(thing, type)  # kernels, not Numba's class of them
    }
    return {(one.__module__, one.__name__, str(kinds)) for one in dispatchers.values() for kinds in one.signatures}

text, size, setup = sys.argv[1:]
game = harena.game("isolation", size=size, setup=setup)
player, other = harena.player(text, game), harena.player("random", game)
player.ready()
other.ready()
state = game.initial(5)
state = state.play(state.moves()[0])  # no kernel of the rules is counted
before = signatures()
assert any(name == "search_root" for _, name, _ in before)
for seed in range(6):
    state = game.initial(seed)
    players = [player, other] if seed % 2 else [other, player]
    player.forget()
    while not state.is_over:
        state = state.play(players[state.mover].think(state, Limits(nodes=20_000, seconds=30.0), seed=seed).move)
print(sorted(signatures() - before))
"""


@pytest.mark.process
@pytest.mark.skipif(not JIT, reason="without compilation nothing is loaded")
@pytest.mark.parametrize(
    ("text", "size", "setup"),
    [
        ("champion", "7x7", "random-placements"),
        ("champion(threads=2)", "5x5", "start"),
        ("champion(level=4)", "8x8", "start"),
    ],
)
def test_after_ready_no_kernel_is_loaded(text, size, setup):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, text, size, setup], capture_output=True, text=True, env=os.environ, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
