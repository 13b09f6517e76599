"""`main()` with the arguments PLAN COMMAND...: the plan is marshalled (hexadecimal), the command becomes this process.

| key of the plan | meaning |
|---|---|
| `parent` | the process we have to die with; absent where somebody else sees to that |
| `limits` | names of `resource`, without RLIMIT_, and their values |
| `namespaces` | the arguments of `spaces.separate`: a world of its own; absent: we are in one, or want none |
| `folder` | where the command runs then |
| `user` | the user to become; absent: we stay who we are |
| `files` | the number of files that the private tmp may hold |
| `writable` | folders and devices that may be written to; absent: no walls, only limits |
"""

import marshal
import os
import sys

from . import calls, landlock, rights, seccomp
from .mounts import limit_files
from .spaces import die_with_parent, separate

CANNOT = 127  # the exit code of a command that was not started, as shells have it


def main() -> None:
    """Put the walls up and become the agent; one line on standard error if that cannot be done."""
    plan, command = marshal.loads(bytes.fromhex(sys.argv[1])), sys.argv[2:]
    try:
        prepare(plan)
        os.execvp(command[0], command)
    except OSError as error:
        about = f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror)
        os.write(2, f"{os.path.basename(command[0])} cannot be started behind walls: {about}\n".encode())
        os._exit(CANNOT)


def prepare(plan) -> None:  # type: ignore[no-untyped-def]
    """All that the plan asks for, in the only order in which it can be done."""
    if "parent" in plan:
        die_with_parent(plan["parent"])
    rights.be_the_first_to_go()
    if "namespaces" in plan:
        separate(**plan["namespaces"])
        os.chdir(plan["folder"])
    if "files" in plan:
        limit_files("/tmp", plan["files"])
    rights.limit(plan["limits"])
    if "user" in plan:
        rights.become(plan["user"])
    if "writable" in plan:
        rights.give_up()
        landlock.restrict(plan["writable"])
        seccomp.restrict()
    for ignored in (calls.SIGPIPE, calls.SIGXFSZ):  # by Python, and what is ignored stays so
        calls.libc.signal(ignored, calls.NOTHING)
