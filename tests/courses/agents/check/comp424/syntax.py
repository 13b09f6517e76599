from store import register_agent


@register_agent("student_agent"
class StudentAgent:
    def step(self, chess_board, my_pos, adv_pos, max_step):
        return my_pos, 0
