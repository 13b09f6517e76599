from agents.agent import Agent
from store import register_agent


@register_agent("student_agent")
class StudentAgent(Agent):
    pass


@register_agent("student_agent")
class StudentAgent2(Agent):
    pass
