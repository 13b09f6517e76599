"""Boards of the Isolation course, each as its generation had it: the members, the orders and the private state.

| generation | class | state | a knight's moves |
|---|---|---|---|
| G1, to February 2017 | `NestedBoard` | rows of `__board_state__`, `__last_player_move__` | in a fixed order |
| G1b, G1c, to April 2017 | `EarlyBoard` | one list, `_board_state` | shuffled |
| G2, since then | `Board` | one list, `_board_state` | shuffled |

Agents of the first two are asked get_move(game, legal_moves, time_left), those of G2 get_move(game, time_left).
In the list, cell (row, column) is number row + column * height; the last entries are the side to move (0 or 1) and the
numbers of the cells of player 2 and player 1. Boards of G1b began with cell (0, 0) taken and player 2 standing on it;
nobody relied on that, and here they begin empty.

The names `Board` and `TIME_LIMIT_MILLIS` of this module stand for the generation of the agent that imports it.
"""

import random
import timeit
from copy import copy, deepcopy

TIME_LIMIT_MILLIS = 150
EARLY_TIME_LIMIT_MILLIS = 200
STEPS = ((-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1))
BLANK, NOT_MOVED = 0, None
GRIDS = {}
STRANGER = "`player` is neither of the two players of this board"


def _grid(width, height):
    """The cells by number, column by column, and for each the (number, cell) of all knight's jumps from it."""
    if (width, height) not in GRIDS:
        cells = [(row, column) for column in range(width) for row in range(height)]
        on_board = set(cells)
        jumps = []
        for row, column in cells:
            targets = [(row + down, column + right) for down, right in STEPS]
            jumps.append(tuple((cell[0] + cell[1] * height, cell) for cell in targets if cell in on_board))
        GRIDS[width, height] = cells, jumps
    return GRIDS[width, height]


_draw = random.random


def _chance(_):
    return _draw()


def _shuffled(moves):
    """In a random order, drawn by the global generator; a sort costs a quarter of `random.shuffle`."""
    moves.sort(key=_chance)
    return moves


class Board:
    """Generation G2. Players are any objects; which is which is decided by `==`."""

    BLANK = BLANK
    NOT_MOVED = NOT_MOVED

    def __init__(self, player_1, player_2, width=7, height=7):
        self.width = width
        self.height = height
        self.move_count = 0
        self._player_1 = player_1
        self._player_2 = player_2
        self._active_player = player_1
        self._inactive_player = player_2
        self._board_state = [BLANK] * (width * height) + [0, None, None]
        self._cells, self._jumps = _grid(width, height)

    def hash(self):
        """A number for cells, locations and side to move; another one in every process."""
        return hash(str(self._board_state))

    @property
    def active_player(self):
        """Who is to move."""
        return self._active_player

    @property
    def inactive_player(self):
        """Who is not."""
        return self._inactive_player

    def get_opponent(self, player):
        """The other player; RuntimeError for a stranger."""
        if player == self.active_player:
            return self.inactive_player
        if player == self.inactive_player:
            return self.active_player
        raise RuntimeError(STRANGER)

    def copy(self):
        """The same position with the same players."""
        new = object.__new__(type(self))
        new.width = self.width
        new.height = self.height
        new.move_count = self.move_count
        new._player_1 = self._player_1
        new._player_2 = self._player_2
        new._active_player = self._active_player
        new._inactive_player = self._inactive_player
        new._board_state = self._board_state[:]
        new._cells = self._cells
        new._jumps = self._jumps
        return new

    def forecast_move(self, move):
        """A copy on which the move is made."""
        new = self.copy()
        new.apply_move(move)
        return new

    def apply_move(self, move):
        """Make a move here; nothing checks that it is one."""
        state = self._board_state
        row, column = move
        cell = row + column * self.height
        state[-1 if self._active_player == self._player_1 else -2] = cell
        state[cell] = 1
        state[-3] ^= 1
        self._active_player, self._inactive_player = self._inactive_player, self._active_player
        self.move_count += 1

    def move_is_legal(self, move):
        """Whether a cell is on the board and blank; whether a knight gets there is not asked."""
        row, column = move
        return (
            0 <= row < self.height
            and 0 <= column < self.width
            and self._board_state[row + column * self.height] == BLANK
        )

    def get_blank_spaces(self):
        """The blank cells, column by column."""
        return [cell for cell, taken in zip(self._cells, self._board_state) if not taken]  # 3 entries more

    def get_blank_spaces_count(self):
        """How many cells are blank."""
        return len(self.get_blank_spaces())

    def get_player_location(self, player):
        """The cell of a player, None before it is placed; RuntimeError for a stranger."""
        number = self._number_of(player)
        return NOT_MOVED if number is None else self._cells[number]

    def get_legal_moves(self, player=None):
        """The moves of a player (else of the active one), whoever is to move; every blank cell before its placement."""
        number = self._number_of(self._active_player if player is None else player)
        if number is None:
            return self.get_blank_spaces()
        state = self._board_state
        return _shuffled([cell for target, cell in self._jumps[number] if not state[target]])

    def _number_of(self, player):
        if player == self._player_1:
            return self._board_state[-1]
        if player == self._player_2:
            return self._board_state[-2]
        raise RuntimeError(STRANGER)

    def _is_stuck(self):
        """Whether the active player has no move."""
        state = self._board_state
        number = state[-1] if self._active_player == self._player_1 else state[-2]
        if number is None:
            return not self.get_blank_spaces()
        for target, _ in self._jumps[number]:  # noqa: SIM110 (a generator costs twice as much)
            if not state[target]:
                return False
        return True

    def is_winner(self, player):
        """Whether the active player is stuck and this is the other one."""
        return player == self.inactive_player and self._is_stuck()

    def is_loser(self, player):
        """Whether this is the active player and he is stuck."""
        return player == self.active_player and self._is_stuck()

    def utility(self, player):
        """Infinite, with its sign, if the active player is stuck; else 0. A stranger's is always 0."""
        if self._is_stuck():
            if player == self.inactive_player:
                return float("inf")
            if player == self.active_player:
                return float("-inf")
        return 0.0

    def __get_moves__(self, loc):
        """The blank cells a knight reaches from a cell, or all of them from nowhere."""
        if loc == NOT_MOVED:
            return self.get_blank_spaces()
        return _shuffled(self._reached(loc))

    def __get_moves(self, loc):
        return self.__get_moves__(loc)

    def _reached(self, loc):
        row, column = loc
        targets = [(row + down, column + right) for down, right in STEPS]
        return [cell for cell in targets if self.move_is_legal(cell)]

    def to_string(self, symbols=["1", "2"]):  # noqa: B006 (as in the course; it is only read)
        """The board as text: the players' symbols, '-' for a cell that was visited."""
        first, second = (self.get_player_location(player) for player in self._players())
        margin = len(str(self.height - 1)) + 1
        lines = [" " * (margin + 2) + " ".join(f"{column:^3}" for column in range(self.width))]
        for row in range(self.height):
            shown = []
            for column in range(self.width):
                cell = (row, column)
                mark = " " if self.move_is_legal(cell) else "-"
                shown.append(symbols[0] if cell == first else symbols[1] if cell == second else mark)
            lines.append(f"{row:<{margin}}| " + " | ".join(shown) + " |")
        return "".join(f"{line}\n\r" for line in lines)

    def print_board(self):
        """The same text."""
        return self.to_string()

    def _players(self):
        return self._player_1, self._player_2

    def _asked(self, legal_moves, time_left):
        """The answer of the active player, who may do with his copy whatever he likes."""
        return self._active_player.get_move(self.copy(), time_left)

    def play(self, time_limit=TIME_LIMIT_MILLIS):
        """Play to the end: the winner, the moves made here, and why it ended. Time is read once, on return."""
        history = []
        while True:
            legal_moves = self.get_legal_moves()
            move, left = self._timed(legal_moves, time_limit)
            if left < 0:
                return self._inactive_player, history, "timeout"
            if move not in legal_moves:
                return self._inactive_player, history, "forfeit" if legal_moves else "illegal move"
            history.append(list(move))
            self.apply_move(move)

    def _timed(self, legal_moves, time_limit):
        """The answer of the active player, and the milliseconds that were left then."""
        begin = timeit.default_timer()

        def time_left():
            return time_limit - 1000 * (timeit.default_timer() - begin)

        move = self._asked(legal_moves, time_left)
        left = time_left()
        return NOT_MOVED if move is None else move, left


class EarlyBoard(Board):
    """Generations G1b and G1c: agents are told their legal moves."""

    def _asked(self, legal_moves, time_left):
        return self._active_player.get_move(self.copy(), legal_moves, time_left)

    def play(self, time_limit=EARLY_TIME_LIMIT_MILLIS):
        """As later, with a longer time."""
        return super().play(time_limit)


class NestedBoard(Board):
    """Generation G1: 0 is a blank cell, 1 and 2 say who visited it. Copies are of rows: forty times as fast as then."""

    def __init__(self, player_1, player_2, width=7, height=7):
        self.width = width
        self.height = height
        self.move_count = 0
        self.__player_1__ = player_1
        self.__player_2__ = player_2
        self.__active_player__ = player_1
        self.__inactive_player__ = player_2
        self.__board_state__ = [[BLANK] * width for _ in range(height)]
        self.__last_player_move__ = {player_1: NOT_MOVED, player_2: NOT_MOVED}
        self.__player_symbols__ = {BLANK: BLANK, player_1: 1, player_2: 2}
        self._cells, self._jumps = _grid(width, height)

    @property
    def active_player(self):
        """Who is to move."""
        return self.__active_player__

    @property
    def inactive_player(self):
        """Who is not."""
        return self.__inactive_player__

    def copy(self):
        """The same position with the same players."""
        new = object.__new__(type(self))
        new.width = self.width
        new.height = self.height
        new.move_count = self.move_count
        new.__player_1__ = self.__player_1__
        new.__player_2__ = self.__player_2__
        new.__active_player__ = self.__active_player__
        new.__inactive_player__ = self.__inactive_player__
        new.__board_state__ = [row[:] for row in self.__board_state__]
        new.__last_player_move__ = self.__last_player_move__.copy()
        new.__player_symbols__ = self.__player_symbols__
        new._cells = self._cells
        new._jumps = self._jumps
        return new

    def apply_move(self, move):
        """Make a move here; nothing checks that it is one."""
        row, column = move
        player = self.__active_player__
        self.__last_player_move__[player] = move
        self.__board_state__[row][column] = 1 if player == self.__player_1__ else 2
        self.__active_player__, self.__inactive_player__ = self.__inactive_player__, player
        self.move_count += 1

    def move_is_legal(self, move):
        """Whether a cell is on the board and blank; whether a knight gets there is not asked."""
        row, column = move
        return 0 <= row < self.height and 0 <= column < self.width and self.__board_state__[row][column] == BLANK

    def get_blank_spaces(self):
        """The blank cells, column by column."""
        rows = self.__board_state__
        return [cell for cell in self._cells if not rows[cell[0]][cell[1]]]

    def get_player_location(self, player):
        """The cell of a player, None before it is placed; KeyError for a stranger."""
        return self.__last_player_move__[player]

    def get_legal_moves(self, player=None):
        """The moves of a player (else of the active one), whoever is to move, always in the same order."""
        return self.__get_moves__(self.__last_player_move__[self.__active_player__ if player is None else player])

    def __get_moves__(self, move):
        """The blank cells a knight reaches from a cell, or all of them from nowhere."""
        if move == NOT_MOVED:
            return self.get_blank_spaces()
        rows = self.__board_state__
        jumps = self._jumps[move[0] + move[1] * self.height]
        return [cell for _, cell in jumps if not rows[cell[0]][cell[1]]]

    def _is_stuck(self):
        loc = self.__last_player_move__[self.__active_player__]
        if loc == NOT_MOVED:
            return not self.get_blank_spaces()
        rows = self.__board_state__
        for _, (row, column) in self._jumps[loc[0] + loc[1] * self.height]:  # noqa: SIM110 (as above)
            if not rows[row][column]:
                return False
        return True

    def _players(self):
        return self.__player_1__, self.__player_2__

    def _asked(self, legal_moves, time_left):
        return self.__active_player__.get_move(self.copy(), legal_moves, time_left)

    def play(self, time_limit=EARLY_TIME_LIMIT_MILLIS):
        """Play to the end: the winner, the rounds of answers (the last one included), and why it ended.

        The answer is looked up in the very list that the agent was given; a game in which player 2 is to move first
        is an IndexError, since only player 1 begins a round.
        """
        rounds = []
        while True:
            legal_moves = self.get_legal_moves()
            move, left = self._timed(legal_moves, time_limit)
            if self.__active_player__ == self.__player_1__:
                rounds.append([move])
            else:
                rounds[-1].append(move)
            if left < 0:
                return self.__inactive_player__, rounds, "timeout"
            if move not in legal_moves:
                return self.__inactive_player__, rounds, "illegal move"
            self.apply_move(move)


GENERATIONS = {"G1": NestedBoard, "G1c": EarlyBoard, "G2": Board}
TIME_LIMITS = {"G1": EARLY_TIME_LIMIT_MILLIS, "G1c": EARLY_TIME_LIMIT_MILLIS, "G2": TIME_LIMIT_MILLIS}


def game_as_text(winner, move_history, termination="", board=NestedBoard(1, 2)):  # noqa: B008
    """A game of G1 as text, ply by ply. As in the course, a second call without a board goes on with the first's."""
    text = ""
    for answers in move_history:
        for move in answers:
            if move is None or not board.move_is_legal(move):
                continue
            text += f"player {1 if board.active_player == board.__player_1__ else 2} to {tuple(move)}\n\r"
            board.apply_move(move)
            text += board.to_string() + "\n\r"
    return f"{text}{termination}, winner: {winner}\n\r"
