"""Settings of the whole suite: what is left out, what comes first, and the same examples of properties every time."""

import os
import signal

import pytest
from hypothesis import settings

os.environ["HARENA_ENVIRONMENTS"] = os.devnull  # no course environment of the user's: agents are hosted as they come
settings.register_profile("suite", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("suite")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a suite in the background: what it starts is to hear Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests marked `soak` out unless `-m` asks for them; `slow` ones first: none is alone at the end."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)
    if "soak" in (config.option.markexpr or ""):
        return
    soaking = [item for item in items if item.get_closest_marker("soak")]
    if soaking:
        config.hook.pytest_deselected(items=soaking)
        items[:] = [item for item in items if item not in soaking]
