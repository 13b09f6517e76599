"""Reads and writes files where it is started."""
import json
import os
import sys

sys.path.append(os.getcwd())
from openings import book

with open("weights.json") as file:
    WEIGHTS = json.load(file)
LOG = open("moves.log", "a")


class AlphaBetaPlayer:
    def __init__(self, *args, **kwargs):
        with open(os.path.join("openings", "centre.txt")) as file:
            self.centre = tuple(int(word) for word in file.read().split())

    def get_move(self, game, time_left):
        moves = game.get_legal_moves()
        LOG.write("%s\n" % (moves,))
        LOG.flush()
        if self.centre in moves:
            return self.centre
        return max(moves, key=lambda m: WEIGHTS["mine"] * book.worth(game.forecast_move(m), self))


if __name__ == "__main__":
    raise SystemExit("this is for the command line")
