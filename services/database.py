"""PostgreSQL for what is not an event: a pool that outlives restarts of the server."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import asyncpg

from eventstore import untouched
from services.problems import Problem

PATIENCE = 5.0
"""Seconds in which a server that is being restarted may come back."""
PAUSE = 0.1
DOWN = (OSError, TimeoutError, asyncpg.PostgresConnectionError, asyncpg.InterfaceError, asyncpg.InternalClientError,
        asyncpg.CannotConnectNowError, asyncpg.AdminShutdownError, asyncpg.CrashShutdownError)

T = TypeVar("T")


class Database:
    """Runs statements that may be run twice: whatever fails because the server is away is tried again."""

    def __init__(self, pool: "asyncpg.Pool[asyncpg.Record]") -> None:
        self._pool = pool

    async def rows(self, statement: str, *args: Any) -> list[asyncpg.Record]:
        """Raises Problem `unavailable` when the server stays away."""
        return await self._again(lambda: self._pool.fetch(statement, *args))

    async def row(self, statement: str, *args: Any) -> asyncpg.Record | None:
        """The first row, if there is one. Raises Problem `unavailable` when the server stays away."""
        return await self._again(lambda: self._pool.fetchrow(statement, *args))

    async def _again(self, run: Callable[[], Awaitable[T]]) -> T:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return await run()
            except DOWN as error:
                if time.monotonic() > deadline:
                    raise Problem("unavailable", retry_after=int(PATIENCE)) from error
                await asyncio.sleep(PAUSE)


@asynccontextmanager
async def database(url: str, size: int = 4) -> AsyncIterator[Database]:
    """`size`: the most connections that are kept open."""
    async with asyncpg.create_pool(url, min_size=1, max_size=size, reset=untouched, command_timeout=PATIENCE) as pool:
        yield Database(pool)
