"""What commands share: how they run, where the database is, how they say what went wrong."""
from __future__ import annotations

from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, NoReturn

import typer
import uvloop

from eventstore import EventStore
from services.config import Config, ConfigError, read_config
from services.embedded import AlreadyRunning, EmbeddedError, provided
from services.embedded.postgres import database_url
from services.server import AddressTaken, migrated
from services.tables.data import DataError


def fail(problem: object) -> NoReturn:
    """End the command with this message."""
    typer.secho(str(problem), fg=typer.colors.RED, err=True)
    raise typer.Exit(1)


def run(work: Coroutine[Any, Any, None]) -> None:
    try:
        uvloop.run(work)
    except (ConfigError, DataError, EmbeddedError, AddressTaken) as problem:
        fail(problem)


@asynccontextmanager
async def database(config: Config | None = None) -> AsyncIterator[str]:
    """The URL of the settings' database, migrated: a running server's, or one that is started for as long as it takes."""
    config = config or read_config()
    running = provided(config)
    try:
        url = (await running.__aenter__()).database_url
    except AlreadyRunning:
        yield database_url(config.home.resolve() / "data" / "run")
        return
    try:
        await migrated(url)
        yield url
    finally:
        await running.__aexit__(None, None, None)


@asynccontextmanager
async def opened_store(config: Config | None = None) -> AsyncIterator[EventStore]:
    """The store of the settings' database."""
    async with database(config) as url, await EventStore.open(url) as store:
        yield store
