import math
import random


def descend(node):
    while not node.untried and node.children:
        scale = math.log(node.visits)
        node = max(node.children, key=lambda c: c.wins / c.visits + math.sqrt(scale / c.visits))
    return node.grow() if node.untried else node


def playout(game):
    while True:
        moves = game.get_legal_moves()
        if not moves:
            return game.inactive_player
        game = game.forecast_move(random.choice(moves))
