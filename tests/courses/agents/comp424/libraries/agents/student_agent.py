import click
import matplotlib
import matplotlib.pyplot as plt
import psutil
import pyautogui
import pygame
from matplotlib.patches import Circle
from tqdm import tqdm

from agents.agent import Agent
from store import register_agent

matplotlib.use("Agg")


class Sprite(pygame.sprite.Sprite):
    pass


@click.command()
@click.option("--games", default=1)
def main(games):
    pyautogui.alert("done")


@register_agent("student_agent")
class StudentAgent(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        figure, axes = plt.subplots()
        axes.add_patch(Circle((0, 0), 1))
        plt.close("all")
        assert psutil.Process().memory_info().rss / 1e6 < 5000
        sides = [side for side in tqdm(range(4)) if not chess_board[my_pos][side]]
        screen = pygame.display.set_mode((10, 10))
        screen.fill((0, 0, 0))
        return my_pos, sides[0]


if __name__ == "__main__":
    main()
