"""What proves a game, a search or an agent: shipped, for those of others too."""

from harena.testing.battery import ContractBroken, EndNotSeen, check_game
from harena.testing.perft import divide, perft
from harena.testing.searches import SearchBroken, check_search
from harena.testing.submissions import AgentBroken, check_agent

__all__ = [
    "AgentBroken",
    "ContractBroken",
    "EndNotSeen",
    "SearchBroken",
    "check_agent",
    "check_game",
    "check_search",
    "divide",
    "perft",
]
