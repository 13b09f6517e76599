raise RuntimeError("the course's package is served, not this one")
