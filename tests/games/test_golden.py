"""Golden playthroughs: what a seed gives is the same game for ever. To change them: golden/regenerate.py."""

from pathlib import Path

from games.golden.regenerate import FOLDER, SEED
from games.support import VARIANTS, Options, every_variant, label
from games.transcript import play_out, transcript


@every_variant
def test_the_game_is_played_as_it_was(name: str, options: Options) -> None:
    golden = Path(FOLDER, f"{label((name, options))}.txt").read_text("utf-8")
    assert transcript(play_out(name, options, SEED)).splitlines() == golden.splitlines()


def test_no_file_is_left_over() -> None:
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(map(label, VARIANTS))
