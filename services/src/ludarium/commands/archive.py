"""`ludarium archive`: move old games from the log to the archive."""
from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Annotated

import asyncpg
import typer

from ludarium.commands.progress import progress_bar
from ludarium.commands.running import open_database, read_config_or_fail, run
from ludarium.ops.archive.archiving import ArchiveReport, archive_games
from ludarium.ops.archive.bundles import ArchiveError, BundleFiles
from ludarium.platform.config import Config
from ludarium_eventstore import EventStore

MIN_DAYS = 8
"""Minimum age in days. Idempotency keys are stored for seven days."""


def register(app: typer.Typer) -> None:
    app.command()(archive)


def archive(
    days: Annotated[int, typer.Option(min=MIN_DAYS, help="minimum age of finished games in days")] = 90,
    each: Annotated[bool, typer.Option("--each", help="list every game that is not archived, and why")] = False,
) -> None:
    """Move old games from the log to LUDARIUM_ARCHIVE, while the service runs.

    It connects as the log's owner.
    """
    run(archive_before(read_config_or_fail(), datetime.now(UTC) - timedelta(days=days), each))


async def archive_before(config: Config, before: datetime, each: bool) -> None:
    files = create_bundle_files(config)
    async with open_database(config) as url, await EventStore.open(url, bundles=files) as store:
        owner = await asyncpg.connect(url)
        try:
            with progress_bar("Archiving") as report_progress:
                print_report(await archive_games(owner, store, files, before, report_progress), each)
        finally:
            await owner.close()


def create_bundle_files(config: Config) -> BundleFiles:
    if config.archive is None:
        raise ArchiveError(
            "LUDARIUM_ARCHIVE must name a folder or a bucket (s3://name/path) for the games, the same for all processes."
        )
    return BundleFiles(config.archive, make=True)


def print_report(found: ArchiveReport, each: bool) -> None:
    typer.echo(f"{found.streams} games are archived in {found.bytes} bytes; {found.rows} rows went from the log.")
    for why, count in Counter(why for _, why in found.skipped).items():
        typer.echo(f"{count} stay: {why}.", err=True)
    if each:
        for table, why in found.skipped:
            typer.echo(f"{table}: {why}", err=True)
