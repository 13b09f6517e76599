"""The arrows of docs/architecture.md: which part may import which."""

import ast
import re
from pathlib import Path

import pytest

import harena

ROOT = Path(harena.__file__).parent
BELOW = {
    "errors": set(),
    "kernel": {"errors"},
    "contract": {"kernel"},
    "calls": {"kernel", "contract"},
    "games": {"errors", "kernel", "contract"},
    "search": {"calls", "errors", "kernel", "contract"},
    "heuristics": {"contract", "errors", "games", "kernel", "search"},
    "champions": {"calls", "contract", "errors", "games", "heuristics", "kernel", "search"},
    "render": {"games.picture"},
    "api": {"calls", "errors", "kernel", "contract", "games", "render"},
    "find": {"api", "errors", "games", "kernel"},
    "sandbox": {"errors"},
    "agents": {
        *("api", "find", "calls", "champions", "contract", "errors", "games", "heuristics", "kernel", "sandbox"),
        *("search",),
    },
    "arena": {"__init__", "agents", "api", "contract", "errors", "find", "games", "kernel", "sandbox", "search"},
    "courses": {
        *("__init__", "agents", "api", "arena", "contract", "errors", "find", "games", "kernel", "render", "sandbox"),
        *("search",),
    },
    "testing": {
        *("__init__", "agents", "api", "calls", "contract", "courses", "errors", "find", "games", "kernel", "search"),
    },
    "bench": {"agents", "api", "arena", "find", "errors", "kernel", "search"},
    "web": {
        *("__init__", "agents", "api", "arena", "contract", "errors", "find", "games", "kernel", "render", "sandbox"),
        *("courses", "heuristics", "search"),
    },
    "cli": {
        *("__init__", "agents", "api", "arena", "bench", "contract", "errors", "find", "games", "heuristics", "kernel"),
        *("champions", "courses", "render", "sandbox", "search", "testing", "web"),
    },
}
MODULES = sorted(path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".") for path in ROOT.rglob("*.py"))


def imports(module: str) -> set[str]:
    """The modules of the package that this one imports, without the leading `harena`."""
    tree = ast.parse((ROOT / (module.replace(".", "/") + ".py")).read_text("utf-8"))
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "harena":
            names = {alias.name for alias in node.names}
            found |= {
                name if (ROOT / name).exists() or (ROOT / f"{name}.py").exists() else "__init__" for name in names
            }
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("harena."):
            found.add((node.module or "").removeprefix("harena."))
        elif isinstance(node, ast.Import):
            found |= {alias.name.removeprefix("harena.") for alias in node.names if alias.name.startswith("harena")}
    return found


@pytest.mark.slow
@pytest.mark.parametrize("module", [name for name in MODULES if name not in ("__init__", "__main__")])
def test_a_module_imports_only_what_lies_below(module: str) -> None:
    part = module.split(".", maxsplit=1)[0]
    allowed = BELOW[part] | {part}
    for imported in imports(module):
        assert any(imported == one or imported.startswith(f"{one}.") for one in allowed), f"{module} imports {imported}"


@pytest.mark.parametrize("game", ["trap", "colosseum", "isolation", "tiles"])
def test_rules_modules_contain_rules_only(game: str) -> None:
    assert all(one == "contract" or one.startswith("kernel.") for one in imports(f"games.{game}"))


def test_what_runs_beside_a_course_agent_imports_nothing_of_ours() -> None:
    inside = [name for name in MODULES if name.startswith("courses.hosting")]
    assert inside and not any(imports(name) for name in inside)


LONGEST_FUNCTION, LONGEST_SEARCH = 70, 100  # lines; a search is one self-recursive function


@pytest.mark.slow
def test_no_function_is_too_long() -> None:
    long = {}
    for path in ROOT.rglob("*.py"):
        most = LONGEST_SEARCH if path.parent.name in ("search", "champions") else LONGEST_FUNCTION
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > most:
                    long[f"{path.name}: {node.name}"] = lines
    assert not long


NAMED_AS_A_WHOLE = ("bench", "champions", "cli", "courses/hosting", "courses/starters", "sandbox/inside", "web/routes")


def test_every_module_has_its_place_in_the_architecture() -> None:
    text = (Path(__file__).parents[1] / "docs" / "architecture.md").read_text("utf-8")
    places = text[text.index("## Where things are") : text.index("## Decisions")]
    named = set(re.findall(r"\w[\w-]*\.(?:py|js)\b", places))
    files = [path for path in ROOT.rglob("*.py") if not path.name.startswith("__")]
    files = [path for path in files if not path.relative_to(ROOT).as_posix().startswith(NAMED_AS_A_WHOLE)]
    assert sorted({path.name for path in [*files, *(ROOT / "web" / "static").glob("*.js")]} - named) == []
