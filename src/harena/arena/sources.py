"""The files that agents are made of: a run does not go on with others than it began with.

What a run has kept of them also tells whether an agent of one text was the same in two runs.
"""

import os
from collections.abc import Iterable, Mapping
from typing import Any

from harena.agents.environments import typed_places
from harena.agents.launch import WALL_LESS
from harena.agents.spec import AgentSpec, parse_agent
from harena.errors import BadFile, UsageError, printable
from harena.kernel.beside import GAME, game_files
from harena.kernel.trusted import (
    digest_of,
    is_trusted,
    is_trusted_agent,
    is_trusted_interpreter,
    quoted,
    together,
    typed_game,
)

MOST_NAMED = 8  # agents' files that a command names one by one; of more only their folders
WHOLE = "all of "  # before the text of an agent or a game: a digest of its files together, among those of the files


def sources(game: str, agents: Iterable[str]) -> dict[str, str]:
    """A digest of every file that a game and these agents name, by its path; of what cannot be read an empty one.

    And one of all files of each together: which of them were whose is not to be found out later.
    """
    parts = {game: game_files(game)} | {text: list(dict.fromkeys(parse_agent(text).files())) for text in agents}
    digests = {path: digest_of(path) for files in parts.values() for path in files}
    wholes = {text: together((path, digests[path]) for path in files) for text, files in parts.items() if files}
    return digests | {WHOLE + text: digest for text, digest in wholes.items()}


def whole_digests(game: str, agents: Iterable[str] = ()) -> dict[str, str]:
    """Of a game and of agents that are made of files one digest of all their files, by text: what a record keeps."""
    return {key.removeprefix(WHOLE): digest for key, digest in sources(game, agents).items() if key.startswith(WHOLE)}


def check_unchanged(name: str, before: Mapping[str, str], now: Mapping[str, str]) -> None:
    """UsageError if the files of a run, `sources` now, are not those that it has kept; a missing one is not named."""
    for path, digest in now.items():
        if path.startswith(WHOLE) or not digest:  # that it is gone is said elsewhere
            continue
        if path not in before:
            raise UsageError(f"run {name} has kept no digest of {printable(path)}: begin a new one")
        if before[path] != digest:
            raise UsageError(
                f"{printable(path)} has changed since run {name} began: begin a new one, whose games belong together"
            )


# What a run that is stored would load


def texts_of(spec: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The game and the agents of a stored run, as its description names them; the agent that it tunes, too."""
    contest = spec.get("spec")
    if not isinstance(contest, Mapping):
        return "", []
    agents = [*(contest.get("agents") or ()), *filter(None, [spec.get("template")])]
    return str(contest.get("game", "")), list(map(str, agents))


def stored_agents(spec: Mapping[str, Any]) -> list[AgentSpec]:
    """The agents of a stored run."""
    return list(map(parse_agent, texts_of(spec)[1]))


def choice_without_walls(spec: Mapping[str, Any]) -> str:
    """The `--sandbox` of a stored run whose agents have no walls by it; empty if they have, or need none."""
    contest = spec.get("spec")
    choice = str(contest.get("sandbox", "auto")) if isinstance(contest, Mapping) else ""
    is_walled = choice.partition(",")[0] not in WALL_LESS
    return "" if is_walled or not any(agent.walled_paths() for agent in stored_agents(spec)) else choice


def file_options(spec: Mapping[str, Any]) -> str:
    """The options that `harena resume` wants for a stored run, ready to be pasted in any folder: files, no walls."""
    game, agents = texts_of(spec)[0], stored_agents(spec)
    contest = spec.get("spec")
    here = str(contest.get("folder") or os.getcwd()) if isinstance(contest, Mapping) else ""
    own = GAME.match(game)
    games = [own[0]] if own else [game] if ":" in game else []
    files = list(dict.fromkeys(path for agent in agents for path in agent.walled_paths()))
    if len(files) > MOST_NAMED:
        files = list(dict.fromkeys(os.path.dirname(path) or "." for path in files))
    named = [("--game", path if own is None else os.path.join(here, path)) for path in games]
    code = dict.fromkeys(name for agent in agents for name in agent.unwalled_code())
    named += [("--agent", os.path.join(here, path)) for path in (*files, *code)]
    named += [("--python", path) for path in _interpreters(contest)]
    named += [("--sandbox", choice) for choice in [choice_without_walls(spec)] if choice]
    named += [(f"--{key}", str(spec[key])) for key in ("plot", "csv") if spec.get(key)]
    return "".join(f" {option} {quoted(path)}" for option, path in named)


def _interpreters(contest: Any) -> list[str]:
    """The interpreters that a stored contest was given by their paths."""
    environments = contest.get("environments") if isinstance(contest, Mapping) else None
    return typed_places(environments) if isinstance(environments, Mapping) else []


def typed_agent(text: str) -> tuple[list[str], list[str]]:
    """What a user means by `--agent`: code that runs without walls, and files and folders of agents behind walls.

    A path stands for the second only: what runs without walls is typed as its text has it, `file.py:Name`.
    """
    if os.path.exists(text):
        return [], [text]
    agent = parse_agent(text)
    for path in agent.paths() or [text]:
        if not os.path.exists(path):
            raise BadFile(f"{path}: there is no such file or folder")
    return agent.unwalled_code(), agent.walled_paths()


def untyped_files(spec: Mapping[str, Any]) -> list[str]:
    """What a stored run would load or start though the user has not typed it; paths begin at the present folder."""
    game, agents = texts_of(spec)
    modules = [game] if GAME.match(game) is None and ":" in game and typed_game(game, None) is None else []
    interpreters = [path for path in _interpreters(spec.get("spec")) if not is_trusted_interpreter(path)]
    return modules + untyped_code(game, agents) + interpreters


def untyped_code(game: str, agents: Iterable[str]) -> list[str]:
    """What a game in a file and these agents would load or start though the user has not typed it."""
    own, parsed = GAME.match(game), list(map(parse_agent, agents))
    code = [*([own[0]] if own else []), *(name for agent in parsed for name in agent.unwalled_code())]
    files = [path for agent in parsed for path in agent.walled_paths()]
    return list(
        dict.fromkeys(
            [
                *(f"{name} (without a sandbox)" for name in code if not is_trusted(name)),
                *(path for path in files if not is_trusted_agent(path)),
            ]
        )
    )


def version(text: str, folder: str, kept: Mapping[str, str], others: Iterable[str] = ()) -> str | None:
    """What tells an agent from others of its text: a digest of its files, of those that a run begun in a folder kept.

    Nothing of a player that is made of no files; None where they were not kept. Of a run that does not say which were
    whose, all count that none of the `others` (its game and agents) names. What lies on the disk now plays no part.
    """
    paths = parse_agent(text).possible_paths()
    return _version(text, paths, folder, kept, others) if paths else ""


def rules_version(game: str, folder: str, kept: Mapping[str, str], others: Iterable[str] = ()) -> str | None:
    """The same of a game of one's own; nothing of any other."""
    own = GAME.match(game)
    return _version(game, [own[0]], folder, kept, others) if own else ""


def _version(
    text: str, named: Iterable[str], folder: str, kept: Mapping[str, str], others: Iterable[str]
) -> str | None:
    if WHOLE + text in kept:
        return kept[WHOLE + text]
    places = {path: os.path.realpath(os.path.join(folder, path)) for path in kept if not path.startswith(WHOLE)}
    own = _within(places, named, folder)
    different = (parse_agent(other) for other in others if other != text)  # a game's text names its file as an agent's
    taken = _within(places, (path for agent in different for path in agent.possible_paths()), folder)
    return together((path, kept[path]) for path in places if path in own or path not in taken) if own else None


def _within(places: Mapping[str, str], named: Iterable[str], folder: str) -> set[str]:
    """Those of these files that are named, or lie in a folder that is."""
    roots = [os.path.realpath(os.path.join(folder, path)) for path in named]
    return {path for path, whole in places.items() if any((whole + os.sep).startswith(root + os.sep) for root in roots)}
