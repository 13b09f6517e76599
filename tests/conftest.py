"""Settings of the whole suite: its tiers, the order of tests, and the same examples of properties every time.

`make check` runs the tests that start no process and take no seconds, `make test` all but those marked `soak`. Marks
are kept honest here: a test that is not marked `process` and starts one fails.
"""

import os
import signal
import sys
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import settings

os.environ["HARENA_ENVIRONMENTS"] = os.devnull  # no course environment of the user's: agents are hosted as they come
settings.register_profile("suite", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("suite")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a suite in the background: what it starts is to hear Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

STARTS = frozenset(
    {
        *("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"),
        "socket.sendmsg",  # how the template of our players is told to fork one
    }
)
# Started once a process, by whichever test comes first: Python's and the arena's questions about this machine, and the
# arena's watcher.
ONCE = ("uname", "print('alive')", "watcher.py")
processes: list[str] = []  # those that this process has started during the present test


def note_process(event: str, arguments: tuple[Any, ...]) -> None:
    """Note what is started."""
    if event in STARTS and not any(word in (line := str(arguments)) for word in ONCE):
        processes.append(f"{event}{line}"[:200])


sys.addaudithook(note_process)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests marked `soak` out unless `-m` asks for them; `slow` ones first: none is alone at the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    if "soak" in (config.option.markexpr or ""):
        return
    soaking = [item for item in items if item.get_closest_marker("soak")]
    if soaking:
        config.hook.pytest_deselected(items=soaking)
        items[:] = [item for item in items if item not in soaking]


def refuse_unmarked(item: pytest.Item) -> None:
    """Fail a test that started a process without being marked for it."""
    if processes and not item.get_closest_marker("process"):
        pytest.fail(f"a test that starts a process is marked with @pytest.mark.process: {processes[0]}", pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    """Set up a test, and look whether its fixtures start processes."""
    processes.clear()
    yield
    refuse_unmarked(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Run a test, and look whether it starts processes."""
    processes.clear()
    yield
    refuse_unmarked(item)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say how many tests needed a quiet machine, and how many of them a second try."""
    if config.option.markexpr != "quiet":
        return
    passed, failed = (len(terminalreporter.stats.get(name, [])) for name in ("passed", "failed"))
    if config.getoption("lf"):
        terminalreporter.write_line(f"second tries: {passed} passed, {failed} failed again")
    else:
        terminalreporter.write_line(f"tests that need a quiet machine, run one at a time: {passed + failed}")
        terminalreporter.write_line(f"second tries needed: {failed}")
