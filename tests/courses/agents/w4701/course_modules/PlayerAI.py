import ComputerAI
from Game import Game
from BaseDisplayer import BaseDisplayer
from Displayer import Displayer
from test_players.EasyAI import EasyAI
from test_players.MediumAI import MediumAI
from test_players.MinimaxAI import HardAI as MinimaxAI
from test_players.HardAI import HardAI

from BaseAI import BaseAI
from Grid import Grid


class PlayerAI(BaseAI):

    def __init__(self) -> None:
        super().__init__()
        self.pos = None
        self.player_num = None

    def getPosition(self):
        return self.pos

    def setPosition(self, new_position):
        self.pos = new_position

    def getPlayerNum(self):
        return self.player_num

    def setPlayerNum(self, num):
        self.player_num = num

    def getMove(self, grid):
        Displayer().display(grid)
        for kind in (ComputerAI.ComputerAI, EasyAI, MediumAI, MinimaxAI, HardAI):
            other = self.made(kind)
            move = other.getMove(grid.clone())
            assert move in grid.get_neighbors(self.pos, only_available=True), (kind, move)
        return move

    def getTrap(self, grid):
        for kind in (ComputerAI.ComputerAI, EasyAI, MediumAI, MinimaxAI, HardAI):
            aim = self.made(kind).getTrap(grid.clone())
        landings = [Game().throw(self, grid, aim) for _ in range(5)]
        assert all(grid.getCellValue(cell) <= 0 for cell in landings)
        return aim

    def made(self, kind):
        player = kind()
        player.setPosition(self.pos)
        player.setPlayerNum(self.player_num)
        return player
