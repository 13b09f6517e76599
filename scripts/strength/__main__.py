"""Measure the champions and write docs/strength.md.

    python scripts/strength [GAME ...] [--games 200] [--section opponents] [--match TEXT] [--alike] [--page]

Plays what is missing of the matches in docs/strength/pairings.toml, keeps the scores in docs/strength/results.json, and
writes the page and its pictures from those and from the records of what was tried (docs/strength/steps/*.csv). A run
that is interrupted goes on from its store. `--page` only writes the page; `--alike` does so too, after noting how the
champions play now, so that scores of versions that play alike still hold. With 200 games each all matches take most of
a day of one core; `--games 20` shows how it goes, and `--docs elsewhere` leaves the page of the repository alone.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from alike import alike, note
from matches import DOCS, SECTIONS, THREADS, Score, as_entry, matches, of_entry, play
from page import GAMES, write

from harena.arena.store import Store

WHAT = (
    "opponents: the courses' players, partners: of other styles, "
    "times: what more time is worth, quick: 10 ms a decision, threads: two, "
    "control: against itself"
)


def kept(results: Path) -> dict[str, Any]:
    """The scores so far, by the match's name."""
    return json.loads(results.read_text("utf-8")) if results.exists() else {}


def is_better_known(entry: dict[str, Any] | None, game: str, score: Score) -> bool:
    """Whether what is kept of a match comes from more games of a version that plays alike."""
    before = None if entry is None else of_entry(entry)[1]
    return before is not None and before.version in alike(game) and before.games > score.games


def measure(given: argparse.Namespace, results: Path) -> None:
    """Play the chosen matches, keeping each score as it is known."""
    chosen = [
        match
        for match in matches(given.games)
        if match.game in (given.names or GAMES) and given.section in (None, match.section) and given.match in match.name
    ]
    with Store(given.store) as store:
        for number, match in enumerate(chosen, 1):
            score = play(match, store, 1 if match.section == THREADS else given.concurrency)
            known = kept(results)
            if not is_better_known(known.get(match.name), match.game, score):
                known[match.name] = as_entry(match, score)
            results.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", "utf-8")
            write([of_entry(entry) for entry in known.values()], given.docs)
            said = f"{100 * score.score:.1f} % of {score.games} games"
            print(f"{number} of {len(chosen)}: {match.name}: {said}", flush=True)


def main() -> None:
    """Read the command line."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("names", nargs="*", metavar="GAME", help=f"of {', '.join(GAMES)}; else all")
    reader.add_argument("--games", type=int, default=200, help="of each match, unless the list says how many (200)")
    reader.add_argument(
        "--section",
        choices=SECTIONS,
        help=f"only these matches; {WHAT}",
    )
    reader.add_argument("--match", default="", metavar="TEXT", help="only matches whose name has this text")
    reader.add_argument("--concurrency", type=int, default=1, help="games at a time, at most one a core (1)")
    reader.add_argument("--store", default="strength.sqlite", help="where the games are kept (strength.sqlite)")
    reader.add_argument("--docs", type=Path, default=DOCS, help="where strength.md and strength/ are written (docs)")
    reader.add_argument(
        "--alike",
        action="store_true",
        help="note in docs/strength/play.csv how they play now",
    )
    reader.add_argument("--page", action="store_true", help="play nothing, write the page")
    given = reader.parse_args()
    if unknown := set(given.names) - set(GAMES):
        reader.error(f"no game {min(unknown)!r}; there are {', '.join(GAMES)}")
    results = given.docs / "strength" / "results.json"
    results.parent.mkdir(parents=True, exist_ok=True)
    if given.alike:
        for game in given.names or GAMES:
            note(game)
    if not given.page and not given.alike:
        measure(given, results)
    else:
        write([of_entry(entry) for entry in kept(results).values()], given.docs)


if __name__ == "__main__":
    main()
