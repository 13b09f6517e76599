"""Write the golden sessions of the command line anew; look at the difference before you keep it.

python tests/cli/golden/regenerate.py [NAME ...]
"""

import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def main(names: list[str]) -> None:
    """Write a file for each session, or for these."""
    from cli.snapshots import SESSIONS, session

    if not names:
        for file in FOLDER.glob("*.txt"):
            file.unlink()
    for name in names or SESSIONS:
        (FOLDER / f"{name}.txt").write_text(session(name), "utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(FOLDER.parents[1]))
    main(sys.argv[1:])
