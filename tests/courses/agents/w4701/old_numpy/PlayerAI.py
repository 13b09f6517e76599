import numpy as np
import psutil
import pyautogui
import matplotlib.pyplot as plt
from matplotlib import colors
from BaseAI import BaseAI
from Grid import Grid


class PlayerAI(BaseAI):
    def __init__(self):
        self.pos, self.player_num = None, None
        self.visited = np.zeros((7, 7), dtype=np.bool)
        self.times = np.array([], dtype=np.float)
        plt.ion()

    def setPosition(self, p): self.pos = p
    def getPosition(self): return self.pos
    def setPlayerNum(self, n): self.player_num = n
    def getPlayerNum(self): return self.player_num

    def getMove(self, grid):
        cells = np.array(grid.get_neighbors(self.pos, only_available=True), dtype=np.int)
        self.visited[tuple(cells[0])] = np.bool(True)
        self.times = np.append(self.times, np.float(1))
        plt.plot(self.times)
        return cells[0]                                   # an array

    def getTrap(self, grid):
        cells = grid.get_neighbors(grid.find(3 - self.player_num), only_available=True)
        return np.array(cells[-1])
