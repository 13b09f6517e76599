"""Calls the course's modules by the names of their parameters, takes names by star imports, and builds on a level."""

import sys, os

sys.path.append(os.getcwd())
from Utils import *
from Game import *
from BaseAI import BaseAI
from Grid import Grid
from test_players.HardAI import *
from test_players.HardAI import HardAI as Hard
from test_players.EasyAI import OPPONENT
import test_players.HardAI as hard
import test_players.MediumAI as medium
import test_players.MinimaxAI as minimax

hard.MAX_DEPTH = minimax.MAX_DEPTH = 2


class Careful(Hard):
    """A level with an evaluation of its own, which its search uses."""

    calls = 0

    def utility(self, state, action='move'):
        self.calls += 1
        return super().utility(state=state, action=action)


class PlayerAI(BaseAI):

    def __init__(self, initial_position=None) -> None:
        super().__init__()
        assert super().getPosition() is None and super().setPosition(new_position=(0, 0)) is None
        self.pos = initial_position
        self.player_num = None

    def setPosition(self, new_pos: tuple):
        self.pos = new_pos

    def getPosition(self):
        return self.pos

    def getPlayerNum(self):
        return self.player_num

    def setPlayerNum(self, num):
        self.player_num = num

    def getMove(self, grid):
        here = grid.find(player_num=self.player_num)
        assert grid.getCellValue(pos=here) == self.player_num == 3 - OPPONENT(player=self.player_num)
        cells = grid.get_neighbors(pos=here, only_available=True)
        for cell in cells:
            after = grid.clone().move(move=cell, player=self.player_num)
            assert after.find(player_num=self.player_num) == cell and after.getCellValue(pos=here) == 0
        other = grid.clone()
        other.setCellValue(pos=cells[0], val=-1)
        assert len(other.getAvailableCells()) == len(grid.getAvailableCells()) - 1
        self.check_scores(grid)
        careful = Careful(position=self.pos)
        careful.setPlayerNum(num=self.player_num)
        move, utility = careful.maximize_move(
            grid=grid, alpha=-np.inf, beta=np.inf, depth=0, start_time=time.process_time()
        )
        assert careful.calls and careful.getPosition() == self.pos and careful.getPlayerNum() == self.player_num
        assert careful._best_move(grid=grid)[0] in cells and (move is None or move in cells)
        return careful.getMove(grid=grid)

    def check_scores(self, grid):
        me = self.player_num
        mine, theirs = (len(grid.get_neighbors(grid.find(one), only_available=True)) for one in (me, 3 - me))
        assert hard.AM(grid=grid, player_num=me) == medium.AM(grid=grid, player_num=me) == mine
        for module in (hard, medium, minimax):
            assert module.IS(grid=grid, player_num=me) == mine - theirs
        assert AIS(grid=grid, player_num=me) == 2 * mine - theirs
        assert OTD(state=grid, player_num=me) in (1.5 * mine - theirs, mine - 2 * theirs)
        assert compute_p(position=(0, 0), target=(0, 3)) == 1 - 0.05 * (manhattan_distance((0, 0), (0, 3)) - 1)

    def getTrap(self, grid):
        minimax_player = minimax.HardAI(position=self.pos)
        minimax_player.setPosition(new_position=self.pos)
        minimax_player.setPlayerNum(num=self.player_num)
        aim, utility = minimax_player._best_trap(grid=grid)
        assert minimax_player.terminal_test(state=grid, time=99, depth=0, mode='trap')
        after = grid.clone().trap(pos=aim)
        assert after.getCellValue(pos=aim) == -1 and after.getMap()[aim] == -1
        game = Game(playerAI=self, computerAI=ComputerAI(initial_position=(0, 0)), N=grid.dim, displayer=Displayer())
        game.grid = grid
        assert game.is_valid_trap(grid=grid, trap=aim)
        assert not game.is_valid_move(grid=grid, player=self, move=self.pos)
        assert game.is_over(turn=self.player_num) == (not grid.get_neighbors(grid.find(3 - self.player_num), True))
        assert grid.getCellValue(game.throw(player=self, grid=grid, intended_position=aim)) <= 0
        game.updateAlarm(currTime=game.prevTime)
        assert not game.over and EasyAI(initial_position=self.pos).getPosition() == self.pos
        game.displayer.display(grid)
        return aim
