import numpy as np
from agents.agent import Agent
from store import register_agent

MADE = []


@register_agent("student_agent")
class StudentAgent(Agent):
    """One instance a game: walls never vanish in the life of one, and every game makes another."""

    def __init__(self):
        super().__init__()
        self.turns = 0
        self.last = None
        MADE.append(self)

    def step(self, chess_board, my_pos, adv_pos, max_step):
        assert self is MADE[-1], "an instance of an earlier game"
        self.turns += 1
        walls = int(chess_board.sum())
        if self.last is None:
            assert self.turns == 1, "a new instance in the middle of a game"
        else:
            before, stood = self.last
            assert np.all(chess_board[before]), "a wall has gone"
            assert walls == before.sum() + 4, "two walls a round"
            assert my_pos == stood, "somebody moved me"
        d = [side for side in range(4) if not chess_board[my_pos][side]][0]
        self.last = chess_board.copy(), my_pos
        return my_pos, d
