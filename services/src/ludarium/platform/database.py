"""A process's connections to PostgreSQL, and pools for data outside the log."""
from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from math import ceil
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

import asyncpg

from ludarium.platform import metrics
from ludarium.platform.problems import Problem
from ludarium_eventstore import StoreUnavailable, Unfinished, again, confirm, is_down, limited, open_pool, replicated

T = TypeVar("T")


class Share(NamedTuple):
    """The share of the database that one purpose may use without affecting others.

    Attributes:
        name: the name in metrics.
        connections: the maximum number of connections.
        waiting: the maximum number of callers that wait for a connection; further ones are refused at once.
        patience: the seconds for which a caller waits for a connection, for a statement, or for a restarting server.
    """

    name: str
    connections: int
    waiting: int
    patience: float


ACCOUNTS = Share("accounts", connections=2, waiting=500, patience=5.0)
LISTS = Share("lists", connections=2, waiting=100, patience=2.0)
LOG = 4
"""Connections that read the log."""
PROJECTIONS = 3
"""Connections that follow the log, for all projections."""
WRITING = 1
"""Connections that record turns, in a process that does not follow the log."""
APPENDER = PROBE = 1
WRITES = re.compile(r"\b(insert|update|delete)\b", re.IGNORECASE)
CONNECTIONS = APPENDER + LOG + PROJECTIONS + ACCOUNTS.connections + LISTS.connections + PROBE
"""Maximum number of connections of a process. See docs/operators.md for how many processes PostgreSQL can serve."""


class Database:
    """Runs repeatable statements, with retries while the server is down."""

    def __init__(self, pool: asyncpg.Pool[asyncpg.Record], share: Share) -> None:
        self._pool, self._share = pool, share
        self._asking = 0
        self.waiting = Unfinished()             # for a connection
        self._lost = self._confirmed = 0
        """How many answers to writes were lost, and for how many of them a later commit has succeeded."""

    async def rows(self, statement: str, *args: Any) -> list[asyncpg.Record]:
        """Run a statement and return its rows.

        Raises:
            Problem: `unavailable` if the database does not respond in time, and those of `gone`.
        """
        return await self._in_turn(lambda connection: connection.fetch(statement, *args), writes=writes(statement))

    async def row(self, statement: str, *args: Any) -> asyncpg.Record | None:
        """Run a statement and return its first row, None if there is none.

        Raises:
            Problem: `unavailable` if the database does not respond in time, and those of `gone`.
        """
        return await self._in_turn(lambda connection: connection.fetchrow(statement, *args), writes=writes(statement))

    async def row_one_at_a_time(self, owner: UUID | str, statement: str, *args: Any) -> asyncpg.Record | None:
        """Run a statement that counts an owner's rows before adding one.

        Statements of one owner run one after the other, in all processes together. Parallel requests therefore cannot
        exceed a limit: each count includes the row that the previous statement added.

        Args:
            owner: the player or the table whose rows are limited.

        Returns:
            The statement's first row, None if there is none.

        Raises:
            Problem: `unavailable` if the database does not respond in time, and those of `gone`.
        """
        async def ask(connection: Any) -> asyncpg.Record | None:
            async with connection.transaction():
                await connection.execute("select pg_advisory_xact_lock(hashtextextended('owner ' || $1, 0))", str(owner))
                row: asyncpg.Record | None = await connection.fetchrow(statement, *args)
                return row

        return await self._in_turn(ask, writes=True)

    async def _in_turn(self, ask: Callable[[Any], Awaitable[T]], *, writes: bool) -> T:
        if self._asking >= self._share.connections + self._share.waiting:
            raise self._unavailable()
        self._asking += 1
        try:
            return await again(lambda: self._once(ask, writes), self._share.patience)
        except StoreUnavailable as error:
            raise self._unavailable() from error
        except asyncpg.ForeignKeyViolationError as error:
            raise gone(error) from error
        finally:
            self._asking -= 1

    async def _once(self, ask: Callable[[Any], Awaitable[T]], writes: bool) -> T:
        with metrics.series(metrics.pool_wait, self._share.name).time(), self.waiting.operation():
            connection = await self._pool.acquire(timeout=self._share.patience)
        try:
            return await (self._written(connection, ask) if writes else ask(connection))
        finally:
            await self._pool.release(connection)

    async def _written(self, connection: Any, ask: Callable[[Any], Awaitable[T]]) -> T:
        """Run a statement that writes, and make sure that its result survives a fail-over.

        If the connection fails before a statement's response arrives, its rows may exist on the primary server only. A
        repeated statement may then find these rows and write nothing, so its own commit would not be replicated. After
        such a failure, each statement is therefore followed by a further commit, until one has succeeded.
        """
        lost = self._lost
        try:
            answer = await replicated(connection, ask)
            if lost > self._confirmed:
                await confirm(connection)
                self._confirmed = max(lost, self._confirmed)
        except Exception as error:
            self._lost += is_down(error)
            raise
        return answer

    def _unavailable(self) -> Problem:
        metrics.pool_unavailable.labels(self._share.name).inc()
        return Problem("unavailable", retry_after=ceil(self._share.patience))


def writes(statement: str) -> bool:
    return WRITES.search(statement) is not None


def gone(error: asyncpg.ForeignKeyViolationError) -> Problem:
    """Return the problem for a new row that refers to a deleted player or other row.

    It is `invalid-token` if the caller's own account was deleted while the token was still cached, otherwise
    `not-found`.
    """
    owner = (error.constraint_name or "").endswith(("_player_id_fkey", "_owner_id_fkey"))
    return Problem("invalid-token" if owner else "not-found")


@asynccontextmanager
async def database(url: str, share: Share = LISTS) -> AsyncIterator[Database]:
    pool = await open_pool(url, share.connections, limited(share.patience))
    try:
        yield Database(pool, share)
    finally:
        pool.terminate()
