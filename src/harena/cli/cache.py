"""`harena cache`: the compiled code on disk."""

import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from harena.kernel.upkeep import Folder, cache_root, folders, remove, remove_names

FEW = 20  # folders that are listed unasked


def report(*, prune: bool, clear: bool, is_listed: bool) -> None:
    """Print what is kept, and remove what is asked for."""
    console = Console(highlight=False)
    console.print(f"compiled code is kept in {cache_root()}", soft_wrap=True)
    found = folders()
    doomed = [folder for folder in found if clear or (prune and folder.stale)]
    for folder in doomed:
        remove(folder)
    if clear or prune:
        remove_names(clear=clear)
    kept = [folder for folder in found if folder not in doomed]
    is_listed = is_listed or len(kept) <= FEW
    if kept and is_listed:
        console.print(_table(kept))
    stale = sum(bool(folder.stale) for folder in kept)
    more = "" if is_listed or not kept else f" in {len(kept)} folders (--list shows them)"
    console.print(f"{sum(len(folder.kernels) for folder in kept)} kernels, {_megabytes(kept)} MB{more}")
    if doomed:
        console.print(f"removed {sum(len(folder.kernels) for folder in doomed)} kernels, {_megabytes(doomed)} MB")
    elif prune or clear:
        console.print("nothing to remove")
    elif stale:
        console.print(f"{stale} of these folders are out of date: harena cache --prune removes them")


def _table(kept: list[Folder]) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading, justify in (
        ("folder", "left"),
        ("kernels", "right"),
        ("MB", "right"),
        ("last used", "left"),
        ("", "left"),
    ):
        table.add_column(heading, justify=justify)  # type: ignore[arg-type]
    for folder in kept:
        files = [Path(file).name for file in folder.users]
        users = ", ".join(files) if len(files) <= 3 else f"{len(files)} files of another installation"
        note = folder.stale or (f"for {users}" if users else "")
        used = time.strftime("%Y-%m-%d %H:%M", time.localtime(folder.used))
        table.add_row(folder.path.name, str(len(folder.kernels)), _megabytes([folder]), used, note)
    return table


def _megabytes(some: list[Folder]) -> str:
    return f"{sum(folder.size for folder in some) / 1e6:.1f}"
