"""Begins runs from plain options: the public `start_match`, `start_tournament`, `start_sweep` and `start_tune`.

Games are played while the `Run` that they return is iterated, or by its `result`.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from harena.agents.python_object import name_objects
from harena.agents.spec import parse_agent
from harena.arena import words
from harena.arena.conditions import check_local, pairs_of, spec_of
from harena.arena.contest import Contest, Spec
from harena.arena.outputs import Outputs
from harena.arena.runs.executors import LocalExecutor
from harena.arena.runs.match import Match
from harena.arena.runs.output_files import check_output
from harena.arena.runs.run import Run, StorePath, start_run
from harena.arena.runs.sweep import Sweep, fill, holes, values_of
from harena.arena.runs.tournament import Tournament
from harena.arena.runs.tournament_file import read_tournament
from harena.arena.runs.tune import Tuning, parameters, usual_rate
from harena.arena.sprt import parse
from harena.errors import BadOption, UsageError
from harena.search.result import Limits

Agent = str | Callable[..., Any] | object  # a text, a function of a state, an object with `run`, or its class
MARGIN = 0.05  # seconds beyond a limit of time


def start_match(
    game: str,
    a: Agent,
    b: Agent,
    *,
    games: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    iterations: int | None = None,
    depth: int | None = None,
    sprt: str | None = None,
    size: str | int | None = None,
    setup: str | None = None,
    clock: str | None = None,
    openings: str | None = None,
    seed: int | None = None,
    margin: float = MARGIN,
    memory: float | None = None,
    local: bool = False,
    sandbox: str = "auto",
    python: str | None = None,
    output: str | None = None,
    concurrency: int = 1,
    store: StorePath = None,
) -> Run:
    """Begin a match; without a number of games as many as a test may need, or 100.

    What agents print goes into the folder `output`. All else is as in `harena match --help`.
    """
    agents, objects = name_objects([a, b])
    spec = spec_of(
        game,
        agents,
        Limits(seconds=seconds, nodes=nodes, iterations=iterations, depth=depth),
        sizes=None if size is None else str(size),
        setup=setup,
        clock=clock,
        memory=memory,
        openings=openings,
        walls=sandbox,
        python=python,
        seed=seed,
        margin=margin,
        local=local,
    )
    test = parse(sprt) if sprt is not None else None
    check_local(spec)
    most = games if games is not None else test.most_games if test else words.USUAL
    match = Match(spec=spec, pairs=pairs_of(most), sprt=sprt)
    match.objects = objects
    executor = LocalExecutor(concurrency)
    play = executor.prepare(match.batch())  # complains before anything is written
    if output is not None:
        if spec.local:
            raise UsageError("--output is for agents in processes of their own: leave --local out")
        match.outputs = play.outputs = Outputs(output, spec.agents)
    return start_run(match, store, executor, play)


def start_tournament(
    game: str,
    agents: Sequence[Agent] = (),
    *,
    games: int = 10,
    type: str = "round-robin",  # noqa: A002 (as the option is called)
    rounds: int | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    iterations: int | None = None,
    depth: int | None = None,
    size: str | int | None = None,
    setup: str | None = None,
    clock: str | None = None,
    openings: str | None = None,
    seed: int | None = None,
    margin: float = MARGIN,
    memory: float | None = None,
    local: bool = False,
    sandbox: str = "auto",
    python: str | None = None,
    concurrency: int = 1,
    store: StorePath = None,
) -> Run:
    """Begin a tournament of `games` for each pairing; `game` may be a TOML file that describes it."""
    options: dict[str, Any] = {
        "sizes": None if size is None else str(size),
        "setup": setup,
        "clock": clock,
        "memory": memory,
        "openings": openings,
        "walls": sandbox,
        "python": python,
        "seed": seed,
        "margin": margin,
        "local": local,
    }
    everyone, objects = name_objects(agents)
    limits = Limits(seconds=seconds, nodes=nodes, iterations=iterations, depth=depth)
    if game.endswith(".toml"):
        described, folder = read_tournament(game), os.path.dirname(game)
        game, everyone = described.pop("game"), [*(_beside(folder, one) for one in described.pop("agents")), *everyone]
        games, type = described.pop("games", games), described.pop("type", type)  # noqa: A001
        rounds, concurrency = described.pop("rounds", rounds), described.pop("concurrency", concurrency)
        limits = limits.over(Limits(**described.pop("limits", {})))
        options |= _spec_options(described, folder)
    if rounds is not None and type != "swiss":
        raise BadOption(f"--rounds is for --type swiss, and this is {type}")
    spec = spec_of(game, everyone, limits, **options)
    check_local(spec)
    run = Tournament(spec=spec, type=type, pairs=pairs_of(games), rounds=rounds)
    run.objects = objects
    return start_run(run, store, LocalExecutor(concurrency))


def _spec_options(described: dict[str, Any], folder: str) -> dict[str, Any]:
    """What a file says about how games are played, as `spec_of` takes it."""
    options = dict(described)
    if "size" in options:
        options["sizes"] = str(options.pop("size"))
    if "sandbox" in options:
        options["walls"] = options.pop("sandbox")
    if "openings" in options:
        options["openings"] = os.path.join(folder, options["openings"])
    return options


def _beside(folder: str, agent: str) -> str:
    """An agent that a file names: a path starts at the file's folder."""
    return parse_agent(agent).from_folder(folder).text


def start_sweep(
    game: str,
    agent: str,
    opponent: str,
    over: str,
    *,
    games: int = 100,
    seconds: float | None = None,
    nodes: int | None = None,
    iterations: int | None = None,
    depth: int | None = None,
    size: str | int | None = None,
    setup: str | None = None,
    openings: str | None = None,
    seed: int | None = None,
    margin: float = MARGIN,
    memory: float | None = None,
    plot: str | None = None,
    csv: str | None = None,
    concurrency: int = 1,
    store: StorePath = None,
) -> Run:
    """Begin a match for each value of one parameter: `agent` has its name in braces, `over` is `c=0.1,0.3,1`."""
    pairs = pairs_of(games)
    name, values = values_of(over, agent)
    spec = _experiment(
        game,
        [*(fill(agent, {name: value}) for value in values), opponent],
        Limits(seconds=seconds, nodes=nodes, iterations=iterations, depth=depth),
        sizes=None if size is None else str(size),
        setup=setup,
        seed=seed,
        margin=margin,
        memory=memory,
        openings=openings,
    )
    plot, csv = check_output(plot, "--plot"), check_output(csv, "--csv")
    run = Sweep(spec=spec, template=agent, name=name, values=values, pairs=pairs, plot=plot, csv=csv)
    return start_run(run, store, LocalExecutor(concurrency))


def start_tune(
    game: str,
    agent: str,
    opponent: str | None = None,
    *,
    start: str,
    steps: int = 200,
    scale: str | None = None,
    within: str | None = None,
    linear: str | None = None,
    whole: str | None = None,
    games: int = 2,
    rate: float | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    iterations: int | None = None,
    depth: int | None = None,
    size: str | int | None = None,
    setup: str | None = None,
    seed: int | None = None,
    margin: float = MARGIN,
    memory: float | None = None,
    plot: str | None = None,
    csv: str | None = None,
    concurrency: int = 1,
    store: StorePath = None,
) -> Run:
    """Begin to tune the parameters that `agent` has in braces (SPSA); `start` says where each begins: `c=1,r=1000`."""
    pairs = pairs_of(games)
    if opponent is not None and holes(opponent):
        raise BadOption(f"{opponent!r}: the opponent has no parameters in braces")
    others = [opponent] if opponent is not None else []
    tuning = Tuning(
        spec=Spec(game=game, variants=[{}], agents=others),
        template=agent,
        parameters=parameters(agent, start, scale, within, linear, whole),
        steps=steps,
        pairs=pairs,
        rate=usual_rate(steps) if rate is None else rate,
    )
    beginning = (*tuning.path, *tuning.shaken(), tuning.clip((0.01,) * len(tuning.parameters)))
    try:
        spec = _experiment(
            game,
            [*map(tuning.agent, beginning), *others],  # what the first steps play is looked at before a run is begun
            Limits(seconds=seconds, nodes=nodes, iterations=iterations, depth=depth),
            sizes=None if size is None else str(size),
            setup=setup,
            seed=seed,
            margin=margin,
            memory=memory,
        )
    except BadOption as error:
        if "whole number" in str(error):
            raise BadOption(f"{error}: if it is tuned, name its parameter with --whole") from None
        raise
    tuning = replace(
        tuning,
        spec=replace(spec, agents=others),
        plot=check_output(plot, "--plot"),
        csv=check_output(csv, "--csv"),
    )
    return start_run(tuning, store, LocalExecutor(concurrency))


def _experiment(game: str, agents: list[str], limits: Limits, **options: Any) -> Spec:
    """How games are played: in this process, unless an agent has a clock, a limit of memory, or is a program."""
    spec = spec_of(game, agents, limits, **options)
    contest = Contest(replace(spec, local=True))  # complains about anything that makes no sense
    allowed = [terms.limits for terms in contest.terms]
    for agent, own in zip(contest.agents, allowed, strict=True):
        needed = agent.player(contest.games[0]).search.bounded_by if agent.is_trusted else ()
        if needed and not any(getattr(own, limit) for limit in needed):
            options_of = " or ".join(f"--{limit}" for limit in needed)
            raise UsageError(f"{agent.text} needs a limit, in its own text or as {options_of}")
    return replace(spec, local=spec.memory is None and all(own.seconds is None for own in allowed))
