"""What is said of a command line that cannot be read: one line in our words, with an example.

The library that reads it names its own types and internal names; what it knows is enough to say the same plainly.
"""

import re
from collections.abc import Mapping
from typing import Any

import typer

from harena.errors import printable

EXAMPLES: Mapping[str, str] = {  # of every command that needs words
    "match": "isolation random greedy",
    "tournament": "isolation random greedy mm_open",
    "ratings": "isolation",
    "sweep": 'isolation "mcts(c={c}, iterations=200)" random --over c=0.3,1,3',
    "tune": 'isolation "mcts(c={c}, iterations=200)" --start c=1',
    "report": "1a2b",
    "records show": "12",
    "records export": "games.csv",
    "replay": "12",
    "review": "12",
    "show": "isolation",
    "perft": "isolation 3",
    "analyse": "isolation",
    "solve": "isolation --size 4",
    "check": "student_agent.py",
    "new": "isolation my_agent.py",
    "course env": "comp424",
}
GRADE_NEEDS = (  # its words are needed unless --again stands for them
    "grade needs FOLDER --course COURSE, for instance: harena grade submissions --course comp424"
)
ALLOWED: Mapping[str, str] = {  # where a number below 0 is typed, which the library takes for an option
    "perft": "DEPTH is 0 to 64",
    "replay": "a game's number is 1 or more",
    "review": "a game's number is 1 or more",
    "records show": "a game's number is 1 or more",
}
WANTED: Mapping[str, str] = {  # by the type of pydantic's error; the bounds come with the error
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_parsing": "a number",
    "finite_number": "a number",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "greater_than": "more than {gt}",
    "less_than": "less than {lt}",
}
NO_COMMAND = re.compile(r"No such command '(.*?)'\.(?: Did you mean (.*)\?)?")
TOO_MUCH = re.compile(r"Got unexpected extra argument\(s\) \((.*)\)")


def plainly(error: typer.TyperException) -> str:
    """The complaint in our words; the library's own for what we do not know."""
    complaint: Any = error  # the library's classes are private, but their names and attributes are those of click
    context = getattr(complaint, "ctx", None)
    verb = context.command_path.partition(" ")[2] if context else ""
    describe = BY_CLASS.get(type(error).__name__, _by_message)
    return describe(complaint, verb) or " ".join(complaint.format_message().split())


def _missing(error: Any, verb: str) -> str | None:
    return f"{verb} needs {needed(error.ctx)}{_instance(verb)}" if error.ctx else None


def _no_option(error: Any, verb: str) -> str:
    option, near = printable(error.option_name), ", ".join(sorted(error.possibilities or ()))
    if re.fullmatch(r"-\d", option) and verb in ALLOWED:  # the library names the first digit only
        return f"{ALLOWED[verb]}, never below 0{_instance(verb)}"
    return f"{verb} has no {option}; " + _offer(near, f"`harena {verb} --help` lists what it has")


def _no_value(error: Any, verb: str) -> str | None:
    return f"{error.option_name} needs a value after it" if "requires" in error.message else None


def _unfit(error: Any, verb: str) -> str | None:
    """Say which values a parameter takes; None where only the library knows. pydantic's error is the cause."""
    errors = getattr(error.__cause__, "errors", None)
    first = errors()[0] if errors else {}
    if error.param is None or first.get("type") not in WANTED:
        return None
    bounds = {name: f"{bound:g}" if isinstance(bound, float) else bound for name, bound in first.get("ctx", {}).items()}
    typed = f", not {printable(first['input'])}" if isinstance(first["input"], str) else ""
    example = _instance(verb) if error.param.param_type_name == "argument" else ""
    return f"{_name(error.param)} is {WANTED[first['type']].format_map(bounds)}{typed}{example}"


def _by_message(error: Any, verb: str) -> str | None:
    """Describe the errors that have no class of their own."""
    message = " ".join(error.format_message().split())
    if match := NO_COMMAND.fullmatch(message):
        return f"no command '{match[1]}'; " + _offer(match[2], f"`{error.ctx.command_path} --help` lists them")
    if match := TOO_MUCH.fullmatch(message):
        takes = f"takes {needed(error.ctx)} only" if needed(error.ctx) else "takes none of these"
        return f"{verb} {takes}; too much: {match[1]} (a text with blanks needs quotes)"
    return None


BY_CLASS = {
    "MissingParameter": _missing,
    "NoSuchOption": _no_option,
    "BadOptionUsage": _no_value,
    "BadParameter": _unfit,
}


def needed(context: Any) -> str:
    """What a command cannot do without, as it is typed."""
    return " ".join(
        f"{one.opts[0]} {one.name.upper()}" if one.param_type_name == "option" else _name(one)
        for one in context.command.params
        if one.required
    )


def _name(parameter: Any) -> str:
    """A parameter as its command's help names it."""
    return str(
        parameter.opts[0] if parameter.param_type_name == "option" else parameter.metavar or parameter.name.upper()
    )


def _instance(verb: str) -> str:
    return f", for instance: harena {verb} {EXAMPLES[verb]}" if verb in EXAMPLES else ""


def _offer(near: str | None, otherwise: str) -> str:
    return f"did you mean {near.replace(', ', ' or ')}?" if near else otherwise
