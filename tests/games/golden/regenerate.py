"""Write the golden playthroughs anew; look at the difference before you keep it.

python tests/games/golden/regenerate.py
"""

import sys
from pathlib import Path

FOLDER = Path(__file__).parent
SEED = 1


def main() -> None:
    """Write one file for each variant."""
    from games.support import VARIANTS, label
    from games.transcript import play_out, transcript

    for file in FOLDER.glob("*.txt"):
        file.unlink()
    for variant in VARIANTS:
        Path(FOLDER, f"{label(variant)}.txt").write_text(transcript(play_out(*variant, SEED)), "utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(FOLDER.parents[1]))
    main()
