"""`harena show`: a position as a board."""

import shutil
from pathlib import Path
from typing import Any

from harena.cli.compiling import announced
from harena.cli.start import explained_board, find_state
from harena.errors import UsageError
from harena.kernel import patience
from harena.render import svg


def show_position(name: str, options: dict[str, Any], seed: int, position: str | None, svg_file: str | None) -> None:
    """Print the board, the position's text and the legal moves; write an SVG file on request."""
    with announced():
        lines = patience.run(_lines, name, options, seed, position, svg_file)
    print("\n".join(lines))


def _lines(name: str, options: dict[str, Any], seed: int, position: str | None, svg_file: str | None) -> list[str]:
    state = find_state(name, options, seed, position)
    picture = state.picture
    lines = [explained_board(state) if picture else state.caption, "", f"position: {state.text}"]
    if chances := state.chances():
        lines.append(_listed("outcome", [f"{move} {chance:.4g}" for move, chance in chances]))
    elif moves := state.moves():
        lines.append(_listed("move", [str(move) for move in moves]))
    if svg_file is not None:
        if picture is None:
            raise UsageError(f"{state.game.name} draws no board: its Face has no picture")
        try:
            Path(svg_file).write_text(svg.draw(picture), "utf-8")
        except OSError as error:
            raise UsageError(f"{svg_file!r} cannot be written: {error.strerror}") from None
        lines.append(f"wrote {svg_file}")
    return lines


def _listed(what: str, items: list[str]) -> str:
    """`3 moves: a1 b2 c3`, broken between items where the terminal ends."""
    width = min(shutil.get_terminal_size().columns, 100)
    between = "  " if any(" " in item for item in items) else " "
    lines = [f"{len(items)} {what}{'s' if len(items) != 1 else ''}:"]
    for item in items:
        gap = " " if lines[-1].endswith(":") else between
        if len(lines[-1]) + len(gap) + len(item) > width:
            lines.append("  " + item)
        else:
            lines[-1] += gap + item
    return "\n".join(lines)
