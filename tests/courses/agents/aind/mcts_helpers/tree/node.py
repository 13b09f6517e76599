class Node:
    def __init__(self, game, move=None, parent=None):
        self.game, self.move, self.parent = game, move, parent
        self.untried = game.get_legal_moves()
        self.children, self.visits, self.wins = [], 0, 0.0

    def grow(self):
        move = self.untried.pop()
        self.children.append(Node(self.game.forecast_move(move), move, self))
        return self.children[-1]

    def credit(self, winner):
        node = self
        while node is not None:
            node.visits += 1
            node.wins += winner == node.game.inactive_player
            node = node.parent
