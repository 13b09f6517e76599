"""The order and the headings in which `harena --help` lists the commands, the most used first."""

from collections.abc import Mapping
from typing import Any

from typer.core import TyperGroup

from harena.cli.complaints import EXAMPLES

PANELS: Mapping[str, tuple[str, ...]] = {
    "Play and watch": ("play", "serve", "replay", "demo"),
    "Compare agents": ("match", "tournament", "ratings", "sweep", "tune", "report", "resume"),
    "Analyse": ("games", "agents", "show", "analyse", "solve", "review", "perft"),
    "Courses": ("new", "check", "grade", "course", "simulator", "trap-game", "isolation-tournament", "tiles"),
    "Store and machine": ("records", "cache", "bench"),
}
PANEL_OF = {command: panel for panel, commands in PANELS.items() for command in commands}


class Commands(TyperGroup):
    """The commands of `harena`, grouped for its help."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names in the order of the panels."""
        order = list(PANEL_OF)
        return sorted(super().list_commands(ctx), key=order.index)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command with its panel and an example."""
        command: Any = super().get_command(ctx, cmd_name)
        if command is not None:
            command.rich_help_panel = PANEL_OF[cmd_name]
            if cmd_name in EXAMPLES:
                command.epilog = f"Example: harena {cmd_name} {EXAMPLES[cmd_name]}"
        return command
