"""A command at a real terminal."""

import os
import pty
import select
import subprocess
import sys
import time

IN_ITS_OWN_TERMINAL = """
import fcntl, runpy, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that Ctrl-C reaches it
runpy.run_module("harena", run_name="__main__", alter_sys=True)
"""


class Terminal:
    """A command at a real terminal of 80 columns."""

    def __init__(self, *words: str, rows: str = "40") -> None:
        self.screen, other = pty.openpty()
        command = [sys.executable, "-c", IN_ITS_OWN_TERMINAL, *words]
        environment = os.environ | {"TERM": "xterm", "COLUMNS": "80", "LINES": rows}
        self.process = subprocess.Popen(
            command,
            stdin=other,
            stdout=other,
            stderr=other,
            env=environment,
            start_new_session=True,
        )
        os.close(other)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *trouble: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.screen)

    def press(self, keys: str, until: str) -> str:
        """Press these keys, and wait for a text to be shown; all that was shown meanwhile."""
        os.write(self.screen, keys.encode())
        shown, end = b"", time.monotonic() + 300  # it may have to be compiled
        while until.encode() not in shown:
            assert time.monotonic() < end, shown.decode()
            if select.select([self.screen], [], [], 0.2)[0]:
                shown += os.read(self.screen, 100_000)
        return shown.decode()

    def end(self, keys: str) -> int:
        """The exit code after these keys."""
        os.write(self.screen, keys.encode())
        return self.process.wait(300)
