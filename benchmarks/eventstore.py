"""One durable append through the store beside the same statement sent alone; real servers, with fsync."""
from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time
from uuid import UUID, uuid4

import asyncpg

from benchmarks.rows import Row
from eventstore import Append, EventStore, NewEvent, migrate
from eventstore.appender import CALL, arguments
from eventstore.reconnect import SETTINGS
from services.embedded import embedded

APPENDS = 500
RUNS = 5
PAYLOAD = bytes(120)


async def rows() -> AsyncIterator[Row]:
    async with fresh_store() as (store, dsn):
        alone = await asyncpg.connect(dsn, server_settings=SETTINGS)
        pairs = [(await through_store(store), await through_asyncpg(alone)) for _ in range(RUNS)]
        await alone.close()
    value = median(median(ours) for ours, _ in pairs)
    limit = median(median(theirs) for _, theirs in pairs)
    slow = median(quantiles(ours, n=100)[-1] for ours, _ in pairs)
    yield Row(
        name="eventstore: one durable append, p50", value=round(value * 1e6), unit="us",
        beside=f"the same statement sent alone: {limit * 1e6:.0f} us", ratio=value / limit, goal="<= 1.3 x",
        holds=value <= 1.3 * limit,
    )  # fmt: skip
    yield Row(name="eventstore: one durable append, p99", value=round(slow * 1e6), unit="us")


async def append_cpu() -> float:
    """Microseconds of CPU that one append costs the process that sends it."""
    async with fresh_store() as (store, _):
        await through_store(store)
        start = process_time()
        await through_store(store)
        return (process_time() - start) / APPENDS * 1e6


@asynccontextmanager
async def fresh_store() -> AsyncIterator[tuple[EventStore, str]]:
    """On servers of its own, with fsync; and the database's DSN."""
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder:
        Path(folder).chmod(0o711)
        async with embedded(Path(folder)) as servers:
            await migrate(servers.database_url)
            async with await EventStore.open(servers.database_url) as store:
                await store.name_types({1: "happened"})
                yield store, servers.database_url


async def through_store(store: EventStore) -> list[float]:
    return await timed(store.append)


async def through_asyncpg(connection: asyncpg.Connection[asyncpg.Record]) -> list[float]:
    async def send(append: Append) -> None:
        await connection.fetch(CALL, *arguments([append]))

    return await timed(send)


async def timed(send: Callable[[Append], Awaitable[object]]) -> list[float]:
    """Seconds of each of many appends to one stream."""
    stream, taken = uuid4(), []
    for version in range(APPENDS):
        append = event(stream, version)
        start = perf_counter()
        await send(append)
        taken.append(perf_counter() - start)
    return taken


def event(stream: UUID, version: int) -> Append:
    return Append(stream, version, [NewEvent(1, 1, datetime.now(UTC), PAYLOAD, bytes(32))], uuid4(), b"request")
