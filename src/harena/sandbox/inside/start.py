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
| `log_refused` | whether refused system calls are named in the agent's log, where the kernel can tell them |
| `counts_children` | whether parents may not ignore the end of their children, so that their CPU time is counted |
"""

import marshal
import os
import sys

from . import calls, landlock, rights, seccomp
from .mounts import limit_files
from .spaces import die_with_outside, die_with_parent, end_as, separate
from .supervise import supervise

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
    alive = None
    if "namespaces" in plan:
        alive = separate(**plan["namespaces"])
        os.chdir(plan["folder"])
    if "files" in plan:
        limit_files("/tmp", plan["files"])
    rights.limit(plan["limits"])
    if "user" in plan:
        rights.become(plan["user"])
    if alive is not None:
        die_with_outside(alive)  # again: the kernel forgets it when the user changes
    listener = None
    if "writable" in plan:
        rights.give_up()
        landlock.restrict(plan["writable"])
        calls.libc.signal(calls.SIGCHLD, calls.NOTHING)  # whoever started us may ignore it
        listener = seccomp.restrict(
            has_listener=plan.get("log_refused", False), counts_children=plan.get("counts_children", False)
        )
    if listener is not None or alive is not None:
        _leave_agent_to_child(listener)
    for ignored in (calls.SIGPIPE, calls.SIGXFSZ):  # by Python, and what is ignored stays so
        calls.libc.signal(ignored, calls.NOTHING)


def _leave_agent_to_child(listener: int | None) -> None:
    """Go on as a child; the process we were waits for it, and logs what is refused to it."""
    if agent := os.fork():
        if listener is None:
            end_as(agent)
        else:
            supervise(agent, listener)
