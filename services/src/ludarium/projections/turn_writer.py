"""Whose turn it is, told by the process that has committed: it has the table in memory, and nobody else need fold it.

A few times a second, for all tables that moved, and at once for who asks this process for a list. What a process that
dies does not come to is found by whoever follows the log.
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
PACE = 0.25
"""Seconds between two times, unless somebody waits for the next."""
MOST_TABLES = 1000
"""Tables in one transaction."""
RETRIED_BY_FOLLOWER = (*DOWN, StoreUnavailable, asyncpg.UndefinedTableError, asyncpg.DeadlockDetectedError)
"""While the database is away, or while `ludarium rebuild` puts other tables in the place of these."""


class TurnWriter:
    """The tables that have moved here since it was told last."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._moved: dict[UUID, TableState] = {}
        self._noted = self._told = 0
        self._woken, self._hurried, self._done = asyncio.Event(), asyncio.Event(), asyncio.Event()

    def note(self, table: TableState) -> None:
        self._moved[table.stream] = table
        self._noted += 1
        self._woken.set()

    async def settled(self, patience: float) -> None:
        """Until what was noted up to now has been told, or `patience` seconds have passed."""
        wanted = self._noted
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while self._told < wanted:
                    self._hurried.set()
                    await self._done.wait()

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            await self._woken.wait()
            self._woken.clear()
            noted, moved = self._noted, [*self._moved.values()]
            self._moved.clear()                 # of a table that moves on meanwhile more is noted, and told later
            for start in range(0, len(moved), MOST_TABLES):
                await self._tell([turns.turns_of(table) for table in moved[start : start + MOST_TABLES]])
            self._told = noted
            self._done.set()                    # for whoever waits now
            self._done.clear()
            await self._rest()

    async def _rest(self) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(PACE):
                await self._hurried.wait()
        self._hurried.clear()

    async def _tell(self, tables: list[turns.TableTurns]) -> None:
        try:
            async with self._pool.acquire() as connection, connection.transaction():
                await connection.execute("set local search_path to turns")
                await turns.write(connection, tables)
        except RETRIED_BY_FOLLOWER as error:
            log.warning("who is asked at %s tables is left to who follows the log: %s", len(tables), error)
