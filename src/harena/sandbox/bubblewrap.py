"""Walls by bubblewrap: it mounts what is to be seen, and our launcher within sets limits and becomes another user."""

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from harena.sandbox import layout
from harena.sandbox.layout import Mount
from harena.sandbox.users import counts_by_namespace, most_processes, stranger
from harena.sandbox.walls import SandboxError, Walls

WORLD = (
    *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    *("--die-with-parent", "--hostname", "harena"),
)
OPTIONS: Mapping[str, Callable[[str, str], Sequence[str]]] = {
    "see": lambda path, value: ("--ro-bind", value, path),
    "device": lambda path, value: ("--dev-bind", value, path),
    "link": lambda path, value: ("--symlink", value, path),
    "folder": lambda path, value: ("--dir", path),
    "tmp": lambda path, value: ("--perms", "1777", "--size", str(int(value) << 20), "--tmpfs", path),
    "hide": lambda path, value: ("--tmpfs", path),
    "proc": lambda path, value: ("--proc", path),
}
# Options come from a file: bubblewrap's command line can be read within, and would tell where things are outside.
FROM_FILE = 'file=$1; shift; exec "$0" --args 3 -- "$@" 3<"$file"'
ITS_OWN = 3  # processes of bubblewrap and of the launcher that count as the agent's


class Bubblewrap:
    """No network, the system read-only, a private tmp, processes of its own; nothing else is visible."""

    level = "bubblewrap"

    def __init__(self) -> None:
        found = shutil.which("bwrap")
        if found is None:
            raise SandboxError("bubblewrap is not installed")
        self.program = found

    def seen(self, folder: str) -> str:
        """At the same place for all."""
        return layout.SUBMISSION

    def enclose(self, command: Sequence[str], walls: Walls) -> list[str]:
        """Bubblewrap, then our launcher, then the command."""
        from harena.sandbox.inside.mounts import MOST_FILES  # only Linux can import it

        user = stranger()
        processes = most_processes(walls.processes + ITS_OWN, has_own_count=user is not None or counts_by_namespace())
        plan: dict[str, Any] = {
            "files": MOST_FILES,
            "writable": layout.WRITABLE,
            "log_refused": walls.log_refused,
            "counts_children": walls.counts_children,
        }
        rights = ["CAP_SYS_ADMIN"]  # of the launcher, until it gives all rights up: to limit the number of files
        if user is not None:
            walls = layout.opened(walls)
            plan["user"] = user
            rights += ["CAP_SETUID", "CAP_SETGID"]
        plan["limits"] = layout.limits(walls, processes)
        mounts = layout.mounts(walls)
        closed = ["/", *(path for kind, path, _ in mounts if kind == "hide")]
        options = [
            *([] if user is not None else ["--unshare-user"]),
            *WORLD,
            *(word for mount in mounts for word in _options(mount)),
            *(word for path in closed for word in ("--remount-ro", path)),
            *("--chdir", layout.SUBMISSION, "--cap-drop", "ALL"),
            *(word for right in rights for word in ("--cap-add", right)),
        ]
        file = os.path.join(walls.tmp, "bubblewrap")
        Path(file).write_bytes(b"".join(os.fsencode(word) + b"\0" for word in options))
        inside = layout.launcher(layout.LAUNCHER_SEEN, plan, command)
        return ["/bin/sh", "-c", FROM_FILE, self.program, file, *inside]

    def environment(self, walls: Walls) -> Mapping[str, str]:
        """A clean one."""
        return layout.environment(layout.TMP, walls.interpreter)


def _options(mount: Mount) -> Sequence[str]:
    kind, path, value = mount
    return OPTIONS[kind](path, value)
