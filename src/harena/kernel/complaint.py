"""Numba's page-long error, boiled down to one line that names the file and the line of the code at fault."""

import re
from pathlib import Path

from harena.errors import CompileError

PACKAGE = str(Path(__file__).parent.parent)
PLACE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+):')
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
NOISE = re.compile(
    r"^(Failed in nopython mode pipeline|During:|File |There are \d+ candidate|- Of which|Overload |With argument|"
    r"Rejected as|This error|<source|Use of unsupported|raised from|\* |>>>|-+$|\^)"
)


def complaint(kernel: str, error: Exception) -> CompileError:
    """The exception to raise instead of Numba's own."""
    text = COLOUR.sub("", str(error))
    places = list(PLACE.finditer(text))
    if not places:
        return CompileError(f"cannot compile {kernel}: {_reason(text)}")
    foreign = [place for place in places if _is_users(place["file"])]
    place = (foreign or places)[-1]
    return CompileError(f"{place['file']}:{place['line']}: cannot be compiled: {_reason(text[: place.start()])}")


def _is_users(file: str) -> bool:
    return not file.startswith((PACKAGE, "<")) and "site-packages" not in file


def _reason(text: str) -> str:
    """The last line before the place that says something."""
    lines = [line.strip().rstrip(":") for line in text.splitlines()]
    telling = [line for line in lines if line and not NOISE.match(line)]
    return telling[-1] if telling else "Numba does not say why"
