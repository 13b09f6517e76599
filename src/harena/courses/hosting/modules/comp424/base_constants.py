"""The constants of the course, of which a submission's own `constants` may lack some; sizes have both ends included."""

from course_year import YEAR

MIN_BOARD_SIZE, MAX_BOARD_SIZE = (5, 10) if YEAR == 2022 else (6, 12)

AGENT_NOT_FOUND_MSG = (
    "no agent {agent_name!r}: is @register_agent({agent_name!r}) above its class, and its file imported?"
)

DIRECTION_UP, DIRECTION_RIGHT, DIRECTION_DOWN, DIRECTION_LEFT = range(4)
DIRECTION_UP_NAME = "Up"
DIRECTION_RIGHT_NAME = "Right"
DIRECTION_DOWN_NAME = "Down"
DIRECTION_LEFT_NAME = "Left"

PLAYER_1_ID, PLAYER_2_ID = 0, 1
PLAYER_1_NAME, PLAYER_2_NAME = "A", "B"
PLAYER_1_COLOR, PLAYER_2_COLOR = "tab:blue", "tab:brown"
