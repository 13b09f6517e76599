"""What the courses ask of a submission besides its play, seen in its text alone: imports, names, files.

Loading is lenient, so that old agents run; these are the rules for handing something in (COMP 424: no import beyond the
template's, registered as student_agent, nothing else changed, authors.yaml and a report; W4701: only PlayerAI.py is
played, in a folder named by its authors' ids).
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from harena.agents.spec import parse_agent
from harena.courses.finding import RED, Finding, fine, note, red
from harena.courses.hosting.comp424_finding import STANDARD, sight
from harena.courses.hosting.encoding import misread, parted
from harena.courses.hosting.importing import MODULES, definitions
from harena.courses.hosting.parsing import Unparsable, parse_file
from harena.courses.hosting.w4701_finding import AUTHORS as IDS
from harena.courses.hosting.w4701_finding import COURSE_FILES
from harena.courses.subject import Subject, subject
from harena.errors import HarenaError

TEMPLATE_IMPORTS = ("sys", "numpy", "copy", "time", "agents.agent", "store")
AUTHORS = ("authors.yaml", "authors.yml")
REPORTS = (".pdf", ".md", ".txt", ".docx")
NO_REPORTS = frozenset(("readme", "requirements", "license", "licence", "authors"))
# Files of the course that are looked at where they lie beside an agent; ours define all that the course's do.
UNCHANGED = {
    "comp424": ("world.py", "store.py", "utils.py", "agents/agent.py", "agents/random_agent.py"),
    "w4701": ("BaseAI.py", "Grid.py", "Utils.py"),
}
WRITERS = frozenset(("write_text", "write_bytes", "savetxt", "savez", "mkdir", "makedirs"))
WRITING = frozenset("wax+")
READERS = frozenset(("read_text", "read_bytes", "loadtxt", "genfromtxt", "fromfile", "read_csv", "read_pickle"))
NUMPY = ("np", "numpy")
MOST_NAMED = 4
MOST_TEXT = 256 * 1024  # bytes of Python that are looked at unread
LONGEST_NAME = 200  # letters of a text that may be a file's name

Imports = dict[str, int]  # module: line


def rules_of(subject: Subject) -> Iterator[Finding]:
    """The lines about a submission's text; none for an agent of no course, or one whose file cannot be read."""
    if subject.course is None or subject.file is None:
        return
    try:
        tree = parse_file(subject.file)
    except OSError:
        return  # loading says what is wrong
    except Unparsable as error:
        if error.is_beyond_limits:  # Python may run it all the same, and its rules are not known to be kept
            what = f"{subject.file.name} cannot be read as Python: {error}"
            yield red("source", what, "split it into smaller parts: nothing in it can be looked at")
        return  # loading says what is wrong
    if trouble := misread(subject.file):  # in a comment, which not every Python looks at
        what, advice = parted(trouble)
        yield note("encoding", f"{what}; this Python reads it all the same, others do not", advice)
    yield from RULES[subject.course](subject.folder, subject.file, tree)


def broken_rules(text: str) -> str:
    """The red lines about the agent of a submission, in one; nothing is run, and nothing large is read."""
    path, found = Path(parse_agent(text).possible_paths()[0]), list[str]()
    try:
        size = sum(file.stat().st_size for file in ([path] if path.is_file() else path.rglob("*.py")))
        for one in rules_of(subject(text, None, None, None)) if size <= MOST_TEXT else ():
            if one.mark == RED:
                found.append(f"{one.what}: {one.text}")
    except (HarenaError, OSError, ValueError, MemoryError, RecursionError):
        pass  # loading says what is wrong; what was found before counts
    return "; ".join(found)


def _comp424(folder: Path, file: Path, tree: ast.Module) -> Iterator[Finding]:
    allowed = "sys, numpy, copy.deepcopy, time, agents.agent and store"
    foreign = {name: line for name, line in imports(tree).items() if not _is_template(name)}
    if foreign:
        yield red("imports", f"the course does not allow {_listed(foreign)}", f"it allows only {allowed}")
    else:
        yield fine("imports", "none beyond the template's")
    registered = sight(file).registered
    if STANDARD in registered:
        yield fine("registered", f"as {STANDARD}")
    else:
        shown = f"as {', '.join(registered)}" if registered else "not at all"
        advice = f'write @register_agent("{STANDARD}") over your class: the grader looks for that name'
        yield red("registered", shown, advice)
    yield from _data(folder, file, tree)
    places = [place for place in file.parents if place.is_relative_to(folder)]
    root = file.parents[1] if file.parent.name == "agents" and file.parent != folder else file.parent
    yield from _changed("comp424", [root])
    yield _files(
        {
            f"agents/{STANDARD}.py": file.parts[-2:] == ("agents", f"{STANDARD}.py"),
            "authors.yaml": any((place / name).is_file() for place in places for name in AUTHORS),
            "a report": any(_is_report(one) for place in places for one in _inside(place)),
        }
    )


def _is_report(path: Path) -> bool:
    """Whether a file may be the report: by its name alone, and also in a folder that is called so."""
    if path.is_dir():
        return "report" in path.name.lower() and any(_is_report(one) for one in _inside(path) if one.is_file())
    return path.suffix.lower() in REPORTS and path.stem.lower() not in NO_REPORTS


def _inside(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _is_template(name: str) -> bool:
    return name in TEMPLATE_IMPORTS or name.startswith("numpy.")


def _w4701(folder: Path, file: Path, tree: ast.Module) -> Iterator[Finding]:
    found = imports(tree)
    beside = {
        name: line
        for name, line in found.items()
        if (file.parent / f"{name.split('.')[0]}.py").is_file() and f"{name.split('.')[0]}.py" not in COURSE_FILES
    }
    if beside:
        advice = "only PlayerAI.py is played: put what you need of them into it"
        yield red("imports", f"files beside it: {_listed(beside)}", advice)
    else:
        yield fine("imports", "no files beside it")
    if "PlayerAI" in _classes(tree):
        yield fine("class", "PlayerAI")
    else:
        yield red("class", "there is no class PlayerAI in it", "call your class PlayerAI: the grader imports that name")
    yield from _data(folder, file, tree)
    yield from _changed("w4701", [file.parent])
    home = file.parent
    if IDS.fullmatch(home.name):
        yield fine("folder", home.name)
    else:
        yield note("folder", f"it is called {home.name}", "name it by your ids, joined with _ (ab1234_cd5678)")
    yield _files({"PlayerAI.py": file.name == "PlayerAI.py", f"{home.name}.txt": (home / f"{home.name}.txt").is_file()})


def _aind(folder: Path, file: Path, tree: ast.Module) -> Iterator[Finding]:
    classes, functions = _classes(tree), {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    if not classes & {"CustomPlayer", "AlphaBetaPlayer"}:
        advice = "call it AlphaBetaPlayer (CustomPlayer in the course's first years): the tournament imports that name"
        yield red("class", "neither AlphaBetaPlayer nor CustomPlayer is in it", advice)
    elif "custom_score" not in functions:
        yield note("class", "there is no function custom_score", "the course's tournament imports it")
    else:
        yield fine("class", f"{', '.join(sorted(classes & {'CustomPlayer', 'AlphaBetaPlayer', 'MinimaxPlayer'}))}")
    yield _files({"game_agent.py": file.name == "game_agent.py"})


RULES: Mapping[str, Callable[[Path, Path, ast.Module], Iterator[Finding]]] = {
    "comp424": _comp424,
    "comp424-2022": _comp424,
    "w4701": _w4701,
    "w4701-reused": _w4701,
    "aind": _aind,
}


def _changed(course: str, places: Iterable[Path]) -> Iterator[Finding]:
    """A line about the course's own files beside an agent, where they do not define what the course's do."""
    said = []
    for place in places:
        for name in UNCHANGED[course]:
            if not (place / name).is_file():
                continue
            own, known = definitions(place / name), definitions(MODULES / course / name)
            more, less = sorted(own - known), sorted(one for one in known - own if _is_public(one))
            if more:
                said.append(f"{name} also defines {_few(more)}")
            elif less and course == "comp424":  # the other has had several releases
                said.append(f"{name} does not define {_few(less)}")
    if said:
        advice = "the course plays your agent with its own files: put what you need into yours, and leave these alone"
        yield note("course files", "; ".join(said), advice)


def _is_public(name: str) -> bool:
    """Whether a name is not only ours: of a method after its class."""
    last = name.rpartition(".")[2]
    return not last.startswith("_") or last.startswith("__")


def _few(names: Sequence[str]) -> str:
    return ", ".join([*names[:MOST_NAMED], *(["..."] if len(names) > MOST_NAMED else [])])


def _data(folder: Path, file: Path, tree: ast.Module) -> Iterator[Finding]:
    """A line about the data that it reads, where it seems to read some: the grader has nothing but the agent's file."""
    found = reads(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_data(node.value, folder, file.parent):
            found.setdefault(node.value, node.lineno)
    if found:
        advice = f"the course plays {file.name} alone, and this would fail there: put what you need into it"
        yield note("data files", f"it reads files: {_listed(_by_line(found))}", advice)


def _is_data(name: str, *folders: Path) -> bool:
    """Whether a text names a file in one of these folders that is no Python."""
    if not name or len(name) > LONGEST_NAME or "\0" in name or name.endswith(".py"):
        return False
    return any((folder / name).is_file() for folder in folders)


def _files(wanted: Mapping[str, bool]) -> Finding:
    """Whether everything is there under its name: worth knowing before the day it is handed in."""
    missing = [name for name, is_there in wanted.items() if not is_there]
    if missing:
        return note("files", f"to be handed in, and not here: {', '.join(missing)}")
    return fine("files", ", ".join(wanted))


def imports(tree: ast.Module) -> Imports:
    """The modules that a text imports anywhere in it, each with its first line."""
    found: Imports = {}
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = ["." * node.level + (node.module or "")]
            if node.module == "agents" and not node.level:
                names = [f"agents.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "__import__":
            names = ["__import__"]
        for name in names:
            found.setdefault(name, getattr(node, "lineno", 0))
    return _by_line(found)


def writes(file: Path | None) -> Imports:
    """The calls in a text that write files, each with its first line; only those that can be told from their text."""
    try:
        tree = parse_file(file) if file is not None else ast.Module(body=[], type_ignores=[])
    except (OSError, Unparsable):
        return {}
    found: Imports = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (name := _writer(node)):
            found.setdefault(name, node.lineno)
    return _by_line(found)


def reads(tree: ast.Module) -> Imports:
    """The calls in a text that read files, each with its first line; only those that can be told from their text."""
    found: Imports = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (name := _reader(node)):
            found.setdefault(name, node.lineno)
    return found


def _writer(call: ast.Call) -> str:
    """The name of what is called if it writes."""
    name = _called(call)
    if name == "open":
        return name if _opens_to_write(call) else ""
    return name if name in WRITERS else ""


def _reader(call: ast.Call) -> str:
    """The name of what is called if it reads a file that is not the agent's own."""
    if any(isinstance(one, ast.Name) and one.id == "__file__" for one in call.args[:1]):
        return ""
    name, owner = _called(call), getattr(getattr(call.func, "value", None), "id", "")
    if name == "open":
        return "" if _opens_to_write(call) else name
    return name if name in READERS or (name == "load" and owner in NUMPY) else ""


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _opens_to_write(call: ast.Call) -> bool:
    modes = [*call.args[1:2], *(one.value for one in call.keywords if one.arg == "mode")]
    texts = [one.value for one in modes if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return any(WRITING & set(text) for text in texts)


def _classes(tree: ast.Module) -> set[str]:
    """The classes at the top of a text, its own and those it imports by name."""
    own = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    taken = {
        alias.asname or alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    return own | taken


def _by_line(found: Imports) -> Imports:
    return dict(sorted(found.items(), key=lambda item: item[1]))


def _listed(found: Imports) -> str:
    shown = [f"{name} (line {line})" for name, line in list(found.items())[:MOST_NAMED]]
    return ", ".join([*shown, *(["..."] if len(found) > MOST_NAMED else [])])
