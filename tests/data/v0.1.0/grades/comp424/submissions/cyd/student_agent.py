"""Crashes at its second move."""

from agents.agent import Agent
from store import register_agent

from helper import first_free


@register_agent("student_agent")
class StudentAgent(Agent):
    def __init__(self):
        super().__init__()
        self.moves = 0

    def step(self, chess_board, my_pos, adv_pos, max_step):
        self.moves += 1
        if self.moves > 1:
            raise ValueError("two is too many")
        return my_pos, first_free(chess_board[my_pos])
