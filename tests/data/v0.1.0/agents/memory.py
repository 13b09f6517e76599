"""Plays the first legal move, and from its second turn on does what the name of its file says."""

import json
import os
import sys
import time
from pathlib import Path

KIND = Path(__file__).stem


def say(message):
    print(json.dumps(message), flush=True)


def fail(told):
    if KIND == "crash":
        raise RuntimeError("no idea what to do")
    if KIND == "exit":
        os._exit(0)
    if KIND == "time":
        time.sleep(60)
    if KIND == "output":
        for _ in range(1000):
            os.write(1, b"x" * 65536)
    if KIND == "memory":
        eaten = [bytearray(os.urandom(1 << 20)) * 25 for _ in range(40)]
        time.sleep(len(eaten))
    answers = {"illegal": {"move": told["legal"][0][:1] + "99"}, "unreadable": {"move": 7}, "resigns": {"resign": True}}
    say({"type": "move", "id": told["id"], **answers[KIND]})


turns = 0
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        say({"type": "ready", "harena": 1, "name": KIND})
    elif told["type"] == "new":
        turns = 0
    elif told["type"] == "go":
        turns += 1
        if turns > 1:
            fail(told)
        else:
            say({"type": "move", "id": told["id"], "move": told["legal"][0]})
    elif told["type"] == "quit":
        break
