"""A heuristic of one's own: `--agent "id(heuristic=examples/my_heuristic.py:cramped)"`. See docs/heuristics.md.

A function takes a state and a player, 0 or 1, and says how good the state is for that player: a number, higher is
better, far below the 10,000 of a won game. What else it takes are numbers with defaults, which the text may set:
`cramped(tempo=1)`. It is asked about running games only. The words of `harena.heuristics.features` hold for isolation,
Trap! and Colosseum, so these functions work in all three.
"""

from harena.contract import mover
from harena.heuristics.features import free_cells, mobility, reach, targets
from harena.kernel.boards import both, count


def shared(state, me):
    """Cells that both players can go to with their next move: whoever is to move can take one away."""
    return count(both(targets(state, me), targets(state, 1 - me)))


def cramped(state, me, tempo=0.5):
    """Moves count while there is room; once fewer than 16 cells are free, so does the room that is left to each.

    `tempo` is what a cell that both can go to is worth to whoever moves next.
    """
    value = mobility(state, me) - mobility(state, 1 - me)
    value += tempo * shared(state, me) if mover(state) == me else -tempo * shared(state, me)
    if count(free_cells(state)) < 16:
        value += 2 * (reach(state, me) - reach(state, 1 - me))
    return value
