"""The clock inside compiled code: nanoseconds that only go forward (29 ns a look, so look every few hundred nodes)."""

import sys
import time

from harena.kernel.switch import JIT

CLOCK_IDS = {"linux": 1, "darwin": 6}  # CLOCK_MONOTONIC


def nanoseconds() -> int:
    """The same clock as `time.monotonic_ns`."""
    return time.monotonic_ns()


if JIT:
    from typing import Any

    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic, overload

    @intrinsic
    def _clock_gettime(typing: Any) -> Any:
        """Seconds * 10**9 + nanoseconds of a C `timespec`."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            word = ir.IntType(64)
            moment = cgutils.alloca_once(builder, ir.ArrayType(word, 2))
            kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32), moment.type])
            function = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
            builder.call(function, [ir.Constant(ir.IntType(32), CLOCK_IDS[sys.platform]), moment])
            seconds, rest = (builder.load(cgutils.gep_inbounds(builder, moment, 0, part)) for part in (0, 1))
            return builder.add(builder.mul(seconds, ir.Constant(word, 10**9)), rest)

        return types.int64(), generate

    @intrinsic
    def _clock(typing: Any) -> Any:
        """Windows: the C library's `clock` counts milliseconds of wall time."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.IntType(32), []), "clock")
            return builder.mul(
                builder.sext(builder.call(function, []), ir.IntType(64)), ir.Constant(ir.IntType(64), 10**6)
            )

        return types.int64(), generate

    if sys.platform in CLOCK_IDS:
        overload(nanoseconds)(lambda: lambda: _clock_gettime())
    else:
        overload(nanoseconds)(lambda: lambda: _clock())
