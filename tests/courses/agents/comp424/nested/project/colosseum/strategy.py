import importlib.util
import os

import constants

assert "modules/comp424" in importlib.util.find_spec("simulator").origin, "whose simulator is that?"
from world import World  # it has all of the course's constants, though the file beside this one has not

assert World(board_size=6).dir_names[0] == "Up"

assert os.path.basename(os.getcwd()) == "colosseum", os.getcwd()
assert constants.MAX_BOARD_SIZE == 12 and constants.OUR_FAVOURITE_SIDE == 3


def pick(board, pos):
    order = [constants.OUR_FAVOURITE_SIDE, 0, 1, 2]
    return pos, next(d for d in order if not board[pos[0], pos[1], d])
