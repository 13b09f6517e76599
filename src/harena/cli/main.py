"""The command `harena`: one file a verb, imported when it is called, so that `harena --help` answers at once.

Errors have two levels: a mistake of the user's is one plain line and exit code 2; anything else is a bug of ours.
"""

import io
import os
import sys
import traceback
from typing import NoReturn

import typer

from harena.cli import coursework, looking, playing, serving
from harena.cli.app import app
from harena.cli.complaints import plainly
from harena.errors import Endless, HarenaError
from harena.kernel import switch
from harena.kernel.modules import OTHER_FILES, user_files, user_line
from harena.kernel.switch import DEBUG

INTERRUPTED = 130  # the exit code of whatever Ctrl-C ends
VERBS = (looking, playing, coursework, serving)  # that they are imported makes their verbs known


def main() -> None:
    """The entry point: runs a command and turns whatever goes wrong into a line and an exit code."""
    _replace_letters()
    switch.MAY_FORK = True
    try:
        code = app(standalone_mode=False)
        if code == INTERRUPTED:  # what Typer makes of Ctrl-C
            raise KeyboardInterrupt
        if sys.stdout is not None:
            sys.stdout.flush()
    except typer.TyperException as error:
        _fail(plainly(error), getattr(error, "exit_code", 2))
    except HarenaError as error:
        if isinstance(error, Endless):
            _leave(str(error), 2)
        _fail(str(error), 2)
    except (KeyboardInterrupt, typer.Abort):
        from harena.kernel.patience import is_left_alone  # `--help` need not wait for numpy

        if is_left_alone():
            _leave("stopped", INTERRUPTED)
        _fail("stopped", INTERRUPTED)
    except BrokenPipeError:  # the reader of our output has gone, as in `harena ... | head`
        _give_up_output()
        sys.exit(141)
    except OSError as error:
        _give_up_output()
        _fail(f"cannot write the output: {error.strerror}" if error.filename is None else str(error), 74)
    except Exception as error:
        _explain(error)
    finally:
        switch.MAY_FORK = False
    sys.exit(code if isinstance(code, int) else 0)


def _replace_letters() -> None:
    """Let letters that the output cannot have become question marks: a pipe on Windows has no box characters."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() not in ("utf-8", "utf8"):
            stream.reconfigure(errors="replace")


def _explain(error: Exception) -> NoReturn:
    """An exception that nobody foresaw: the fault of a user's own game, if there is one, else ours."""
    if place := user_line(error):
        _fail(place, 2)
    if files := user_files():
        if DEBUG:
            traceback.print_exc()
        hint = "is max_moves right?" if isinstance(error, IndexError) else "does each method return what it should?"
        if files[-1] in OTHER_FILES:
            hint = "HARENA_JIT=0 shows the line"
        _fail(f"{files[-1]}: {type(error).__name__}: {' '.join(str(error).split())} ({hint})", 2)
    traceback.print_exc()
    _fail("this is a bug in Harena, not your mistake: please report it with the lines above", 70)


def _give_up_output() -> None:
    """Keep Python from trying again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _leave(message: str, code: int) -> NoReturn:
    """The end while a kernel still runs: it may hold what Python waits for when it ends in good order."""
    print(f"harena: {message}", file=sys.stderr, flush=True)
    os._exit(code)


def _fail(message: str, code: int) -> NoReturn:
    if message:
        print(f"harena: {message}", file=sys.stderr)
    sys.exit(code)
