from search.node import Node
from rollout import rollout, land

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
        cells = grid.get_neighbors(self.pos, only_available=True)
        return self.search(grid, cells, lambda g, cell: g.move(cell, self.player_num))

    def getTrap(self, grid):
        cells = grid.get_neighbors(grid.find(3 - self.player_num), only_available=True)
        return self.search(grid, cells, lambda g, cell: g.trap(land(g, self.player_num, cell)))

    def search(self, grid, cells, play, iterations=30):
        root = Node(None)
        root.children = [Node(cell, root) for cell in cells]
        for _ in range(iterations):
            child = max(root.children, key=Node.ucb)
            after = play(grid.clone(), child.cell)
            won = rollout(after, 3 - self.player_num) == self.player_num
            child.visits += 1
            root.visits += 1
            child.wins += won
        return max(root.children, key=lambda node: node.visits).cell
