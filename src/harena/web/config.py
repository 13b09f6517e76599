"""What a server is told when it starts, and what it allows."""

import secrets
from dataclasses import dataclass, field
from pathlib import Path

LOCAL = ("127.0.0.1", "localhost", "::1")  # names of this machine for itself


@dataclass(frozen=True, kw_only=True)
class Config:
    """Where it listens, whose games it shows, and how much it does at once."""

    host: str = "127.0.0.1"
    port: int = 8700
    store: Path
    public: bool = False  # strangers may look; what runs code or writes wants the token
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24), repr=False)
    agents: tuple[Path, ...] = ()  # folders whose files and course agents may play
    sandbox: str = "auto"
    searches: int = 2  # at once
    tables: int = 200  # games that are kept open
    contests: int = 2  # matches and tournaments at once
    watchers: int = 500  # streams at once
    spare: int = 250  # requests at once beside those
    watchers_each: int = 120  # of one address: a class may share one
    longest_move: float = 30.0  # seconds that anybody's search may take
    most_body: int = 256 * 1024  # bytes of a request
    requests: int = 600  # a minute, by address

    @property
    def at_once(self) -> int:
        """Requests that are answered at the same time, streams included."""
        return self.watchers + self.spare

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in LOCAL

    @property
    def is_guarded(self) -> bool:
        """Whether acting wants the token: on a public server, and on any that others can reach."""
        return self.public or not self.is_local

    @property
    def url(self) -> str:
        """What to type into a browser."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    @property
    def address(self) -> str:
        """The same with the token, where acting wants it: for whoever started the server."""
        return f"{self.url}?token={self.token}" if self.is_guarded else self.url
