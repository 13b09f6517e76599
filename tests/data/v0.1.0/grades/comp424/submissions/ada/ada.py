"""Stays where it is and builds a wall wherever there is room."""

from agents.agent import Agent
from store import register_agent


@register_agent("student_agent")
class StudentAgent(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        return my_pos, next(side for side in range(4) if not chess_board[my_pos][side])
