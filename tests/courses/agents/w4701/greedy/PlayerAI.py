import sys
import numpy as np
from Utils import manhattan_distance
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

    def getMove(self, grid: Grid) -> tuple:
        moves = grid.get_neighbors(self.pos, only_available=True)
        print("my moves:", moves)
        scores = [self.score(grid.clone().move(m, self.player_num)) for m in moves]
        print("scores", scores, file=sys.stderr)
        grid.print_grid()
        return moves[np.argmax(scores)]

    def getTrap(self, grid: Grid) -> tuple:
        opponent = grid.find(3 - self.player_num)
        targets = grid.get_neighbors(opponent, only_available=True)
        p = [1 - 0.05 * (manhattan_distance(self.pos, t) - 1) for t in targets]
        scores = [p[i] * self.score(grid.clone().trap(t)) for i, t in enumerate(targets)]
        print("x" * 5000)
        return targets[int(np.argmax(scores))]

    def score(self, grid):
        me = grid.get_neighbors(grid.find(self.player_num), only_available=True)
        opp = grid.get_neighbors(grid.find(3 - self.player_num), only_available=True)
        return len(me) - len(opp)


if __name__ == "__main__":
    raise SystemExit("this part must not run")
