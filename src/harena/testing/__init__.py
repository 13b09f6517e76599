"""What proves a game: shipped, for the games of others too."""

from harena.testing.battery import ContractBroken, check_game
from harena.testing.perft import divide, perft

__all__ = ["ContractBroken", "check_game", "divide", "perft"]
