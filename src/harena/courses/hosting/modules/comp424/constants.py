"""The sizes of boards, both ends included."""

MIN_BOARD_SIZE = 6
MAX_BOARD_SIZE = 12
