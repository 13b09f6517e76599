"""The agent that asks at the keyboard."""

import sys

from store import register_agent

from agents.agent import Agent


@register_agent("human_agent")
class HumanAgent(Agent):
    """Asks for row, column and side, as in `2,3,u`."""

    def __init__(self):
        super().__init__()
        self.name = "HumanAgent"
        self.dir_map = {"u": 0, "r": 1, "d": 2, "l": 3}

    def step(self, chess_board, my_pos, adv_pos, max_step):
        """Ask again until there are three fields, the cell is on the board and the side a letter; q leaves."""
        while True:
            text = input("Your move (x,y,dir) or input q to quit: ")
            if "q" in text.lower():
                sys.exit(0)
            fields = [field.strip() for field in text.split(",")]
            if len(fields) != 3:
                print("Please write three fields: x,y,dir")
                continue
            row, column = int(fields[0]), int(fields[1])
            size = chess_board.shape[0]
            if self.check_valid_input(row, column, fields[2], size, size):
                return (row, column), self.dir_map[fields[2]]
            print(f"Please write two numbers from 0 to {size - 1} and one of u, r, d, l")

    def check_valid_input(self, x, y, dir, x_max, y_max):
        """Whether row `x` and column `y` are on a board of this size, and the side is one of the letters."""
        return 0 <= x < x_max and 0 <= y < y_max and dir in self.dir_map
