MOVES = ((-1, 0), (0, 1), (1, 0), (0, -1))


def open_sides(board, pos):
    return [d for d in range(4) if not board[pos[0], pos[1], d]]


def reachable(board, start, adv, max_step):
    start = (int(start[0]), int(start[1]))
    seen = {start}
    frontier = [start]
    for _ in range(max_step):
        new = []
        for pos in frontier:
            for d in open_sides(board, pos):
                nxt = (pos[0] + MOVES[d][0], pos[1] + MOVES[d][1])
                if nxt not in seen and nxt != tuple(adv):
                    seen.add(nxt)
                    new.append(nxt)
        frontier = new
    return sorted(seen)


def area(board, start):
    seen = {(int(start[0]), int(start[1]))}
    stack = list(seen)
    while stack:
        pos = stack.pop()
        for d in open_sides(board, pos):
            nxt = (pos[0] + MOVES[d][0], pos[1] + MOVES[d][1])
            if nxt not in seen:
                seen.add(nxt)
                stack.append(nxt)
    return len(seen)


def area_after(board, pos, d, adv):
    board = board.copy()
    board[pos[0], pos[1], d] = True
    board[pos[0] + MOVES[d][0], pos[1] + MOVES[d][1], (d + 2) % 4] = True
    return area(board, pos), area(board, adv)
