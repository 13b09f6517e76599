"""A starter for Colosseum Survival!: it wants to be nearer to most cells than the opponent, and beats random_agent.

The course asks for exactly this file, agents/student_agent.py, registered exactly as student_agent, and allows no
imports but those below and copy.deepcopy. What to try next: another `value`; the opponent's best answer (minimax);
random playouts (MCTS).
"""

import sys
import time

import numpy as np
from agents.agent import Agent
from store import register_agent

STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))  # the four sides, as the course numbers them: up, right, down, left
SECONDS = 1.6  # of the 2 that a move may take: the machine that counts may be slower than yours


@register_agent("student_agent")
class StudentAgent(Agent):
    """One instance plays one game."""

    def __init__(self):
        super().__init__()
        self.name = "StudentAgent"
        self.autoplay = True

    def step(self, chess_board, my_pos, adv_pos, max_step):
        """Answer ((row, column), side): where to go, and on which side of that cell to build a wall.

        `chess_board[row, column, side]` is True where there is a wall or the border. It is a copy: write into it.
        """
        begin = time.time()
        me, opponent = tuple(map(int, my_pos)), tuple(map(int, adv_pos))
        walls = np.asarray(chess_board).tolist()  # reading a list is several times faster than reading an array
        best, best_value = None, float("-inf")
        for cell in distances(me, walls, max_step, opponent):
            for side in range(4):
                if walls[cell[0]][cell[1]][side]:
                    continue
                build(walls, cell, side, True)
                found = value(cell, opponent, walls)
                build(walls, cell, side, False)
                if best is None or found > best_value:  # the first move stands even if all are lost
                    best, best_value = (cell, side), found
            if time.time() - begin > SECONDS:
                break
        return best


def build(walls, cell, side, there):
    """Put up a wall (or take it away) on a side of a cell, and on the other side of its neighbour."""
    row, column = cell
    down, right = STEPS[side]
    walls[row][column][side] = there
    walls[row + down][column + right][(side + 2) % 4] = there


def distances(start, walls, furthest=sys.maxsize, obstacle=None):
    """How many steps away each cell is, the nearest first; cells that cannot be reached are missing."""
    found, waiting = {start: 0}, [start]
    for row, column in waiting:  # the list grows while we go through it: breadth-first search
        steps = found[row, column]
        if steps == furthest:
            break
        for side in range(4):
            cell = (row + STEPS[side][0], column + STEPS[side][1])
            if not walls[row][column][side] and cell not in found and cell != obstacle:
                found[cell] = steps + 1
                waiting.append(cell)
    return found


def value(me, opponent, walls):
    """How good a position is for me: a decided game by its zones, any other by the cells I am nearer to."""
    mine, theirs = distances(me, walls), distances(opponent, walls)
    if opponent not in mine:  # walled apart: the game is over
        if len(mine) == len(theirs):
            return 0
        return len(mine) - len(theirs) + (1000 if len(mine) > len(theirs) else -1000)
    return sum((mine[cell] < theirs[cell]) - (mine[cell] > theirs[cell]) for cell in mine)
