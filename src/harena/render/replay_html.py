"""A game as a small player for a notebook: one drawing a position, and a slider."""

from collections.abc import Sequence
from html import escape
from itertools import count

_NUMBERS = count(1)  # players on one page must not share names
STEP = "for (const f of this.parentNode.querySelectorAll('[data-ply]')) f.hidden = f.dataset.ply != this.value"


def replay_html(title: str, drawings: Sequence[str], captions: Sequence[str]) -> str:
    """The player; it begins with the last position. Without scripts that position is all there is to see."""
    last, name = len(drawings) - 1, f"harena-replay-{next(_NUMBERS)}"
    frames = [
        f'<figure data-ply="{ply}"{"" if ply == last else " hidden"}>{drawing}'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
        for ply, (drawing, caption) in enumerate(zip(drawings, captions, strict=True))
    ]
    slider = f'<input type="range" min="0" max="{last}" value="{last}" aria-label="ply" oninput="{STEP}">'
    return f'<div id="{name}"><p>{escape(title)}</p>{slider}{"".join(frames)}</div>'
