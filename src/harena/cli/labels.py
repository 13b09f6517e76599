"""What the tables and drawings of a page call the agents: short, and different for each."""

from collections.abc import Sequence
from dataclasses import replace

from harena.arena import tournament, words
from harena.arena.record import Record
from harena.arena.report import Report
from harena.arena.slot import Slot

LONGEST = 36  # letters of a label


def labels(agents: Sequence[str], letters: Sequence[str] = ()) -> list[str]:
    """A label for each agent: its short name, or where that is long its beginning and its number.

    With letters, as for the two sides of a match, each begins with its own, and agents of one text are told apart.
    """
    names, found = words.short_names(agents), []
    for number, text in enumerate(agents):
        name = f"{letters[number]} {names[text]}" if letters else names[text]
        mark = "…" if letters else f"… #{number + 1}"
        found.append(name if len(name) <= LONGEST else name[: LONGEST - len(mark)] + mark)
    return found


def labelled(found: Report) -> Report:
    """The same report with labels in place of the agents' texts; a sweep has names of its own already."""
    kind = found.run.kind
    if kind == "sweep":
        return found
    names = labels(found.agents, "AB" if kind == "match" else "")
    called = dict(zip(found.names, names, strict=True))
    short = words.short_names(found.agents)
    title = f"{found.spec.game}: {' against '.join(short[text] for text in found.agents)}"
    return replace(
        found,
        title=title if kind == "match" else found.title,
        names=names,
        ratings=[replace(row, name=called[row.name]) for row in found.ratings],
        faults=[replace(fault, agent=called[fault.agent]) for fault in found.faults],
        games=[replace(game, first=called[game.first], second=called[game.second]) for game in found.games],
    )


def table_of(found: Report) -> tournament.Table:
    """The results of a labelled report of a tournament, without moves; the labels are its agents."""
    plan = tournament.plan_of(found.run.spec)
    number = {name: index for index, name in enumerate(found.names)}
    records = {}
    for game in found.games:
        seats = number[game.first], number[game.second]
        slot = Slot(a=min(seats), b=max(seats), pair=game.pair - 1, swapped=seats[0] > seats[1])
        records[slot] = Record(
            game=found.spec.game, options={}, start="", seats=(game.first, game.second), plies=(), winner=game.winner
        )
    return tournament.Table(replace(plan, spec=replace(plan.spec, agents=found.names)), records)
