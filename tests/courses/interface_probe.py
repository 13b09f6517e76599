"""Run by test_interfaces.py: imports a course's modules as the host does and prints where they differ from its file."""

import argparse
import contextlib
import importlib
import inspect
import io
import json
import sys
from pathlib import Path

from harena.courses.hosting import aind, comp424, importing

STARS = {  # what `*` in the names of a module stands for
    "Game.py": ("Utils.py",),
    "world.py": ("constants.py", "agents/__init__.py"),
    "ui.py": ("constants.py",),
}
EXCEPTIONS = {
    # To import `world` does not run the submission's agent: it may be the one that is being imported.
    "world.py: from it import *: no StudentAgent",
    # The sample players answer both generations' questions, told apart by what they are given.
    "sample_players.py: RandomPlayer.get_move: parameter 3 is legal_moves, not time_left",
    "sample_players.py: GreedyPlayer.get_move: parameter 3 is legal_moves, not time_left",
    "sample_players.py: HumanPlayer.get_move: parameter 3 is legal_moves, not time_left",
}
ARGUMENTS = {"Board": (object(), object()), "Simulator": (argparse.Namespace(),)}


def prepare(course, generation, folder):
    """Imports as an agent in this folder would find them."""
    importing.prepare(course, folder, folder)
    if course == "comp424":
        comp424.set_year(f"comp424-{generation}")
    if course == "aind":
        aind._install(aind._boards(folder), generation)


def differences(interface):
    """A line for each thing that a file of an interface has and the module here has not."""
    for file, wanted in interface.items():
        name = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        module = importlib.import_module(name)
        assert importing.MODULES in Path(module.__file__).parents, module
        for line in module_differences(module, file, wanted, interface):
            yield f"{file}: {line}"


def module_differences(module, file, wanted, interface):
    """What a module lacks: names, functions, classes."""
    brought = {}
    exec(f"from {module.__name__} import *", brought)
    sources = [wanted, *(interface[one] for one in STARS.get(file, ()))]
    names = [name for source in sources for part in ("names", "functions", "classes") for name in source[part]]
    yield from (f"from it import *: no {name}" for name in names if name != "*" and name not in brought)
    for name, parameters in wanted["functions"].items():
        yield from (f"{name}: {line}" for line in signature_differences(vars(module)[name], parameters, module))
    for name, parts in wanted["classes"].items():
        yield from (f"{name}{line}" for line in class_differences(vars(module)[name], name, parts, module))


def class_differences(kind, name, wanted, module):
    """What a class lacks: bases, methods, attributes of an instance."""
    bases = {base.__name__ for base in kind.__mro__[1:]}
    yield from (f" is no {base}" for base in wanted["bases"] if base not in bases)
    for method, parameters in wanted["methods"].items():
        is_mangled = method.startswith("__") and not method.endswith("__")
        found = inspect.getattr_static(kind, f"_{name}{method}" if is_mangled else method, None)
        if found is None or (found is getattr(object, method, None) and len(parameters) > 1):
            yield f" has no {method}"
            continue
        if found is not getattr(object, method, None):
            call = found.fget if isinstance(found, property) else found
            yield from (f".{method}: {line}" for line in signature_differences(call, parameters, module))
    with contextlib.redirect_stdout(io.StringIO()):
        made = kind(*ARGUMENTS.get(name, ()))
    yield from (f" has no attribute {one}" for one in wanted["attributes"] if not hasattr(made, one))


def signature_differences(call, wanted, module):
    """Where parameters differ: name, place or default. Ours may have a default where theirs has none, or one more."""
    ours = list(inspect.signature(call).parameters.values())
    for place, text in enumerate(wanted):
        name, _, default = text.partition("=")
        if place >= len(ours) or ours[place].name != name:
            yield f"parameter {place + 1} is {ours[place].name if place < len(ours) else 'missing'}, not {name}"
            return
        if default and not is_same(ours[place].default, eval(default, vars(module))):
            yield f"the default of {name} is {ours[place].default!r}, not {default}"
    rest = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    for more in ours[len(wanted) :]:
        if more.default is more.empty and more.kind not in rest:
            yield f"{more.name} has to be given"


def is_same(one, other):
    """Whether two defaults are equal; of boards, whether they are of one generation."""
    return type(one) is type(other) and (one == other or hasattr(one, "get_legal_moves"))


course, generation, file, folder = sys.argv[1:]
prepare(course, generation, Path(folder))
found = list(differences(json.loads(Path(file).read_text("utf-8"))))
print(json.dumps([line for line in found if line not in EXCEPTIONS]))
