"""House time: PostgreSQL's clock as this process last learnt it, and its own monotonic clock since. No wall clock counts."""
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
"""Of which the shortest tells the time: what it took is as far as the estimate can be off."""
EVERY = 10
"""Signs of life between two lessons; this machine's clock may run faster or slower than PostgreSQL's."""


class ClockSample(NamedTuple):
    took: float
    epoch: datetime                             # house time when the monotonic clock stood at 0


class ServerClock:
    """One a process. Until the first lesson it goes by the machine's own clock. clock, sleep: a proof has time run faster."""

    def __init__(
        self, store: EventStore, clock: Callable[[], float] = monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:  # fmt: skip
        self.store, self.clock, self.sleep, self.outages = store, clock, sleep, Outages(store)
        self.epoch = datetime.now(UTC) - timedelta(seconds=clock())

    def now(self) -> datetime:
        """To the millisecond, as the API tells times."""
        return whole(self.epoch + timedelta(seconds=self.clock()))

    async def learn(self) -> None:
        """Raises StoreUnavailable."""
        self.epoch = min([await self.sample() for _ in range(TRIPS)]).epoch

    async def confirm_until(self, at: datetime) -> None:
        """The service is alive at that moment: it lies in no outage, or in one that is known by now. Raises StoreUnavailable.

        at: by this estimate, which may be ahead of PostgreSQL's clock; then this waits for that.
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
        """Until cancelled: signs of life, and lessons in between and after each that was missed."""
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
    """Without the fraction of its millisecond."""
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


# --- outages ----------------------------------------------------------------------------------------------------------
BEAT = 1.0
"""Seconds between two signs of life of a process."""
LONGEST = timedelta(seconds=3)
"""Between those of all processes; what is longer is an outage."""
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class Outages:
    """known: those of which this process has been told, oldest first. seen: when the service was last seen alive."""

    def __init__(self, store: EventStore) -> None:
        self.store = store
        self.known: list[Sequence[datetime]] = []
        self.seen = LONG_AGO

    async def beat(self) -> None:
        """Raises StoreUnavailable."""
        newest = self.known[-1][1] if self.known else LONG_AGO
        rows = await self.store.fetch("select at, outages from clocks.beat($1, $2)", LONGEST, newest)
        self.seen = max(self.seen, rows[0]["at"])
        self.known += (outage for outage in rows[0]["outages"] if outage[1] > (self.known[-1][1] if self.known else LONG_AGO))

    def may_lack(self, now: datetime) -> bool:
        """Whether one may have ended by now that this process has not been told of."""
        return now - self.seen >= LONGEST

    def between(self, since: datetime, until: datetime) -> timedelta:
        """How long nobody could append within that time."""
        return sum((overlap(outage, since, until) for outage in self.known if outage[1] > since), timedelta())


def overlap(outage: Sequence[datetime], since: datetime, until: datetime) -> timedelta:
    return max(min(outage[1], until) - max(outage[0], since), timedelta())
