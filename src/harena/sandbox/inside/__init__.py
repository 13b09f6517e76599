"""The launcher: starts as we do, puts the walls up around itself, and becomes the agent.

It runs where nothing of Harena can be seen: standard library only, and imported from wherever its folder lies. Whatever
cannot be done ends it before the agent's first instruction. Every agent waits for it, so it imports little: enum, json,
pathlib and socket alone would double the ten milliseconds that an empty Python takes.
"""
