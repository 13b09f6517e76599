"""What is wrong with a request, for people: the checks of its parts speak of patterns and types, we do not."""

from collections.abc import Mapping, Sequence
from typing import Any

WORDS = {
    "missing": "is missing",
    "too_short": "needs at least {min_length}, not {actual_length}",
    "too_long": "has at most {max_length}, not {actual_length}",
    "string_too_short": "needs at least {min_length} letters",
    "string_too_long": "has at most {max_length} letters",
    "string_pattern_mismatch": "is not written as it has to be",
    "string_type": "has to be a text",
    "int_parsing": "has to be a whole number",
    "int_type": "has to be a whole number",
    "int_from_float": "has to be a whole number",
    "int_parsing_size": "is too large a number",
    "float_parsing": "has to be a number",
    "float_type": "has to be a number",
    "finite_number": "has to be a number",
    "bool_parsing": "is true or false",
    "bool_type": "is true or false",
    "list_type": "has to be a list",
    "tuple_type": "has to be a list",
    "dict_type": "has to be an object",
    "model_attributes_type": "has to be an object",
    "greater_than": "has to be more than {gt}",
    "greater_than_equal": "has to be at least {ge}",
    "less_than": "has to be less than {lt}",
    "less_than_equal": "has to be at most {le}",
    "literal_error": "is one of {expected}",
    "enum": "is one of {expected}",
    "extra_forbidden": "is nothing that is known here",
    "json_invalid": "is no JSON",
}
LONGEST = 40  # letters of what was asked for, in an answer


def complaint(error: Mapping[str, Any]) -> str:
    """An entry of a `RequestValidationError` in words, the name of the part first."""
    names = [str(part) for part in error["loc"][1:] if not isinstance(part, int) or error["type"] != "json_invalid"]
    kind, given = str(error["type"]), error.get("ctx") or {}
    try:
        words = WORDS[kind].format(**given)
    except KeyError:
        words = f"cannot be used: {error['msg']}"
    return f"{'.'.join(names) or 'the request'} {words}"


def missing(errors: Sequence[Mapping[str, Any]]) -> str | None:
    """That there is no such thing as the address names, where it cannot be one; None if something else is wrong."""
    for error in errors:
        if error["loc"][0] == "path":
            what = "run" if error["loc"][-1] == "run" else "game"
            asked = str(error["input"])
            return f"there is no {what} {asked if len(asked) <= LONGEST else asked[:LONGEST] + '…'}"
    return None
