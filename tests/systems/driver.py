"""Imports all of Harena and runs commands in one process: a JSON list of words and input in, a file of answers out."""

import importlib
import io
import json
import pkgutil
import sys
import time
import traceback
from pathlib import Path

ENCODING = {"win32": "cp1252"}  # of a pipe, where nothing else is said
LINUX_ONLY = ("harena.sandbox.inside", "harena.courses.hosting", "harena.courses.starters")


def import_all() -> list[str]:
    """What went wrong with each module that cannot be imported."""
    import harena

    wrong = []
    for module in pkgutil.walk_packages(harena.__path__, "harena."):
        if not module.name.startswith(LINUX_ONLY) and module.name != "harena.__main__":
            try:
                importlib.import_module(module.name)
            except Exception as error:
                wrong.append(f"{module.name}: {error!r} in {traceback.extract_tb(error.__traceback__)[-1].filename}")
    return wrong


def run(words: list[str], typed: str, encoding: str) -> dict[str, object]:
    """The exit code of a command, and what it printed."""
    from harena.cli.main import main

    sys.argv = ["harena", *words]
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding=encoding, write_through=True) for _ in range(2))
    begin = time.perf_counter()
    before = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(typed), out, err
    code: object = None
    try:
        main()
    except SystemExit as end:
        code = end.code
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
    printed = [one.buffer.getvalue().decode(encoding) for one in (out, err)]
    return {"code": code or 0, "out": printed[0], "err": printed[1], "seconds": time.perf_counter() - begin}


if __name__ == "__main__":
    system, file, todo = sys.argv[1], Path(sys.argv[2]), json.load(sys.stdin)
    wrong = import_all()
    answers = [run(words, typed, ENCODING.get(system, "utf-8")) for words, typed in todo]
    file.write_text(json.dumps({"wrong": wrong, "answers": answers}), "utf-8")
