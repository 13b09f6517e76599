"""The conditions that are kept with a game, as plain words."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from harena.agents.environments import hosts_text
from harena.agents.launch import UNWALLED
from harena.arena import words


def describe_conditions(conditions: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The conditions of a game by name, in words; whatever is not as we keep it is told as it is."""
    for name, value in conditions.items():
        if name == "seats" and isinstance(value, list):
            for seat, own in enumerate(value, 1):
                yield f"limits of {seat}", _plain("limits", own)
        elif name == "memories" and isinstance(value, list):
            for seat, own in enumerate(value, 1):
                yield f"memory of {seat}", _plain("memory", own)
        elif name == "memory" and value is None and "memories" in conditions:
            continue
        elif name == "memory" and value is None and conditions.get("sandbox"):  # of 0.1.0, which did not keep it
            yield name, "each agent's own limit"
        elif (name == "limits" and "seats" in conditions) or (name == "sandbox" and value == {}):
            continue
        else:
            yield NAMES.get(name, name), _plain(name, value)


def _plain(name: str, value: Any) -> str:
    kind, say = TOLD.get(name, (object, _anything))
    return say(value) if isinstance(value, kind) else _anything(value)


def _anything(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return json.dumps(value) if isinstance(value, dict | list) else str(value)


def _times(number: int) -> str:
    return {0: "never", 1: "once"}.get(number, f"{number} times")


def _levels(sandbox: Mapping[str, str]) -> str:
    """The walls round the agents that are not ours; each by name only where they differ."""
    names, levels = words.short_names(list(sandbox)), sorted({str(level) for level in sandbox.values()})
    if len(levels) == 1 and UNWALLED not in levels:
        return levels[0]
    return "; ".join(f"{names[agent]}{_level(str(level))}" for agent, level in sandbox.items())


def _level(level: str) -> str:
    return " runs without a sandbox" if level == UNWALLED else f": {level}"


NAMES = {
    "hosted": "hosted by",
    "processes": "agents",
    "replays": "replayed",
    "undone": "taken back",
    "margin": "time margin",
    "longest": "longest move",
    "concurrency": "games at once",
    "fresh": "submissions",
}
TOLD: Mapping[str, tuple[Any, Callable[[Any], str]]] = {
    "limits": (dict, lambda value: f"{words.limits(value)} a move" if any(value.values()) else "the agents' own"),
    "margin": (int | float, lambda value: f"{1000 * value:.0f} ms"),
    "memory": (int | float | None, lambda value: "no limit" if value is None else f"{value:g} MB"),
    "longest": (int | float, lambda value: f"{value:g} s, of a program without a limit of time"),
    "processes": (bool, lambda value: "each in a process of its own" if value else "in one process"),
    "sandbox": (dict, _levels),
    "fresh": (bool, lambda value: f"started {'for every game' if value else 'once for all games'}"),
    "hosted": (dict, hosts_text),
    "replays": (int, lambda value: f"{_times(value)}, because the machine stood still"),
    "undone": (int, _times),
    "hints": (int, lambda value: f"asked for {_times(value)}" if value else "none"),
}
