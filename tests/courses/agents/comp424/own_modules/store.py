AGENT_REGISTRY = {}


def register_agent(agent_name):
    def decorator(cls):
        AGENT_REGISTRY[agent_name] = cls
        return cls

    return decorator


def names():
    return sorted(AGENT_REGISTRY)
