"""Count the perft tables of this folder anew, with the slow reference rules only.

python tests/data/perft/generate.py [isolation colosseum trap tiles]
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
if __name__ == "__main__":
    sys.path.insert(0, str(FOLDER.parents[1]))

from reference import colosseum, isolation, tiles, trap  # noqa: E402

RULES: dict[str, Any] = {"isolation": isolation, "colosseum": colosseum, "trap": trap, "tiles": tiles}
MOST_LOOKS = {"isolation": 200_000, "colosseum": 40_000, "trap": 40_000, "tiles": 100_000}  # positions: minutes a line
MOST_SEQUENCES = 50_000_000  # the tests count them all, without leaving out what they have seen

Counts = dict[tuple[str, int], int]


def count(position: Any, depth: int, known: Counts) -> int:
    """Sequences of exactly this many plies, each position looked at only once."""
    if depth == 0:
        return 1
    key = (position.to_text(), depth)
    if key not in known:
        moves = position.moves()
        known[key] = len(moves) if depth == 1 else sum(count(position.play(move), depth - 1, known) for move in moves)
    return known[key]


def divide(position: Any, depth: int) -> dict[str, int]:
    """The same split by the first move."""
    known: Counts = {}
    return {move: count(position.play(move), depth - 1, known) for move in position.moves()}


def table(line: str) -> str:
    """The line with its counts, from depth 1 to where the next would take too long or the games end."""
    name, text, _, source = (field.strip() for field in line.split("|"))
    position, known, found = RULES[name].Reference.from_text(text), Counts(), [1]
    while 0 < found[-1] < MOST_SEQUENCES:
        before = len(known)
        found.append(count(position, len(found), known))
        growth = found[-1] / found[-2]
        if (len(known) - before) * growth > MOST_LOOKS[name] or found[-1] * growth > MOST_SEQUENCES:
            break
    counts = " ".join(f"{depth}={number}" for depth, number in enumerate(found) if depth)
    return f"{name} | {text} | {counts} | {source}"


def is_counted_here(line: str) -> bool:
    return not line.startswith("#") and line.rstrip().endswith("| reference")


def main(names: list[str]) -> None:
    """Rewrite the files of these games."""
    with ProcessPoolExecutor() as pool:
        for file in (FOLDER / f"{name}.txt" for name in names):
            lines = file.read_text("utf-8").splitlines()
            counted = pool.map(table, filter(is_counted_here, lines))
            counted_lines = [next(counted) if is_counted_here(line) else line for line in lines]
            file.write_text("\n".join(counted_lines) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:] or list(RULES))
