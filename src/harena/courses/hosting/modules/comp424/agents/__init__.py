"""The agents; this package goes on in the submission's own folder of that name.

Each module is imported when it is first asked for, so that an agent that is itself one of them is registered once.
"""

import importlib
from pathlib import Path


def __getattr__(name):
    """A module of the package, or a class that one of its modules defines: RandomAgent, HumanAgent, or their own."""
    if name.startswith("__"):
        raise AttributeError(name)
    for folder in map(Path, __path__):
        if (folder / f"{name}.py").is_file():
            return importlib.import_module(f"agents.{name}")
        for file in sorted(folder.glob("*_agent.py")):
            if f"class {name}(" in file.read_text("utf-8", "replace"):
                return getattr(importlib.import_module(f"agents.{file.stem}"), name)
    raise AttributeError(f"module 'agents' has no attribute {name!r}")
