"""The pictures of the front page: games in their middle, as our own drawing has them.

`python tests/web/test_previews.py` draws them anew.
"""

from dataclasses import replace
from pathlib import Path

import pytest

import harena
import harena.web
from harena.render import svg

FOLDER = Path(harena.web.__file__).parent / "static" / "previews"
PLIES = {"trap": 30, "colosseum": 8, "isolation": 16, "tiles": 12}  # after which a game shows what it is
SEEDS = {"isolation": 8}
SIZES = {"colosseum": 7, "tiles": 7}
DARK = {  # the colours of static/style.css at night
    "panel": "fill: #2e271e; stroke: #8a6d3f",
    "cell": "fill: #453b2f; stroke: #5d4f3e",
    "border": "stroke: #8a6d3f",
    "label": "fill: #d9c49a",
    "wall": "stroke: #fbf0d8",
    "blocked": "fill: #1d1812",
    "hatch": "stroke: #5d4f3e",
    "gap": "fill: #14110d; stroke: #5d4f3e; stroke-width: 1.5",
    "trap": "fill: #0d0b08; stroke: #b99b64; stroke-width: 1.5",
    "teeth": "fill: #d9c49a",
    "red": "fill: #f2765a",
    "red-edge": "fill: #a8331c",
    "blue": "fill: #5fa0ea",
    "blue-edge": "fill: #25598f",
    "letter": "fill: #1d0f0a",
    "inlay": "stroke: #1d0f0a",
    "player-1": "stroke: #ffe0a3",
    "player-2": "fill: #a680ea; stroke: #e9dcff",
    "number-2": "fill: #1c0b36",
    "came-from": "fill: #7cc3d0; stroke: #7cc3d0",
    "moved-to": "fill: #7cc3d0; stroke: #7cc3d0",
    "path": "stroke: #7cc3d0",
    "head": "fill: #7cc3d0",
    "aimed-at": "stroke: #ff8468",
    "flight": "stroke: #f3e8d0",
    "flight-halo": "stroke: #453b2f",
    "aim-halo": "stroke: #453b2f",
}
RULES = "".join(f".harena .{name} {{ {style} }}\n" for name, style in DARK.items())
NIGHT = f"@media (prefers-color-scheme: dark) {{\n{RULES}}}\n"


def drawn(name: str) -> str:
    state, rng = harena.game(name, size=SIZES.get(name)).initial(3), harena.generator(SEEDS.get(name, 3))
    for _ in range(PLIES[name]):
        state = state.play(state.random_move(rng))
    picture = state.picture
    assert picture is not None
    return svg.draw(replace(picture, caption="")).replace("</style>", f"{NIGHT}</style>")


@pytest.mark.parametrize("name", PLIES)
def test_the_pictures_are_those_of_our_own_drawing(name: str) -> None:
    assert (FOLDER / f"{name}.svg").read_text("utf-8") == drawn(name)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for one in PLIES:
        (FOLDER / f"{one}.svg").write_text(drawn(one), "utf-8")
