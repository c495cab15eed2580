"""Apply the deadlines of tables.

Every process with the role `timers` looks for due deadlines. If two processes handle the same one, only one of them can
append its events.
"""
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
"""Minimum time between two queries, and maximum time if no earlier deadline is known."""
MOST = 200
"""Maximum number of tables that one query claims. With so many claimed tables waiting, no more are claimed."""
AT_ONCE = 8
"""Tables processed at the same time."""
CLAIM = timedelta(seconds=0.5)
"""How long a claim lasts. If the claiming process dies, others can process the table after this time."""
RETRY_AFTER = timedelta(seconds=10)
"""Time until a deadline is tried again after an unexpected error."""


class Deadlines:
    def __init__(self, tables: Tables, others: Others | None = None) -> None:
        """Configure the processing of deadlines.

        Args:
            others: called with the deadlines of streams that are not tables.
        """
        self.tables, self.other_streams = tables, others
        self.slots, self.waiting = asyncio.Semaphore(AT_ONCE), 0
        self.claims, self.dues = Unfinished(), Unfinished()

    async def run(self) -> None:
        """Process deadlines until cancelled.

        The next query starts without waiting until the deadlines found by the last one are processed.
        """
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
        """Wait for the next deadline, but at most LONGEST_WAIT.

        Other processes may have started clocks with earlier deadlines in the meantime.
        """
        clock = self.tables.server_clock
        wait = SHORTEST_WAIT if self.waiting else LONGEST_WAIT if coming is None else coming - clock.now()
        await clock.sleep(min(max(wait, SHORTEST_WAIT), LONGEST_WAIT).total_seconds())

    async def process_due(self) -> int:
        """Process everything due now, and return how many tables were due."""
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
        """Process one deadline; a failure is logged and does not affect others."""
        try:
            with self.dues.operation(before=self.overdue(due)):
                async with self.slots:
                    await self.apply_due(due)
        except (Problem, StoreUnavailable) as problem:
            log.warning("%s: its deadline waits: %s", due.stream, problem)
        except Exception:
            metrics.deadlines_failed.inc()
            log.exception("%s: its deadline fails", due.stream)
            with suppress(StoreUnavailable):    # otherwise it is found again once its claim expires
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
        """Return how many seconds ago the deadline passed, 0 if it has not."""
        return max(0.0, (self.tables.server_clock.now() - due.at).total_seconds())

    async def fire(self, stream: UUID) -> bool:
        """Append the events that are due at the table.

        If another process has appended to the stream, the append conflicts and is repeated. If nothing is due, the table
        is updated from the log and checked once more.

        Returns:
            Whether anything was due.
        """
        clock, arrival = self.tables.server_clock, Arrival(self.tables.server_clock.now(), ours=True)

        def due(table: TableState) -> list[AnyEvent]:
            return timeouts.due(table, arrival.at, self.tables.timekeeper.outage_since(table, arrival.at))

        async def done() -> bool:
            return bool((await self.tables.decide_and_append(stream, due, arrival=arrival)).events)

        if clock.outages.may_lack(arrival.at):
            await clock.outages.beat()
        return await done() or (await self.tables.cache.catch_up(await self.tables.cache.load(stream)) and await done())

    async def reschedule(self, due: Due) -> None:
        """Move the deadline to the table's next one."""
        table, now = await self.tables.cache.load(due.stream), self.tables.server_clock.now()
        at = timeouts.next_due(table, now, [], table.clocks) or NOTHING_DUE
        away = timedelta(milliseconds=self.tables.timekeeper.outage_since(table, now))
        await self.tables.store.reschedule(due, at if at == NOTHING_DUE else at + away, table.version)
