"""The public names, and what a bare import costs."""

import subprocess
import sys

import pytest

import harena


def test_the_public_names_are_sorted_and_all_there() -> None:
    constants, classes, functions = ([], [], [])  # type: tuple[list[str], list[str], list[str]]
    for name in harena.__all__:
        (constants if name.isupper() else classes if name[0].isupper() else functions).append(name)
    assert harena.__all__ == sorted(constants) + sorted(classes) + sorted(functions)
    assert len(set(harena.__all__)) == len(harena.__all__)
    for name in harena.__all__:
        assert getattr(harena, name) is not None
        assert name in dir(harena)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'gaem'"):
        _ = harena.gaem


@pytest.mark.process
@pytest.mark.parametrize("command", ["--help", "--version", "games", "agents", "cache", "show --help"])
def test_the_bare_command_does_not_import_numba(command: str) -> None:
    script = (
        "import sys\nfrom harena.cli.main import main\n"
        f"sys.argv = ['harena', *{command.split()!r}]\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert end.code == 0, end.code\n"
        "assert 'numba' not in sys.modules and 'numpy' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
