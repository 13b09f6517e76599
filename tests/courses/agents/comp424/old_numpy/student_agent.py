# Written for numpy 1.22
import numpy as np
from agents.agent import Agent
from store import register_agent


@register_agent("student_agent")
class StudentAgent(Agent):
    def __init__(self):
        super().__init__()
        self.seen = np.zeros((12, 12), dtype=np.int)
        self.scale = np.float(1.5)

    def step(self, chess_board, my_pos, adv_pos, max_step):
        walls = np.array(chess_board, dtype=np.bool)
        best, answer = -np.Inf, None
        for d in range(4):
            r, c = my_pos
            if not walls[r, c, d]:
                value = self.scale * np.product([1, 2]) + np.float_(d) * np.alltrue([True])
                if value > best:
                    best, answer = value, (my_pos, np.int(d))
        self.seen[my_pos] += 1
        return answer
