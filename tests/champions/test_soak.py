"""Long runs of the champions, for `make soak`: thousands of games at tight limits, more games at once than cores."""

import threading
from collections import Counter

import pytest

from harena.arena.contest import Contest, Spec
from harena.arena.slot import Slot
from harena.termination import Termination

GAMES = {"isolation": 1500, "colosseum": 1000, "trap": 1000, "tiles": 1500}  # 5,000 in all
VARIANTS: dict[str, list[dict[str, int | str]]] = {  # pairs take turns with them
    "isolation": [{"setup": "random-placements"}],
    "colosseum": [{"size": 8}, {"size": 12}],
    "trap": [{}],
    "tiles": [{"size": 8, "setup": "random"}, {"size": 10, "setup": "random"}],
}
SECONDS, AT_ONCE = 0.01, 3


@pytest.mark.soak
@pytest.mark.parametrize("name", sorted(GAMES))
def test_no_champion_ever_overruns(name: str) -> None:
    spec = Spec(
        game=name,
        variants=VARIANTS[name],
        agents=["champion", "champion(level=9)"],
        limits={"seconds": SECONDS},
        margin=0.05,
    )
    slots = [Slot(a=0, b=1, pair=number // 2, swapped=bool(number % 2)) for number in range(GAMES[name])]
    ends = Counter(record.reason for _, record in Contest(spec).run(slots, AT_ONCE, threading.Event()))
    assert ends == {Termination.RULES: GAMES[name]}  # whatever overran, the machine's own stalls explained
