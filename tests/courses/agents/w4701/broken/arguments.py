class PlayerAI:
    def __init__(self, depth, heuristic="ais", *, budget):
        self.depth = depth

    def getMove(self, grid):
        return (0, 0)

    def getTrap(self, grid):
        return (0, 0)
