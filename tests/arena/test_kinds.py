"""Kinds of runs: what a new one takes, and that lists, resuming and the runner find it by its name alone."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

import pytest

import harena
from harena.arena.contest import Spec
from harena.arena.record import Record
from harena.arena.runs import registry
from harena.arena.runs.kind import RunKind
from harena.arena.runs.presentation import Summary
from harena.arena.runs.registry import KindEntry, kind_entry, kind_named, register, resumable_kinds
from harena.arena.runs.run import start_run
from harena.arena.runs.runner import Progress, Runner
from harena.arena.slot import Slot
from harena.arena.store import Store
from harena.arena.summary import summary_of
from harena.errors import UsageError


@dataclass(kw_only=True)
class Duel(RunKind):
    """One pair of games, and a word after it."""

    kind: ClassVar[str] = "duel"

    spec: Spec
    records: dict[Slot, Record] = field(default_factory=dict, init=False)

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Self:
        return cls(spec=Spec(**plain["spec"]))

    def to_dict(self) -> dict[str, Any]:
        return {"spec": self.spec.as_dict()}

    def needed(self) -> list[Slot]:
        return [Slot(a=0, b=1, pair=0, swapped=swapped) for swapped in (False, True)]

    @property
    def planned(self) -> int:
        return 2

    def after_games(self) -> Iterator[str]:
        yield "thinking it over"

    def summary(self) -> Summary:
        return Summary(game=self.spec.game, agents=self.spec.agents, planned=2, result=f"{len(self.records)} played")


@pytest.fixture
def duel(monkeypatch: pytest.MonkeyPatch) -> Duel:
    monkeypatch.setattr(registry, "_ENTRIES", dict(registry.entries()))
    monkeypatch.setattr(KindEntry, "load", lambda entry: Duel if entry.name == "duel" else None)
    register(KindEntry(name="duel", home=f"{__name__}:Duel", title="duel"))
    return Duel(spec=Spec(game="isolation", variants=[{"size": 4}], agents=["random", "greedy"], local=True))


def test_a_new_kind_is_played_listed_and_resumed(duel: Duel, tmp_path: Path) -> None:
    store = tmp_path / "games.sqlite"
    run = start_run(duel, store)
    for event in run:
        if isinstance(event, harena.GameFinished):
            run.stop()
    assert "duel" in resumable_kinds()
    result = harena.resume(run.id, store=store)
    assert (result.status, result.kind, len(result.games)) == ("finished", "duel", 2)
    with Store(store, writing=False) as opened:
        (stored,) = opened.runs()
        assert summary_of(stored, list(opened.rows(stored.id))).result == "2 played"


def test_work_after_the_games_is_told(duel: Duel, tmp_path: Path) -> None:
    with Store(tmp_path / "games.sqlite") as store:
        runner = Runner(store)
        told = [event.text for event in runner.play(runner.begin(duel), duel) if isinstance(event, Progress)]
    assert told == ["thinking it over"] and duel.is_decided


def test_a_kind_of_another_version_only_holds_games(tmp_path: Path) -> None:
    assert kind_named("relay") is None and not kind_entry("relay").is_resumable
    with Store(tmp_path / "games.sqlite") as store:
        run = store.new_run("relay", {"spec": {}})
    with pytest.raises(UsageError, match="there is nothing in it to go on with"):
        harena.resume(run.id, store=tmp_path / "games.sqlite")


@pytest.mark.parametrize("name", [name for name, entry in registry.entries().items() if entry.home])
def test_every_kind_says_its_own_name(name: str) -> None:
    kind = kind_named(name)
    assert kind is not None and kind.kind == name
