import importlib.util
import os

import constants

assert importlib.util.find_spec("simulator") is None, "whose simulator is that?"

assert os.path.basename(os.getcwd()) == "colosseum", os.getcwd()
assert constants.MAX_BOARD_SIZE == 12 and constants.OUR_FAVOURITE_SIDE == 3


def pick(board, pos):
    order = [constants.OUR_FAVOURITE_SIDE, 0, 1, 2]
    return pos, next(d for d in order if not board[pos[0], pos[1], d])
