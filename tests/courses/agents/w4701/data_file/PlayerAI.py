import os
import sys
import json
sys.path.append(os.getcwd())

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

    weights = json.load(open("weights.json"))

    def getMove(self, grid):
        with open("log.txt", "a") as log:
            log.write(str(self.pos) + "\n")
        if self.player_num == 1 and self.pos == (0, 3):
            return tuple(int(word) for word in open("book/first.txt").read().split())
        cells = grid.get_neighbors(self.pos, only_available=True)
        return max(cells, key=lambda c: self.value(grid.clone().move(c, self.player_num)))

    def getTrap(self, grid):
        cells = grid.get_neighbors(grid.find(3 - self.player_num), only_available=True)
        return max(cells, key=lambda c: self.value(grid.clone().trap(c)))

    def value(self, grid):
        mine, theirs = (len(grid.get_neighbors(grid.find(k), only_available=True))
                        for k in (self.player_num, 3 - self.player_num))
        return self.weights["mine"] * mine - self.weights["theirs"] * theirs
