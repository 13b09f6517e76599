"""Harena: one arena for two-player adversarial-search board games, in Python at native speed.

The public names; each is loaded when it is first used, so that a bare command does not wait for the compiler.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harena.agents.analyse import Analysis, analyse
    from harena.agents.analysis import solve
    from harena.agents.player import Player
    from harena.agents.spec import player
    from harena.api import Game, Move, Outcome, State
    from harena.arena.judgement import Review
    from harena.arena.reading import StoredGame, games_in, runs_in
    from harena.arena.runs.api import match, resume, sweep, tournament, tune
    from harena.arena.runs.results import MatchResult, RunResult, SweepResult, TournamentResult, TuneResult
    from harena.arena.runs.run import Run
    from harena.arena.runs.runner import AgentsReady, Decided, Event, GameFinished, GameStarted, Progress, Stopped
    from harena.arena.runs.start import start_match, start_sweep, start_tournament, start_tune
    from harena.arena.stored_review import review
    from harena.contract import CHANCE, DRAW, FIRST, RUNNING, SECOND
    from harena.courses.check_agent import CheckResult, check
    from harena.errors import BadFile, BadOption, BadText, CompileError, HarenaError, IllegalMove, UnknownName
    from harena.find import game, trust_game
    from harena.games.catalogue import CATALOGUE, Entry
    from harena.games.face import Face
    from harena.games.picture import Picture
    from harena.grading import GradeResult, grade
    from harena.kernel.rng import generator
    from harena.search.result import Limits, Result, RootMove
    from harena.search.solver import Solution

__version__ = "0.2.0.dev0"

__all__ = [
    "CATALOGUE",
    "CHANCE",
    "DRAW",
    "FIRST",
    "RUNNING",
    "SECOND",
    "AgentsReady",
    "Analysis",
    "BadFile",
    "BadOption",
    "BadText",
    "CheckResult",
    "CompileError",
    "Decided",
    "Entry",
    "Event",
    "Face",
    "Game",
    "GameFinished",
    "GameStarted",
    "GradeResult",
    "HarenaError",
    "IllegalMove",
    "Limits",
    "MatchResult",
    "Move",
    "Outcome",
    "Picture",
    "Player",
    "Progress",
    "Result",
    "Review",
    "RootMove",
    "Run",
    "RunResult",
    "Solution",
    "State",
    "Stopped",
    "StoredGame",
    "SweepResult",
    "TournamentResult",
    "TuneResult",
    "UnknownName",
    "analyse",
    "check",
    "game",
    "games_in",
    "generator",
    "grade",
    "match",
    "player",
    "resume",
    "review",
    "runs_in",
    "solve",
    "start_match",
    "start_sweep",
    "start_tournament",
    "start_tune",
    "sweep",
    "tournament",
    "trust_game",
    "tune",
]

_HOMES = {
    "agents.analyse": ("Analysis", "analyse"),
    "agents.analysis": ("solve",),
    "agents.player": ("Player",),
    "agents.spec": ("player",),
    "api": ("Game", "Move", "Outcome", "State"),
    "arena.judgement": ("Review",),
    "arena.reading": ("StoredGame", "games_in", "runs_in"),
    "arena.runs.api": ("match", "resume", "sweep", "tournament", "tune"),
    "arena.runs.results": ("MatchResult", "RunResult", "SweepResult", "TournamentResult", "TuneResult"),
    "arena.runs.run": ("Run",),
    "arena.runs.runner": (*("AgentsReady", "Decided", "Event", "GameFinished", "GameStarted", "Progress", "Stopped"),),
    "arena.runs.start": ("start_match", "start_sweep", "start_tournament", "start_tune"),
    "arena.stored_review": ("review",),
    "contract": ("CHANCE", "DRAW", "FIRST", "RUNNING", "SECOND"),
    "courses.check_agent": ("CheckResult", "check"),
    "errors": ("BadFile", "BadOption", "BadText", "CompileError", "HarenaError", "IllegalMove", "UnknownName"),
    "find": ("game", "trust_game"),
    "games.catalogue": ("CATALOGUE", "Entry"),
    "games.face": ("Face",),
    "games.picture": ("Picture",),
    "grading": ("GradeResult", "grade"),
    "kernel.rng": ("generator",),
    "search.result": ("Limits", "Result", "RootMove"),
    "search.solver": ("Solution",),
}
_SUBMODULES = ("agents", "contract", "heuristics", "kernel", "search", "testing")  # what users' files import from
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return import_module(f"harena.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'harena' has no attribute {name!r}")
    return getattr(import_module(f"harena.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
