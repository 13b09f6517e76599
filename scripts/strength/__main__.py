"""Measure the champions and write docs/strength.md.

    python scripts/strength [GAME ...] [--games 200] [--section opponents] [--concurrency 1] [--store FILE] [--page]

Plays what is missing of the matches in docs/strength/pairings.toml, keeps the scores in docs/strength/results.json, and
writes the page and its pictures from those and from the records of what was tried (docs/strength/steps/*.csv). A run
that is interrupted goes on from its store. `--page` only writes the page. With 200 games each all matches take most of
a day of one core; `--games 20` shows how it goes.
"""

import argparse
import json
from typing import Any

from matches import HERE, SECTIONS, THREADS, as_entry, matches, of_entry, play
from page import write

from harena.arena.store import Store

RESULTS = HERE / "results.json"


def kept() -> dict[str, Any]:
    """The scores so far, by the match's name."""
    return json.loads(RESULTS.read_text("utf-8")) if RESULTS.exists() else {}


def measure(games: list[str], number: int, section: str | None, concurrency: int, path: str | None) -> None:
    """Play the chosen matches, keeping each score as it is known."""
    with Store(path) as store:
        for match in matches(number):
            if (games and match.game not in games) or section not in (None, match.section):
                continue
            score = play(match, store, 1 if match.section == THREADS else concurrency)
            entry = as_entry(match, score)
            RESULTS.write_text(json.dumps(kept() | {match.name: entry}, indent=1, sort_keys=True) + "\n", "utf-8")
            print(f"{match.name}: {100 * score.score:.1f} % of {score.games} games", flush=True)


def main() -> None:
    """Read the command line."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("names", nargs="*", metavar="GAME")
    reader.add_argument("--games", type=int, default=200)
    reader.add_argument("--section", choices=SECTIONS)
    reader.add_argument("--concurrency", type=int, default=1)
    reader.add_argument("--store", default="strength.sqlite")
    reader.add_argument("--page", action="store_true")
    given = reader.parse_args()
    if not given.page:
        measure(given.names, given.games, given.section, given.concurrency, given.store)
    write([of_entry(entry) for entry in kept().values()])


if __name__ == "__main__":
    main()
