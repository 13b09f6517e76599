"""Trap! between two agents, by the rules of the course's grading program; a fault of any kind loses.

The course's module also has the student's PlayerAI and the levels. Here they are imported when they are first asked
for: an agent that imports this module may be PlayerAI itself, and is not loaded a second time.
"""

import importlib
import time

import numpy as np
from ComputerAI import ComputerAI
from Displayer import Displayer
from Grid import Grid
from Utils import *
from Utils import manhattan_distance

LATER = {
    "PlayerAI": "PlayerAI",
    "EasyAI": "test_players.EasyAI",
    "MediumAI": "test_players.MediumAI",
    "HardAI": "test_players.HardAI",
}
PLAYER_TURN, COMPUTER_TURN = 1, 2
timeLimit = 5.0  # seconds of processor time for walk and aim together
allowance = 1.0
maxHalfTurns = 150  # then it is a draw


class Game:
    """Player 1 is `playerAI`, player 2 is `computerAI`; who is not given plays at random."""

    def __init__(self, playerAI=None, computerAI=None, N=7, displayer=None):
        self.grid = Grid(N)
        self.playerAI = playerAI or ComputerAI()
        self.computerAI = computerAI or ComputerAI()
        self.dim = N
        self.displayer = displayer
        self.over = False
        self.prevTime = 0.0  # when the turn began

    def initialize_game(self):
        """Put the players on their cells, and tell them."""
        for number, player, row in self._players():
            cell = (row, self.dim // 2)
            self.grid.setCellValue(cell, number)
            player.setPosition(cell)
            player.setPlayerNum(number)

    def _players(self):
        return (1, self.playerAI, 0), (2, self.computerAI, self.dim - 1)

    def is_over(self, turn):
        """Whether the opponent of the player whose turn it is, 1 or 2, has no free neighbour."""
        return not self.grid.get_neighbors(self.grid.find(3 - turn), only_available=True)

    def is_valid_move(self, grid, player, move):
        """Whether an agent may walk to this cell from where it says it stands."""
        return _is_cell(grid, move) and tuple(move) in grid.get_neighbors(player.getPosition(), only_available=True)

    def is_valid_trap(self, grid, trap):
        """Whether a trap may be thrown at this cell: any without a player."""
        return _is_cell(grid, trap) and grid.getCellValue(tuple(trap)) <= 0

    def throw(self, player, grid, intended_position):
        """Draw where a trap lands that this agent throws at a cell."""
        cells = [cell for cell in grid.get_neighbors(intended_position) if grid.getCellValue(cell) <= 0]
        hit = 1 - 0.05 * (manhattan_distance(player.getPosition(), intended_position) - 1)
        chances = [hit, *[(1 - hit) / len(cells)] * len(cells)]
        return [tuple(intended_position), *cells][np.random.choice(len(chances), p=chances)]

    def updateAlarm(self, currTime):
        """End the game if a turn that is over by now, in seconds of processor time, took too long."""
        if currTime - self.prevTime > timeLimit + allowance:
            self.over = True

    def play(self):
        """Play to the end: 1 or 2 is the winner, 0 is a draw."""
        self.initialize_game()
        self._show()
        for half_turn in range(maxHalfTurns):
            number, player, _ = self._players()[half_turn % 2]
            winner = self._turn(number, player)
            if winner is not None:
                self.over = True
                return winner
        self.over = True
        return 0

    def _turn(self, number, player):
        """One turn: the winner, or None if the game goes on."""
        print(f"Player {number}'s turn:")
        self.prevTime = time.process_time()
        move = player.getMove(self.grid.clone())
        if not self.is_valid_move(self.grid, player, move):
            print(f"Tried to move to {move}\nInvalid move!")
            return 3 - number
        move = tuple(move)
        print(f"Moving to {move}")
        self.grid.move(move, number)
        player.setPosition(move)
        self._show()
        if self.is_over(number):
            return number
        aim = player.getTrap(self.grid.clone())
        if not self.is_valid_trap(self.grid, aim):
            print(f"Tried to put trap in {aim}\nInvalid trap!")
            return 3 - number
        landing = self.throw(player, self.grid, aim)
        print(f"Throwing a trap to {tuple(aim)}: it lands on {landing}")
        self.grid.trap(landing)
        self._show()
        if self.is_over(number):
            return number
        self.updateAlarm(time.process_time())
        return 3 - number if self.over else None

    def _show(self):
        if self.displayer is not None:
            self.displayer.display(self.grid)


def _is_cell(grid, cell):
    """Whether this is the row and column of a cell of the grid."""
    is_pair = isinstance(cell, (tuple, list, np.ndarray)) and len(cell) == 2
    return is_pair and all(isinstance(line, (int, np.integer)) and 0 <= line < grid.dim for line in cell)


def __getattr__(name):
    """The student's player and the levels, and for `from Game import *` those of them that can be imported."""
    if name in LATER:
        return getattr(importlib.import_module(LATER[name]), name)
    if name != "__all__":
        raise AttributeError(f"module 'Game' has no attribute {name!r}")
    return [key for key in globals() if not key.startswith("_")] + [key for key in LATER if _can_import(key)]


def _can_import(name):
    try:
        return __getattr__(name) is not None
    except (Exception, SystemExit):  # there is none, it fails, or it is being imported just now
        return False


def main():
    from PlayerAI import PlayerAI

    result = Game(playerAI=PlayerAI(), computerAI=ComputerAI(), N=7, displayer=Displayer()).play()
    print(f"Player {result} wins!" if result else "A draw.")


if __name__ == "__main__":
    main()
