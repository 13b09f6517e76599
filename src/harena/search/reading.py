"""Options as text: what kind of value a parameter takes, and the value of a text of that kind."""

import inspect
from typing import Any, Literal, get_args, get_origin

from harena.errors import BadOption
from harena.search.result import MOST

FILE = r"[^\s=*(),+-][^\s=*(),+]*\.py:\w+"  # a minus inside belongs to the name: write a blank before one that does not
TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
KINDS = {"bool": bool, "int": int, "float": float, "str": str}


def kind_of(parameter: inspect.Parameter) -> type | None:
    """What a user's own parameter takes: as it is annotated, else what its default is; None where neither tells."""
    annotated = KINDS.get(getattr(parameter.annotation, "__name__", parameter.annotation))
    return annotated or KINDS.get(type(parameter.default).__name__)


def read(key: str, kind: Any, text: str) -> Any:
    """The value of an option's text; BadOption says what it should be."""
    if kind is str:
        return text
    if get_origin(kind) is Literal:
        if text not in get_args(kind):
            raise BadOption(f"{key} is {', '.join(get_args(kind)[:-1])} or {get_args(kind)[-1]}, not {text!r}")
        return text
    if kind is bool:
        if text.lower() not in TRUTH:
            raise BadOption(f"{key} is true or false, not {text!r}")
        return TRUTH[text.lower()]
    try:
        number = kind(text.replace("_", "!"))
    except ValueError:
        wanted = "a whole number" if kind is int else "a number"
        raise BadOption(f"{key} is {wanted}, not {text!r}") from None
    if number != number or abs(number) == float("inf"):  # noqa: PLR0124 (nan)
        raise BadOption(f"{key} is a number, not {text!r}")
    if abs(number) > MOST:
        raise BadOption(f"{key} is at most {MOST:g}, not {text[:20]}")
    return number
