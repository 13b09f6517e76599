"""Users' files within the text of a heuristic or a player: how they are found there, and what is no name for one."""

import os
import re

from harena.search.reading import FILE

SPACED = rf"(?:[^\s=*(),+-][^\s=*(),+]* +)*{FILE}"  # a blank belongs to the path, but not before a minus
SIGNS = "=*(),+"  # they part a text


def trouble(text: str) -> str | None:
    """What is wrong with a text that names a file whose path has a sign in it; None if it names none that exists."""
    for end in (found.end() - 1 for found in re.finditer(r"\.py:", text)):
        path = next((text[at:end] for at in range(end) if os.path.isfile(text[at:end])), "")
        signs = [one for one in SIGNS if one in path]
        if signs:
            return f"{path}: a path here may not have {' or '.join(signs)} in it; rename it"
    return None
