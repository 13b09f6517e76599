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


def drawn(name: str) -> str:
    state, rng = harena.game(name, size=SIZES.get(name)).initial(3), harena.generator(SEEDS.get(name, 3))
    for _ in range(PLIES[name]):
        state = state.play(state.random_move(rng))
    picture = state.picture
    assert picture is not None
    return svg.draw(replace(picture, caption=""))


@pytest.mark.parametrize("name", PLIES)
def test_the_pictures_are_those_of_our_own_drawing(name: str) -> None:
    assert (FOLDER / f"{name}.svg").read_text("utf-8") == drawn(name)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for one in PLIES:
        (FOLDER / f"{one}.svg").write_text(drawn(one), "utf-8")
