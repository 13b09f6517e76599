"""The process-wide switches of the kernel, read once from the environment.

`HARENA_JIT=0` (or Numba's own `NUMBA_DISABLE_JIT=1`) runs every kernel as plain Python, and Numba is not even imported:
for debugging, coverage and teaching.
`HARENA_DEBUG=1` compiles with bounds checks, so that a game that writes more moves than its `max_moves` says is caught.
"""

import os

JIT = os.environ.get("HARENA_JIT", "1") != "0" and os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"
DEBUG = os.environ.get("HARENA_DEBUG", "0") == "1"
