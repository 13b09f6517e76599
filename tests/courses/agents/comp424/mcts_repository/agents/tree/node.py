import math

MOVES = ((-1, 0), (0, 1), (1, 0), (0, -1))


def neighbours(board, pos):
    return [(pos[0] + MOVES[d][0], pos[1] + MOVES[d][1]) for d in range(4) if not board[pos[0], pos[1], d]]


def zone(board, pos):
    seen, stack = {pos}, [pos]
    while stack:
        for new in neighbours(board, stack.pop()):
            if new not in seen:
                seen.add(new)
                stack.append(new)
    return seen


def build(board, pos, d):
    board = board.copy()
    board[pos[0], pos[1], d] = True
    board[pos[0] + MOVES[d][0], pos[1] + MOVES[d][1], (d + 2) % 4] = True
    return board


class Node:
    def __init__(self, board, me, adv, max_step, move=None, to_move=0):
        self.board, self.me, self.adv, self.max_step = board, me, adv, max_step
        self.move, self.to_move = move, to_move
        self.children, self.visits, self.wins = [], 0, 0.0
        self.over = adv not in zone(board, me)
        self.untried = [] if self.over else self.legal()

    def legal(self):
        seen, frontier = {self.me}, [self.me]
        for _ in range(self.max_step):
            frontier = [new for pos in frontier for new in neighbours(self.board, pos) if new != self.adv]
            frontier = [pos for pos in dict.fromkeys(frontier) if pos not in seen]
            seen.update(frontier)
        return [(pos, d) for pos in sorted(seen) for d in range(4) if not self.board[pos[0], pos[1], d]]

    def expand(self):
        pos, d = self.untried.pop(0)
        child = Node(build(self.board, pos, d), self.adv, pos, self.max_step, (pos, d), 1 - self.to_move)
        self.children.append(child)
        return child

    def best_child(self):
        log = math.log(self.visits)
        return max(self.children, key=lambda c: 1 - c.wins / c.visits + math.sqrt(2 * log / c.visits))
