from agents.agent import Agent
from store import register_agent
import time
import numpy as np
from agents.tree.node import Node
from agents.tree import playout


@register_agent("student_agent")
class StudentAgent(Agent):
    """Monte Carlo tree search with the tree in a package of its own."""

    def __init__(self):
        super().__init__()
        self.name = "StudentAgent"
        self.root = None

    def step(self, chess_board, my_pos, adv_pos, max_step):
        begin = time.time()
        root = Node(chess_board, tuple(map(int, my_pos)), tuple(map(int, adv_pos)), max_step)
        rounds = 0
        while rounds < 20 and time.time() - begin < 0.5:
            node, path = root, [root]
            while node.children and not node.untried:
                node = node.best_child()
                path.append(node)
            if node.untried and not node.over:
                node = node.expand()
                path.append(node)
            result = playout.run(node)
            for passed in reversed(path):
                passed.visits += 1
                passed.wins += result if passed.to_move == node.to_move else 1 - result
            rounds += 1
        return max(root.children, key=lambda child: child.visits).move
