"""Games of two registered agents, one or a series, as the course's program plays them; `harena simulator` has more."""

import argparse
import logging

import numpy as np
from constants import PLAYER_1_NAME, PLAYER_2_NAME
from tqdm import tqdm
from utils import all_logging_disabled
from world import World

logger = logging.getLogger(__name__)


def get_args():
    """The flags of the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--player_1", type=str, default="random_agent")
    parser.add_argument("--player_2", type=str, default="random_agent")
    parser.add_argument("--board_size", type=int, default=None)
    parser.add_argument("--board_size_min", type=int, default=6)
    parser.add_argument("--board_size_max", type=int, default=12)
    parser.add_argument("--display", action="store_true", default=False)
    parser.add_argument("--display_delay", type=float, default=0.4)
    parser.add_argument("--display_save", action="store_true", default=False)
    parser.add_argument("--display_save_path", type=str, default="plots/")
    parser.add_argument("--autoplay", action="store_true", default=False)
    parser.add_argument("--autoplay_runs", type=int, default=1000)
    return parser.parse_args()


class Simulator:
    """Plays what its arguments say, which are those of the command line."""

    def __init__(self, args):
        self.args = args

    def reset(self, swap_players=False, board_size=None):
        """A new world, with the players exchanged or not."""
        players = (self.args.player_1, self.args.player_2)
        first, second = players[::-1] if swap_players else players
        self.world = World(
            player_1=first,
            player_2=second,
            board_size=self.args.board_size if board_size is None else board_size,
            display_ui=self.args.display,
            display_delay=self.args.display_delay,
            display_save=self.args.display_save,
            display_save_path=self.args.display_save_path,
            autoplay=self.args.autoplay,
        )

    def run(self, swap_players=False, board_size=None):
        """Play a game: the areas of player 1 and 2 of the arguments, and the times of their turns."""
        self.reset(swap_players=swap_players, board_size=board_size)
        is_end, first, second = self.world.check_endgame()
        while not is_end:
            is_end, first, second = self.world.step()
        logger.info(f"Run finished. Player {PLAYER_1_NAME}: {first}, Player {PLAYER_2_NAME}: {second}")
        if swap_players:
            return second, first, self.world.p1_time, self.world.p0_time
        return first, second, self.world.p0_time, self.world.p1_time

    def autoplay(self):
        """Play a series in which roles change from game to game, and print what part of it each player won.

        A tie counts for both, as in the course.
        """
        self.args.display = False
        wins, longest = [0, 0], [0.0, 0.0]
        with all_logging_disabled():
            for number in tqdm(range(self.args.autoplay_runs)):
                size = np.random.randint(self.args.board_size_min, self.args.board_size_max + 1)
                first, second, *times = self.run(swap_players=number % 2 == 0, board_size=size)
                wins[0] += first >= second
                wins[1] += second >= first
                longest = [max([most, *np.ravel(taken)]) for most, taken in zip(longest, times)]
        names = (self.args.player_1, self.args.player_2)
        for player, name, won, most in zip((1, 2), names, wins, longest):
            share = won / self.args.autoplay_runs
            print(f"Player {player}, agent {name}, win percentage: {share}. Maximum turn time was {most:.5f} seconds.")


if __name__ == "__main__":
    simulator = Simulator(get_args())
    if simulator.args.autoplay:
        simulator.autoplay()
    else:
        simulator.run()
