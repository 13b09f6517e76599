"""The level that the course later took out: as hard, of depth 4, with the utility OTD for walks and throws."""

from test_players import HardAI as _hard

MAX_DEPTH = 4


class SuperAI(_hard.HardAI):
    """The searches of HardAI, a ply deeper."""

    def _limits(self, mode):
        return MAX_DEPTH, _hard.MOVE_TIME_LIMIT if mode == "move" else _hard.TRAP_TIME_LIMIT

    def utility(self, state, action="move"):
        """OTD, or 1000 for a won and -1000 for a lost game."""
        decided = self._decided(state)
        return _hard.OTD(state, self.player_num) if decided is None else decided
