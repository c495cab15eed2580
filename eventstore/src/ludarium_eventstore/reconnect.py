"""Connect to PostgreSQL, recognize outages, and retry."""
from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from time import monotonic
from typing import Any, TypeAlias, TypeVar

import asyncpg

from ludarium_eventstore.model import StoreUnavailable

PATIENCE = 10.0                                 # seconds that a caller waits for the server to return
PAUSE = 0.1
MARGIN = 2.0                                    # seconds beyond statement_timeout, which a running server enforces itself
SETTINGS = {
    "role": "ludarium_service",                 # may insert and read events, nothing more
    "lock_timeout": "5s",
    "statement_timeout": "10s",
    "idle_in_transaction_session_timeout": "10s",
    "default_transaction_isolation": "read committed",      # required by es.append
    "application_name": "ludarium",
}
CONNECT: dict[str, Any] = {                     # limits in seconds, for a server that accepts connections but does not respond
    "timeout": 5.0,
    "command_timeout": 10.0 + MARGIN,
    "server_settings": SETTINGS,
}
DOWN = (
    OSError,
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,                # raised when a server is killed between two messages
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.LockNotAvailableError,
    asyncpg.QueryCanceledError,
    asyncpg.InsufficientResourcesError,         # connections, memory or disk space
    asyncpg.PostgresSystemError,                # mostly the disk
    asyncpg.ReadOnlySQLTransactionError,        # a standby, or a server during a switch-over
)
Connection: TypeAlias = "asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"
Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"
T = TypeVar("T")


async def no_reset(connection: object) -> None:
    """Do nothing, in place of a pool's `reset`.

    The store's statements leave no state behind, so a round trip is saved.
    """


def limited(seconds: float) -> dict[str, Any]:
    """Return connection arguments with a time limit for each statement, in seconds."""
    settings = SETTINGS | {"statement_timeout": f"{seconds * 1000:.0f}ms"}
    return CONNECT | {"command_timeout": seconds + MARGIN, "server_settings": settings}


async def open_pool(dsn: str, size: int, connect: Mapping[str, Any] = CONNECT) -> Pool:
    """Open a pool of at most `size` connections.

    Raises:
        StoreUnavailable: PostgreSQL cannot be reached.
    """
    async def pool() -> Pool:
        return await asyncpg.create_pool(dsn, min_size=1, max_size=size, reset=no_reset, **connect)

    return await again(pool)


def is_down(error: BaseException) -> bool:
    """Return whether an error means an outage of the server, not a wrong request.

    An InterfaceError that is also a ValueError is caused by invalid input.
    """
    return isinstance(error, DOWN) and not isinstance(error, ValueError)


def reason(error: BaseException) -> str:
    """Return the error's name and message for the log.

    Many timeouts have no message.
    """
    said = str(error)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


async def again(run: Callable[[], Awaitable[T]], patience: float | None = None) -> T:
    """Call `run`, with retries while the server is down.

    Raises:
        StoreUnavailable: the server is down for longer than `patience` seconds, by default PATIENCE.
    """
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
