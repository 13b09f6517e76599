"""One class for every way to be wrong."""


class Base:
    def get_move(self, game, time_left):
        return self.answer(game)


class OffBoard(Base):
    def answer(self, game):
        return (3, -2)


class Visited(Base):
    def answer(self, game):
        return game.get_player_location(self)


class Unreached(Base):
    def answer(self, game):
        return next(cell for cell in game.get_blank_spaces() if cell not in game.get_legal_moves())


class Text(Base):
    def answer(self, game):
        return "c3"


class Number(Base):
    def answer(self, game):
        return 7


class Halves(Base):
    def answer(self, game):
        return (0.5, 1.5)


class Three(Base):
    def answer(self, game):
        return (1, 2, 3)


class Unprintable(Base):
    def answer(self, game):
        return self

    def __repr__(self):
        raise ValueError("no")


class Floats(Base):
    def answer(self, game):
        row, column = game.get_legal_moves()[0]
        return (float(row), float(column))


class Leaves(Base):
    def answer(self, game):
        raise SystemExit(0)


class Human(object):
    def __init__(self):
        from sample_players import HumanPlayer
        self.human = HumanPlayer()

    def get_move(self, game, time_left):
        return self.human.get_move(game, time_left)
