"""Imports what is only there to look at."""
import isolation
import matplotlib.pyplot as plt
import pygame
from tqdm import tqdm
import psutil


class AlphaBetaPlayer:
    def get_move(self, game, time_left):
        plt.figure()
        plt.plot([1, 2, 3])
        assert isolation.Board is isolation.isolation.Board
        return game.get_legal_moves()[0]
