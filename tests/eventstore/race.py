"""A reader next to eight appenders that delay their commits by up to 50 ms."""
from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from random import Random
from typing import NamedTuple
from uuid import UUID

import asyncpg

from ludarium_eventstore import Append, CatchUpSubscription, EventStore, StoredEvent, subscribers_pool
from ludarium_eventstore.appender import APPEND, encode_appends
from ludarium_eventstore.reconnect import SETTINGS, Connection
from tests.support.entropy import uuid4
from tests.support.streams import event
from tests.support.waiting import eventually

APPENDERS = 8
LONGEST_HOLD = 0.05
MOST_ROWS = 60

LOCK = "perform pg_advisory_xact_lock(7239012045551);"
LAST = "select coalesce(max(e.position), 0) into last from es.events e where e.lane = 0;"
FROM_A_COUNTER = """perform pg_advisory_lock(1);
  select last_value into last from es.given;
  perform setval('es.given', last + cardinality(rows));
  perform pg_advisory_unlock(1);"""


class Result(NamedTuple):
    """The number of committed, missed and refused events, and the reader's failure."""

    committed: int
    missing: int
    failure: str | None
    refused: int


class Reader:
    """A reader that checks that every event follows the previous one."""

    event_types: Collection[int] = (1,)

    def __init__(self) -> None:
        self.seen: dict[int, tuple[UUID, int]] = {}
        self.last = 0

    async def apply(self, connection: Connection, rows: Sequence[StoredEvent]) -> None:
        if rows:
            self.last = min(self.last, rows[0].position - 1)        # after a rollback, events are delivered again
        for row in rows:
            if row.position != self.last + 1:
                raise AssertionError(f"position {row.position} came after {self.last}")
            self.last = row.position
            self.seen[row.position] = (row.stream, row.version)


async def race(dsn: str, batches: int, seed: int) -> Result:
    """Send `batches` batches from each appender, unless the reader fails earlier.

    The database must be migrated.
    """
    async with await EventStore.open(dsn) as store, subscribers_pool(dsn, 1) as pool:
        await store.name_types({1: "happened"})
        reader = Reader()
        subscription = CatchUpSubscription(pool, "reader", reader)
        task = asyncio.create_task(subscription.run())
        refused = await asyncio.gather(*(appender(dsn, Random(f"{seed} {n}"), batches, subscription) for n in range(APPENDERS)))
        committed = (await store.fetch("select count(*) as rows from es.events"))[0]["rows"]
        await finished(subscription, committed)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        failure = subscription.failure.error if subscription.failure else None
        return Result(committed, committed - len(reader.seen), failure, sum(refused))


async def finished(subscription: CatchUpSubscription, committed: int) -> None:
    await eventually(lambda: subscription.position >= committed or subscription.failure is not None)


async def appender(dsn: str, luck: Random, batches: int, subscription: CatchUpSubscription) -> int:
    """Append batches to the appender's own streams, and return how many were refused."""
    connection = await asyncpg.connect(dsn, server_settings=SETTINGS)
    heads = {uuid4(): 0 for _ in range(MOST_ROWS)}
    refused = 0
    for _ in range(batches):
        if subscription.failure is not None:
            break
        streams = luck.sample([*heads], luck.randint(1, MOST_ROWS))
        try:
            await held_append(connection, [Append(s, heads[s], [event(heads[s])]) for s in streams], luck)
        except asyncpg.UniqueViolationError:
            refused += 1
            continue
        heads |= {stream: heads[stream] + 1 for stream in streams}
        subscription.wake()
    await connection.close()
    return refused


async def held_append(
    connection: asyncpg.Connection[asyncpg.Record], appends: Sequence[Append], luck: Random
) -> None:
    async with connection.transaction():
        await connection.fetch(APPEND, encode_appends(appends))
        if luck.random() < 0.5:
            await connection.execute(f"select pg_sleep({luck.uniform(0, LONGEST_HOLD)})")


async def change_append(dsn: str, *changes: tuple[str, str]) -> None:
    """Replace parts of the text of es.append until the next migration.

    Args:
        changes: Pairs of an old and a new text.
    """
    connection = await asyncpg.connect(dsn)
    text = await connection.fetchval(
        "select pg_get_functiondef(oid) from pg_proc where pronamespace = 'es'::regnamespace and proname = 'append'"
        " order by pronargs limit 1"
    )
    for old, new in changes:
        if old not in text:
            raise ValueError(f"es.append has no {old!r}")
        text = text.replace(old, new)
    await connection.execute("create sequence es.given minvalue 0 start 0")
    await connection.execute("grant all on es.given to ludarium_service")
    await connection.execute(text)
    await connection.close()
