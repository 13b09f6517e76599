def worth(game, player):
    return len(game.get_legal_moves(player))
