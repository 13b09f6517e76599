# Student agent: plays a world beside the game, by the names of the course's parameters and attributes
from agents.agent import Agent
from store import register_agent, AGENT_REGISTRY
import sys
import numpy as np
from copy import deepcopy
import time
from world import *
from agents import *
import constants
import ui


@register_agent(agent_name="student_agent")
class StudentAgent(Agent):
    def __init__(self):
        super(StudentAgent, self).__init__()
        self.name = "StudentAgent"
        self.dir_map = {"u": DIRECTION_UP, "r": DIRECTION_RIGHT, "d": DIRECTION_DOWN, "l": DIRECTION_LEFT}

    def step(self, chess_board, my_pos, adv_pos, max_step):
        world = World(player_1="student_agent", player_2="random_agent", board_size=chess_board.shape[0])
        assert world.results_cache == () and not world.initial_end and world.player_names == (PLAYER_1_NAME, PLAYER_2_NAME)
        assert isinstance(world.p0, StudentAgent) and isinstance(world.p1, RandomAgent)
        world.chess_board, world.max_step = deepcopy(chess_board), max_step
        world.p0_pos, world.p1_pos = np.array(my_pos), np.array(adv_pos)
        assert world.dir_names[DIRECTION_LEFT] == DIRECTION_LEFT_NAME and world.opposites[DIRECTION_UP] == DIRECTION_DOWN
        pos, dir = world.random_walk(my_pos=my_pos, adv_pos=adv_pos)
        assert world.check_boundary(pos=pos) and not world.check_boundary(pos=(-1, 0))
        assert world.check_valid_step(start_pos=np.array(my_pos), end_pos=pos, barrier_dir=dir)
        world.p0 = RandomAgent()
        assert world.get_current_player()[0] is world.p0
        results = world.step()
        assert results == world.results_cache == world.check_endgame() and world.turn == PLAYER_2_ID
        world.update_player_time(time_taken=0.5)
        assert world.p1_time == ([0.5] if constants.MAX_BOARD_SIZE == 12 else 0.5)
        row, column = int(pos[0]), int(pos[1])
        world.chess_board = deepcopy(chess_board)
        world.set_barrier(r=row, c=column, dir=dir)
        down, right = world.moves[dir]
        assert world.chess_board[row + down, column + right, world.opposites[dir]]
        engine = ui.UIEngine(grid_width=chess_board.shape[0], world=world)
        engine.plot_grid_with_board(chess_board, player_1_pos=my_pos, player_2_pos=adv_pos, debug=True)
        engine.plot_box(x=0, y=0, w=1, text="A", set_left_wall=True, color="silver")
        engine.plot_grid(), engine.plot_game_boundary(), engine.fix_axis(), engine.plot_text_info()
        engine.render(chess_board, p1_pos=my_pos, p2_pos=adv_pos, debug=False)
        assert engine.step_number == 1 and engine.grid_size == chess_board.shape[:2]
        human = HumanAgent()
        assert human.check_valid_input(x=0, y=1, dir="u", x_max=2, y_max=2)
        assert not any(human.check_valid_input(x, y, d, 2, 2) for x, y, d in ((2, 0, "u"), (0, -1, "u"), (0, 0, "U")))
        return pos, dir
