"""`harena show`: a position as a board."""

from pathlib import Path
from textwrap import fill
from typing import Any

from harena.cli.start import board, find_state
from harena.errors import UsageError
from harena.render import svg


def show_position(name: str, options: dict[str, Any], seed: int, position: str | None, svg_file: str | None) -> None:
    """Print the board, the position's text and the legal moves; write an SVG file on request."""
    state = find_state(name, options, seed, position)
    if svg_file is not None:
        picture = state.picture
        if picture is None:
            raise UsageError(f"{state.game.name} draws no board: its Face has no picture")
        try:
            Path(svg_file).write_text(svg.draw(picture), "utf-8")
        except OSError as error:
            raise UsageError(f"{svg_file}: cannot be written: {error.strerror}") from None
    print(board(state))
    print(f"\nposition: {state.text}")
    if chances := state.chances():
        listed = "  ".join(f"{move} {chance:.4g}" for move, chance in chances)
        print(fill(f"{len(chances)} outcomes: {listed}", 100, subsequent_indent="  ", break_on_hyphens=False))
    elif moves := state.moves():
        print(fill(f"{len(moves)} moves: {' '.join(map(str, moves))}", 100, subsequent_indent="  "))
