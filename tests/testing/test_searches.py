"""`check_search` passes good searches, ours and the examples', and notices each way to be a bad one."""

import time
from pathlib import Path

import pytest

import harena
from harena.testing import SearchBroken, check_search

EXAMPLES = Path(__file__).parents[2] / "examples"
FORCED, FLAT = EXAMPLES / "my_algorithm.py", EXAMPLES / "my_search.py"
SMALL = harena.game("isolation", size=4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "game", "like"),
    [
        (f"{FLAT}:Flat(c=2)", SMALL, None),
        (f"{FORCED}:Forced(free=0, heuristic=improved)", SMALL, None),
        (f"{FORCED}:Forced(free=6, heuristic=improved, depth=1)", SMALL, ""),
        (f"{FORCED}:Forced(free=0, heuristic=improved)", harena.game("trap", size=4), None),
        ("id(heuristic=improved)", SMALL, "minimax(heuristic=improved)"),
        ("star(heuristic=improved)", harena.game("trap", size=4), None),
        ("mcts", SMALL, None),
        ("hard", harena.game("trap", size=4), None),
        ("random", harena.game("tiles"), None),
        ("champion", harena.game("tiles"), None),
    ],
)
def test_good_searches_pass(text: str, game: harena.Game, like: str | None) -> None:
    assert check_search(text, game, like=like, positions=4) == 4


# An algorithm that is compiled: alpha-beta with one mistake each

MISTAKES = {
    "its value is .* window": ("windows: bool = True", "windows: bool = False"),  # it cuts all the same
    "worth": ("if alpha >= beta:", "if alpha + 1 >= beta:"),  # cuts what could still matter
    "worth .* by minimax": ("return leaf_value(heuristic, state, me)", "return leaf_value(heuristic, state, 1 - me)"),
    "with the window": (
        "        if alpha >= beta:\n",  # a bound that says more than it knows
        "        if alpha >= beta:\n            best = 2 * WIN if who == me else -2 * WIN\n",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("message", "change"), MISTAKES.items(), ids=MISTAKES)
def test_a_wrong_algorithm_is_noticed(message: str, change: tuple[str, str], tmp_path: Path) -> None:
    source = FORCED.read_text("utf-8")
    assert source.count(change[0]) == 1
    (tmp_path / "wrong.py").write_text(source.replace(*change), "utf-8")
    with pytest.raises(SearchBroken, match=message):
        check_search(f"{tmp_path / 'wrong.py'}:Forced(free=0, heuristic=improved)", SMALL, positions=8)


def test_another_tree_is_told_from_that_of_minimax() -> None:
    with pytest.raises(SearchBroken, match=r"at depth \d it is worth \S+, and \S+ by minimax \(in "):
        check_search(f"{FORCED}:Forced(free=6, heuristic=improved)", SMALL, positions=8)


# In plain Python

BAD = {
    "which is no legal move": "return 99",
    "cannot be played": "return Result(move=moves[0], line=(moves[0], moves[0]))",
    "does not begin with the move": "return Result(move=moves[0], line=(moves[-1],))",
    "a move twice": "return Result(move=moves[0], root=(RootMove(move=moves[0]), RootMove(move=moves[0])))",
    "two results": "return random.choice(moves)",
    "ZeroDivisionError": "return 1 // 0",
    "says that it used 1000": "return Result(move=moves[0], iterations=1000)",
    "with a limit of 0.2 s it took": "time.sleep(0.5 if limits.seconds == 0.2 else 0); return moves[0]",
    "told to stop by turn.flag it went on": "time.sleep(2.5 if limits.seconds == 6 else 0); return moves[0]",
}


@pytest.mark.parametrize(("message", "answer"), BAD.items(), ids=BAD)
def test_a_bad_search_is_noticed(message: str, answer: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text(
        "import random, time\nfrom harena import Result, RootMove\n\n\n"
        "class Bad:\n    def run(self, state, limits, turn):\n"
        f"        moves = state.moves()\n        {answer}\n",
        "utf-8",
    )
    with pytest.raises(SearchBroken, match=message):
        check_search(f"{file}:Bad", "isolation", positions=4)


def test_a_search_in_python_may_be_held_against_another(tmp_path: Path) -> None:
    """One move ahead by the number of my moves: depth 1 of minimax, and no more than that."""
    file = tmp_path / "near.py"
    file.write_text(
        """
from harena import Result
from harena.heuristics.features import mobility


class Near:
    bounded_by = ("depth",)

    def run(self, state, limits, turn):
        worth = {move: self.worth(state.play(move), state.mover) for move in state.moves()}
        best = max(worth, key=worth.get)
        return Result(move=best, value=worth[best])

    def worth(self, after, me):
        return 10_000 * (1 if after.outcome.winner == me else -1) if after.is_over else mobility(after.value, me)
""",
        "utf-8",
    )
    text, like = f"{file}:Near", "minimax(heuristic=open)"
    begin = time.perf_counter()
    assert check_search(text, SMALL, like=like, depth=1) == 6
    assert time.perf_counter() - begin < 60
    with pytest.raises(SearchBroken, match="at depth 2 it is worth"):
        check_search(text, SMALL, like=like, depth=2)
