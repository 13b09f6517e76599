"""An agent that misbehaves on command, to see that nothing it does hurts the arena: `misbehaving.py KIND`.

Standard library only. It plays the first legal move until its third turn, and then does what its name says.
"""

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

WHEN = 3  # the turn at which it happens
ESCAPED: list[bool] = []


def say(message: Any) -> None:
    """Answer."""
    os.write(1, json.dumps(message).encode() + b"\n")


def answer(told: dict[str, Any], **more: Any) -> None:
    """The first legal move."""
    say({"type": "move", "id": told["id"], "move": told["legal"][0], **more})


def raise_an_error(told: dict[str, Any]) -> None:
    """With words on standard error."""
    raise RuntimeError("no idea what to do")


def sleep(told: dict[str, Any], seconds: float = 3600.0) -> None:
    """And answer when it is too late."""
    time.sleep(seconds)
    answer(told)


def flood(told: dict[str, Any], descriptor: int, size: int) -> None:
    """Write without end, or at least a lot."""
    for _ in range(size):
        os.write(descriptor, b"x" * 65536)
    answer(told)


def spawn(told: dict[str, Any]) -> None:
    """Leave a process running, in a session of its own."""
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"], start_new_session=True)
    answer(told)


def eat(told: dict[str, Any]) -> None:
    """Take memory, and touch it."""
    eaten = []
    for _ in range(40):
        eaten.append(bytearray(os.urandom(1 << 20)) * 25)
        time.sleep(0.01)
    answer(told)


def twice(told: dict[str, Any]) -> None:
    """The same answer two times, and one to a question that was never asked."""
    say({"type": "move", "id": told["id"] + 1000, "move": "z99"})
    answer(told)
    answer(told)


def deaf(told: dict[str, Any]) -> None:
    """Listen no more, and answer once."""
    os.close(0)
    answer(told)
    time.sleep(3600)


def chatter(told: dict[str, Any]) -> None:
    """Short lines that mean nothing, without end."""
    while True:
        os.write(1, b"{}\n" * 1000)


def drip(told: dict[str, Any]) -> None:
    """Lines that mean nothing, slowly, and the answer long after its time."""
    for _ in range(60):
        os.write(1, b"{}\n")
        time.sleep(0.04)
    answer(told)


def escape(told: dict[str, Any]) -> None:
    """Leave a process that has a session of its own and writes the time into a file, and leave the group oneself."""
    if not ESCAPED:
        ESCAPED.append(True)
        code = "import sys, time\nwhile True: open(sys.argv[1], 'a').write('.'); time.sleep(0.002)"
        subprocess.Popen([sys.executable, "-c", code, os.environ["TICKS"]], start_new_session=True)
        os.setpgid(0, os.getpgid(os.getppid()))
        while not os.path.exists(os.environ["TICKS"]):
            time.sleep(0.01)
    answer(told)


def silent_exit(told: dict[str, Any], code: int = 0) -> None:
    """End, without a word."""
    os._exit(code)


KINDS: dict[str, Callable[[dict[str, Any]], None]] = {
    "good": answer,
    "crashes": raise_an_error,
    "exits": silent_exit,
    "aborts": lambda told: os.abort(),
    "hangs": sleep,
    "late": lambda told: sleep(told, 2.0),
    "illegal": lambda told: say({"type": "move", "id": told["id"], "move": told["legal"][0][:1] + "99"}),
    "garbage": lambda told: say("what?"),
    "binary": lambda told: flood_binary(),
    "moveless": lambda told: say({"type": "move", "id": told["id"]}),
    "number": lambda told: say({"type": "move", "id": told["id"], "move": 7}),
    "resigns": lambda told: say({"type": "move", "id": told["id"], "resign": True}),
    "huge": lambda told: answer(told, value=10**400, depth=-(10**30), nodes=True),
    "deep": lambda told: print("[" * 60_000, flush=True),
    "chatters": chatter,
    "drips": drip,
    "swears": lambda told: say(
        {"type": "move", "id": told["id"], "fault": "crash", "detail": "\ud800\x1b]0;x\x07\u202e"}
    ),
    "escapes": escape,
    "floods": lambda told: flood(told, 1, 10_000),
    "shouts": lambda told: flood(told, 2, 200),
    "spawns": spawn,
    "eats": eat,
    "twice": twice,
    "deaf": deaf,
}


def flood_binary() -> None:
    """Bytes that are no text."""
    os.write(1, bytes(range(256)) + b"\n")


def main(kind: str) -> None:
    """Speak the protocol, until the third turn."""
    if kind == "crashes at start":
        raise RuntimeError("not today")
    turns = 0
    with contextlib.suppress(KeyboardInterrupt):
        for line in sys.stdin:
            told = json.loads(line)
            if told["type"] == "hello" and kind == "echoes":
                say(told)
            elif told["type"] == "hello" and kind == "speaks another version":
                say({"type": "ready", "harena": 99})
            elif told["type"] == "hello":
                say({"type": "ready", "harena": 1, "name": kind})
            elif told["type"] == "new":
                turns = 0
            elif told["type"] == "go":
                turns += 1
                (KINDS[kind] if turns >= WHEN else answer)(told)
            elif told["type"] == "quit":
                if kind == "stays":
                    time.sleep(3600)
                return


KINDS |= {"stays": answer}

if __name__ == "__main__":
    main(" ".join(sys.argv[1:]))
