"""Every way to fail, each under a name of its own."""
import sys

import numpy as np

from agents.agent import Agent
from store import register_agent


def free(board, pos):
    return [d for d in range(4) if not board[pos[0], pos[1], d]]


def agent(name):
    """Register a function as the step of an agent."""

    def register(function):
        class Made(Agent):
            def step(self, chess_board, my_pos, adv_pos, max_step):
                return function(chess_board, my_pos, adv_pos, max_step)

        return register_agent(name)(Made)

    return register


agent("off_board")(lambda board, me, adv, steps: ((-1, 3), 2))
agent("walled")(lambda board, me, adv, steps: ((0, 0), 0))
agent("far")(lambda board, me, adv, steps: next(
    ((r, c), free(board, (r, c))[0])
    for r in range(len(board)) for c in range(len(board))
    if abs(r - me[0]) + abs(c - me[1]) > steps and (r, c) != tuple(adv) and free(board, (r, c))
))
agent("onto")(lambda board, me, adv, steps: (adv, free(board, adv)[0]))
agent("fifth_side")(lambda board, me, adv, steps: (me, 4))
agent("nothing")(lambda board, me, adv, steps: None)
agent("one_thing")(lambda board, me, adv, steps: (me,))
agent("three_things")(lambda board, me, adv, steps: ((me[0], me[1], 0), 1))
agent("float_side")(lambda board, me, adv, steps: (me, float(free(board, me)[0])))
agent("bool_side")(lambda board, me, adv, steps: (me, True))
agent("numpy_bool_side")(lambda board, me, adv, steps: (me, np.bool_(True)))
agent("letters")(lambda board, me, adv, steps: (("a", "b"), "u"))
agent("not_a_number")(lambda board, me, adv, steps: ((float("nan"), 1), 0))
agent("huge")(lambda board, me, adv, steps: ((10**30, 1), 0))
agent("divides")(lambda board, me, adv, steps: 1 // 0)
agent("leaves")(lambda board, me, adv, steps: sys.exit("no more"))
agent("asks")(lambda board, me, adv, steps: input("your move? "))
agent("recurses")(lambda board, me, adv, steps: (lambda self: self(self))(lambda self: self(self)))


@register_agent("stillborn")
class Stillborn(Agent):
    def __init__(self):
        raise ValueError("no, thank you")

    def step(self, chess_board, my_pos, adv_pos, max_step):
        return my_pos, 0


@register_agent("late")
class Late(Agent):
    def __init__(self):
        super().__init__()
        self.turns = 0

    def step(self, chess_board, my_pos, adv_pos, max_step):
        self.turns += 1
        if self.turns == 2:
            raise KeyError("second turn")
        return my_pos, free(chess_board, my_pos)[0]


def dies(board, me, adv, steps):
    import os

    os._exit(3)


agent("dies")(dies)
