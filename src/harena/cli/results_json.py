"""The results of runs as JSON objects: the shapes that docs/matches.md documents."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import numpy as np

from harena.arena import words
from harena.arena.bracket import bracket
from harena.arena.conditions import conditions
from harena.arena.contest import Contest, Spec
from harena.arena.machine import where
from harena.arena.match import Standing
from harena.arena.ratings import Ratings
from harena.arena.repetition import warning
from harena.arena.scores import Pairs
from harena.arena.store import Run
from harena.arena.sweep import Table as SweepTable
from harena.arena.tournament import Table
from harena.arena.tune import Trace


def print_json(result: Mapping[str, Any]) -> None:
    """Print one object on standard output."""
    print(json.dumps(result, indent=2), flush=True)


def match_json(run: Run, standing: Standing, contest: Contest) -> dict[str, Any]:
    """The result of a match, for the first agent."""
    plan, evidence = standing.plan, standing.evidence
    wins, draws, losses = standing.results
    faults = [{"counts": dict(standing.faults(one)), "first": standing.first_fault(one) or None} for one in (0, 1)]
    test, state = plan.test, standing.state
    return {
        **_run_json(run, plan.spec),
        "games": len(standing.games),
        "planned": 2 * plan.pairs,
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "score": standing.pairs.score,
        "pairs": list(standing.pairs.counts),
        **_evidence_json(evidence),
        "los": evidence.los,
        "normalised_elo": evidence.normalised_elo,
        "different_pairs": len(standing.different),
        "sprt": None if test is None else {**asdict(test), **({} if state is None else asdict(state))},
        "first_seat": standing.first_seat,
        "ends": dict(standing.reasons),
        "faults": faults,
        "seconds": [_times(times) for times in standing.times],
        "longest_stall": contest.probe.worst(),
        "output_files": [str(file) for file in contest.outputs.files] if contest.outputs else [],
        "machine": where(record for _, record in standing.games),
        "verdict": words.verdict("A", "B", evidence),
    }


def tournament_json(run: Run, table: Table) -> dict[str, Any]:
    """The result of a tournament: agents by rating, and their results against each other."""
    plan, agents = table.plan, table.plan.spec.agents
    fitted = table.ratings() if table.records else None
    faults = table.faults()
    standings = table.standings()
    results = []
    for a, b in sorted(table.pairs_of()):
        pairs = table.result(a, b)
        results.append({"a": agents[a], "b": agents[b], "games": pairs.games, "score": pairs.score})
    players = [
        {**asdict(row), "points": standings[row.name], "faults": dict(faults[row.name])}
        for row in (fitted.rows if fitted else ())
    ]
    return {
        **_run_json(run, plan.spec),
        "type": plan.type,
        "games": len(table.records),
        "planned": table.total,
        "players": players,
        "results": results,
        "better": [list(row) for row in fitted.better] if fitted else [],
        "first_seat": {"elo": fitted.seat, "error": fitted.seat_error} if fitted else None,
        "winner": bracket(table).winner if plan.type == "knockout" else None,
        "machine": where(table.records.values()),
        "sentences": [*_sentences(fitted), *warning(table.records.values())],
    }


def sweep_json(run: Run, table: SweepTable) -> dict[str, Any]:
    """The result of a sweep: a point for each value, ascending."""
    plan = table.plan
    points = [
        {
            "value": float(point.value),
            "agent": point.agent,
            "games": point.pairs.games,
            "wins": point.wins,
            "draws": point.draws,
            "losses": point.losses,
            "score": point.pairs.score,
            **_evidence_json(point.pairs),
        }
        for point in table.points()
    ]
    return {
        **_run_json(run, plan.spec),
        "template": plan.template,
        "opponent": plan.opponent,
        "parameter": plan.name,
        "games": len(table.records),
        "planned": len(plan.slots()),
        "points": points,
        "faults": {agent: dict(faults) for agent, faults in table.faults().items() if faults},
        "machine": where(table.records.values()),
        "sentences": [*table.verdict(), *warning(table.records.values(), words.swept)],
    }


def tune_json(run: Run, trace: Trace, proof: str) -> dict[str, Any]:
    """The result of a tuning: where each parameter began and where it is; `proof` is the match that would tell."""
    plan = trace.plan
    has_moved = plan.agent(trace.path[-1]) != plan.agent(trace.path[0])
    return {
        **_run_json(run, plan.spec),
        "template": plan.template,
        "opponent": plan.opponent,
        "steps": trace.step,
        "planned_steps": plan.steps,
        "games": len(trace.records),
        "planned": plan.steps * len(plan.slots(0)),
        "parameters": {name: {"start": path[0], "now": path[-1], "path": path} for name, path in trace.lines().items()},
        "differences": list(trace.differences),
        "tuned": plan.agent(trace.path[-1]) if has_moved else None,
        "match": proof if has_moved else None,
        "machine": where(trace.records.values()),
        "sentences": warning(trace.records.values(), words.wasted),
    }


def _run_json(run: Run, spec: Spec) -> dict[str, Any]:
    """What the results of all runs begin with."""
    return {
        "kind": run.kind,
        "run": run.id,
        "game": spec.game,
        "agents": list(spec.agents),
        "seed": spec.seed,
        "conditions": conditions(spec),
    }


def _evidence_json(pairs: Pairs) -> dict[str, Any]:
    """The intervals of a score and of its Elo; the score itself may count more games than these."""
    low, high = pairs.interval
    return {"score_low": low, "score_high": high, "elo": asdict(pairs.elo)}


def _times(seconds: Any) -> dict[str, float] | None:
    return {"median": float(np.median(seconds)), "longest": max(seconds)} if seconds else None


def _sentences(fitted: Ratings | None) -> list[str]:
    return words.ratings(fitted) if fitted else []
