"""A game between two registered agents, for agents that look ahead with it and programs that test them."""

import importlib.util
import logging
import sys
import traceback
from copy import deepcopy
from operator import index
from time import sleep, time

import numpy as np
from agents.agent import Agent
from agents.human_agent import HumanAgent
from agents.random_agent import RandomAgent
from base_constants import *
from constants import *
from course_year import YEAR
from store import AGENT_REGISTRY
from ui import UIEngine

try:
    import click
except ImportError:
    click = None

logger = logging.getLogger(__name__)


class World:
    """The board, where the players stand, and whose turn it is.

    `chess_board[row, column, side]` is True where there is a wall or the border: sides are 0 up, 1 right, 2 down, 3
    left, and a wall between two cells is kept with both. All chance comes from numpy's global generator.
    """

    # 2022: more walls at the start, a start that is already over is drawn anew as a whole, and times are summed up
    generation = YEAR

    def __init__(
        self,
        player_1="random_agent",
        player_2="random_agent",
        board_size=None,
        display_ui=False,
        display_delay=2,
        display_save=False,
        display_save_path=None,
        autoplay=False,
    ):
        self.player_1_name, self.player_2_name = player_1, player_2
        self.player_names = (PLAYER_1_NAME, PLAYER_2_NAME)
        self.dir_names = {
            DIRECTION_UP: DIRECTION_UP_NAME,
            DIRECTION_RIGHT: DIRECTION_RIGHT_NAME,
            DIRECTION_DOWN: DIRECTION_DOWN_NAME,
            DIRECTION_LEFT: DIRECTION_LEFT_NAME,
        }
        self.dir_map = {"u": 0, "r": 1, "d": 2, "l": 3}
        self.moves = ((-1, 0), (0, 1), (1, 0), (0, -1))
        self.opposites = {0: 2, 1: 3, 2: 0, 3: 1}
        self.autoplay = autoplay
        self.p0, self.p1 = self._agent(player_1), self._agent(player_2)
        self.p0_time, self.p1_time = (0, 0) if self.generation == 2022 else ([], [])
        self.turn = 0
        if board_size is None:
            board_size = np.random.randint(MIN_BOARD_SIZE, MAX_BOARD_SIZE + 1)
        self.board_size = int(board_size)
        self.max_step = (self.board_size + 1) // 2
        self._set_up()
        self.initial_end = False  # a start that is over is drawn anew
        self.results_cache = ()  # what the last step answered
        self.ui_engine = None
        self.display_ui, self.display_delay = display_ui, display_delay
        self.display_save, self.display_save_path = display_save, display_save_path
        if display_ui:
            self.render()

    def _agent(self, name):
        if name not in AGENT_REGISTRY and importlib.util.find_spec(f"agents.{name}") is not None:
            importlib.import_module(f"agents.{name}")
        if name not in AGENT_REGISTRY:
            raise ValueError(AGENT_NOT_FOUND_MSG.format(agent_name=name))
        agent = AGENT_REGISTRY[name]()
        if self.autoplay and not getattr(agent, "autoplay", True):
            raise ValueError(f"the agent {name!r} does not play by itself")
        return agent

    # The start

    def _set_up(self):
        """Walls in pairs that a half-turn exchanges, and the players on two cells that it exchanges."""
        last = self.board_size - 1
        self._build_start_walls(last)
        while True:
            self.p0_pos = np.random.randint(0, self.board_size, size=2)
            self.p1_pos = last - self.p0_pos
            if np.array_equal(self.p0_pos, self.p1_pos):
                continue
            if not self.check_endgame()[0]:
                return
            if self.generation == 2022:
                self._build_start_walls(last)

    def _build_start_walls(self, last):
        self.chess_board = np.zeros((self.board_size, self.board_size, 4), dtype=bool)
        self.chess_board[0, :, 0] = self.chess_board[:, 0, 3] = True
        self.chess_board[-1, :, 2] = self.chess_board[:, -1, 1] = True
        for _ in range(self.max_step if self.generation == 2022 else self.board_size // 2 - 1):
            while True:
                row, column = np.random.randint(0, self.board_size, size=2)
                side = np.random.randint(0, 4)
                if not self.chess_board[row, column, side]:
                    break
            self.set_barrier(row, column, side)
            self.set_barrier(last - row, last - column, self.opposites[side])

    # A turn

    def get_current_player(self):
        """The agent to move, its position and its adversary's."""
        if self.turn == PLAYER_1_ID:
            return self.p0, self.p0_pos, self.p1_pos
        return self.p1, self.p1_pos, self.p0_pos

    def update_player_time(self, time_taken):
        """Note the seconds of the player to move: a list of turns, in 2022 their sum."""
        noted = time_taken if self.generation == 2022 else [time_taken]
        if self.turn == PLAYER_1_ID:
            self.p0_time += noted
        else:
            self.p1_time += noted

    def step(self):
        """Let the player to move have its turn: `(is_end, p0_score, p1_score)` afterwards.

        An answer that fails, in whatever way, becomes a random walk.
        """
        agent, my_pos, adv_pos = self.get_current_player()
        begin = time()
        try:
            answer = agent.step(deepcopy(self.chess_board), tuple(my_pos), tuple(adv_pos), self.max_step)
            self.update_player_time(time() - begin)
            next_pos, side = self._checked(my_pos, answer)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) or (
                isinstance(error, SystemExit) and isinstance(agent, HumanAgent)
            ):
                sys.exit(0)
            print("An exception raised. The traceback is as follows:\n" + traceback.format_exc())
            print("Execute Random Walk!")
            next_pos, side = self.random_walk(tuple(my_pos), tuple(adv_pos))
            next_pos = np.asarray(next_pos, dtype=my_pos.dtype)
        logger.info(f"Player {self.player_names[self.turn]} moves to {next_pos} facing {self.dir_names[int(side)]}.")
        if self.turn == PLAYER_1_ID:
            self.p0_pos = next_pos
        else:
            self.p1_pos = next_pos
        self.set_barrier(next_pos[0], next_pos[1], side)
        self.turn = 1 - self.turn
        results = self.results_cache = self.check_endgame()
        if self.display_ui:
            self.render()
        return results

    def _checked(self, my_pos, answer):
        next_pos, side = answer
        next_pos = np.asarray(next_pos, dtype=my_pos.dtype)
        if next_pos.shape != (2,) or isinstance(side, bool):
            raise ValueError(f"{answer!r} is not of the form ((row, column), side)")
        side = index(side)
        if not self.check_valid_step(my_pos, next_pos, side):
            raise ValueError(f"not a valid step from {tuple(my_pos)} to {tuple(next_pos)}, side {side}")
        return next_pos, side

    def check_boundary(self, pos):
        """Whether a cell is on the board."""
        return bool(0 <= pos[0] < self.board_size and 0 <= pos[1] < self.board_size)

    def check_valid_step(self, start_pos, end_pos, barrier_dir):
        """Whether the player to move may walk from one cell to the other and build on this side of it."""
        if not self.check_boundary(end_pos) or not 0 <= barrier_dir <= 3:
            return False
        start, goal = (int(start_pos[0]), int(start_pos[1])), (int(end_pos[0]), int(end_pos[1]))
        if self.chess_board[goal[0], goal[1], barrier_dir]:
            return False
        adversary = self.p0_pos if self.turn else self.p1_pos
        seen = newest = {start}
        for _ in range(self.max_step):
            beyond = {cell for one in newest for cell in self._neighbours(one)}
            newest = beyond - seen - {(int(adversary[0]), int(adversary[1]))}
            seen = seen | newest
        return goal in seen

    def _neighbours(self, cell):
        row, column = cell
        return [
            (row + self.moves[side][0], column + self.moves[side][1])
            for side in range(4)
            if not self.chess_board[row, column, side]
        ]

    def set_barrier(self, r, c, dir):
        """Build a wall, for both cells that it parts."""
        self.chess_board[r, c, dir] = True
        row, column = r + self.moves[int(dir)][0], c + self.moves[int(dir)][1]
        self.chess_board[row, column, self.opposites[int(dir)]] = True

    def random_walk(self, my_pos, adv_pos):
        """0 to `max_step` random steps, none of them onto the adversary, and a random free side where they end."""
        cell = (int(my_pos[0]), int(my_pos[1]))
        adversary = (int(adv_pos[0]), int(adv_pos[1]))
        for _ in range(np.random.randint(0, self.max_step + 1)):
            allowed = [one for one in self._neighbours(cell) if one != adversary]
            if not allowed:
                break
            cell = allowed[np.random.randint(0, len(allowed))]
        free = [side for side in range(4) if not self.chess_board[cell[0], cell[1], side]]
        return cell, free[np.random.randint(0, len(free))]

    # The end

    def check_endgame(self):
        """`(is_end, p0_score, p1_score)`: over when no walk leads from one player to the other."""
        first, second = self._zone(self.p0_pos), self._zone(self.p1_pos)
        is_end = (int(self.p1_pos[0]), int(self.p1_pos[1])) not in first
        if is_end:
            winner = "It is a tie!" if len(first) == len(second) else f"Player {'BA'[len(first) > len(second)]} wins!"
            logger.info(f"Game ends! {winner}")
        return is_end, len(first), len(second)

    def _zone(self, pos):
        """The cells that a walk from here reaches; players do not block."""
        seen, todo = set(), [(int(pos[0]), int(pos[1]))]
        while todo:
            cell = todo.pop()
            if cell not in seen:
                seen.add(cell)
                todo.extend(self._neighbours(cell))
        return seen

    def render(self, debug=False):
        """Show the board, and wait a little."""
        if self.ui_engine is None:
            self.ui_engine = UIEngine(self.board_size, self)
        self.ui_engine.render(self.chess_board, self.p0_pos, self.p1_pos, debug=debug)
        sleep(self.display_delay)
