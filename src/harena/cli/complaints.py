"""What is said of a command line that cannot be read: one line in our words, with an example.

The library that reads it names its own types and internal names; what it knows is enough to say the same plainly.
"""

import re
from collections.abc import Mapping
from typing import Any

import typer

Found = re.Match[str]
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
KINDS = (  # what the library says of a value, and what is wanted
    (r"valid integer", "a whole number"),
    (r"valid number|finite", "a number"),
    (r"greater than or equal to ([-\d.]+)", r"at least \1"),
    (r"less than or equal to ([-\d.]+)", r"at most \1"),
    (r"greater than ([-\d.]+)", r"more than \1"),
    (r"less than ([-\d.]+)", r"less than \1"),
)


def plainly(error: typer.TyperException) -> str:
    """The complaint in our words; the library's own for what we do not know."""
    said = " ".join(error.format_message().split())
    context: Any = getattr(error, "ctx", None)
    verb = context.command_path.partition(" ")[2] if context else ""
    parameter: Any = getattr(error, "param", None)
    if said.startswith("Missing") and context:
        return f"{verb} needs {needed(context)}{_instance(verb)}"
    if said.startswith("Invalid value") and parameter is not None:
        return _unfit(said, parameter, verb, _typed(error))
    for pattern, words in WORDS:
        if found := re.fullmatch(pattern, said):
            return words(verb, found, context)
    return said


def _no_option(verb: str, found: Found, context: Any) -> str:
    if re.fullmatch(r"-\d", found[1]) and verb in ALLOWED:  # the first digit is all that is said of it
        return f"{ALLOWED[verb]}, never below 0{_instance(verb)}"
    return f"{verb} has no {found[1]}; " + _offer(found[2], f"`harena {verb} --help` lists what it has")


def _no_command(verb: str, found: Found, context: Any) -> str:
    return f"no command '{found[1]}'; " + _offer(found[2], f"`{context.command_path} --help` lists them")


def _no_value(verb: str, found: Found, context: Any) -> str:
    return f"{found[1]} needs a value after it"


def _too_much(verb: str, found: Found, context: Any) -> str:
    takes = f"takes {needed(context)} only" if needed(context) else "takes none of these"
    return f"{verb} {takes}; too much: {found[1]} (a text with blanks needs quotes)"


WORDS = (  # what the library says, and what says it in our words
    (r"No such option: (\S+)(?: \(Possible options: (.*)\))?", _no_option),
    (r"No such command '(.*?)'\.(?: Did you mean (.*)\?)?", _no_command),
    (r"Option '(.*)' requires an argument\.", _no_value),
    (r"Got unexpected extra argument(?:\(s\)|s?) \((.*)\)", _too_much),
)


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


def _typed(error: BaseException) -> str:
    """What was typed, as the library keeps it in the cause of its complaint."""
    errors = getattr(error.__cause__, "errors", None)
    given = errors()[0].get("input") if errors else None
    return f", not {given}" if isinstance(given, str) else ""


def _unfit(said: str, parameter: Any, verb: str, typed: str) -> str:
    for pattern, words in KINDS:
        if found := re.search(pattern, said):
            example = _instance(verb) if parameter.param_type_name == "argument" else ""
            return f"{_name(parameter)} is {found.expand(words)}{typed}{example}"
    return said
