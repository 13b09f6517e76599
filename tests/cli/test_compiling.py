"""A long silence while something is compiled is explained in a line, once; what is compiled already is not."""

import pytest

from harena.cli import compiling
from harena.kernel.compile import kernel
from harena.kernel.switch import JIT

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled")


def fresh():  # type: ignore[no-untyped-def]
    """A kernel that was never called."""

    def doubled(number):  # type: ignore[no-untyped-def]
        return 2 * number

    made = kernel(doubled)
    made._cache.disable()  # so that it is compiled here
    return made


def test_it_is_said_once_while_something_is_compiled(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "PATIENCE", 0.0)
    monkeypatch.setattr(compiling, "WATCH", compiling.Watch())
    one, other = fresh(), fresh()
    with compiling.announced():
        assert (one(2), other(3)) == (4, 6)
    assert capsys.readouterr().err == f"{compiling.WORDS}\n"
    monkeypatch.setattr(compiling, "WATCH", compiling.Watch())
    with compiling.announced():
        assert one(2) == 4
    assert capsys.readouterr().err == ""


def test_what_is_compiled_quickly_is_not_mentioned(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "PATIENCE", 1000.0)
    monkeypatch.setattr(compiling, "WATCH", compiling.Watch())
    with compiling.announced():
        assert fresh()(2) == 4
    assert capsys.readouterr().err == ""
