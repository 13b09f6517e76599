import math


class Node:
    def __init__(self, cell, parent=None):
        self.cell = cell
        self.parent = parent
        self.children = []
        self.wins = 0
        self.visits = 0

    def ucb(self, c=1.0):
        if self.visits == 0:
            return math.inf
        return self.wins / self.visits + c * math.sqrt(math.log(self.parent.visits) / self.visits)
