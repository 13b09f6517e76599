"""The aims of the arena are printed beside what was measured."""

import time

import pytest

from harena.bench.contests import Aim, Part, _timed, measure_fresh, measure_tournament
from harena.cli.bench_arena import aim_line, where


def test_an_aim_that_is_missed_is_said_to_be() -> None:
    slow = Aim(name="first game", value=1.25, aim=1.0, unit="s", about="warm")
    assert aim_line(slow) == ("first game", "1.25 s; aim at most 1: MISSED (warm)")
    quick = Aim(name="ratio", value=0.94, aim=0.9, unit="of a match", at_least=True, about="x")
    assert aim_line(quick) == ("ratio", "0.94 of a match; aim at least 0.9: met (x)")


def test_parts_are_listed_by_their_share() -> None:
    parts = [Part(name="a", share=0.001), Part(name="b", share=0.02)]
    assert where(parts) == "b 2.0 %, a 0.1 %"


class Worker:
    def inner(self) -> None:
        time.sleep(0.02)

    def outer(self) -> None:
        self.inner()


def test_time_within_another_part_counts_once() -> None:
    plain = Worker.outer
    with _timed([("in", Worker, ("inner",)), ("out", Worker, ("outer",))]) as spent:
        Worker().outer()
    assert spent["in"] >= 0.02 > spent["out"] and Worker.outer is plain


@pytest.mark.process
def test_tournaments_and_fresh_processes_are_measured() -> None:
    found = measure_tournament(is_hosted=True, agents=3)
    assert found.value > 0 and found.aim == 0.9 and "3 hosted agents" in found.name
    fresh = measure_fresh(2)
    assert fresh.value > 0 and fresh.aim == 150 and "longest" in fresh.about
