"""How one connects to PostgreSQL, what counts as "it is away", and what to do then: wait a little, then say so."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from time import monotonic
from typing import Any, TypeAlias, TypeVar

import asyncpg

from ludarium_eventstore.model import StoreUnavailable

PATIENCE = 10.0                                 # seconds that a caller is held while the server comes back
PAUSE = 0.1
MARGIN = 2.0                                    # seconds beyond a statement_timeout, which a server that is alive keeps itself
SETTINGS = {
    "role": "ludarium_service",                 # may insert and read events, nothing else
    "lock_timeout": "5s",
    "statement_timeout": "10s",
    "idle_in_transaction_session_timeout": "10s",
    "default_transaction_isolation": "read committed",      # what es.append needs
    "application_name": "ludarium",
}
CONNECT: dict[str, Any] = {                     # seconds; for a server that accepts and then says nothing at all
    "timeout": 5.0,
    "command_timeout": 10.0 + MARGIN,
    "server_settings": SETTINGS,
}
DOWN = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,                # a server killed between two messages leaves the driver in mid-operation
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.LockNotAvailableError,
    asyncpg.QueryCanceledError,
    asyncpg.InsufficientResourcesError,         # of connections, memory, or room on the disk
    asyncpg.PostgresSystemError,                # the disk, mostly
    asyncpg.ReadOnlySQLTransactionError,        # a standby, or a server that is being moved
)
Connection: TypeAlias = "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"
Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"
T = TypeVar("T")


async def no_reset(connection: object) -> None:
    """For a pool's `reset`: statements that leave nothing behind need no second trip to clean up after them."""


def limited(seconds: float) -> dict[str, Any]:
    """CONNECT, for statements that may take so long at most."""
    settings = SETTINGS | {"statement_timeout": f"{seconds * 1000:.0f}ms"}
    return CONNECT | {"command_timeout": seconds + MARGIN, "server_settings": settings}


async def open_pool(dsn: str, size: int, connect: Mapping[str, Any] = CONNECT) -> Pool:
    """At most so many connections. Raises StoreUnavailable."""
    async def pool() -> Pool:
        return await asyncpg.create_pool(dsn, min_size=1, max_size=size, reset=no_reset, **connect)

    return await again(pool)


def is_down(error: BaseException) -> bool:
    """The server's state, and not what it was asked. (The driver's InterfaceErrors that are ValueErrors are our input's.)"""
    return isinstance(error, DOWN) and not isinstance(error, ValueError)


def reason(error: BaseException) -> str:
    """The name of the error and what it says, for a line of the log: many errors of a timeout say nothing."""
    said = str(error)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


async def again(run: Callable[[], Awaitable[T]], patience: float | None = None) -> T:
    """Run it until it does not fail for want of a server. Raises StoreUnavailable after `patience` (PATIENCE) seconds."""
    deadline = monotonic() + (PATIENCE if patience is None else patience)
    while True:
        try:
            return await run()
        except DOWN as error:
            if not is_down(error):
                raise
            if monotonic() > deadline:
                raise StoreUnavailable(reason(error)) from error
            await asyncio.sleep(PAUSE)
