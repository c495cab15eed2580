"""Which watchers know events that the log has lost. Asked once after a fail-over, for all tables that are followed here."""

from collections.abc import Collection, Iterable
from itertools import islice
from typing import NamedTuple

from ludarium.live.feed import Feed, Subscription
from ludarium.live.ports import EventPlace, EventRef, FoundEvents, Log

AT_ONCE = 1000
"""Events that one query looks up."""


class Reliance(NamedTuple):
    """What a watcher relies on: the event that it was sent last, and the newest one when its right to look was decided."""

    reader: Subscription
    sent: EventRef | None
    judged: EventRef | None

    def places(self) -> Iterable[EventPlace]:
        return ((self.reader.feed.table, row.seq) for row in (self.sent, self.judged) if row is not None)

    def stands(self, row: EventRef | None, found: FoundEvents) -> bool:
        return row is None or found.heads.get((self.reader.feed.table, row.seq)) == row.head


async def recheck_lost(log: Log, feeds: Collection[Feed]) -> int:
    """Have each watcher that relies on a lost event read the log, which sends it a reset where it needs one.

    The head of an event covers all events before it, so one comparison is enough for a watcher. The others are left alone.

    Returns:
        How many watchers were sent an event that was not found.
    """
    claims = [Reliance(reader, reader.sent, reader.decided_at) for feed in feeds for reader in feed.members]
    found = await find_events(log, {place for claim in claims for place in claim.places()})
    for feed in feeds:
        feed.forget_pushes(found.last.get(feed.table, -1))
    lost = [claim.reader for claim in claims if not claim.stands(claim.sent, found)]
    unsure = [claim.reader for claim in claims if not claim.stands(claim.judged, found)]
    for reader in unsure:
        reader.recheck_access()
    for reader in lost:
        reader.read_again()
    return len(lost)


async def find_events(log: Log, places: Collection[EventPlace]) -> FoundEvents:
    """One query at a time: the database has just come back."""
    heads, last, rest = dict[EventPlace, str](), dict[str, int](), iter(sorted(places))
    while some := [*islice(rest, AT_ONCE)]:
        page = await log.find_events(some)
        heads |= page.heads
        last |= page.last
    return FoundEvents(heads, last)
