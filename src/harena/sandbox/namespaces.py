"""Walls without any helper: our launcher makes the namespaces and mounts itself."""

import os
from collections.abc import Mapping, Sequence

from harena.sandbox import layout
from harena.sandbox.users import counts_by_namespace, most_processes, stranger
from harena.sandbox.walls import Walls

ITS_OWN = 2  # processes of the launcher that count as the agent's


class Namespaces:
    """The same walls as bubblewrap's."""

    level = "namespaces"

    def seen(self, folder: str) -> str:
        """At the same place for all."""
        return layout.SUBMISSION

    def enclose(self, command: Sequence[str], walls: Walls) -> list[str]:
        """Our launcher, then the command."""
        user = stranger()
        if user is not None:
            walls = layout.opened(walls)
        processes = most_processes(walls.processes + ITS_OWN, has_own_count=user is not None or counts_by_namespace())
        root = os.path.join(walls.tmp, "root")
        os.makedirs(root, exist_ok=True)
        plan = {
            "parent": os.getpid(),
            "limits": layout.limits(walls, processes),
            "namespaces": {"root": root, "mounts": layout.mounts(walls), "user": user is None},
            "folder": layout.SUBMISSION,
            "writable": layout.WRITABLE,
            "log_refused": walls.log_refused,
            "counts_children": walls.counts_children,
            **({} if user is None else {"user": user}),
        }
        return layout.launcher(os.path.dirname(layout.LAUNCHER), plan, command)

    def environment(self, walls: Walls) -> Mapping[str, str]:
        """A clean one."""
        return layout.environment(layout.TMP, walls.interpreter)
