"""The largest table of each title, with subscribers for every audience.

The subscribers may be in several processes.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from random import Random
from typing import Any, NamedTuple, Self
from uuid import UUID

from ludarium.live.encoded import EncodedEvent
from ludarium.live.hub import Hub
from ludarium.live.ports import NOTHING_KNOWN
from ludarium.live.publisher import Publisher
from ludarium.live.subscription import Subscription
from ludarium.live_adapters import TableLog
from ludarium.platform import ids
from ludarium.platform.idempotency import Identity
from ludarium.platform.view_channel import looks_at
from ludarium.tables.model import seating
from ludarium.tables.model.event_types import NAMES
from ludarium.tables.model.hash_chain import head_of
from ludarium.tables.schemas import ActionBody, Command, NewTable
from ludarium.tables.service import Tables
from ludarium_engine.kernel import SPECTATOR, legal_offers
from ludarium_engine.registry import titles
from ludarium_eventstore import EventStore, StoredEvent
from tests.support.entropy import ENTROPY, uuid4
from tests.support.waiting import in_time

OPTIONS: dict[str, dict[str, Any]] = {"valley-of-the-kings": {"edition": "premium"}}
"""Options without which the largest table of a title cannot be opened."""


def largest(ruleset: str) -> NewTable:
    return NewTable(ruleset, titles()[ruleset].seats[-1], OPTIONS.get(ruleset, {}))


class CountingStore(EventStore):
    """An event store that counts its reads of streams in `reads`."""

    reads = 0

    async def read(self, stream: UUID, after: int = -1, limit: int | None = None) -> list[StoredEvent]:
        self.reads += 1
        return await super().read(stream, after, limit)


class Process(NamedTuple):
    """The tables and the hub of one process."""

    store: CountingStore
    tables: Tables
    hub: Hub
    log: TableLog


@asynccontextmanager
async def process(database_url: str, redis_url: str) -> AsyncIterator[Process]:
    """Start a process on a migrated database."""
    async with await CountingStore.open(database_url) as store, Publisher(redis_url, ENTROPY) as publisher:
        await store.name_types(NAMES)
        tables = Tables(store, publisher, ENTROPY)
        log = TableLog(tables)
        async with Hub(redis_url, log, ENTROPY) as hub:
            publisher.local = hub
            yield Process(store, tables, hub, log)
        await tables.close()


class Ear:
    """A subscriber that records the numbers of events and counts their bytes."""

    def __init__(self) -> None:
        self.seqs: list[int] = []
        self.told = 0
        self._news = asyncio.Event()

    def send(self, *news: EncodedEvent) -> None:
        self.seqs += [told.seq for told in news if told.seq is not None]
        self.told += sum(len(told.frame) for told in news)
        self._news.set()

    async def until(self, seq: int) -> None:
        """Wait until the last received event has this number."""
        while self.seqs[-1:] != [seq]:
            self._news.clear()
            await self._news.wait()

    async def drained(self) -> None:
        """Return at once, since this subscriber never has a backlog."""

    def fail(self) -> None:
        raise AssertionError("the log cannot be followed")


class Game:
    """A table at which the player of seat 0 is named "0", and so on."""

    def __init__(self, process: Process, table: UUID, seats: int, luck: Random) -> None:
        self.process, self.table, self.seats, self._luck = process, table, seats, luck
        self.ears: list[Ear] = []
        self._watching: list[tuple[Hub, Subscription]] = []

    @classmethod
    async def begun(cls, process: Process, wanted: NewTable, luck: Random) -> Self:
        tables = process.tables
        table = ids.decode((await tables.create("0", wanted)).id)
        for seat in range(wanted.seats):
            await tables.sit(table, str(seat), seat)
        await tables.change(table, "0", lambda t: seating.start(t, "0"))
        return cls(process, table, wanted.seats, luck)

    async def watch(self, process: Process, *, changes: bool = False) -> None:
        """Follow the table as each seat and as a spectator.

        Args:
            changes: Whether to receive changes instead of whole views.
        """
        for audience in range(SPECTATOR, self.seats):
            place = await process.log.viewpoint(str(audience), ids.encode(self.table), audience)
            ear = Ear()
            subscription = process.hub.follow(ids.encode(self.table), place, ear, NOTHING_KNOWN, left_out, changes=changes)
            subscription.start()
            self._watching.append((process.hub, subscription))
            self.ears.append(ear)
        await self.all_told()

    def unwatched(self) -> None:
        """Remove all subscriptions."""
        for hub, subscription in self._watching:
            hub.leave(subscription)

    async def all_told(self) -> None:
        """Wait until every audience has received every event, once and in order."""
        head = (await self.process.tables.cache.load(self.table)).version
        await in_time(asyncio.gather(*[ear.until(head) for ear in self.ears]))
        assert all(ear.seqs == [*range(head + 1)] for ear in self.ears)

    async def move(self) -> None:
        """Make a random move, and wait until all subscribers have received it."""
        table = await self.process.tables.cache.load(self.table)
        seat = table.playing.agenda[-1].asked[0]
        offer = self._luck.choice(legal_offers(table.title, table.playing, seat))
        action = ActionBody(offer.id, [*offer.pool[: max(1, offer.least)]])
        command = Command(table.version, action, head_of(table.hash))
        await self.process.tables.command(self.table, str(seat), command, Identity(uuid4(), b"request"))
        await self.all_told()

    def made_for(self) -> Collection[int]:
        """Return the audiences for which the messages of the next event are rendered."""
        return self.process.tables.publisher.watched(ids.encode(self.table), looks_at(self.seats))

    async def over(self) -> bool:
        return (await self.process.tables.cache.load(self.table)).status == "over"


def left_out(_: Subscription) -> None:
    raise AssertionError("somebody lost their seat")
