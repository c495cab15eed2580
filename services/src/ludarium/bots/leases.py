"""One process plays the bots of a table: it holds a lease in PostgreSQL, which runs out when it dies.

Nothing hangs on it but work done twice: should two processes hold one, as after a stop of the clock, the version check lets one
of two answers in.
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
"""Seconds after which all leases of a process are renewed, in one statement."""


class Leases:
    """Of one process."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._holder = uuid4()
        self.held: set[UUID] = set()

    async def take(self, tables: Collection[UUID]) -> set[UUID]:
        """Those of the tables that are this process's now: nobody holds them, or nobody any more."""
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
        """Until cancelled: renews what is held, and forgets what somebody else has taken meanwhile."""
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
        """Others need not wait until they run out."""
        await self._database.rows("delete from bots.leases where holder = $1", self._holder)
        self.held.clear()
