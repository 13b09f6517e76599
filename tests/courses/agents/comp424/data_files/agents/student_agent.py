import json
import os
import sys
from pathlib import Path

sys.path.append(os.getcwd())

from agents.agent import Agent
from store import register_agent

with open("data/weights.json") as file:
    WEIGHTS = json.load(file)
BOOK = (Path(__file__).parent / "book.txt").read_text().split()


@register_agent("student_agent")
class StudentAgent(Agent):
    def __init__(self):
        super().__init__()
        self.log = open("moves.log", "a")

    def step(self, chess_board, my_pos, adv_pos, max_step):
        sides = [d for d in range(4) if not chess_board[my_pos[0], my_pos[1], d]]
        d = max(sides, key=lambda side: WEIGHTS[BOOK[side]])
        self.log.write(f"{my_pos} {d}\n")
        return my_pos, d
