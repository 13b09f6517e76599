"""What all agents have in common."""

from course_year import YEAR


class Agent:
    """Derive from it, register the class, and answer in `step`. A game makes a new instance."""

    def __init__(self):
        self.name = "DummyAgent"
        self.autoplay = YEAR != 2022  # then an agent had to say so itself

    def __str__(self):
        return self.name

    def step(self, chess_board, my_pos, adv_pos, max_step):
        """Where to go and on which side of that cell to build: `((row, column), side)`.

        `chess_board[row, column, side]` is True where there is a wall; sides are 0 up, 1 right, 2 down, 3 left.
        """
        raise NotImplementedError("an agent answers in its method step")
