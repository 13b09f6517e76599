"""The options that all champions have: a level, a second thread, and memory for what they remember."""

from collections.abc import Mapping

from harena.errors import BadOption
from harena.search.mastery import NO_HANDICAP, Handicap

FULL_LEVEL, MOST_THREADS = 10, 2


def setting(ladder: Mapping[int, Handicap], level: int) -> str:
    """The handicaps of a level and of the one below, as a text that tells them apart from others."""
    return " - ".join(_told(ladder.get(number, NO_HANDICAP)) for number in (level, level - 1))


def _told(handicap: Handicap) -> str:
    if handicap is NO_HANDICAP:
        return "none"
    sure = "" if handicap.sure is None else f" sure {handicap.sure:g}"
    width = "" if handicap.width is None else f" best {handicap.width}"
    return f"{handicap.nodes} {handicap.noise:g}{sure}{width}"


def handicap_of(ladder: Mapping[int, Handicap], level: int, threads: int, memory: float, most: float) -> Handicap:
    """What the level of a ladder takes away, nothing at the highest; BadOption for what makes no sense."""
    if not 1 <= level <= FULL_LEVEL:
        raise BadOption(f"level is 1 to {FULL_LEVEL}, not {level}")
    if not 1 <= threads <= MOST_THREADS:
        raise BadOption(f"threads is 1 or {MOST_THREADS}, not {threads}")
    if threads > 1 and level < FULL_LEVEL:
        raise BadOption(f"a second thread is for level {FULL_LEVEL}: leave threads or level out")
    if not 1 <= memory <= most:
        raise BadOption(f"memory is 1 to {most:g} (megabytes), not {memory:g}")
    return ladder.get(level, NO_HANDICAP)
