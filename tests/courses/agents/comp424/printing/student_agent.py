import logging
import os
import subprocess
import sys

from agents.agent import Agent
from store import register_agent

logging.basicConfig(level=logging.DEBUG)
print("loading my agent")


@register_agent("student_agent")
class StudentAgent(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        print(chess_board)
        print('{"type": "move", "id": 1, "move": "a1u"}')
        sys.stdout.write("x" * 200000 + "\n")
        sys.__stdout__.write("straight to the original\n")
        sys.__stdout__.flush()
        os.write(1, b'{"type": "error", "message": "by the descriptor"}\n')
        subprocess.run(["echo", "a child speaks"], check=False)
        logging.info("moving from %s", my_pos)
        return my_pos, [side for side in range(4) if not chess_board[my_pos][side]][0]
