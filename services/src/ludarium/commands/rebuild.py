"""`ludarium rebuild`: rebuild projections from the log."""
from __future__ import annotations

from typing import Annotated

import typer

from ludarium.commands.progress import progress_bar
from ludarium.commands.running import fail, open_database, run, store_at
from ludarium.platform.config import read_config
from ludarium.projections.rebuilding import AlreadyRebuilding
from ludarium.projections.rebuilding import rebuild as rebuild_projection
from ludarium.projections.registry import PROJECTION_KINDS
from ludarium.tables.table_cache import TableCache


def register(app: typer.Typer) -> None:
    app.command()(rebuild)


def rebuild(names: Annotated[list[str], typer.Argument(help=", ".join(PROJECTION_KINDS))]) -> None:
    """Rebuild projections from the log while the service runs.

    Each replaces the old one when it is complete.
    """
    if unknown := [name for name in names if name not in PROJECTION_KINDS]:
        raise typer.BadParameter(f"no projection {', '.join(unknown)}; there are {', '.join(PROJECTION_KINDS)}")
    run(rebuild_projections(names))


async def rebuild_projections(names: list[str]) -> None:
    config = read_config()
    async with open_database(config) as url, await store_at(url, config) as store:
        for name in names:
            try:
                with progress_bar(f"Rebuilding {name}") as report_progress:
                    await rebuild_projection(url, name, TableCache(store), report_progress)
            except AlreadyRebuilding:
                fail(f"{name} is being rebuilt by another process.")
            print(f"{name} is rebuilt.")
