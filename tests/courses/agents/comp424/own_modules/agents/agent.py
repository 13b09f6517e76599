class Agent:
    def __init__(self):
        self.name = "DummyAgent"
        self.autoplay = True

    def __str__(self):
        return self.name

    def greet(self):
        print("hello")

    def step(self, chess_board, my_pos, adv_pos, max_step):
        raise NotImplementedError
