"""The server clock, which is PostgreSQL's time in every process.

Each process measures PostgreSQL's time and continues it with its own monotonic clock. The machine's wall clock is not
used.

See docs/decisions/027.
"""
from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import NamedTuple

from ludarium.platform.complaints import tried_again
from ludarium_eventstore import EventStore, StoreUnavailable

log = logging.getLogger(__name__)
TRIPS = 5
"""Round trips in one measurement. The shortest one is used, and its duration limits the error."""
EVERY = 10
"""Heartbeats between two measurements, since the local clock may run faster or slower than PostgreSQL's."""


class ClockSample(NamedTuple):
    took: float
    epoch: datetime                             # server time at 0 of the monotonic clock


class ServerClock:
    """The server clock of a process.

    Before the first measurement, the time comes from the local clock.

    Args:
        clock, sleep: the monotonic clock and the function that waits; tests replace both to make time pass faster.
    """

    def __init__(
        self, store: EventStore, clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:  # fmt: skip
        self.store, self.clock, self.sleep, self.outages = store, clock, sleep, Outages(store)
        self.epoch = datetime.now(UTC) - timedelta(seconds=clock())

    def now(self) -> datetime:
        """Return the current time, rounded down to milliseconds like all API times."""
        return whole(self.epoch + timedelta(seconds=self.clock()))

    async def learn(self) -> None:
        """Measure PostgreSQL's time. Raises StoreUnavailable."""
        self.epoch = min([await self.sample() for _ in range(TRIPS)]).epoch

    async def confirm_until(self, at: datetime) -> None:
        """Make sure that all outages up to `at` are known.

        Args:
            at: a time of this clock. If this clock is ahead of PostgreSQL's, wait until PostgreSQL reaches the time.

        Raises:
            StoreUnavailable: the database does not respond.
        """
        await self.outages.beat()
        if self.outages.seen < at:
            await self.sleep((at - self.outages.seen).total_seconds())
            await self.outages.beat()

    async def sample(self) -> ClockSample:
        sent = self.clock()
        at = await self.store.now()
        took = self.clock() - sent
        return ClockSample(took, at - timedelta(seconds=sent + took / 2))

    async def run(self) -> None:
        """Send heartbeats until cancelled.

        The time is measured with every tenth heartbeat, and after each heartbeat that was late or failed.
        """
        beats = 0
        while True:
            began = self.clock()
            try:
                await self.outages.beat()
                if beats % EVERY == 0 or self.clock() - began > BEAT:
                    await self.learn()
                beats += 1
            except StoreUnavailable as error:
                beats = 0
                tried_again(log, "the time is as it was last learnt: %s", error)
            await self.sleep(BEAT)


def whole(at: datetime) -> datetime:
    """Round down to a whole millisecond."""
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


# --- outages ----------------------------------------------------------------------------------------------------------
BEAT = 1.0
"""Seconds between two heartbeats of a process."""
LONGEST = timedelta(seconds=3)
"""Maximum time between two heartbeats, from any processes; a longer gap counts as an outage."""
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class Outages:
    """The outages known to this process.

    Attributes:
        known: the start and end of each outage, oldest first.
        seen: the time of the last known heartbeat of any process.
    """

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self.known: list[Sequence[datetime]] = []
        self.seen = LONG_AGO

    async def beat(self) -> None:
        """Send a heartbeat and learn of new outages. Raises StoreUnavailable."""
        newest = self.known[-1][1] if self.known else LONG_AGO
        rows = await self.store.fetch("select at, outages from clocks.beat($1, $2)", LONGEST, newest)
        self.seen = max(self.seen, rows[0]["at"])
        self.known += (outage for outage in rows[0]["outages"] if outage[1] > (self.known[-1][1] if self.known else LONG_AGO))

    def may_lack(self, now: datetime) -> bool:
        """Return whether an outage may have ended that this process does not know yet."""
        return now - self.seen >= LONGEST

    def between(self, since: datetime, until: datetime) -> timedelta:
        """Return the total length of the outages between two instants."""
        return sum((overlap(outage, since, until) for outage in self.known if outage[1] > since), timedelta())


def overlap(outage: Sequence[datetime], since: datetime, until: datetime) -> timedelta:
    return max(min(outage[1], until) - max(outage[0], since), timedelta())
