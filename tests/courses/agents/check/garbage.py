from harena.agents.bot import run

run(lambda turn: "north")
