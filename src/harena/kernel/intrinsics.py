"""The machine instructions behind `bits`, for compiled code only."""

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils, config
from numba.extending import intrinsic, overload

# pdep: the n-th set bit in two instructions; where NUMBA_CPU_NAME=generic rules it out, LLVM would abort the process
CHOSEN_FEATURES: str | None = vars(config)["CPU_FEATURES"]
HAS_DEPOSIT = bool(llvm.get_host_cpu_features().get("bmi2") if CHOSEN_FEATURES is None else "+bmi2" in CHOSEN_FEATURES)


@intrinsic
def _popcount(typing: Any, word: Any) -> Any:
    return types.int64(types.uint64), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])


@intrinsic
def _lowest(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@intrinsic
def _deposit(typing: Any, bits: Any, mask: Any) -> Any:
    """Scatter the low bits of a word over the set bits of a mask (x86 BMI2)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(word, [word, word]), "llvm.x86.bmi.pdep.64"
        )
        return builder.call(function, arguments)

    return types.uint64(types.uint64, types.uint64), generate


def replace(
    popcount: Callable[..., int], lowest: Callable[..., int], nth: Callable[..., int], integer: Callable[..., int]
) -> None:
    """Make compiled code use the instructions in place of these plain functions."""
    one = np.uint64(1)
    overload(integer)(lambda word: lambda word: np.int64(word))
    overload(popcount)(lambda word: lambda word: _popcount(word))
    overload(lowest)(lambda word: lambda word: _lowest(word))
    if HAS_DEPOSIT:
        overload(nth)(lambda word, index: lambda word, index: _lowest(_deposit(one << np.uint64(index), word)))
    else:
        overload(nth, strict=False)(lambda word, index: _nth_by_clearing)  # strict: no annotations allowed


def _nth_by_clearing(word: Any, index: Any) -> Any:
    for _ in range(index):
        word &= word - np.uint64(1)
    return _lowest(word)
