"""The board in the terminal, in the place of the course's window."""


class UIEngine:
    """Draws the boards of a world."""

    def __init__(self, grid_width=5, world=None):
        self.grid_size = (grid_width, grid_width)
        self.world = world

    def render(self, chess_board, p0_pos, p1_pos, debug=False):
        """Print the board: A and B are the players, lines are walls."""
        size = chess_board.shape[0]
        for row in range(size):
            print("+" + "".join("---+" if chess_board[row, column, 0] else "   +" for column in range(size)))
            cells = []
            for column in range(size):
                here = (row, column)
                mark = "A" if here == tuple(p0_pos) else "B" if here == tuple(p1_pos) else " "
                cells.append(("|" if chess_board[row, column, 3] else " ") + f" {mark} ")
            print("".join(cells) + "|")
        print("+" + "---+" * size, flush=True)
