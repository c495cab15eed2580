"""Helpers of commands for running work, opening databases and reporting errors."""
from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, NoReturn

import asyncpg
import typer
import uvloop

from ludarium.commands.workers import WorkersFailed
from ludarium.embedded import AlreadyRunning, EmbeddedError, OldHome, Services, services_for
from ludarium.embedded.postgres import database_url
from ludarium.ops.archive.bundles import ArchiveError, open_bundle_files
from ludarium.ops.backups.errors import BackupError, OldPlace
from ludarium.platform.config import Config, ConfigError, read_config
from ludarium.platform.schema_check import OLD_DATABASE, REFUSALS, lacking, migrated
from ludarium.platform.sockets import AddressTaken
from ludarium.tables.model.data import DataError
from ludarium_eventstore import Blocked, BrokenBundle, ChangedMigration, EventStore, Login, OldFormat, StoreUnavailable

EXPLAINED_ERRORS = (
    ConfigError, DataError, ArchiveError, BackupError, BrokenBundle, EmbeddedError, AddressTaken, Blocked, StoreUnavailable,
    WorkersFailed,
)  # fmt: skip
"""Errors whose messages explain the problem and its remedy."""
REFUSED_ERRORS = (*REFUSALS, asyncpg.InsufficientPrivilegeError)
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that end a serving command."""
OLD_DATA_ERRORS = (OldFormat, OldHome, OldPlace)
"""Errors for data made by a release before 0.1.0: a database, a home or a place of backups."""
OLD_DATA = "old-data"
"""Prefix of the message about such data."""
OLD_DATA_EXIT = 3


def fail(problem: object, code: int = 1) -> NoReturn:
    """Print a message, and end the command with this exit code."""
    typer.secho(str(problem), fg=typer.colors.RED, err=True)
    raise typer.Exit(code)


def read_config_or_fail() -> Config:
    """Return the settings; end the command if one of them is invalid."""
    try:
        return read_config()
    except ConfigError as problem:
        fail(problem)


def run(work: Coroutine[Any, Any, None]) -> None:
    try:
        uvloop.run(work)
    except OLD_DATA_ERRORS as problem:
        fail(f"{OLD_DATA}: {OLD_DATABASE if isinstance(problem, OldFormat) else problem}", OLD_DATA_EXIT)
    except EXPLAINED_ERRORS as problem:
        fail(problem)
    except ChangedMigration as problem:
        fail(f"The database was made by other migrations than these: {problem}.")
    except REFUSED_ERRORS as problem:
        fail(f"PostgreSQL refuses: {problem}. LUDARIUM_DATABASE_URL must be right, and to change the schema "
             "LUDARIUM_DATABASE_OWNER_URL as well.")


@asynccontextmanager
async def open_database(config: Config | None = None) -> AsyncIterator[str]:
    """Yield the database URL, with the owner's login if one is configured.

    The embedded server is started for the context unless it is already running.
    """
    config = config or read_config()
    running = services_for(config)
    try:
        servers = await running.__aenter__()
    except AlreadyRunning:
        yield database_url(config.home.resolve() / "data" / "run")
        return
    try:
        await ensure_migrated(servers)
        yield servers.database_url
    finally:
        await running.__aexit__(None, None, None)


async def ensure_migrated(servers: Services) -> None:
    """Migrate the embedded server; require that an external database is migrated."""
    if servers.supervisors:
        await migrated(servers.database_url, Login.of(servers.service_url))
    elif lacks := await lacking(servers.database_url):
        fail(f"Not yet: {lacks}.")


@asynccontextmanager
async def open_store(config: Config | None = None) -> AsyncIterator[EventStore]:
    """Open the event store of the configured database."""
    config = config or read_config()
    async with open_database(config) as url, await store_at(url, config) as store:
        yield store


async def store_at(url: str, config: Config) -> EventStore:
    """Open the event store, with the configured archive. Raises ArchiveError."""
    return await EventStore.open(url, bundles=open_bundle_files(config.archive))


def stop_event() -> asyncio.Event:
    """Return an event that is set by a signal to stop."""
    stop = asyncio.Event()
    for signum in SIGNALS:
        asyncio.get_running_loop().add_signal_handler(signum, stop.set)
    return stop


def print_lines(*lines: str) -> None:
    for line in lines:
        print(line, flush=True)
