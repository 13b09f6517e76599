"""Monte Carlo tree search, spread over a package and a module beside this file."""
from tree.node import Node
from tree import selection
import clockwork


class CustomPlayer:
    def __init__(self, **kwargs):
        self.seen = 0

    def get_move(self, game, legal_moves, time_left):
        print("thinking about", len(legal_moves), "moves")
        clock = clockwork.Clock(time_left, keep=20.0)
        root = Node(game)
        while not clock.is_due() and root.visits < 400:
            leaf = selection.descend(root)
            leaf.credit(selection.playout(leaf.game))
            self.seen += 1
        print("so many playouts:", self.seen)
        return max(root.children, key=lambda child: child.visits).move
