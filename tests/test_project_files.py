"""The files around the code are valid and agree with each other: workflows, templates, citation, versions, links."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from check_jsonschema import main as check_jsonschema  # type: ignore[import-untyped]
from click.testing import CliRunner
from pre_commit.main import main as pre_commit  # type: ignore[import-untyped]

import harena

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ISSUE_FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
PAGES = [ROOT / name for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")]
NAMED_FILE = re.compile(r"`([\w.*-]+(?:/[\w.*-]+)*(?:\.(?:c|cff|csv|html|js|json|md|py|toml|txt|yml)|/[\w-]+))`")


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        *(("github-workflows", path) for path in WORKFLOWS),
        *(("github-issue-forms", path) for path in ISSUE_FORMS),
        ("github-issue-config", ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml"),
        ("citation-file-format", ROOT / "CITATION.cff"),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_a_file_satisfies_its_schema(schema: str, path: Path) -> None:
    """The schemas are those that check-jsonschema ships: no network is used."""
    result = CliRunner().invoke(check_jsonschema, ["--builtin-schema", f"vendor.{schema}", str(path)])
    assert result.exit_code == 0, result.output


def test_the_hooks_are_valid_and_fetch_nothing() -> None:
    config = ROOT / ".pre-commit-config.yaml"
    assert pre_commit(["validate-config", str(config)]) == 0
    assert set(re.findall(r"- repo: (\S+)", config.read_text("utf-8"))) == {"local"}


def test_the_version_is_written_in_one_place() -> None:
    assert "version" not in PROJECT["project"] and PROJECT["project"]["dynamic"] == ["version"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "src/harena/__init__.py"
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert newest and newest[1] == re.sub(r"\.dev\d+$", "", harena.__version__)


def test_the_supported_pythons_are_the_same_everywhere() -> None:
    listed = [
        classifier.rpartition(" ")[2]
        for classifier in PROJECT["project"]["classifiers"]
        if re.search(r"Python :: 3\.\d+$", classifier)
    ]
    first, last = listed[0], listed[-1]
    minors = range(int(first[2:]), int(last[2:]) + 1)
    assert listed == [f"3.{minor}" for minor in minors]
    assert PROJECT["project"]["requires-python"] == f">={first},<3.{minors.stop}"
    matrix = re.search(r"python: \[(.+)\]", (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8"))
    assert matrix and re.findall(r'"(.+?)"', matrix[1]) == listed
    for name in ("README.md", "CONTRIBUTING.md", "Makefile"):
        assert f"{first} to {last}" in (ROOT / name).read_text("utf-8"), name


def test_the_workflow_runs_what_a_developer_runs() -> None:
    commands = re.findall(r"run: (make .+)", (ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8"))
    assert commands == ["make check", "make test"]


def test_the_lock_file_names_no_registry() -> None:
    assert "://" not in (ROOT / "package-lock.json").read_text("utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), target


def test_every_file_that_contributors_are_sent_to_exists() -> None:
    """Names are given from the root or from a folder of the package; NAME and GAME stand for any."""
    names = NAMED_FILE.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    assert len(names) > 20
    for name in names:
        pattern = re.sub(r"NAME|GAME", "*", name)
        places = (pattern, f"src/harena/{pattern}", f"src/harena/*/{pattern}")
        assert any(next(ROOT.glob(place), None) for place in places), name
