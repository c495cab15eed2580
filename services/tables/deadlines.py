"""Deadlines: any process may see to any table's, and of several that do, one appends."""
from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from uuid import UUID

from eventstore import NOTHING_DUE, Due, StoreUnavailable
from services.problems import Problem
from services.tables import timeouts
from services.tables.history import History
from services.tables.rows import AnyRow
from services.tables.tables import Tables
from services.tables.timing import Arrival

log = logging.getLogger(__name__)
LOOK = 0.05
"""Seconds between two looks."""
MOST = 200
"""Tables at one look."""
AT_ONCE = 8
"""Of them, seen to at the same time."""
CLAIM = timedelta(seconds=0.5)
"""For which another process leaves them alone; this one may die meanwhile."""
LATER = timedelta(seconds=10)
"""After which a table is looked at again that cannot be seen to here."""


class Deadlines:
    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.places = asyncio.Semaphore(AT_ONCE)

    async def keep(self) -> None:
        """Until cancelled."""
        while True:
            try:
                if await self.round() < MOST:
                    await self.tables.house.sleep(LOOK)
            except StoreUnavailable as error:
                log.warning("deadlines wait: %s", error)

    async def round(self) -> int:
        """See to what is due now; how many tables that were."""
        claimed = await self.tables.store.claim_due(MOST, CLAIM)
        await asyncio.gather(*map(self.see_to, claimed))
        return len(claimed)

    async def see_to(self, due: Due) -> None:
        """One that fails keeps no other one waiting."""
        async with self.places:
            try:
                if not await self.fire(due.stream):
                    await self.put_off(due)
            except (Problem, StoreUnavailable) as problem:
                log.warning("table %s: its deadline waits: %s", due.stream, problem)
            except Exception:
                log.exception("table %s: its deadline fails", due.stream)
                await self.tables.store.put_off(due, self.tables.house.now() + LATER, None)

    async def fire(self, table: UUID) -> bool:
        """What has fallen due by now, if anything has."""
        house, arrival = self.tables.house, Arrival(self.tables.house.now(), ours=True)

        def due(history: History) -> list[AnyRow]:
            return timeouts.due(history, arrival.at, self.tables.timekeeper.away(history, arrival.at))

        await house.outages.look(arrival.at)
        await self.tables.hot.fresh(table)      # others may have moved it, and what is put off is not looked at before
        return bool((await self.tables.changed(table, None, due, None, arrival=arrival)).rows)

    async def put_off(self, due: Due) -> None:
        """Until something is, as the table stands."""
        history, now = await self.tables.hot.load(due.stream), self.tables.house.now()
        at = timeouts.next_due(history, now, [], history.clocks) or NOTHING_DUE
        away = timedelta(milliseconds=self.tables.timekeeper.away(history, now))
        await self.tables.store.put_off(due, at if at == NOTHING_DUE else at + away, history.version)
