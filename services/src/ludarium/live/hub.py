"""A process's subscriptions in Redis, and the feeds of the tables that it follows.

See docs/decisions/012.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from typing import NamedTuple, Self

import msgspec

from ludarium.live import channel
from ludarium.live.channel import ChatPush, Push
from ludarium.live.encoded import Outlet, time_of
from ludarium.live.feed import Feed
from ludarium.live.ports import (
    EventPlace,
    EventRef,
    FoundEvents,
    LastKnown,
    Log,
    LogCheckpoint,
    ViewChannel,
    Viewpoint,
)
from ludarium.live.presence import Presence, Present
from ludarium.live.reading import LogReads
from ludarium.live.redis_connection import RedisConnection, connect
from ludarium.live.redis_nodes import RedisNodes
from ludarium.live.subscription import Subscription
from ludarium.platform import metrics
from ludarium.platform.background import ended, endless, started
from ludarium.platform.complaints import tried_again
from ludarium.platform.entropy import Entropy
from ludarium.platform.problems import Problem
from ludarium.platform.single_flight import SingleFlight
from ludarium.platform.view_channel import ROW, look

log = logging.getLogger(__name__)

LOG_CHECK = 0.5
"""Seconds between two checks of the log's progress, in case Redis is down or a process died before it published."""
REDIS_GRACE = 0.25
"""Seconds that Redis has to deliver events that the log already contains."""
AT_ONCE = 8
"""Concurrent reads of the log."""
RECHECK_GUESTS = 5.0
"""Seconds between two checks of guests' invitations, since the message about a withdrawn invitation may be lost."""
SOON, LATE = 0.1, 2.0
"""Seconds between two attempts to reach Redis, at first and at most."""


class Hub:
    """Passes events from Redis and the log to this process's readers.

    All readers share one connection to Redis, or in a cluster one connection to each node.
    """

    def __init__(self, url: str, rows: Log, entropy: Entropy, presence: Presence | None = None) -> None:
        """Configure a hub.

        Args:
            url: the URL of Redis, with redis://, rediss:// or unix://, or that of a cluster.
            rows: the log.
            presence: where presence is stored; with None, no presence is sent.
        """
        self._nodes = RedisNodes(url, (SOON, LATE), entropy, self._open, self._subscribe, self._disconnected)
        self._log, self._presence = rows, presence
        self._reads = LogReads(
            SingleFlight(lambda page: rows.events_after(*page), AT_ONCE),
            SingleFlight(lambda seen: rows.current_view(*seen), AT_ONCE),
            SingleFlight(lambda viewer: rows.viewpoint(*viewer), AT_ONCE),
        )
        self._tables: dict[str, dict[ViewChannel, Feed[Subscription]]] = {}
        self._warned = False
        self._known = False
        """True if the log's progress is known; once it is, all readers' positions are compared with it."""
        self.tokens_ended: Callable[[], None] = lambda: None
        """Called when some process announces ended tokens."""
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        loops = (self._nodes.keep, self._follow_log, self._recheck_guests_forever)
        self._tasks = [started(endless(loop)) for loop in loops]
        if self._presence is not None:
            self._tasks.append(started(endless(partial(self._presence.keep, self))))
        return self

    async def __aexit__(self, *_: object) -> None:
        await ended(*self._tasks)
        await self._reads.pages.close()
        await self._reads.views.close()
        await self._reads.viewpoints.close()

    @property
    def connected(self) -> bool:
        """True if all nodes of Redis are connected.

        Otherwise some tables are followed only through the log.
        """
        return self._nodes.complete

    def settled(self, table: str) -> bool:
        """Return whether the table is subscribed in Redis and all readers are up to date.

        If so, no reader is reading the log, and the next event is pushed to all of them.
        """
        name = channel.of_table(table)
        wire = self._nodes.of(name)
        listening = wire is not None and name in wire.confirmed
        return listening and self._known and all(feed.settled for feed in self._tables.get(table, {}).values())

    @property
    def tables(self) -> int:
        """Number of tables that are followed in this process."""
        return len(self._tables)

    @property
    def feeds(self) -> int:
        return sum(map(len, self._tables.values()))

    @property
    def readers(self) -> int:
        return sum(len(feed.members) for feed in self._feeds())

    def channels(self, table: str) -> Collection[ViewChannel]:
        """Return the table's view channels that have readers in this process."""
        return self._tables.get(table, {}).keys()

    def deliver(self, table: str, push: Push) -> None:
        """Deliver an event that this process has committed to its own readers.

        Readers of view channels without a message in the push wait for Redis or the log.
        """
        deliver_to(push, [feed for look, feed in self._tables.get(table, {}).items() if look in push.events])

    def follow(
        self, table: str, place: Viewpoint, outlet: Outlet, known: LastKnown, ended: Callable[[Subscription], None],
        listener: str | None = None, *, changes: bool = False,
    ) -> Subscription:  # fmt: skip
        """Add a subscription to the events that a client does not have.

        The caller starts the subscription. For the arguments that are not listed here, see Subscription.

        Args:
            changes: whether the newest event is sent with the changes of the view instead of the whole view.
        """
        feed = self._feed(table, look(place.audience, changes=changes))
        subscription = Subscription(feed, place, outlet, known, ended, listener)
        feed.members.add(subscription)
        self._presence_changed(table)
        return subscription

    def _feed(self, table: str, look: ViewChannel) -> Feed[Subscription]:
        wire = self._nodes.of(channel.of_table(table))
        if table not in self._tables:
            self._tables[table] = {}
            if wire:
                wire.subscribe(channel.of_table(table))
        feeds = self._tables[table]
        if look not in feeds:
            feeds[look] = Feed(table, look, self._reads)
            if wire:
                wire.subscribe(channel.of_view_channel(table, look))
        return feeds[look]

    def leave(self, subscription: Subscription) -> None:
        """Remove a subscription. A Redis channel without subscriptions is left."""
        subscription.cancel()
        feed = subscription.feed
        feed.live.discard(subscription)
        if subscription in feed.members:
            feed.members.remove(subscription)
            self._presence_changed(feed.table)
            if not feed.members:
                self._close(feed)

    def events_lost(self, table: str) -> None:
        """Handle a loss of the table's newest events.

        The rights of all readers are checked again, and resets are sent where needed.
        """
        for feed in self._tables.get(table, {}).values():
            feed.forget_pushes()
            for reader in [*feed.members]:
                reader.recheck_access()

    def followed(self) -> Collection[str]:
        """Return the tables that are followed in this process."""
        return self._tables.keys()

    def present(self, table: str) -> Present:
        """Return the presence of this process's readers at the table."""
        seats = [one.seat for feed in self._tables.get(table, {}).values() for one in feed.members]
        return Present(sorted({seat for seat in seats if seat is not None}), seats.count(None))

    def send_presence(self, table: str, present: Present) -> None:
        for feed in self._tables.get(table, {}).values():
            feed.send_presence(present)

    def _presence_changed(self, table: str) -> None:
        if self._presence is not None:
            self._presence.changed(table)

    def _close(self, feed: Feed[Subscription]) -> None:
        feeds, wire = self._tables[feed.table], self._nodes.of(channel.of_table(feed.table))
        feed.close()
        del feeds[feed.channel]
        if wire:
            wire.unsubscribe(channel.of_view_channel(feed.table, feed.channel))
        if not feeds:
            del self._tables[feed.table]
            if wire:
                wire.unsubscribe(channel.of_table(feed.table))

    def _received(self, name: bytes, payload: bytes) -> None:
        try:
            push = channel.decode(payload)
        except msgspec.MsgspecError:
            log.warning("%r carries something that is no message of ours", name)
            return
        if name == channel.TOKENS:
            return self.tokens_ended()
        if payload == channel.PRESENCE and self._presence is not None:
            return self._presence.outdated(channel.table_of(name))
        if payload == channel.REVOKED:
            return self.recheck_guests(self._tables.get(channel.table_of(name), {}).values())
        if payload == channel.REMATCH:
            return self._send_rematch(channel.table_of(name))
        if push.seq == channel.CHAT:
            return self._send_chat(channel.table_of(name), channel.chats_of(push))
        if row := push.events.pop(ROW, None):
            self._log.apply_replicated(channel.table_of(name), row)
        deliver_to(push, self._tables.get(channel.table_of(name), {}).values())

    def recheck_guests(self, feeds: Iterable[Feed[Subscription]]) -> None:
        """Check whether readers who came by invitation may still watch."""
        for reader in [reader for feed in feeds for reader in feed.members if reader.by_invitation]:
            reader.recheck_access()

    async def _recheck_guests_forever(self) -> None:
        while True:
            await asyncio.sleep(RECHECK_GUESTS)
            self.recheck_guests(self._feeds())

    def _send_chat(self, table: str, talks: Iterable[ChatPush]) -> None:
        for said in talks:
            for feed in self._tables.get(table, {}).values():
                feed.send_chat(said)

    def _send_rematch(self, table: str) -> None:
        for feed in self._tables.get(table, {}).values():
            feed.send_rematch()

    def _channel_confirmed(self, name: bytes) -> None:
        """Read the log, since events were published before the channel was confirmed."""
        for feed in self._tables.get(channel.table_of(name), {}).values():
            feed.read_log()

    async def _open(self, url: str) -> RedisConnection:
        return await connect(url, self._received, self._channel_confirmed, moved=self._nodes.doubt)

    def _subscribe(self) -> None:
        """Subscribe to the Redis channels of all followed tables and of ended tokens."""
        looks = [channel.of_view_channel(feed.table, feed.channel) for feed in self._feeds()]
        for name in (channel.TOKENS, *map(channel.of_table, self._tables), *looks):
            wire = self._nodes.of(name)
            if wire is not None and name not in wire.channels:
                wire.subscribe(name)
        if self._nodes.complete and self._warned:
            log.info("Redis is heard")
            self._warned = False

    def _disconnected(self, complaint: str) -> None:
        if not self._warned:
            self._warned = tried_again(log, "Redis is not heard, the log is watched instead: %s", complaint)

    async def _follow_log(self) -> None:
        """Follow the log's progress, to notice events that Redis did not deliver."""
        mark = None
        while True:
            try:
                mark = await self._advance(mark)
            except Problem as problem:
                log.debug("the log cannot be read: %s", problem)  # the next attempt begins at the same mark, so nothing is lost
            await asyncio.sleep(LOG_CHECK)

    async def _advance(self, since: LogCheckpoint | None) -> LogCheckpoint:
        mark, versions, whole = await self._log.progress(self.followed(), since)
        if not whole:
            await self._compare()
        elif since is None:
            for feed in self._feeds():
                feed.read_log()
        self._known = True
        asyncio.get_running_loop().call_later(REDIS_GRACE, self._read_behind, versions)
        return mark

    async def _compare(self) -> None:
        """Find the readers who were sent events that the log has lost.

        Events are compared by their heads, since other events may have the same numbers now.
        """
        watchers = self.readers
        lost = await recheck_lost(self._log, [*self._feeds()])
        log.warning("the log may have lost its newest events: %s of %s watchers here were sent one", lost, watchers)

    def _read_behind(self, versions: Mapping[str, int]) -> None:
        for table, version in versions.items():
            for feed in self._tables.get(table, {}).values():
                feed.log_reached(version)
        for feed in self._feeds():
            if feed.lacks_events:
                feed.read_log()

    def _feeds(self) -> Iterator[Feed[Subscription]]:
        return (feed for feeds in self._tables.values() for feed in feeds.values())


def deliver_to(push: Push, feeds: Iterable[Feed[Subscription]]) -> None:
    told = [feed.deliver(push) for feed in feeds]
    if any(told) and (at := time_of(next(iter(push.events.values())))) is not None:
        metrics.fan_out.observe(max(0.0, time.time() - at))


# --- after events were lost -------------------------------------------------------------------------------------------
MOST_EVENTS = 1000
"""Events looked up in one query, at most."""


class Reliance(NamedTuple):
    """The events on which a reader relies.

    Attributes:
        reader: the reader.
        sent: the last event that was sent to the reader.
        judged: the table's newest event when the reader's right to watch was decided.
    """

    reader: Subscription
    sent: EventRef | None
    judged: EventRef | None

    def places(self) -> Iterable[EventPlace]:
        return ((self.reader.feed.table, row.seq) for row in (self.sent, self.judged) if row is not None)

    def stands(self, row: EventRef | None, found: FoundEvents) -> bool:
        return row is None or found.heads.get((self.reader.feed.table, row.seq)) == row.head


async def recheck_lost(log: Log, feeds: Collection[Feed[Subscription]]) -> int:
    """Let readers that rely on lost events read the log, and send resets if needed.

    Since an event's head covers all earlier events, comparing one event is enough for each reader. Readers that do not
    rely on lost events are not affected.

    Returns:
        How many readers were sent an event that the log does not have.
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
    """Look up events, one query at a time to spare a database that has just restarted."""
    heads, last, rest = dict[EventPlace, str](), dict[str, int](), iter(sorted(places))
    while some := [*islice(rest, MOST_EVENTS)]:
        page = await log.find_events(some)
        heads |= page.heads
        last |= page.last
    return FoundEvents(heads, last)
