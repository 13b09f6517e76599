"""The rounds of a grading, and the secret that chance in their games is derived from.

A round is one `harena grade` in which something changed. Submissions that are new or changed are played in the new
round, the others keep their games and their round. Starts and dice follow from the secret and the round: they are equal
for all submissions of a round, nobody knows them before, and no game tells anything about a later one.

The secret is a file in the grading folder that only its owner can read. The store keeps a digest of it for each round,
which tells whether the secret is still the one of that round. Round 0 is a grading by version 0.1.0: it has no secret.
"""

import contextlib
import os
import re
import secrets
import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

from harena.arena.slot import Slot, slot_of
from harena.arena.store import Run, Store
from harena.courses.grading import Plan, Submission, can_share_games, plan_of
from harena.errors import BadFile

SECRET_FILE = "secret"
SECRET_BYTES = 32
SECRET = re.compile(rb"[0-9a-f]{64}")  # as the file has it
PLAIN_FILE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # no link, and no pipe that is waited for


# The file


def read_secret(folder: Path) -> bytes:
    """The secret of a grading folder; nothing if there is none yet, or if it was being written when we were killed."""
    try:
        descriptor = os.open(folder / SECRET_FILE, os.O_RDONLY | PLAIN_FILE)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise BadFile(_explain(folder, "read", error)) from None
    with open(descriptor, "rb") as file:
        is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
        text = file.read(4 * SECRET_BYTES).strip() if is_file else b""
        if not is_file or (text and not SECRET.fullmatch(text)):
            raise BadFile(f"{folder / SECRET_FILE} is not the secret of a grading: move it away")
        with contextlib.suppress(OSError, AttributeError):  # Windows
            os.fchmod(descriptor, 0o600)
    return bytes.fromhex(text.decode())


def create_secret(folder: Path) -> bytes:
    """A new secret in a grading folder that has none."""
    path, secret = folder / SECRET_FILE, secrets.token_bytes(SECRET_BYTES)
    try:
        path.unlink(missing_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", encoding="ascii") as file:
            file.write(f"{secret.hex()}\n")
            file.flush()
            os.fsync(descriptor)
    except OSError as error:
        raise BadFile(_explain(folder, "written", error)) from None
    return secret


def _explain(folder: Path, what: str, error: OSError) -> str:
    return f"{folder / SECRET_FILE} cannot be {what}: {error.strerror}"


def digest_of(secret: bytes) -> str:
    """What the store keeps of a secret: enough to know it again, nothing to derive from."""
    return blake2b(secret, digest_size=16, person=b"harena secret").hexdigest() if secret else ""


# The rounds


class History:
    """The earlier gradings of a store, and the secret of the folder."""

    def __init__(self, store: Store, runs: Sequence[Run], folder: Path) -> None:
        self.store, self.folder = store, folder
        self.earlier = [(run, plan_of(dict(run.spec))) for run in runs]
        self.secret = read_secret(folder)
        self.digests = {number: one for _, plan in self.earlier for number, one in plan.secrets.items()}
        self.last = max((plan.spec.round for _, plan in self.earlier), default=0)

    def has_secret(self, number: int) -> bool:
        """Whether the secret of a round is the one in the folder."""
        return bool(self.secret) and self.digests.get(str(number)) == digest_of(self.secret)

    def can_play(self, number: int) -> bool:
        """Whether more games of a round can be played."""
        return number == 0 or self.has_secret(number)

    def can_finish(self, run: Run, plan: Plan) -> bool:
        """Whether all games that a run lacks can be played in their rounds."""
        closed = [slot for slot in plan.slots() if not self.can_play(plan.round_of(slot))]
        return not closed or self._games(run).issuperset(closed)

    def _games(self, run: Run) -> set[Slot]:
        """The games of a run that can be read."""
        return {slot_of(text) for text, _ in self.store.games(run.id, report=lambda _: None)}

    def assign_rounds(self, plan: Plan) -> tuple[Plan, str]:
        """The plan of a new run with the round of each submission, and a line to print if a secret was lost."""
        kept = {one.agent: self._round_to_keep(plan, one) for one in plan.playing}
        is_new = None in kept.values() or not self.has_secret(self.last)
        number = self.last + 1 if is_new else self.last
        lost = ""
        if self.last and not self.has_secret(self.last):
            lost = (
                f"the secret of round {self.last} is not in {self.folder / SECRET_FILE}: finished submissions keep "
                f"their games, all others are played in round {number}"
            )
        self.secret = self.secret or create_secret(self.folder)
        self.digests[str(number)] = digest_of(self.secret)
        rounds = {agent: number if one is None else one for agent, one in kept.items()}
        used = {str(one) for one in (number, *rounds.values())}
        digests = {one: digest for one, digest in self.digests.items() if one in used}
        return replace(plan, spec=replace(plan.spec, round=number, rounds=rounds), secrets=digests), lost

    def _round_to_keep(self, plan: Plan, submission: Submission) -> int | None:
        """The latest round that a submission was in with these files, if it can stay there; else None.

        It can if its games can still be played, or if it has all that the plan asks for.
        """
        played: dict[int, set[Slot]] = {}
        for number, slots in self._rounds_of(plan, submission):
            played.setdefault(number, set()).update(slots)
        wanted = {replace(slot, b=0) for slot in plan.slots_of(submission)}
        return next((number for number, slots in played.items() if self.can_play(number) or wanted <= slots), None)

    def _rounds_of(self, plan: Plan, submission: Submission) -> Iterator[tuple[int, set[Slot]]]:
        """The round of a submission in each earlier grading, and its games against levels, without its number."""
        for run, old in reversed(self.earlier):
            same = next((one for one in old.playing if is_unchanged(one, submission)), None)
            if same is not None and can_share_games(plan, old):
                number = old.round_for(same)
                done = set[Slot]() if self.can_play(number) else self._games(run)
                yield number, {replace(slot, b=0) for slot in old.slots_of(same) if slot in done}


def is_unchanged(submission: Submission, other: Submission) -> bool:
    """Whether two gradings have the same files of one student."""
    return (submission.name, submission.digest) == (other.name, other.digest)
