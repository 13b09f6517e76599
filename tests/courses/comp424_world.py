"""Run beside the course's modules by test_comp424_modules.py: plays in `world.World` and prints what it finds."""

import contextlib
import io
import json
import sys
from pathlib import Path

sys.path.insert(0, sys.argv[1])

import numpy as np
from store import AGENT_REGISTRY, register_agent
from world import World

SIDES = "urdl"


def place(record):
    """A world in the start position of a recorded game."""
    size = record["size"]
    world = World(board_size=size)
    world.chess_board[:] = False
    world.chess_board[0, :, 0] = world.chess_board[:, -1, 1] = world.chess_board[-1, :, 2] = True
    world.chess_board[:, 0, 3] = True
    for row, column, side in record["walls"]:
        world.set_barrier(row, column, SIDES.index(side))
    world.p0_pos, world.p1_pos = map(np.array, record["players"])
    return world


def legal(world):
    """All moves of the player to move, as the recorded games have them."""
    _, start, _ = world.get_current_player()
    cells = [(row, column) for row in range(world.board_size) for column in range(world.board_size)]
    return [
        f"{row},{column},{SIDES[side]}"
        for row, column in cells
        for side in range(4)
        if world.check_valid_step(start, (row, column), side)
    ]


def replayed(record):
    """The moves of the recorded plies that list them, and how the game ends."""
    world, lists = place(record), []
    answers = [ply["move"].split(",") for ply in record["plies"]]

    class Scripted:
        def step(self, board, me, adversary, steps):
            assert steps == record["max_step"] and isinstance(me[0], np.int64)
            row, column, side = answers.pop(0)
            board[:] = True  # a copy
            return [float(row) + 0.5, int(column)], SIDES.index(side)

    world.p0 = world.p1 = Scripted()
    for ply in record["plies"]:
        assert not world.check_endgame()[0]
        if "legal" in ply:
            lists.append(legal(world))
        end = world.step()
    return {"legal": lists, "end": end, "times": [len(world.p0_time), len(world.p1_time)]}


def starts(generation):
    """Numbers of walls, and whether a half-turn maps each start to itself with the players exchanged."""
    World.generation, found = generation, {}
    for size in range(3, 13):
        for _ in range(20):
            world = World(board_size=size)
            board = world.chess_board
            turned = board[::-1, ::-1][:, :, [2, 3, 0, 1]]
            assert np.array_equal(board, turned) and not world.check_endgame()[0]
            assert np.array_equal(world.p0_pos + world.p1_pos, [size - 1, size - 1])
            found.setdefault(size, set()).add(int((board.sum() - 4 * size) // 2))
    return {size: sorted(counts) for size, counts in found.items()}


def random_game(size):
    """A game of two random agents, as positions that harena reads."""
    world, texts = World(board_size=size), []
    while True:
        name = lambda cell: f"{'abcdefghijkl'[cell[1]]}{cell[0] + 1}"  # noqa: E731
        walls = [
            name((row, column)) + SIDES[side]
            for row in range(size)
            for column in range(size)
            for side in (1, 2)
            if world.chess_board[row, column, side] and (column, row)[side == 2] < size - 1
        ]
        over = world.check_endgame()
        position = f"{size} {name(world.p0_pos)} {name(world.p1_pos)} {world.turn + 1} {','.join(walls) or '-'}"
        texts.append([position, legal(world), over])
        if over[0]:
            return texts
        world.step()


def replaced():
    """What becomes of every kind of answer that fails."""
    answers = {
        "raises": lambda me: 1 // 0,
        "none": lambda me: None,
        "three": lambda me: ((0, 0, 0), 1),
        "float": lambda me: (me, 1.0),
        "bool": lambda me: (me, True),
        "off": lambda me: ((-1, 0), 0),
        "side": lambda me: (me, 9),
    }
    found = {}
    for name, answer in answers.items():

        @register_agent(name)
        class Failing:
            autoplay = name != "off"
            answer_of = staticmethod(answer)

            def step(self, board, me, adversary, steps):
                return self.answer_of(me)

        world, said = World(name, "random_agent", board_size=5), io.StringIO()
        before = world.chess_board.sum()
        with contextlib.redirect_stdout(said):
            world.step()
        found[name] = [int(world.chess_board.sum() - before), "Execute Random Walk!" in said.getvalue()]
    return found


def refused():
    """The mistakes that a world complains about."""
    complaints = []
    for arguments in ({"player_1": "nobody"}, {"player_2": "off", "autoplay": True}):
        try:
            World(**arguments)
        except ValueError as error:
            complaints.append(str(error))
    try:
        register_agent("random_agent")(object)
    except AssertionError as error:
        complaints.append(str(error))
    return complaints


def typed(*lines):
    """What the human agent answers to these lines, and what it prints."""
    from agents import HumanAgent

    said = io.StringIO()
    sys.stdin = io.StringIO("".join(f"{line}\n" for line in lines))
    with contextlib.redirect_stdout(said):
        try:
            answer = HumanAgent().step(np.zeros((5, 5, 4), bool), (0, 0), (4, 4), 3)
        except SystemExit as end:
            answer = f"exit {end.code}"
    return [answer, said.getvalue()]


def golden():
    """A board of 5x5 whose players meet, and one that is walled off in two parts."""
    world = place({"size": 5, "walls": [], "players": [[0, 2], [4, 2]]})
    open_board = world.check_endgame()
    for column in range(5):
        world.set_barrier(2, column, 2)
    return [open_board, world.check_endgame()]


def shown():
    """The board as it is drawn, and the smallest game with a human who leaves."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        world = place({"size": 2, "walls": [], "players": [[0, 0], [1, 1]]})
        World(board_size=3, display_ui=True, display_delay=0)
    drawn = said.getvalue().splitlines()
    sys.stdin = io.StringIO("q\n")
    world.p0 = AGENT_REGISTRY["human_agent"]()
    with contextlib.redirect_stdout(said):
        try:
            world.step()
        except SystemExit as end:
            return [drawn, end.code]
    return [drawn, None]


def odds():
    """The package's other words."""
    from agents.agent import Agent
    from utils import all_logging_disabled

    import agents

    with all_logging_disabled():
        quiet = __import__("logging").root.manager.disable
    try:
        missing = agents.Nobody
    except AttributeError as error:
        missing = str(error)
    try:
        Agent().step(None, None, None, None)
    except NotImplementedError as error:
        base = str(error)
    sizes = {World().board_size for _ in range(300)}
    return [str(agents.RandomAgent()), agents.random_agent.__name__, quiet, missing, str(Agent()), base, sorted(sizes)]


def plain(value):
    """Numpy's numbers as JSON has them."""
    return value.item()


np.random.seed(1)
games = [json.loads(line) for line in Path(sys.argv[2]).read_text("utf-8").splitlines()[::2]]
found = {
    "replayed": [replayed(game) for game in games],
    "random": [random_game(size) for size in (2, 5, 6, 9)],
    "replaced": replaced(),
    "refused": refused(),
    "typed": [typed("1,2", "9,0,u", "1,2,U", " 1, 2 ,r"), typed("1,1,u q")],
    "golden": golden(),
    "shown": shown(),
    "odds": odds(),
    "starts": {year: starts(year) for year in (2022, 2023)},
}
print(json.dumps(found, default=plain))
