"""Depth-two minimax with a recursive search and a deadline."""
from agents.agent import Agent
from store import register_agent
import sys
import time
import numpy as np
from copy import deepcopy

sys.setrecursionlimit(10**6)
DEADLINE = 0.2


class OutOfTime(Exception):
    pass


@register_agent("minimax_agent")
class MinimaxAgent(Agent):
    def __init__(self, depth=2, deadline=DEADLINE):
        super(MinimaxAgent, self).__init__()
        self.name = "MinimaxAgent"
        self.depth = depth
        self.deadline = deadline
        self.moves = ((-1, 0), (0, 1), (1, 0), (0, -1))

    def fill(self, board, r, c, seen):
        if (r, c) in seen:
            return
        seen.add((r, c))
        for d, (dr, dc) in enumerate(self.moves):
            if not board[r, c, d]:
                self.fill(board, r + dr, c + dc, seen)

    def score(self, board, me, adv):
        mine, theirs = set(), set()
        self.fill(board, me[0], me[1], mine)
        self.fill(board, adv[0], adv[1], theirs)
        over = tuple(adv) not in mine
        return over, (100 if over else 1) * (len(mine) - len(theirs))

    def walk(self, board, pos, adv, steps, seen):
        if seen.get(pos, -1) >= steps:
            return
        seen[pos] = steps
        if steps == 0:
            return
        for d, (dr, dc) in enumerate(self.moves):
            new = (pos[0] + dr, pos[1] + dc)
            if not board[pos[0], pos[1], d] and new != adv:
                self.walk(board, new, adv, steps - 1, seen)

    def children(self, board, me, adv, max_step):
        seen = {}
        self.walk(board, me, adv, max_step, seen)
        for pos in seen:
            for d in range(4):
                if not board[pos[0], pos[1], d]:
                    new = deepcopy(board)
                    new[pos[0], pos[1], d] = True
                    new[pos[0] + self.moves[d][0], pos[1] + self.moves[d][1], (d + 2) % 4] = True
                    yield pos, d, new

    def value(self, board, me, adv, max_step, depth, alpha, beta):
        if time.time() - self.start > self.deadline:
            raise OutOfTime
        over, score = self.score(board, me, adv)
        if over or depth == 0:
            return score
        best = -np.inf
        for pos, d, new in self.children(board, me, adv, max_step):
            best = max(best, -self.value(new, adv, pos, max_step, depth - 1, -beta, -alpha))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best

    def step(self, chess_board, my_pos, adv_pos, max_step):
        self.start = time.time()
        me, adv = tuple(map(int, my_pos)), tuple(map(int, adv_pos))
        best, best_move = -np.inf, None
        try:
            for pos, d, new in self.children(chess_board, me, adv, max_step):
                if best_move is None:
                    best_move = pos, d
                value = -self.value(new, adv, pos, max_step, self.depth - 1, -np.inf, np.inf)
                if value > best:
                    best, best_move = value, (pos, d)
        except OutOfTime:
            pass
        return best_move
