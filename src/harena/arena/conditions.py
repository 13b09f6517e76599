"""The conditions of a contest, from the options of a command to a specification, and in words."""

import os
import re
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from harena import find
from harena.agents.clocks import parse_clock
from harena.agents.environments import environments_for, versions_text
from harena.agents.fault import CPU
from harena.agents.launch import UNWALLED
from harena.agents.python_object import is_object_text
from harena.agents.spec import parse_agent
from harena.api import Game
from harena.arena import words
from harena.arena.contest import BUDGETED, USUAL, Spec
from harena.arena.sources import sources
from harena.errors import BadFile, BadOption, HarenaError, UsageError
from harena.kernel.beside import game_files
from harena.sandbox.walls import has_walls, parse_choice
from harena.search.result import Limits

DEFAULT_SETUPS = {"isolation": "random-placements", "tiles": "random"}  # starts that differ from pair to pair
SECRET = 48  # bits of a seed that no agent can find by trying


def spec_of(
    game: str,
    agents: list[str],
    limits: Limits,
    *,
    sizes: str | None = None,
    setup: str | None = None,
    clock: str | None = None,
    memory: float | None = None,
    openings: str | None = None,
    walls: str = "auto",
    seed: int | None = None,
    python: str | None = None,
    **others: Any,
) -> Spec:
    """What decides how the games are played; a limit that is given wins over the clock's.

    Without a seed it is 0, or random if an external agent takes part: one that knew the seed could predict the dice.
    `python` names the Python that hosts course agents, as `--python` does.
    """
    parse_choice(walls)
    found, kind = parse_clock(clock)
    parsed = list(map(parse_agent, agents))
    for agent in parsed:
        agent.check_walls(walls)
    given = {key: value for key, value in vars(limits).items() if value is not None}
    timed: dict[str, Any] = {}
    if found is not None:
        own = {"seconds": found.seconds, "iterations": found.iterations}
        given = {key: value for key, value in own.items() if value is not None} | given
        timed = {"first": found.first, "by_turn": found.by_turn}
        memory = memory or found.memory
    variants = [variant(game, size, setup) for size in sizes_of(sizes)]
    starts = openings_of(openings, [find.game(game, **one) for one in variants] if openings else [])
    return Spec(
        game=game,
        variants=variants,
        agents=agents,
        limits=given,
        memory=memory,
        clock=kind,
        openings=starts,
        sandbox=walls,
        folder=os.getcwd(),
        sources=sources(game, agents),
        environments=environments_for(parsed, python),
        seed=seed if seed is not None else 0 if all(agent.is_trusted for agent in parsed) else secrets.randbits(SECRET),
        **timed,
        **others,
    )


def check_local(spec: Spec) -> None:
    """Whether all this can be played in one process."""
    if not spec.local:
        return
    if "seconds" in spec.limits:
        raise UsageError("--local is for budgets of nodes, iterations or depth: a clock needs processes of their own")
    if spec.memory is not None:
        raise UsageError("--local has no limit of memory: that needs processes of their own")
    for agent in spec.agent_specs():
        if not agent.is_trusted:
            raise UsageError(f"--local is for players of ours: {agent.text} needs a process of its own")


def pairs_of(games: int) -> int:
    """Games come in pairs."""
    if games < 2 or games % 2:
        raise BadOption(f"games come in pairs with seats swapped: an even number from 2 on, not {games}")
    return games // 2


def openings_of(file: str | None, games: Sequence[Game] = ()) -> list[str] | None:
    """The start positions of a file, one a line, each of one of these games; the pairs take turns with them."""
    if file is None:
        return None
    try:
        lines = Path(file).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{file}: cannot be read: {getattr(error, 'strerror', None) or 'it is no text'}") from None
    found = {number: line.strip() for number, line in enumerate(lines, 1) if line.strip() and line.lstrip()[0] != "#"}
    if not found:
        raise BadFile(f"{file}: there is no position in it; one a line, as `harena show` prints them")
    for number, text in found.items():
        trouble = [_trouble(game, text) for game in games]
        if trouble and all(trouble):
            raise BadFile(f"{file}, line {number}: {trouble[0]}")
    return list(found.values())


def _trouble(game: Game, text: str) -> str:
    """What is wrong with a start position, if anything is."""
    try:
        return "there the game is over" if game.position(text).is_over else ""
    except HarenaError as error:
        return str(error)


def sizes_of(text: str | None) -> list[str | None]:
    """`6-12` as a list of sizes; one size, or none, as a list of one."""
    if text is None:
        return [None]
    if typed := re.fullmatch(r"(\d+)\s*(?:\.{2,3}|:|–|to|,)\s*(\d+)", text.strip()):
        raise BadOption(f"--size {text!r}: write a range of sizes as {typed[1]}-{typed[2]}")
    first, dash, last = text.partition("-")
    if not dash:
        return [text]
    if not (first.isdecimal() and last.isdecimal() and int(first) <= int(last)):
        raise BadOption(f"--size is a size or a range like 6-12, not {text!r}")
    return [str(size) for size in range(int(first), int(last) + 1)]


def sizes_text(sizes: Sequence[str]) -> str:
    """Sizes as people write them: those that follow each other as `6-12`."""
    first = sizes[0]
    follow = [str(size) for size in range(int(first), int(first) + len(sizes))] if first.isdecimal() else []
    return f"{first}-{sizes[-1]}" if len(sizes) > 1 and sizes == follow else " ".join(sizes)


def variant(game: str, size: str | None, setup: str | None) -> dict[str, Any]:
    """The options of a game; starts differ from pair to pair where the game has such a set-up."""
    chosen = setup or DEFAULT_SETUPS.get(game)
    return {key: value for key, value in (("size", size), ("setup", chosen)) if value is not None}


def conditions(spec: Spec, *, seed: bool = True) -> str:
    """How games are played, on a line; without the seed where nobody is to know it."""
    limits = limits_of(spec)
    turn = " for a whole turn" if spec.by_turn else ""
    clock = ["CPU clock"] if spec.clock == CPU else []
    first = f", {spec.first:g} s for the first move" if spec.first else ""
    longest = f", at most {spec.longest:g} s a move" if spec.longest else ""
    where = "in one process" if spec.local else f"{processes_of(spec)}, margin {1000 * spec.margin:.0f} ms"
    memory = [said] if spec.memory and (said := f"{spec.memory:g} MB") not in limits else []
    walls = sandboxes(spec)
    options = [f"{key} {value}" for key, value in options_of(spec)]
    drawn = [f"seed {spec.seed}"] if seed else []
    hosts = [f"agents in {text}" for text in environments_text(spec)]
    return ", ".join([f"{limits}{turn}{first}{longest}", *clock, where, *memory, *walls, *hosts, *options, *drawn])


def environments_text(spec: Spec) -> list[str]:
    """The versions of the environments that host course agents; with the course where these differ."""
    texts = {course: versions_text(one.get("versions")) for course, one in spec.environments.items()}
    if len(set(texts.values())) < 2:
        return list(texts.values())[:1]
    return [f"{text} for {course}" for course, text in texts.items()]


def processes_of(spec: Spec) -> str:
    """How often agents are started."""
    if spec.fresh:
        return "a fresh process for every game"
    return "one process for all games" if spec.levels else "processes of their own"


def limits_of(spec: Spec) -> str:
    """The limits of a move: the contest's, else those of the courses whose agents play, else the agents' own."""
    return (words.limits(spec.limits) or _course_limits(spec) or "the agents' own limits") + _of_programs(spec)


def _course_limits(spec: Spec) -> str:
    """The clocks of the courses whose agents play, where the contest sets none."""
    clocks = {agent.clock.about for agent in spec.agent_specs() if agent.clock is not None}
    return "; ".join(sorted(clocks))


def _of_programs(spec: Spec) -> str:
    """The time of agents that are programs, where the contest sets none: they alone would have no end."""
    if spec.longest or "seconds" in spec.limits or not any(agent.is_program for agent in spec.agent_specs()):
        return ""
    return f", programs at most {BUDGETED:g} s a move" if spec.limits else f", programs {USUAL:g} s a move"


def levels(spec: Spec) -> dict[str, str]:
    """The walls around each external agent; `none` around a user's own search or heuristic.

    What was asked for, where this system has no walls: the games were played on another.
    """
    agents = spec.agent_specs()
    if not has_walls():
        own = {agent.text: UNWALLED for agent in agents if agent.unwalled_files()}
        return own | {agent.text: spec.sandbox for agent in agents if not agent.is_trusted}
    return {agent.text: level for agent in agents if (level := agent.sandbox_level(spec.sandbox))}


def sandboxes(spec: Spec) -> list[str]:
    """The walls of a contest, in words: each level, and every file whose code runs without any."""
    walls = [f"sandbox {level}" for level in sorted({*levels(spec).values()} - {UNWALLED})]
    files = [*game_files(spec.game)[:1], *(path for agent in spec.agent_specs() for path in agent.unwalled_files())]
    objects = [f"{text} plays in the calling process without a sandbox" for text in spec.agents if is_object_text(text)]
    return walls + [f"{name} runs without a sandbox" for name in dict.fromkeys(map(os.path.basename, files))] + objects


def options_of(spec: Spec) -> Iterator[tuple[str, str]]:
    """Sizes and set-ups, where they are not the game's own."""
    if spec.openings:
        yield "openings", f"{len(spec.openings)} of a file"
    for key in ("size",) if spec.openings else ("size", "setup"):
        values = list(dict.fromkeys(str(one[key]) for one in spec.variants if key in one))
        if values:
            yield key, sizes_text(values) if key == "size" else " ".join(values)
