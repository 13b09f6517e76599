"""The Python that hosts course agents: the running one, a course's own environment, or any that the user names.

`harena course env COURSE` makes an environment (`courses/environments.py`) in a folder of the user's data. From then on
the agents of that course are hosted there. `--python` names another: a course whose environment is used, an interpreter
or the folder of a virtual environment, or `harena` for the Python that Harena runs on.

A run keeps the place and the versions of the environments that it uses, and goes on only with the same ones. While it
lives, it shares their locks (`environment_lock.py`): they are neither changed nor removed.
"""

import json
import os
import platform
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_data_path

from harena.agents.environment_lock import SharedLock, share_environment
from harena.agents.registry import courses
from harena.errors import BadFile, UsageError
from harena.kernel import trusted
from harena.sandbox.layout import folders_of
from harena.sandbox.walls import Interpreter, check_interpreter

if TYPE_CHECKING:
    from harena.agents.spec import AgentSpec

OWN = "harena"  # stands for the Python that Harena runs on
DESCRIPTION = "environment.json"  # in the folder of an environment: what `courses/environments.py` made there
OLDEST = (3, 9)  # the Python that `courses/hosting` needs
PATIENCE = 60.0  # seconds in which an interpreter has to say what it is
PROBE = """
import json, sys
found = {"version": list(sys.version_info[:3])}
if sys.version_info >= (3, 9):
    from importlib.metadata import distributions
    from importlib.util import find_spec
    installed = [(one.metadata["Name"], one.version) for one in distributions()]
    harena = find_spec("harena")
    found["program"] = sys.executable
    found["prefixes"] = [sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix]
    found["packages"] = {name.lower().replace("_", "-"): number for name, number in reversed(installed) if name}
    found["harena"] = list(harena.submodule_search_locations or []) if harena else []
print(json.dumps(found))
"""


@dataclass(frozen=True, kw_only=True)
class Environment:
    """A Python other than the running one, with the packages that are installed for it."""

    place: str  # the course whose environment it is, or the path of the interpreter
    interpreter: Interpreter
    python: str  # its version
    packages: Mapping[str, str] = field(default_factory=dict)  # versions by name
    lock: SharedLock | None = field(default=None, compare=False, repr=False)  # of one that hosts agents, if it is ours

    def versions(self, course: str) -> dict[str, str]:
        """The versions of Python and of the packages that a course requires."""
        names = [name for name, _ in courses()[course].requirements]
        return {"python": self.python} | {name: self.packages[name] for name in names if name in self.packages}

    @property
    def digest(self) -> str:
        """Equal for environments with the same versions of everything."""
        lines = [self.python, *(f"{name} {number}" for name, number in sorted(self.packages.items()))]
        return blake2b("\n".join(lines).encode(), digest_size=8).hexdigest()


def environments_folder() -> Path:
    """Where the environments of courses are kept: in `HARENA_ENVIRONMENTS`, or in the user's data folder."""
    chosen = os.environ.get("HARENA_ENVIRONMENTS")
    return Path(chosen).expanduser() if chosen else user_data_path("harena") / "environments"


def environment_folder(course: str) -> Path:
    """The folder of a course's environment, whether it was made or not."""
    return environments_folder() / environment_name(course)


def environment_name(course: str) -> str:
    """The course by which an environment is called: two ways to play one course share it."""
    return courses()[course].environment


def read_description(folder: Path) -> dict[str, Any] | None:
    """What `harena course env` wrote about the environment in a folder; None if there is none that is complete."""
    try:
        found = json.loads((folder / DESCRIPTION).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and found.get("is_complete") is True else None


def find_environment(course: str, python: str | None = None) -> Environment | None:
    """The environment for the agents of a course; None: the Python that Harena runs on.

    `python` is what the user typed: a course, an interpreter, a folder or `harena`. Without it, the course's own
    environment is used if it was made.
    """
    if python is None:
        is_made = read_description(environment_folder(course)) is not None
        return _course_environment(environment_name(course)) if is_made else None
    if python == OWN:
        return None
    if python in courses():
        return _course_environment(environment_name(python))
    program = find_program(python)
    trusted.trust(program)
    return _examine(program, program)


def environments_for(agents: Iterable["AgentSpec"], python: str | None = None) -> dict[str, Any]:
    """The environments of the course agents among these, by course, as a run keeps them.

    A course whose agents the running Python hosts is left out.
    """
    wanted = sorted({agent.course for agent in agents if agent.course})
    if python is not None and not wanted:
        raise UsageError("--python is for agents of a course: leave it out, or write COURSE:PATH")
    environments = ((course, find_environment(course, python)) for course in wanted)
    return {course: describe(environment, course) for course, environment in environments if environment is not None}


def usual_environment(course: str) -> Environment | None:
    """The environment that hosts the agents of a course unless the user names another; None: the running Python.

    It is locked. The empty course, that of other agents, has none.
    """
    if not course or read_description(environment_folder(course)) is None:
        return None
    lock = _share(environment_name(course))
    return replace(_course_environment(environment_name(course)), lock=lock)


def describe(environment: Environment, course: str) -> dict[str, Any]:
    """An environment as a run keeps it; `restore` finds it again."""
    versions = environment.versions(course)
    return {"place": environment.place, "versions": versions, "digest": environment.digest}


def restore(course: str, described: Mapping[str, Any], walls: str) -> Environment:
    """The environment that a run has kept; UsageError if it is not there any more, or is not the same.

    SandboxError if it does not run behind these walls: agents are not blamed for that.

    The path of an interpreter is used only if the user has typed it: a store may come from anybody.
    """
    place = str(described.get("place"))
    if place not in courses() and not trusted.is_trusted_interpreter(place):
        shown = trusted.quoted(place)
        raise trusted.NotTrusted(f"agents of {course} are hosted by {shown}: if you trust it, type --python {shown}")
    lock = _share(place)
    environment = _examine_place(place)
    if environment.digest != described.get("digest"):
        before, now = (versions_text(one) for one in (described.get("versions", {}), environment.versions(course)))
        change = f"from {before} to {now}" if before != now else "in other packages"
        raise UsageError(f"the environment {place} has changed {change} since this run began: begin a new one")
    check_interpreter(walls, environment.interpreter, "import numpy")
    return replace(environment, lock=lock)


def check_unchanged(environment: Environment, walls: str) -> None:
    """UsageError or SandboxError if an environment that hosts agents has changed, or does not run any more.

    It is called when an agent does not load, before that is the agent's fault.
    """
    if _examine_place(environment.place) != environment:
        raise UsageError(f"the environment {environment.place} has changed since this run began: begin a new one")
    check_interpreter.cache_clear()
    check_interpreter(walls, environment.interpreter, "import numpy")


def _examine_place(place: str) -> Environment:
    """The environment of a course, or that of an interpreter which the user has typed."""
    return _course_environment(environment_name(place)) if place in courses() else _examine(place, place)


def _share(place: str) -> SharedLock | None:
    """Lock the environment at a place, if `harena course env` made it; UsageError if it is being changed."""
    is_course = place in courses()
    folder = environment_folder(place) if is_course else Path(place).parent.parent
    name = environment_name(place) if is_course else str(folder)
    return share_environment(folder, name) if (folder / DESCRIPTION).is_file() else None


def typed_places(environments: Mapping[str, Any]) -> list[str]:
    """The interpreters that a stored run was given by their paths."""
    places = [str(one.get("place")) for one in environments.values() if isinstance(one, Mapping)]
    return list(dict.fromkeys(place for place in places if place not in courses()))


def hosted_versions(course: str, environment: Environment | None) -> dict[str, str]:
    """The versions that the agents of a course are hosted with, as a record keeps them."""
    if environment is not None:
        return environment.versions(course)
    names = [name for name, _ in courses()[course].requirements]
    return {"python": platform.python_version()} | {name: found for name in names if (found := _own_version(name))}


def versions_text(versions: Any) -> str:
    """Versions on a line: Python first, then its packages."""
    if not isinstance(versions, Mapping):
        return "unknown versions"
    packages = "; ".join(f"{name} {number}" for name, number in versions.items() if name != "python")
    return f"Python {versions.get('python', '?')}{f' ({packages})' if packages else ''}"


@cache
def _own_version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _course_environment(course: str) -> Environment:
    folder = environment_folder(course)
    if read_description(folder) is None:
        raise UsageError(f"there is no environment for {course}: make it with: harena course env {course}")
    try:
        return _examine(str(program_in(folder)), course)
    except BadFile as error:
        again = f"harena course env {course} --remove, then harena course env {course}"
        raise UsageError(
            f"the environment of {course} does not work any more ({error}): make it again: {again}"
        ) from None


def find_program(python: str) -> str:
    """The interpreter that a user means: a file or folder by its path, or a command.

    As in a shell, a path has a slash in it, and a command is looked up on PATH only: the present folder may be a
    submission's, and what is found here runs without walls.
    """
    path = os.path.abspath(os.path.expanduser(python))
    is_path = os.path.dirname(python) != "" or python.startswith("~")
    if is_path and os.path.isdir(path):
        return str(program_in(Path(path)))
    if is_path and os.path.isfile(path):
        return path
    if not is_path and (command := _find_command(python)):
        return command
    if not is_path and os.path.exists(path):
        raise BadFile(f"--python {python}: there is no such command; for the file or folder here write ./{python}")
    names = ", ".join(dict.fromkeys(map(environment_name, courses())))
    raise BadFile(f"--python {python}: no such interpreter or folder, and no course ({names})")


def _find_command(name: str) -> str | None:
    """The whole path of a command on PATH; relative folders of PATH are left out."""
    folders = [folder for folder in os.get_exec_path() if os.path.isabs(folder)]
    return shutil.which(name, path=os.pathsep.join(folders))


def program_in(folder: Path) -> Path:
    """The interpreter in the folder of a virtual environment."""
    for name in ("bin/python", "bin/python3", "Scripts/python.exe", "python.exe"):
        if (folder / name).is_file():
            return folder / name
    raise BadFile(f"{folder}: there is no Python in this folder (bin/python)")


def _examine(program: str, place: str) -> Environment:
    """Ask an interpreter what it is; BadFile if it is too old, lacks numpy or does not run."""
    found = run_probe(program)
    number = version_of(program, found)
    if "numpy" not in found["packages"]:
        raise BadFile(f"{program} has no numpy, which course agents need: {program} -m pip install numpy")
    interpreter = Interpreter(
        program=found["program"], folders=tuple(folders_of(found["prefixes"])), hidden=tuple(found["harena"])
    )
    return Environment(place=place, interpreter=interpreter, python=number, packages=found["packages"])


def version_of(program: str, probed: Mapping[str, Any]) -> str:
    """The version that an interpreter says it is; BadFile if it is too old for course agents."""
    number = ".".join(map(str, probed["version"]))
    if tuple(probed["version"][:2]) < OLDEST:
        raise BadFile(f"{program} is Python {number}: course agents need Python {'.'.join(map(str, OLDEST))} or newer")
    return number


def run_probe(program: str) -> dict[str, Any]:
    """What an interpreter says about itself; BadFile if it says nothing."""
    try:
        done = subprocess.run(
            [program, "-I", "-c", PROBE],
            env={key: value for key, value in os.environ.items() if not key.startswith("PYTHON")},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        found = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise BadFile(f"{program} does not answer: is it a Python?") from None
    except (OSError, ValueError):
        raise BadFile(f"{program} is not a Python that runs here: try {program} --version") from None
    if not isinstance(found, dict) or not isinstance(found.get("version"), list):
        raise BadFile(f"{program} is not a Python that runs here: try {program} --version")
    return found


def hosts_text(hosted: Any) -> str:
    """The versions that course agents were hosted with, as a record has them; with the courses if there are several."""
    if not isinstance(hosted, Mapping):
        return ""
    texts = {str(course): versions_text(versions) for course, versions in hosted.items()}
    return "; ".join(texts.values() if len(texts) == 1 else (f"{course}: {text}" for course, text in texts.items()))
