"""Speaks our protocol, and hangs at a certain turn of its process."""

import time

from harena.agents.bot import run

NUMBER = 3
asked = []


def choose(turn):
    asked.append(turn)
    while len(asked) == NUMBER:
        time.sleep(0.01)
    return turn.legal[0]


run(choose)
