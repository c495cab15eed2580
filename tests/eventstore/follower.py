"""A subscriber that records each event in the transaction that delivers the event."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from typing import Any

import asyncpg

from ludarium_eventstore import CatchUpSubscription, EventStore, StoredEvent
from ludarium_eventstore.reconnect import Connection, Pool
from tests.support.waiting import eventually


class Scribe:
    """A subscriber that records events, and fails at the position `poison`."""

    event_types: Collection[int] = (1,)

    def __init__(self, who: str = "one", poison: int = 0) -> None:
        self.who, self.poison = who, poison
        self.given = 0

    async def apply(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        self.given += len(rows)
        await connection.executemany(
            "insert into told (who, position, stream, version) values ($1, $2, $3, $4)",
            [(self.who, row.position, row.stream, row.version) for row in rows],
        )
        if any(row.position == self.poison for row in rows):
            raise ValueError("this row cannot be read")


async def make_book(dsn: str) -> None:
    """Create the table for recorded events, which refuses duplicates.

    The column `nr` gives the order in which the events were recorded.
    """
    connection = await asyncpg.connect(dsn)
    await connection.execute(
        "create table told (who text, nr bigint generated always as identity, position bigint, stream uuid, version int,"
        " primary key (who, position)); grant all on told to ludarium_service"
    )
    await connection.close()


async def told(store: EventStore, who: str = "one") -> list[int]:
    """Return the recorded positions, in the order in which they were recorded."""
    return [row["position"] for row in await store.fetch("select position from told where who = $1 order by nr", who)]


@asynccontextmanager
async def running(
    pool: Pool, scribe: Scribe, name: str = "one", **settings: Any
) -> AsyncIterator[CatchUpSubscription]:
    subscription = CatchUpSubscription(pool, name, scribe, **settings)
    task = asyncio.create_task(subscription.run())
    try:
        yield subscription
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def reached(store: EventStore, position: int, who: str = "one") -> None:
    """Wait until this many events are recorded."""

    async def all_written() -> bool:
        return len(await told(store, who)) >= position

    await eventually(all_written)


async def failed(subscription: CatchUpSubscription) -> str:
    """Wait until the subscription stops, and return the error."""
    return (await eventually(lambda: subscription.failure)).error
