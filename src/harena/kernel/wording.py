"""The compiler's phrases in plain words: what is wrong with a piece of code, and what to write instead."""

import re
from collections.abc import Iterable

from harena.kernel.values import class_name

OPERATORS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "lshift": "<<",
    "rshift": ">>",
    "and_": "&",
    "or_": "|",
    "xor": "^",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "getitem": "indexing",
    "setitem": "item assignment",
}
TIDY = (
    (re.compile(r"<class '(?:[\w ]+\.)*([\w ]+)'>"), r"\1"),
    (re.compile(r"Literal\[str\]\(([^()]*)\)"), r"'\1'"),
    (re.compile(r"(?:Omitted|Literal)\[\w+\]\(([^()]*)\)|omitted\(default=([^()]*)\)"), r"\1\2"),
    (re.compile(r"\b([A-Za-z]\w*?)_[0-9a-f]{8}(?:_\d+)?(?=\()"), r"\1"),  # see values.tell_apart
    (re.compile(r"Module\(<module '([\w.]+)'[^>]*>\)"), r"\1"),
    (re.compile(r"<function (\w+) at 0x[0-9a-f]+>"), r"\1"),
    (re.compile(r"\breflected |<iv=None>"), ""),
    (re.compile(r"\bunicode_type\b"), "str"),
    (re.compile(r"\bUniTuple\b"), "Tuple"),
)
PHRASES = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"^Unknown attribute '(\w+)' of type (.+)$", r"\2 has no attribute \1"),
        (r"^NameError: (name '\w+' is not defined)$", r"\1"),
        (r"^The compiler failed to analyze the bytecode\. Variable '(\w+)' is not defined\.$", r"\1 is used unset"),
        (r"^Untyped global name '(\w+)': .* of function$", r"\1 is a plain function: decorate it with @helper"),
        (r"^Untyped global name '(\w+)': .* of (\w+)$", r"\1 is of type \2, which compiled code cannot use"),
        (r"^The use of a (.+) type, assigned to variable '(\w+)' in globals.*$", r"\2 is a \1: make it a tuple"),
        (r"^Cannot unify (.+) and (.+) for '(\w+)(?:\.\d+)?', .*$", r"\3 is \1 on one path and \2 on another"),
        (r"^Can't unify return type from the following types: (.+)$", r"results of different types: \1"),
        (r"^Cannot infer the type of variable '(\w+)'.*$", r"what \1 holds cannot be known: give it a typed start"),
        (r"^cannot type infer runaway recursion$", "a recursion of which no path ends with a result of known type"),
        (r"^Cannot bind .* due to \"TypeError: (.+)\"\.$", r"\1"),
        (r"^No definition for lowering (.+) = .+$", r"\1 cannot be assigned: a value never changes, make a new one"),
        (r"^Use of unsupported opcode \((\w+)\) found.*$", r"Numba cannot compile this (\1)"),
        (r"^(Cannot cast .+?): %.*$", r"\1"),
        (r"\.+ Raised from .*$", ""),
    )
)
SAME_CLASS = re.compile(r"^\w+ is (?P<cls>\w+)\((?P<one>.*)\) on one path and (?P=cls)\((?P<other>.*)\)")
REPEATED = re.compile(r"^(.*) x (\d+)$")


def plain(text: str) -> str:
    """A text of Numba's with types written as people write them."""
    for pattern, words in TIDY:
        text = pattern.sub(words, text)
    return " ".join(text.split())


def reworded(heading: str, call: str | None, classes: Iterable[type]) -> str:
    """A heading of Numba's (and the call that it says cannot be made) in plain words; names the fields of classes."""
    if call is not None:
        name, _, types = plain(call).partition("(")
        return f"{OPERATORS.get(name.removeprefix('i') if name[1:] in OPERATORS else name, name)} cannot take ({types}"
    text = plain(heading)
    for pattern, words in PHRASES:
        text = pattern.sub(words, text)
    if same := SAME_CLASS.match(text):
        fields = next((cls._fields for cls in classes if class_name(cls) == same["cls"]), ())  # type: ignore[attr-defined]
        for field, one, other in zip(fields, _parts(same["one"]), _parts(same["other"]), strict=False):
            if one != other:
                mixed = ": uint64 and int together make int64, write np.uint64(...)" if "uint64" in (one, other) else ""
                return f"field {field} of {same['cls']} is {one} on one path and {other} on another{mixed}"
    return text


def _parts(types: str) -> list[str]:
    """The types of a tuple: `uint64, int64` or `int64 x 2`."""
    parts = [""]
    depth = 0
    for letter in types:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    repeated = REPEATED.match(types) if len(parts) == 1 else None
    return [repeated[1]] * int(repeated[2]) if repeated else [part.strip() for part in parts]
