"""The process that plays a contest for the page: it outlives the server, which follows it through the store.

    python -P -m harena.web.runner '{"run": "1a2b3c4d", "store": "games.sqlite", ...}'

What goes wrong is one line on standard error. SIGTERM stops it after the games that are stored.
"""

import json
import sys
from dataclasses import asdict, dataclass

from harena.arena.runs.api import type_files
from harena.arena.runs.executors import LocalExecutor
from harena.arena.runs.resuming import reopened
from harena.arena.runs.runner import asked_by_signal
from harena.errors import HarenaError
from harena.kernel import switch

FAILED, STOPPED = 2, 130  # exit codes


@dataclass(frozen=True, kw_only=True)
class Order:
    """What the process is to play, and under which terms of the server."""

    run: str
    store: str
    concurrency: int
    longest: float  # seconds that any move may take
    sandbox: str
    agents: list[str]  # folders whose agents may be started

    def command(self) -> list[str]:
        """The command of the process; -P: a file in the present folder is not taken for a module."""
        return [sys.executable, "-P", "-m", "harena.web.runner", json.dumps(asdict(self))]


def play(order: Order) -> None:
    """Play a stored run to its end."""
    typed = type_files(agents=order.agents, sandbox=order.sandbox, longest=order.longest)
    with (
        asked_by_signal(),
        reopened(order.run, order.store, LocalExecutor(order.concurrency), typed) as (run, _),
    ):
        run.play()


def main() -> None:
    """The entry point."""
    switch.MAY_FORK = True
    try:
        play(Order(**json.loads(sys.argv[1])))
    except HarenaError as error:
        print(error, file=sys.stderr)
        sys.exit(FAILED)
    except KeyboardInterrupt:
        sys.exit(STOPPED)


if __name__ == "__main__":
    main()
