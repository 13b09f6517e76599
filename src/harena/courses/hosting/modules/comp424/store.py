"""The agents that can be named: `@register_agent("student_agent")` above a class makes it known."""

AGENT_REGISTRY = {}


def register_agent(agent_name=""):
    """A decorator that makes a class known under this name, which must be new."""

    def note(agent_class):
        assert agent_name not in AGENT_REGISTRY, f"an agent named {agent_name!r} is registered already"
        AGENT_REGISTRY[agent_name] = agent_class
        return agent_class

    return note
