from .node import zone


def run(node):
    """Who has more room, in place of a random game: 1 for the player to move at this node."""
    mine, theirs = zone(node.board, node.me), zone(node.board, node.adv)
    if node.adv not in mine:
        return 1.0 if len(mine) > len(theirs) else 0.5 if len(mine) == len(theirs) else 0.0
    return 0.5
