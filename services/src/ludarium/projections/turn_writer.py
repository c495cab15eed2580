"""Writes whose turn it is, in the process that has committed and cached the table.

The writer stores all changed tables a few times a second, and at once if a reader in this process waits. If the process
dies, the projection's subscription writes the missing turns.
"""
from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from uuid import UUID

import asyncpg

from ludarium.projections import turns
from ludarium.tables.model.table_state import TableState
from ludarium_eventstore import StoreUnavailable
from ludarium_eventstore.reconnect import DOWN, Pool

log = logging.getLogger(__name__)
INTERVAL = 0.25
"""Seconds between two writes, unless a reader waits."""
BATCH_SIZE = 1000
"""Tables in one transaction."""
RETRIED_BY_FOLLOWER = (*DOWN, StoreUnavailable, asyncpg.UndefinedTableError, asyncpg.DeadlockDetectedError)
"""Errors while the database is unavailable, or while `ludarium rebuild` swaps these tables."""


class TurnWriter:
    """The writer of turns for tables that have changed in this process."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._moved: dict[UUID, TableState] = {}
        self._noted_count = self._written_count = 0
        self._has_work, self._is_awaited, self._done = asyncio.Event(), asyncio.Event(), asyncio.Event()

    def note(self, table: TableState) -> None:
        self._moved[table.stream] = table
        self._noted_count += 1
        self._has_work.set()

    async def settled(self, timeout: float) -> None:
        """Wait until all tables noted so far are written, for at most `timeout` seconds."""
        target = self._noted_count
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                while self._written_count < target:
                    self._is_awaited.set()
                    await self._done.wait()

    async def run(self) -> None:
        """Write turns until cancelled."""
        while True:
            await self._has_work.wait()
            self._has_work.clear()
            noted, moved = self._noted_count, [*self._moved.values()]
            self._moved.clear()                 # later changes are noted again
            for start in range(0, len(moved), BATCH_SIZE):
                await self._write([turns.turns_of(table) for table in moved[start : start + BATCH_SIZE]])
            self._written_count = noted
            self._done.set()                    # wakes present waiters only
            self._done.clear()
            await self._wait_for_next()

    async def _wait_for_next(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(INTERVAL):
                await self._is_awaited.wait()
        self._is_awaited.clear()

    async def _write(self, tables: list[turns.TableTurns]) -> None:
        try:
            async with self._pool.acquire() as connection, connection.transaction():
                await connection.execute("set local search_path to turns")
                await turns.write_turns(connection, tables)
        except RETRIED_BY_FOLLOWER as error:
            log.warning("the turns of %s tables are left to the log's subscription: %s", len(tables), error)
