# Greedy: look at every place I can reach and keep the one with the most room.
from agents.agent import Agent
from store import register_agent
import sys
import numpy as np
from .board_helpers import reachable, open_sides
from agents.board_helpers import area_after


@register_agent("student_agent")
class StudentAgent(Agent):
    def __init__(self):
        super(StudentAgent, self).__init__()
        self.name = "StudentAgent"

    def step(self, chess_board, my_pos, adv_pos, max_step):
        best, best_value = None, -np.inf
        for pos in reachable(chess_board, my_pos, adv_pos, max_step):
            for d in open_sides(chess_board, pos):
                mine, theirs = area_after(chess_board, pos, d, adv_pos)
                value = mine - theirs - 0.1 * (abs(pos[0] - adv_pos[0]) + abs(pos[1] - adv_pos[1]))
                if value > best_value:
                    best, best_value = (pos, d), value
        return best
