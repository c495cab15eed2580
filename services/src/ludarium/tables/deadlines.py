"""Deadlines: any process may see to any table's, and of several that do, one appends."""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from uuid import UUID

from ludarium.platform import metrics
from ludarium.platform.complaints import tried_again
from ludarium.platform.problems import Problem
from ludarium.tables.model import timeouts
from ludarium.tables.model.event_types import AnyEvent
from ludarium.tables.model.table_state import TableState
from ludarium.tables.model.timing import Arrival
from ludarium.tables.service import Tables
from ludarium_eventstore import NOTHING_DUE, Claimed, Due, StoreUnavailable, Unfinished

log = logging.getLogger(__name__)
Others = Callable[[Due], Awaitable[None]]
SHORTEST_WAIT, LONGEST_WAIT = timedelta(seconds=0.05), timedelta(seconds=0.25)
"""Between two looks: the least, and the most, where nothing is known to fall due earlier."""
MOST = 200
"""Tables at one look, and that wait to be seen to."""
AT_ONCE = 8
"""Of them, seen to at the same time."""
CLAIM = timedelta(seconds=0.5)
"""For which another process leaves them alone; this one may die meanwhile."""
RETRY_AFTER = timedelta(seconds=10)
"""After which a table is looked at again that cannot be seen to here."""


class Deadlines:
    def __init__(self, tables: Tables, others: Others | None = None) -> None:
        """others: who sees to streams that are no tables."""
        self.tables, self.other_streams = tables, others
        self.slots, self.waiting = asyncio.Semaphore(AT_ONCE), 0
        self.claims, self.dues = Unfinished(), Unfinished()

    async def run(self) -> None:
        """Until cancelled. What one look has found keeps the next one from nothing."""
        async with asyncio.TaskGroup() as group:
            while True:
                try:
                    claimed = await self.claim() if self.waiting < MOST else Claimed([], None)
                    for due in claimed.dues:
                        group.create_task(self.process(due))
                    await self.wait(claimed.next)
                except StoreUnavailable as error:
                    tried_again(log, "deadlines wait: %s", error)
                    await self.wait(None)

    async def wait(self, coming: datetime | None) -> None:
        """Until something falls due, but not for long: other processes start clocks as well."""
        clock = self.tables.server_clock
        wait = SHORTEST_WAIT if self.waiting else LONGEST_WAIT if coming is None else coming - clock.now()
        await clock.sleep(min(max(wait, SHORTEST_WAIT), LONGEST_WAIT).total_seconds())

    async def process_due(self) -> int:
        """See to what is due now; how many tables that were."""
        dues = (await self.claim()).dues
        await asyncio.gather(*map(self.process, dues))
        return len(dues)

    async def claim(self) -> Claimed:
        with self.claims.operation():
            found = await self.tables.store.claim_due(MOST, CLAIM)
        self.waiting += len(found.dues)
        metrics.deadlines_waiting.set(self.waiting)
        return found

    async def process(self, due: Due) -> None:
        """One that fails keeps no other one waiting."""
        try:
            with self.dues.operation(before=self.overdue(due)):
                async with self.slots:
                    await self.apply_due(due)
        except (Problem, StoreUnavailable) as problem:
            log.warning("%s: its deadline waits: %s", due.stream, problem)
        except Exception:
            metrics.deadlines_failed.inc()
            log.exception("%s: its deadline fails", due.stream)
            with suppress(StoreUnavailable):    # else it is found again when it is claimed no longer
                await self.tables.store.reschedule(due, self.tables.server_clock.now() + RETRY_AFTER, None)
        finally:
            self.waiting -= 1
            metrics.deadlines_waiting.set(self.waiting)

    async def apply_due(self, due: Due) -> None:
        try:
            fired = await self.fire(due.stream)
        except Problem as problem:
            if problem.code != "not-found" or self.other_streams is None:
                raise
            return await self.other_streams(due)
        if not fired:
            return await self.reschedule(due)
        metrics.deadline_lag.observe(self.overdue(due))

    def overdue(self, due: Due) -> float:
        """Seconds since it fell due."""
        return max(0.0, (self.tables.server_clock.now() - due.at).total_seconds())

    async def fire(self, stream: UUID) -> bool:
        """What has fallen due by now, if anything has. Others may have moved the stream: who would act on that is told by the
        store, and who sees nothing to do looks again before it is put off, for then nobody looks any more."""
        clock, arrival = self.tables.server_clock, Arrival(self.tables.server_clock.now(), ours=True)

        def due(table: TableState) -> list[AnyEvent]:
            return timeouts.due(table, arrival.at, self.tables.timekeeper.outage_since(table, arrival.at))

        async def done() -> bool:
            return bool((await self.tables.decide_and_append(stream, due, arrival=arrival)).events)

        if clock.outages.may_lack(arrival.at):
            await clock.outages.beat()
        return await done() or (await self.tables.cache.catch_up(await self.tables.cache.load(stream)) and await done())

    async def reschedule(self, due: Due) -> None:
        """Until something is, as the table stands."""
        table, now = await self.tables.cache.load(due.stream), self.tables.server_clock.now()
        at = timeouts.next_due(table, now, [], table.clocks) or NOTHING_DUE
        away = timedelta(milliseconds=self.tables.timekeeper.outage_since(table, now))
        await self.tables.store.reschedule(due, at if at == NOTHING_DUE else at + away, table.version)
