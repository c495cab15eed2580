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
async def opened_store(config: Config | None = None) -> AsyncIterator[EventStore]:
    """The store of the settings: that of a server which is running, or of servers started for as long as it takes."""
    config = config or read_config()
    running = provided(config)
    try:
        url = (await running.__aenter__()).database_url
    except AlreadyRunning:
        async with await EventStore.open(database_url(config.home.resolve() / "data" / "run")) as store:
            yield store
        return
    try:
        await migrated(url)
        async with await EventStore.open(url) as store:
            yield store
    finally:
        await running.__aexit__(None, None, None)
