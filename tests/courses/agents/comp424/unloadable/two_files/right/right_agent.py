from agents.agent import Agent


class Mine(Agent):
    def step(self, chess_board, my_pos, adv_pos, max_step):
        return my_pos, [d for d in range(4) if not chess_board[my_pos][d]][0]
