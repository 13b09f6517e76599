"""Asks two other agents of the repository and checks their answers in a world of its own."""
from agents.agent import Agent
from agents.random_agent import RandomAgent
from agents.second_agent import SecondAgent
from agents import HumanAgent
from store import register_agent
from world import World
import numpy as np


@register_agent("student_agent")
class StudentAgent(Agent):
    def __init__(self):
        super().__init__()
        self.others = [SecondAgent(), RandomAgent()]
        assert issubclass(HumanAgent, Agent)

    def step(self, chess_board, my_pos, adv_pos, max_step):
        world = World(board_size=chess_board.shape[0])
        world.chess_board = chess_board.copy()
        world.p0_pos, world.p1_pos = np.array(my_pos), np.array(adv_pos)
        assert not world.check_endgame()[0]
        for other in self.others:
            pos, d = other.step(chess_board, my_pos, adv_pos, max_step)
            if world.check_valid_step(np.array(my_pos), np.array(pos), d):
                return pos, d
        return world.random_walk(my_pos, adv_pos)
