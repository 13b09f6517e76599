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
    finds_owner: bool = True  # whether the system tells which user connects; else even the owner needs the token
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
        """Whether anybody may look and acting wants the token: on a public server, and on any that others can reach.

        Any other server is for the user who runs it: connections of other users need the token even to look.
        """
        return self.public or not self.is_local

    @property
    def needs_token(self) -> bool:
        """Whether the user who runs the server needs the token to act."""
        return self.is_guarded or not self.finds_owner

    @property
    def url(self) -> str:
        """What to type into a browser."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    @property
    def address(self) -> str:
        """The same with the token, where the user who started the server needs it."""
        return self.token_address if self.needs_token else self.url

    @property
    def token_address(self) -> str:
        """The address that lets any browser act."""
        return f"{self.url}?token={self.token}"
