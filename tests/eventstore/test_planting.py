"""Events inserted by `planted`, past es.append, keep the order of appends."""
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg

from ludarium_eventstore import Append, EventStore, audit
from ludarium_eventstore.appender import encode_appends
from tests.support.entropy import uuid4
from tests.support.streams import append, event, planted
from tests.support.waiting import eventually, in_time


@asynccontextmanager
async def connected(database_url: str) -> AsyncIterator[asyncpg.Connection[asyncpg.Record]]:
    connection = await asyncpg.connect(database_url)
    try:
        yield connection
    finally:
        await connection.close()


async def lock_waited_for(database_url: str) -> None:
    """Wait until a statement in this database waits for a lock."""
    async with connected(database_url) as watching:
        await eventually(
            lambda: watching.fetchval(
                "select true from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
            )
        )


async def test_rows_are_planted_after_an_append_that_is_under_way(store: EventStore, database_url: str) -> None:
    first, second = uuid4(), uuid4()
    async with connected(database_url) as other:
        async with other.transaction():
            await other.fetch("select * from es.append($1::bytea[])", encode_appends([append(first, 0, rows=3)]))
            planting = asyncio.create_task(planted(store, append(second, 0, rows=2)))
            await lock_waited_for(database_url)
        await in_time(planting)
    assert [row.stream for row in await store.since(0)] == [first] * 3 + [second] * 2
    assert await audit(store) == []


async def test_planted_rows_and_their_secret_come_together(store: EventStore, database_url: str) -> None:
    stream = uuid4()
    async with connected(database_url) as other:
        async with other.transaction():
            await other.execute("lock table es.secrets in share mode")
            planting = asyncio.create_task(planted(store, Append(stream, 0, [event(0)], secret=b"secret")))
            await lock_waited_for(database_url)
            seen = await store.read(stream)
        await in_time(planting)
    assert seen == []
    assert [row.secret for row in await store.read(stream)] == [b"secret"]
