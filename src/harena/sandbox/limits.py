"""No walls, only the kernel's limits: for machines that can do no better."""

import os
from collections.abc import Mapping, Sequence

from harena.sandbox import layout
from harena.sandbox.users import most_processes
from harena.sandbox.walls import Walls


class LimitsOnly:
    """Limits on memory, processes and file sizes; the number of processes does not bind root."""

    level = "limits"

    def seen(self, folder: str) -> str:
        """Where it is."""
        return folder

    def enclose(self, command: Sequence[str], walls: Walls) -> list[str]:
        """Our launcher, then the command."""
        processes = most_processes(walls.processes, has_own_count=False)
        plan = {"parent": os.getpid(), "limits": layout.limits(walls, processes)}
        return layout.launcher(os.path.dirname(layout.LAUNCHER), plan, command)

    def environment(self, walls: Walls) -> Mapping[str, str]:
        """A clean one."""
        return layout.environment(walls.tmp, walls.interpreter)
