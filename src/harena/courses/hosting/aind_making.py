"""What an agent of the Isolation course is constructed with: the arguments of the course's tournament.

Early agents were made with `method="alphabeta", iterative=True, score_fn=custom_score`, later ones with
`score_fn=custom_score`, those of the competition with the contents of their data file. A constructor that calls these
arguments differently gets them if it cannot do without; what has a default keeps it.
"""

import inspect
import json
import pickle
import sys
import types
from pathlib import Path
from typing import Any

from .importing import CannotLoad

DATA_FILES = ("data.pickle", "data.pkl", "data.json")
DEPTH, THRESHOLD = 3, 10.0  # the template's defaults: plies, and milliseconds that are kept back


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
    if "data" in parameters:
        usual |= _data(home)
    takes_all = any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    given = {name: value for name, value in usual.items() if takes_all or name in parameters}
    for name, one in parameters.items():
        if one.default is one.empty and one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY) and name not in given:
            given[name] = _meant(name, score, made)
    return given


def _score(made: type, module: types.ModuleType) -> Any:
    """The evaluation that the student wrote."""
    for place in (module, sys.modules.get(made.__module__)):
        if callable(found := getattr(place, "custom_score", None)):
            return found
    return None


def _meant(name: str, score: Any, made: type) -> Any:
    """The value of an argument by a part of its name."""
    meanings = {
        **dict.fromkeys(("score", "eval", "heur", "fn", "func"), score),
        **{"depth": DEPTH, "iter": True, "method": "alphabeta", "data": None},
        **dict.fromkeys(("time", "thresh"), THRESHOLD),
    }
    for part, value in meanings.items():
        if part in name.lower() and (value is not None or part == "data"):
            return value
    raise CannotLoad(f"{made.__name__} cannot be made: the course gives nothing for {name!r}; give it a default")


def _data(home: Path) -> dict[str, Any]:
    """The contents of a competition agent's data file, if there is one."""
    for file in (home / name for name in DATA_FILES):
        if file.is_file():
            try:
                found = file.read_bytes()
                return {"data": json.loads(found) if file.suffix == ".json" else pickle.loads(found)}
            except Exception as error:
                raise CannotLoad(f"{file.name} cannot be read: {type(error).__name__}: {error}") from None
    return {}
