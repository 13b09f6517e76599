"""What an agent of the Isolation course is constructed with: the arguments of the course's tournament.

Early agents were made with `method="alphabeta", iterative=True, score_fn=custom_score`, later ones with
`score_fn=custom_score`, those of the competition with the contents of their data file. A constructor that calls these
arguments differently gets them if it cannot do without; what has a default keeps it. The competition gave the data
first: an agent of the competition, or one with a data file beside it, gets it as its first argument, whatever its name.
"""

from __future__ import annotations

import inspect
import json
import pickle
import sys
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .importing import CannotLoad

DATA_FILES = ("data.pickle", "data.pkl", "data.json")
COMPETITION = "competition_agent.py"
DEPTH, THRESHOLD = 3, 10.0  # the template's defaults: plies, and milliseconds that are kept back
MEANINGS = {  # what a parameter is by a part of its name
    **dict.fromkeys(("score", "eval", "heur", "fn", "func"), "score"),
    **{"depth": "depth", "iter": "iterative", "method": "method"},
    **dict.fromkeys(("time", "thresh"), "timeout"),
}


def arguments_for(made: type, module: types.ModuleType, home: Path, *, is_early: bool) -> dict[str, Any]:
    """The keyword arguments for a class; CannotLoad names one that nobody knows a value for."""
    try:
        parameters = inspect.signature(made).parameters
    except (TypeError, ValueError):
        return {}
    score = _score(made, module)
    usual: dict[str, Any] = {} if score is None else {"score_fn": score}
    if is_early:
        usual |= {"method": "alphabeta", "iterative": True}
    takes_all = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    given = {name: value for name, value in usual.items() if takes_all or name in parameters}
    needed = [name for name, one in parameters.items() if _is_needed(one) and name not in given]
    if data := _data_parameter(parameters, module, home):
        file = _data_file(home)
        if file is not None or data in needed:
            given[data] = None if file is None else _contents(file)
    return given | {name: _meaning(name, score, made) for name in needed if name not in given}


def _is_needed(one: inspect.Parameter) -> bool:
    return one.default is one.empty and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)


def _data_parameter(parameters: Mapping[str, inspect.Parameter], module: types.ModuleType, home: Path) -> str:
    """The parameter for the contents of the data file, if there is one.

    It is called `data`, or something with that word in it, or is the first one of a competitor and cannot be anything
    else.
    """
    if "data" in parameters:
        return "data"
    needed = [name for name, one in parameters.items() if _is_needed(one)]
    named = [name for name in needed if "data" in name.lower()]
    if named:
        return named[0]
    is_competitor = Path(str(module.__file__)).name == COMPETITION or _data_file(home) is not None
    is_first = bool(needed) and needed[0] == next(iter(parameters))
    return needed[0] if is_competitor and is_first and not any(part in needed[0].lower() for part in MEANINGS) else ""


def _score(made: type, module: types.ModuleType) -> Any:
    """The evaluation that the student wrote."""
    for place in (module, sys.modules.get(made.__module__)):
        if callable(found := getattr(place, "custom_score", None)):
            return found
    return None


def _meaning(name: str, score: Any, made: type) -> Any:
    """The value of an argument by a part of its name."""
    values = {"score": score, "depth": DEPTH, "iterative": True, "method": "alphabeta", "timeout": THRESHOLD}
    for part, kind in MEANINGS.items():
        if part in name.lower() and values[kind] is not None:
            return values[kind]
    raise CannotLoad(
        f"{made.__name__} cannot be made: the course gives nothing for {name!r}; give it a default "
        "(looked for score_fn, where there is a custom_score, depth, method, iterative, timeout and data)"
    )


def _data_file(home: Path) -> Path | None:
    """The data file of a competition agent."""
    return next((home / name for name in DATA_FILES if (home / name).is_file()), None)


def _contents(file: Path) -> Any:
    try:
        return json.loads(file.read_bytes()) if file.suffix == ".json" else pickle.loads(file.read_bytes())
    except Exception as error:
        raise CannotLoad(f"{file.name} cannot be read: {type(error).__name__}: {error}") from None


def explain_data(arguments: Mapping[str, Any]) -> str:
    """What to add to a complaint of a constructor: that it got no data, where that is so."""
    name = next((name for name, value in arguments.items() if value is None), "")
    return f"; {name} is None, as there is no {' or '.join(DATA_FILES)} beside it" if name else ""
