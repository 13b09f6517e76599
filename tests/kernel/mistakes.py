"""Files of a user with one mistake each, and what has to be said about it; `# here` marks the line to be named."""

import sys

HEAD = """
from typing import Any, NamedTuple
import numpy as np
from harena.contract import RUNNING, key, max_moves, mover, moves, outcome, play, without_points
from harena import calls
from harena.kernel.bits import bit
from harena.kernel.compile import kernel
from harena.kernel.generic import generic, helper
from harena.kernel.rng import generator
from harena.search.playout import playouts


class Stone(NamedTuple):  # class
    word: np.uint64
    size: int


@generic
def score(state, weight):
    "A score."

"""

# In a kernel of the user's own: the body of `run(s)`, and what the complaint says.
BODIES = {
    "unknown attribute": ("x = s.size\nreturn s.nothing + x  # here", "Stone(uint64, int64) has no attribute nothing"),
    "no such method": ("return s._replace(size=1)  # here", "Stone(uint64, int64) has no attribute _replace"),
    "several lines": ("return (\n    s.size\n    + s.oops  # here\n)", "Stone(uint64, int64) has no attribute oops"),
    "undefined name": ("x = s.size\nreturn x + lost  # here", "name 'lost' is not defined"),
    "used before set": ("return later  # here\nlater = 1", "later is used unset"),
    "number and text": ("return s.size + 'text'  # here", "+ cannot take (int64, 'text')"),
    "in place": ("x = s.size\nx += 'a'  # here\nreturn x", "+ cannot take (int64, 'a')"),
    "shift by a float": ("return s.word << 1.5  # here", "<< cannot take (uint64, float64)"),
    "index by a float": ("return np.zeros(3)[s.size / 2]  # here", "Unsupported array index type float64 in [float64]"),
    "two types": (
        "if s.size > 3:\n    x = 1\nelse:\n    x = (1, 2)\nreturn x  # here",
        "x is Tuple(1, 2) on one path and 1 on another (assigned in lines 27, 29)"
        if sys.version_info < (3, 12)  # later compilers write the return twice
        else "results of different types: 1, Tuple(1, 2)",
    ),
    "two results": (
        "if s.size > 3:\n    return 1\nreturn s  # here",
        "results of different types: ",
    ),
    "dict of mixed types": (
        "d = {}\nd[1] = 2\nd['a'] = 3  # here\nreturn s.size",
        "cannot safely cast str to int64. Please cast explicitly.",
    ),
    "empty list": ("d = []  # here\nreturn len(d)", "what d holds cannot be known: give it a typed start"),
    "import": ("import math  # here\nreturn math.pi", "Numba cannot compile this (IMPORT_NAME): import math  # here"),
    "star": ("a, *b = s  # here\nreturn a", "Numba cannot compile this (UNPACK_EX): a, *b = s  # here"),
    "yield in try": (
        "try:\n    yield s.size\nexcept ValueError:  # here\n    yield 1",
        "Exception matching is limited to Exception",
    ),
    "exception as a variable": (
        "try:\n    return s.size\nexcept Exception as e:  # here\n    return e.args",
        "Exception object cannot be stored into variable (e)",
    ),
    "f-string": (
        "x = f'{s.size:>3}'  # here\nreturn len(x)",
        "format spec in f-strings not supported yet"
        if sys.version_info < (3, 13)
        else "Numba cannot compile this (FORMAT_WITH_SPEC)",
    ),
    "print to a file": ("print(s.size, file=None)  # here", "Numba's print() function implementation does not support"),
    "missing field": ("return Stone(s.word)  # here", "In 'Stone': missing a required argument: 'size'"),
    "changed field": ("s.size = 3  # here\nreturn s", "Stone(uint64, int64).size cannot be assigned: a value never"),
    "no such function": ("return np.nothing(s.size)  # here", "module 'numpy' has no attribute 'nothing'"),
    "recursion": ("return run(s)  # here", "a recursion of which no path ends with a result of known type"),
    "no method": ("return score(s, 1)  # here", "score has no method for (Stone, any)"),
    "missing argument": ("return score(s)  # here", "missing a required argument: 'weight'"),
    "inside numba": ("return sum([str(x) for x in range(3)])  # here", "+ cannot take (0, str)"),
    "inside harena": ("return bit('a')  # here", "Casting 'a' to uint64 directly is unsupported."),
    "too many indices": (
        "return np.zeros((3, 3))[0, 0, 0]  # here",
        "cannot index array(float64, 2d, C) with 3 indices",
    ),
}

# Elsewhere in the file; `run(s)` is called.
FILES = {
    "in a method": (
        """
        @score.method(Stone)
        def _(state, weight):
            total = weight
            return total + state.nothing  # here

        @kernel
        def run(s):
            return score(s, 1)
        """,
        "Stone(uint64, int64) has no attribute nothing",
    ),
    "in a helper of a method": (
        """
        @helper
        def inner(state):
            return state.size * state.wrong  # here

        @score.method(Stone)
        def _(state, weight):
            return inner(state) + weight

        @kernel
        def run(s):
            return score(s, 1)
        """,
        "Stone(uint64, int64) has no attribute wrong",
    ),
    "undefined in a method": (
        """
        @score.method(Stone)
        def _(state, weight):
            return weight + lost  # here

        def other(lost):
            return lost

        @kernel
        def run(s):
            return score(s, 1)
        """,
        "name 'lost' is not defined",
    ),
    "in a kernel of a kernel": (
        """
        @kernel
        def inner(s):
            return s.wrong  # here

        @kernel
        def run(s):
            return inner(s)
        """,
        "Stone(uint64, int64) has no attribute wrong",
    ),
    "a plain function": (
        """
        def plain(x):
            return x

        @kernel
        def run(s):
            return plain(s.size)  # here
        """,
        "plain is a plain function: decorate it with @helper",
    ),
    "a global dict": (
        """
        TABLE = {1: 2}

        @kernel
        def run(s):
            return TABLE[s.size]  # here
        """,
        "TABLE is of type dict, which compiled code cannot use",
    ),
    "a global list": (
        """
        TABLE = [1, 2]

        @kernel
        def run(s):
            return TABLE[s.size]  # here
        """,
        "TABLE is a list(int64): make it a tuple",
    ),
    "a method called by harena": (
        """
        @play.method(Stone)
        def _(state, move):
            return Stone(state.word, state.wrong + move)  # here

        def run(s):
            return calls.step(s, 3)
        """,
        "Stone(uint64, int64) has no attribute wrong",
    ),
    "a construct in a method called by harena": (
        """
        @play.method(Stone)
        def _(state, move):
            import math  # here
            return state

        def run(s):
            return calls.step(s, 3)
        """,
        "Numba cannot compile this (IMPORT_NAME): import math  # here",
    ),
    "a with statement in a method": (
        """
        @play.method(Stone)  # here
        def _(state, move):
            with open("x") as file:
                return state

        def run(s):
            return calls.step(s, 3)
        """,
        "The 'with (context manager) as (variable):' construct is not supported",
    ),
    "a wrong result, found by harena": (
        """
        @outcome.method(Stone)  # here
        def _(state):
            return 3

        @mover.method(Stone)
        def _(state):
            return 0

        @max_moves.method(Stone)
        def _(state):
            return 3

        def run(s):
            return calls.look(s)
        """,
        "3 has no attribute result (found at ",
    ),
    "a field that changes its type, found by harena": (
        """
        @outcome.method(Stone)
        def _(state):
            return without_points(RUNNING)

        @mover.method(Stone)
        def _(state):
            return 0

        @max_moves.method(Stone)
        def _(state):
            return 3

        @moves.method(Stone)
        def _(state, out, at):
            return 1

        @play.method(Stone)  # here
        def _(state, move):
            return Stone(state.word + move, state.size)

        def run(s):
            return playouts(s, generator(1), 3)
        """,
        "field word of Stone is uint64 on one path and int64 on another: uint64 and int together make int64, write np",
    ),
}
