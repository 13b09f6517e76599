"""What agents print, for who writes one: their standard error, game by game, in a file for each."""

import re
import threading
from collections.abc import Sequence
from pathlib import Path

from harena.arena import words
from harena.arena.record import Record
from harena.errors import UsageError
from harena.termination import Termination

MOST = 1 << 20  # bytes of a file
LONGEST_NAME = 80
OURS, MARK = re.compile(r"[12]-.+\.log"), b"--- "  # the name of such a file, and how it begins
Heard = tuple[int, int | None, bytes]  # the agent's number, its seat if it was in a game, what it wrote


class Outputs:
    """The files of a contest's agents in a folder; one that writes nothing has none. Workers may share it.

    Words of a game wait until its number is known (`ended`); those of games that never ended are written by `close`.
    """

    def __init__(self, folder: str, agents: Sequence[str]) -> None:
        self.folder = Path(folder)
        self.names = [words.short_names(agents)[text] for text in agents]
        self.written: dict[int, int] = {}  # bytes, by agent
        self._waiting: dict[str, list[Heard]] = {}  # by slot; those of no game under an empty one
        self._lock = threading.Lock()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            for old in list(self.folder.iterdir()):
                if OURS.fullmatch(old.name) and old.is_file() and old.read_bytes().startswith(MARK):
                    old.unlink()  # of an earlier match, maybe of other agents
            for agent in range(len(agents)):
                self.file(agent).write_bytes(b"")  # complains where none can be written
                self.file(agent).unlink()
        except OSError as error:
            raise UsageError(f"--output: {folder!r} cannot be written to: {error.strerror or error}") from None

    def file(self, agent: int) -> Path:
        """Of this agent."""
        name = re.sub(r"[^\w.-]+", "_", self.names[agent])[-LONGEST_NAME:].strip("_")
        return self.folder / f"{agent + 1}-{name}.log"

    @property
    def files(self) -> list[Path]:
        """Those that were written."""
        return [self.file(agent) for agent in sorted(self.written)]

    def heard(self, slot: str, agent: int, seat: int | None, said: bytes) -> None:
        """Something that an agent wrote in a game, or (without a slot) before or after all."""
        if said:
            with self._lock:
                self._waiting.setdefault(slot, []).append((agent, seat, said))

    def void(self, slot: str, why: str) -> None:
        """A game does not count and is played again under the same slot."""
        self._write(slot, f"not counted: {why}, played again")

    def ended(self, slot: str, number: int | None, record: Record) -> None:
        """A game is stored."""
        result = "a draw" if record.winner is None else f"player {record.winner + 1} won"
        why = "" if record.reason == Termination.RULES else f": {record.reason}"
        called = "a game" if number is None else f"game {number}"
        self._write(slot, f"{called}, {result}{why}")

    def close(self) -> None:
        """Write what belongs to no stored game."""
        for slot in list(self._waiting):
            self._write(slot, "a game that did not end" if slot else "before or after a game")

    def _write(self, slot: str, heading: str) -> None:
        with self._lock:
            for agent, seat, said in self._waiting.pop(slot, []):
                own = "" if seat is None else f"; as player {seat + 1}"
                self._append(agent, f"--- {heading}{own} ---\n{_plain(said)}\n".encode())

    def _append(self, agent: int, block: bytes) -> None:
        """As much as there is room for; where it is cut, a line says so, and nothing follows."""
        before = self.written.get(agent, 0)
        if before >= MOST:
            return
        self.written[agent] = before + len(block)
        if self.written[agent] > MOST:
            block = block[: MOST - before] + f"\n--- cut here: {MOST:,} bytes are kept ---\n".encode()
        try:
            with self.file(agent).open("ab") as out:
                out.write(block)
        except OSError:  # a full disk ends no match
            self.written[agent] = MOST


def _plain(said: bytes) -> str:
    """Without what steers a terminal, and without blank lines at the end."""
    text = said.decode("utf-8", "replace").replace("\r\n", "\n").rstrip()
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "?" for letter in text)
