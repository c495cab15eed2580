"""When no process could append: no clock runs then. Each shows every second that it can write, so all know when none could."""
from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from ludarium_eventstore import EventStore

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
