"""What a server is told when it starts, and what it allows."""

import secrets
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Config:
    """Where it listens, whose games it shows, and how much it does at once."""

    host: str = "127.0.0.1"
    port: int = 8700
    store: Path
    public: bool = False  # strangers may look; what runs code or writes wants the token
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    agents: tuple[Path, ...] = ()  # folders whose files and course agents may play
    sandbox: str = "auto"
    searches: int = 2  # at once
    tables: int = 200  # games that are kept open
    watchers: int = 500  # streams at once
    longest_move: float = 30.0  # seconds that anybody's search may take
    most_body: int = 256 * 1024  # bytes of a request
    requests: int = 600  # a minute, by address

    @property
    def url(self) -> str:
        """What to type into a browser."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"
