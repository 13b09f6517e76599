"""An agent of the competition: it gets its data, and one millisecond is enough to come back."""


class CustomPlayer:
    def __init__(self, data=None, timeout=1.):
        self.first = [tuple(cell) for cell in data["first"]]
        self.timeout = timeout

    def get_move(self, game, time_left):
        moves = game.get_legal_moves()
        for cell in self.first:
            if cell in moves:
                return cell
        while time_left() > 100:
            pass
        return moves[-1]
