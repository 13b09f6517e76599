"""Every heuristic once more, slowly: from the words of its description and the reference rules, with sets of cells.

A view has, for a position: `cell(player)` (None before it is placed), `targets(player, cell)` (where the player could
go from a cell), `free` (the cells that a piece may still enter), `steps(cell)` (one move further, players not in the
way), `share` (of the board that is open), `rows` and `columns`.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from harena import State
from reference import colosseum, isolation, tiles, trap

Cell = tuple[int, int]


class IsolationView:
    def __init__(self, text: str) -> None:
        self.position = isolation.Reference.from_text(text)
        self.mover = self.position.mover
        self.rows, self.columns = len(self.position.rows), len(self.position.rows[0])
        self.free = set(self.position.cells_holding("."))
        self.share = Fraction(len(self.free), self.rows * self.columns)

    def cell(self, player: int) -> Cell | None:
        found = self.position.cells_holding(str(player + 1))
        return found[0] if found else None

    def steps(self, cell: Cell) -> set[Cell]:
        return {(cell[0] + down, cell[1] + right) for down, right in isolation.KNIGHT_STEPS}

    def targets(self, player: int, cell: Cell | None) -> set[Cell]:
        return set(self.free) if cell is None else self.steps(cell) & self.free


class TrapView:
    def __init__(self, text: str) -> None:
        self.position = trap.Reference.from_text(text)
        self.mover = self.position.mover
        self.rows = self.columns = max(row for row, _ in self.position.board) + 1
        self.free = {cell for cell, mark in self.position.board.items() if mark == "."}
        self.share = 1 - Fraction(list(self.position.board.values()).count("x"), len(self.position.board))

    def cell(self, player: int) -> Cell:
        return self.position.location(player)

    def steps(self, cell: Cell) -> set[Cell]:
        return set(self.position.around(cell))

    def targets(self, player: int, cell: Cell) -> set[Cell]:
        """Cells that are free now: not the one he would come from."""
        return self.steps(cell) & self.free


class ColosseumView:
    def __init__(self, text: str) -> None:
        self.position = colosseum.Reference.from_text(text)
        self.mover = self.position.mover
        self.rows = self.columns = size = self.position.size
        self.walk = (size + 1) // 2
        self.free = set(self.position.cells()) - set(self.position.locations)
        self.share = 1 - Fraction(len(self.position.walls), 2 * size * (size - 1))

    def cell(self, player: int) -> Cell:
        return self.position.locations[player]

    def steps(self, cell: Cell) -> set[Cell]:
        return self.position.reached(cell, self.walk, set(self.position.locations))

    def targets(self, player: int, cell: Cell) -> set[Cell]:
        return self.position.reached(cell, self.walk, {self.cell(1 - player)})


View = Any
VIEWS: dict[str, Callable[[str], View]] = {"isolation": IsolationView, "trap": TrapView, "colosseum": ColosseumView}


def own(view: View, player: int) -> set[Cell]:
    return set(view.targets(player, view.cell(player)))


def open_moves(view: View, me: int) -> float:
    return len(own(view, me))


def improved(view: View, me: int) -> float:
    return len(own(view, me)) - len(own(view, 1 - me))


def aggressive(view: View, me: int) -> float:
    return len(own(view, me)) - 2 * len(own(view, 1 - me))


def outlook(view: View, me: int) -> float:
    return sum(len(view.targets(me, cell)) for cell in own(view, me))


def lookahead(view: View, me: int) -> float:
    return outlook(view, me) - outlook(view, 1 - me)


def net_advantage(view: View, me: int) -> float:
    mine, theirs = own(view, me), own(view, 1 - me)
    return len(mine if view.mover == me else mine - theirs) - len(theirs)


def net_mobility(view: View, me: int) -> float:
    lead = improved(view, me)
    if lead == 0:
        return 0
    if view.mover == me:
        return 2 if lead > 0 else -1
    return 1 if lead > 0 else -2


def hops(cell: Cell, other: Cell) -> int:
    return max(abs(cell[0] - other[0]), abs(cell[1] - other[1])) // 2


def accessibility(view: View, me: int) -> float:
    here = view.cell(me)
    if here is None:
        return 0
    centre = round(view.rows / 2), round(view.columns / 2)
    distance, threshold = hops(here, centre), round(centre[0] / 2)
    return (distance < threshold) - (distance > threshold)


def center(view: View, me: int) -> float:
    """The squared distance from the middle of the board as the later course has it, half a cell off: (h/2, w/2)."""
    cell = view.cell(me)
    return 0 if cell is None else (view.rows / 2 - cell[0]) ** 2 + (view.columns / 2 - cell[1]) ** 2


def offensive(view: View, me: int) -> float:
    if not own(view, me) & own(view, 1 - me):
        return 0
    return 1 if view.mover == me else -1


def proximity(view: View, me: int) -> float:
    here, there = view.cell(me), view.cell(1 - me)
    return 0 if here is None or there is None else -hops(here, there)


def distances(view: View, player: int) -> dict[Cell, int]:
    """For each free cell that the player can ever get to: in how many moves, the other standing still."""
    found: dict[Cell, int] = {}
    newest, moves = own(view, player), 1  # in Colosseum with his own cell: he may stay
    while newest:
        found |= dict.fromkeys(newest & view.free, moves)
        newest = {cell for one in newest for cell in view.steps(one)} & view.free - set(found)
        moves += 1
    return found


def horizon(view: View, me: int) -> float:
    mine, theirs = distances(view, me), distances(view, 1 - me)
    return sum(0.5**moves for moves in mine.values()) - sum(0.5**moves for moves in theirs.values())


def reach(view: View, me: int) -> float:
    return len(distances(view, me)) - len(distances(view, 1 - me))


def lead_of(first: dict[Cell, int], second: dict[Cell, int]) -> int:
    """Cells that the first gets to no later than the second, less those that the second gets to earlier."""
    nearer = sum(moves <= second.get(cell, moves) for cell, moves in first.items())
    return nearer - sum(moves < first.get(cell, moves + 1) for cell, moves in second.items())


def territory(view: View, me: int) -> float:
    """The player to move gets the cells that are equally far."""
    lead = lead_of(distances(view, view.mover), distances(view, 1 - view.mover))
    return lead if view.mover == me else -lead


def combo_offensive_near_mobility(view: View, me: int) -> float:
    return offensive(view, me) + proximity(view, me) + net_mobility(view, me)


def combo_advantage_near(view: View, me: int) -> float:
    return net_advantage(view, me) + proximity(view, me)


def phased(view: View, me: int) -> float:
    value = net_advantage(view, me)
    if view.share > Fraction(2, 3):
        value += accessibility(view, me)
    if view.share < Fraction(1, 3):
        value += offensive(view, me)
    return value


MOBILITY: dict[str, Callable[[View, int], float]] = {
    "null": lambda view, me: 0,
    "open": open_moves,
    "improved": improved,
    "aggressive": aggressive,
    "lookahead": lookahead,
    "outlook": outlook,
    "net_advantage": net_advantage,
    "net_mobility": net_mobility,
    "accessibility": accessibility,
    "offensive": offensive,
    "proximity": proximity,
    "horizon": horizon,
    "reach": reach,
    "territory": territory,
    "combo_offensive_near_mobility": combo_offensive_near_mobility,
    "combo_advantage_near": combo_advantage_near,
    "phased": phased,
}
W4701: dict[str, Callable[[View, int], float]] = {
    "am": lambda view, me: len(own(view, me)),
    "is": lambda view, me: len(own(view, me)) - len(own(view, 1 - me)),
    "ais": lambda view, me: len(own(view, me)) - 2 * len(own(view, 1 - me)),
    "ocls": lookahead,
}


def area(view: ColosseumView, me: int) -> float:
    return len(view.position.reached(view.cell(me), view.rows**2, set()))


def inverse_area(view: ColosseumView, me: int) -> float:
    return 1 / area(view, me)


def manhattan(view: ColosseumView, me: int) -> float:
    (row, column), (other_row, other_column) = view.position.locations
    return abs(row - other_row) + abs(column - other_column)


def boxed(view: ColosseumView, me: int) -> float:
    return len(view.position.open_sides(view.cell(me))) <= 1


def own_moves(view: ColosseumView, me: int) -> float:
    return sum(len(view.position.open_sides(cell)) for cell in own(view, me))


def moves(view: ColosseumView, me: int) -> float:
    return own_moves(view, me) - own_moves(view, 1 - me)


def voronoi(view: ColosseumView, me: int) -> float:
    """By single steps, the cells of the players included; the player to move gets those that are equally far."""

    def steps_to(player: int) -> dict[Cell, int]:
        found, newest = {view.cell(player): 0}, [view.cell(player)]
        while newest:
            next_to = [cell for one in newest for cell in view.position.reached(one, 1, set())]
            steps = found[newest[0]] + 1
            newest = [cell for cell in dict.fromkeys(next_to) if cell not in found]
            found |= dict.fromkeys(newest, steps)
        return found

    lead = lead_of(steps_to(view.mover), steps_to(1 - view.mover))
    return lead if view.mover == me else -lead


ZONES: dict[str, Callable[[ColosseumView, int], float]] = {
    "area": area,
    "inverse_area": inverse_area,
    "distance": manhattan,
    "boxed": boxed,
    "own_moves": own_moves,
    "moves": moves,
    "territory": voronoi,
}


class TilesView:
    def __init__(self, text: str) -> None:
        self.position = tiles.Reference.from_text(text)
        self.mover = self.position.mover

    def colour(self, player: int) -> str:
        return self.position.colour if player == self.mover else tiles.OTHER_COLOUR[self.position.colour]

    def cells(self, player: int) -> list[Cell]:
        return [cell for cell, tile in self.position.board.items() if tile == self.colour(player)]

    def count(self, player: int) -> int:
        return len(self.cells(player))

    def fragile(self, player: int) -> int:
        board = self.position.board
        return sum(any(board.get(side) == "X" for side in tiles.neighbours(cell)) for cell in self.cells(player))

    def best(self, player: int) -> int:
        """The most tiles of the player's that one removal of his takes, less those of the other's."""
        turn = tiles.Reference(self.position.board, self.colour(player), player)
        gains = []
        for cell in self.cells(player):
            after = TilesView(turn.play(tiles.cell_to_text(cell)).to_text())
            own_gone = self.count(player) - after.count(player)
            gains.append(own_gone - (self.count(1 - player) - after.count(1 - player)))
        return max(gains)


TILES: dict[str, Callable[[TilesView, int], float]] = {
    "null": lambda view, me: 0,
    "left": lambda view, me: view.count(1 - me) - view.count(me),
    "fragile": lambda view, me: view.fragile(me) - view.fragile(1 - me),
    "balance": lambda view, me: view.best(me) - view.best(1 - me),
}
TABLES: dict[str, dict[str, Callable[[Any, int], float]]] = {
    "isolation": MOBILITY | {"center": center},
    "trap": MOBILITY | W4701,
    "colosseum": MOBILITY | ZONES,
    "tiles": TILES,
}
VIEWS["tiles"] = TilesView


def slow(name: str, state: State, me: int) -> float:
    """The value of a heuristic's name, computed slowly."""
    return float(TABLES[state.game.name][name](VIEWS[state.game.name](state.text), me))
