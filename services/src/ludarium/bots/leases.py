"""Leases in PostgreSQL, which assign each table's bots to one process.

A lease expires if its process dies. If two processes hold the same lease, for example after the clock has jumped, both
compute the move, and the version check rejects one of the two.
"""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from datetime import timedelta
from uuid import UUID, uuid4

from ludarium.platform.complaints import tried_again
from ludarium.platform.database import Database
from ludarium.platform.problems import Problem

log = logging.getLogger(__name__)
LASTS = timedelta(seconds=2.5)
RENEWED = 0.5
"""Seconds between renewals of all leases of a process, in one statement."""


class Leases:
    """The leases that this process holds."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._holder = uuid4()
        self.held: set[UUID] = set()

    async def take(self, tables: Collection[UUID]) -> set[UUID]:
        """Take the leases that are free, expired or already held, and return their tables."""
        rows = await self._database.rows(
            """insert into bots.leases as l (id, holder, until) select t, $2, now() + $3 from unnest($1::uuid[]) t order by t
               on conflict (id) do update set holder = excluded.holder, until = excluded.until
               where l.until < now() or l.holder = excluded.holder returning id""",
            [*tables], self._holder, LASTS,
        )
        taken = {row["id"] for row in rows}
        self.held |= taken
        return taken

    async def release(self, table: UUID) -> None:
        self.held.discard(table)
        await self._database.rows("delete from bots.leases where id = $1 and holder = $2", table, self._holder)

    async def renew_forever(self) -> None:
        """Renew leases until cancelled, and drop those that other processes have taken."""
        while True:
            await asyncio.sleep(RENEWED)
            try:
                if self.held:
                    await self._renew([*self.held])
            except Problem as problem:
                tried_again(log, "leases of bots' tables are not renewed: %s", problem)

    async def _renew(self, tables: Collection[UUID]) -> None:
        rows = await self._database.rows(
            "update bots.leases set until = now() + $3 where id = any ($1) and holder = $2 returning id",
            [*tables], self._holder, LASTS,
        )  # fmt: skip
        self.held -= {*tables} - {row["id"] for row in rows}

    async def close(self) -> None:
        """Release all leases, so that other processes need not wait until they expire."""
        await self._database.rows("delete from bots.leases where holder = $1", self._holder)
        self.held.clear()
