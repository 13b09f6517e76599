"""The logarithm of the search: close to the real one, and the same bits everywhere."""

import math

import numpy as np
import pytest

from harena.kernel.compile import kernel
from harena.search.uct import LOGARITHMS, logarithm

HEXADECIMAL = {
    2: "0x1.62e42fefa39efp-1",
    3: "0x1.193ea7aad030bp+0",
    10: "0x1.26bb1bbb55515p+1",
    1000: "0x1.ba18a998fffa0p+2",
    4095: "0x1.0a2923e3ba0c8p+3",
}


@kernel
def compiled_logarithm(number: float) -> float:
    return logarithm(number)


def test_the_logarithm_is_close_to_the_real_one() -> None:
    for number in [*range(1, 4097), *(int(1.37**power) for power in range(27, 66))]:
        assert compiled_logarithm(float(number)) == pytest.approx(
            math.log(number), rel=1e-15 if number < 4096 else 1e-4
        )
    assert compiled_logarithm(0.0) == 0.0


def test_the_logarithm_has_the_same_bits_everywhere() -> None:
    assert {whole: float(LOGARITHMS[whole]).hex() for whole in HEXADECIMAL} == HEXADECIMAL
    steps = np.diff([compiled_logarithm(float(number)) for number in range(4000, 4200)])
    assert (steps >= 0).all()
