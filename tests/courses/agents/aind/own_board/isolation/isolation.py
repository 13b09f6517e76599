"""A student's Board, with a method more than the course's, and a start that is not empty, as it was for some weeks."""
import random


class Board(object):
    BLANK = 0
    NOT_MOVED = None

    def __init__(self, player_1, player_2, width=7, height=7):
        self.width, self.height, self.move_count = width, height, 0
        self._player_1, self._player_2 = player_1, player_2
        self._active_player, self._inactive_player = player_1, player_2
        self._board_state = [0] * (width * height + 3)
        self._board_state[0] = 1

    @property
    def active_player(self):
        return self._active_player

    @property
    def inactive_player(self):
        return self._inactive_player

    def copy(self):
        new = Board(self._player_1, self._player_2, self.width, self.height)
        new.move_count = self.move_count
        new._active_player, new._inactive_player = self._active_player, self._inactive_player
        new._board_state = list(self._board_state)
        return new

    def forecast_move(self, move):
        new = self.copy()
        new.apply_move(move)
        return new

    def apply_move(self, move):
        cell = move[0] + move[1] * self.height
        self._board_state[-1 if self._active_player == self._player_1 else -2] = cell
        self._board_state[cell] = 1
        self._board_state[-3] ^= 1
        self._active_player, self._inactive_player = self._inactive_player, self._active_player
        self.move_count += 1

    def get_legal_moves(self, player=None):
        player = player or self.active_player
        cell = self._board_state[-1 if player == self._player_1 else -2]
        blank = [(i % self.height, i // self.height) for i in range(self.width * self.height) if not self._board_state[i]]
        if cell is None:
            return blank
        row, col = cell % self.height, cell // self.height
        return [c for c in blank if abs((c[0] - row) * (c[1] - col)) == 2]

    def how_crowded(self):
        return sum(self._board_state[:-3])
