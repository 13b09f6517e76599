"""How one game is played: the session that holds it, and the referee that plays it between two agents."""
