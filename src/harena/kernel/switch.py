"""The process-wide switches of the kernel, read once from the environment.

`HARENA_JIT=0` (or Numba's own `NUMBA_DISABLE_JIT=1`) runs every kernel as plain Python, and Numba is not even imported:
for debugging, coverage and teaching.
`HARENA_DEBUG=1` compiles with bounds checks, so that a game that writes more moves than its `max_moves` says is caught.
"""

import os

OFF = ("", "0", "false", "no", "off")

JIT = os.environ.get("HARENA_JIT", "1").lower() not in OFF and os.environ.get("NUMBA_DISABLE_JIT", "0") in OFF
DEBUG = os.environ.get("HARENA_DEBUG", "0").lower() not in OFF
MAY_FORK = False  # set by commands: this process is Harena's alone, so that a fork of it may serve as a template
