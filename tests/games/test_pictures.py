"""What there is to see of a position: contents, walls, the traces of the last turn, and whose turn it is in words."""

from games.support import read
from harena import State
from harena.games.picture import (
    AIMED_AT,
    BLOCKED,
    BLUE,
    CAME_FROM,
    FELL,
    GAP,
    LANDED_ON,
    MOVED_TO,
    PLAYER_1,
    PLAYER_2,
    RED,
    REMOVED,
    TRAP,
    Picture,
)


def seen(name: str, position: str, *moves: str) -> Picture:
    state: State = read(name, position)
    for move in moves:
        state = state.play(move)
    picture = state.picture
    assert picture is not None
    assert picture.caption == state.caption
    return picture


def marks(picture: Picture) -> dict[tuple[int, int], set[str]]:
    return {cell: set(found) for cell, found in picture.marks.items()}


def test_isolation() -> None:
    start = seen("isolation", ".../.../.../... 1")
    assert (start.rows, start.columns, start.cells, start.walls, marks(start)) == (4, 3, {}, None, {})
    assert start.caption == "player 1 to place the knight"
    placed = seen("isolation", ".../.../.../... 1", "a1")
    assert placed.cells == {(0, 0): PLAYER_1}
    assert marks(placed) == {(0, 0): {MOVED_TO}}
    assert placed.caption == "player 2 to place the knight"
    moved = seen("isolation", ".../.../.../... 1", "a1", "c4", "b3")
    assert moved.cells == {(0, 0): BLOCKED, (2, 1): PLAYER_1, (3, 2): PLAYER_2}
    assert marks(moved) == {(0, 0): {CAME_FROM}, (2, 1): {MOVED_TO}}
    assert moved.caption == "player 2 to move"
    assert seen("isolation", "1xx/x2x/x.x 2").caption == "player 1 wins"


def test_colosseum() -> None:
    before = seen("colosseum", "3 a1 c3 1 a1r,b2d")
    assert before.cells == {(0, 0): PLAYER_1, (2, 2): PLAYER_2}
    assert before.walls == frozenset({(0, 0, "r"), (1, 1, "d")})
    assert (before.new_wall, marks(before), before.caption) == (None, {}, "player 1 to move")
    for move, wall in {"a2r": (1, 0, "r"), "a2d": (1, 0, "d"), "b2l": (1, 0, "r"), "b2u": (0, 1, "d")}.items():
        after = seen("colosseum", "3 a1 c3 1 a1r,b2d", move)
        assert after.walls == frozenset({(0, 0, "r"), (1, 1, "d"), wall})
        assert after.new_wall == wall
        assert marks(after) == {(0, 0): {CAME_FROM}, ((1, 0) if "a" in move else (1, 1)): {MOVED_TO}}
    stayed = seen("colosseum", "3 a1 c3 2 a1r,b2d", "c3u")
    assert marks(stayed) == {(2, 2): {CAME_FROM, MOVED_TO}}
    assert seen("colosseum", "2 a1 b2 1 a1r,a2r").caption == "draw 2:2"


def test_trap() -> None:
    position = "1.../..../.x../...2 1 walk 0"
    walked = seen("trap", position, "b2")
    assert walked.cells == {(1, 1): PLAYER_1, (2, 1): TRAP, (3, 3): PLAYER_2}
    assert marks(walked) == {(0, 0): {CAME_FROM}, (1, 1): {MOVED_TO}}
    assert walked.caption == "player 1 to throw"
    aimed = seen("trap", position, "b2", "@c2")
    assert marks(aimed) == {(0, 0): {CAME_FROM}, (1, 1): {MOVED_TO}, (1, 2): {AIMED_AT}}
    assert aimed.caption == "the trap thrown at c2 is in the air"
    hit = seen("trap", position, "b2", "@c2", "!c2")
    assert marks(hit) == {(0, 0): {CAME_FROM}, (1, 1): {MOVED_TO}, (1, 2): {AIMED_AT, LANDED_ON}}
    assert hit.cells[1, 2] == TRAP
    missed = seen("trap", position, "b2", "@c4", "!c3")
    assert marks(missed) == {(0, 0): {CAME_FROM}, (1, 1): {MOVED_TO}, (3, 2): {AIMED_AT}, (2, 2): {LANDED_ON}}
    assert missed.caption == "player 2 to walk"
    back = seen("trap", position, "b2", "@a1", "!a1")
    assert marks(back) == {(0, 0): {CAME_FROM, AIMED_AT, LANDED_ON}, (1, 1): {MOVED_TO}}
    next_turn = seen("trap", position, "b2", "@c2", "!c2", "d3")
    assert marks(next_turn) == {(3, 3): {CAME_FROM}, (2, 3): {MOVED_TO}}


def test_tiles() -> None:
    before = seen("tiles", "RB/XB B 2")
    assert before.cells == {(0, 0): RED, (0, 1): BLUE, (1, 0): GAP, (1, 1): BLUE}
    assert before.caption == "player 2 (B) to move"
    after = seen("tiles", "XRBX/BRBR/RRBB/XXXX R 1", "b2")
    assert marks(after) == {(1, 1): {REMOVED}, (0, 1): {FELL}, (1, 0): {FELL}, (2, 1): {FELL}}
    assert after.cells[1, 1] == after.cells[0, 1] == GAP
    assert after.caption == "player 2 (B) to move"
