"""One process's ear at Redis: which tables are followed here, and what was said of them."""

import asyncio
import logging
import random
from collections.abc import Collection, Iterator
from typing import Self

import msgspec

from services.live import channel
from services.live.feed import Feed, Subscription
from services.live.outlet import Outlet
from services.live.ports import Audience, Log
from services.live.reads import Reads
from services.live.wire import Wire, connect

log = logging.getLogger(__name__)

POLL = 2.0
"""Seconds between two looks at the logs while Redis is down."""
SWEEP = 15.0
"""The same while it is up: the process that committed may have died before it could publish."""
SOON, LATE = 0.1, 2.0
"""Seconds between attempts to reach Redis: at first, and at most."""


class Hub:
    """Runs one supervised subscription connection from its start to its end; followers only add and drop channels."""

    def __init__(self, url: str, rows: Log) -> None:
        """`url`: redis://, rediss:// or unix://."""
        self._url = url
        self._reads = Reads(rows)
        self._tables: dict[str, dict[Audience, Feed]] = {}
        self._wire: Wire | None = None
        self._complained = False
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._poll())]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._reads.close()

    @property
    def connected(self) -> bool:
        """Whether Redis is heard; otherwise the logs are polled."""
        return self._wire is not None

    @property
    def tables(self) -> int:
        """How many are followed here."""
        return len(self._tables)

    def audiences(self, table: str) -> Collection[Audience]:
        """As whom somebody follows the table here."""
        return self._tables.get(table, {}).keys()

    def follow(self, table: str, audience: Audience, outlet: Outlet, after: int) -> Subscription:
        """A place in the feed of `table` behind `after`, for the caller to start."""
        if table not in self._tables:
            self._tables[table] = {}
            if self._wire is not None:
                self._wire.subscribe(channel.of_table(table))
        feeds = self._tables[table]
        if audience not in feeds:
            feeds[audience] = Feed(table, audience, self._reads)
        subscription = Subscription(feeds[audience], outlet, after)
        feeds[audience].members.add(subscription)
        return subscription

    def leave(self, subscription: Subscription) -> None:
        """The last one to leave a table ends its channel."""
        subscription.cancel()
        feed = subscription.feed
        feed.members.discard(subscription)
        feed.live.discard(subscription)
        if not feed.members:
            self._close(feed)

    def _close(self, feed: Feed) -> None:
        feeds = self._tables[feed.table]
        feed.close()
        del feeds[feed.audience]
        if not feeds:
            del self._tables[feed.table]
            if self._wire is not None:
                self._wire.unsubscribe(channel.of_table(feed.table))

    def _heard(self, name: bytes, payload: bytes) -> None:
        try:
            seq, messages = channel.decode(payload)
        except msgspec.MsgspecError:
            log.warning("%r carries something that is no message of ours", name)
            return
        for audience, feed in self._tables.get(channel.table_of(name), {}).items():
            feed.deliver(seq, messages.get(audience))

    def _joined(self, name: bytes) -> None:
        """From now on nothing of this channel is missed; what was, is in the log."""
        for feed in self._tables.get(channel.table_of(name), {}).values():
            feed.look()

    async def _listen(self) -> None:
        """Keeps one connection open, whatever becomes of Redis."""
        delay = SOON
        while True:
            try:
                wire = await connect(self._url, self._heard, self._joined)
            except OSError as error:
                self._deaf(str(error))
                delay = min(2 * delay, LATE)
            else:
                delay = SOON
                await self._stay(wire)
            await asyncio.sleep(random.uniform(delay / 2, delay))

    async def _stay(self, wire: Wire) -> None:
        """Follows all tables of the moment, and further ones as they come, until the connection is lost."""
        log.info("Redis is heard")
        self._wire, self._complained = wire, False
        if self._tables:
            wire.subscribe(*map(channel.of_table, self._tables))
        try:
            self._deaf(await asyncio.shield(wire.lost))
        finally:
            self._wire = None
            wire.abort("no longer needed")

    def _deaf(self, complaint: str) -> None:
        if not self._complained:
            log.warning("Redis is not heard, tables are followed by polling: %s", complaint)
        self._complained = True

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(SWEEP if self.connected else POLL)
            for feed in self._feeds():
                feed.look()

    def _feeds(self) -> Iterator[Feed]:
        return (feed for feeds in self._tables.values() for feed in feeds.values())
