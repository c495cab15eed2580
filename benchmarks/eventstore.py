"""Measure durable appends, one and many at a time, and bytes on the disk.

They are compared with the limit of PostgreSQL itself and with other libraries.
"""
from __future__ import annotations

import asyncio
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
from benchmarks.store.disk import bytes_of_an_event
from benchmarks.store.limit import plain_inserts
from benchmarks.store.message_db import installed, written
from benchmarks.store.peer import recorded
from ludarium.embedded import embedded
from ludarium.tables.schemas import NewTable
from ludarium_engine.registry import titles
from ludarium_eventstore import Append, EventStore, NewEvent, migrate
from ludarium_eventstore.appender import APPEND, encode_appends
from ludarium_eventstore.reconnect import SETTINGS
from tests.live.full import largest

APPENDS = 500
RUNS = 5
SECONDS = 3.0
PAYLOAD = bytes(120)


async def rows() -> AsyncIterator[Row]:
    for of_one in (idle, many_tables, more_tables, against_a_peer, against_message_db, on_disk):
        for row in await of_one():
            yield row


# --- one at a time ----------------------------------------------------------------------------------------------------
async def idle() -> list[Row]:
    async with fresh_store() as (store, dsn):
        alone = await asyncpg.connect(dsn, server_settings=SETTINGS)
        pairs = [(await through_store(store), await through_asyncpg(alone)) for _ in range(RUNS)]
        await alone.close()
    value = median(median(ours) for ours, _ in pairs)
    limit = median(median(theirs) for _, theirs in pairs)
    slow = median(quantiles(ours, n=100)[-1] for ours, _ in pairs)
    return [
        Row(
            name="eventstore: one durable append, p50", value=round(value * 1e6), unit="us",
            beside=f"the same statement sent alone: {limit * 1e6:.0f} us", ratio=value / limit, goal="<= 1.3 x",
            holds=value <= 1.3 * limit,
        ),
        Row(name="eventstore: one durable append, p99", value=round(slow * 1e6), unit="us"),
    ]  # fmt: skip


async def append_cpu() -> float:
    """Return the microseconds of CPU that the sending process needs per append."""
    async with fresh_store() as (store, _):
        await through_store(store)
        start = process_time()
        await through_store(store)
        return (process_time() - start) / APPENDS * 1e6


async def through_store(store: EventStore) -> list[float]:
    return await timed(store.append)


async def through_asyncpg(connection: asyncpg.Connection[asyncpg.Record]) -> list[float]:
    async def send(append: Append) -> None:
        await connection.fetch(APPEND, encode_appends([append]))

    return await timed(send)


async def timed(send: Callable[[Append], Awaitable[object]]) -> list[float]:
    """Return the seconds of each of many appends to one stream."""
    stream, taken = uuid4(), []
    for version in range(APPENDS):
        append = event(stream, version)
        start = perf_counter()
        await send(append)
        taken.append(perf_counter() - start)
    return taken


# --- many at a time ---------------------------------------------------------------------------------------------------
async def many_tables() -> list[Row]:
    return await beside_the_limit(64, 64)


async def more_tables() -> list[Row]:
    return await beside_the_limit(1000, 256)


async def beside_the_limit(tables: int, size: int) -> list[Row]:
    """Compare the appends per second from many tables with plain INSERTs.

    Each run has new servers, and its own measurement of the limit.
    """
    runs = []
    for _ in range(RUNS):
        async with fresh_store() as (store, dsn):
            limit = await asyncio.to_thread(plain_inserts, dsn, size, PAYLOAD)
            runs.append((await appended(store, tables), limit))
    name = f"eventstore: durable appends, {tables:,} tables"
    value, ratio = median(load.rate for load, _ in runs), median(load.rate / limit for load, limit in runs)
    slow = median(quantiles(load.taken, n=100)[-1] for load, _ in runs)
    return [
        Row(
            name=name, value=round(value), unit="/s", ratio=ratio, goal=">= 0.35 x", holds=ratio >= 0.35,
            beside=f"plain INSERT of {size} rows by pgbench: {median(limit for _, limit in runs):,.0f}/s",
        ),
        Row(name=f"{name}, p99", value=round(slow * 1e3, 2), unit="ms"),
    ]  # fmt: skip


async def against_a_peer() -> list[Row]:
    runs = []
    for _ in range(RUNS):
        async with fresh_store() as (store, dsn):
            peer = await asyncio.to_thread(recorded, dsn, 64, len(PAYLOAD))
            runs.append(((await appended(store, 64)).rate, peer))
    ratio = median(ours / peer for ours, peer in runs)
    return [
        Row(
            name="eventstore: durable appends, 64 tables", value=round(median(ours for ours, _ in runs)), unit="/s",
            beside=f"eventsourcing 9.5 recorder, best of 1 to 32 threads: {median(peer for _, peer in runs):,.0f}/s",
            ratio=ratio, goal=">= 15 x", holds=ratio >= 15,
        )
    ]  # fmt: skip


async def against_message_db() -> list[Row]:
    name, goal = "eventstore: durable appends, 64 tables", ">= 5 x"
    if not installed():
        return [Row(name=name, value=0, unit="/s", beside="message-db: npm does not give it here", goal=goal)]
    runs = []
    for _ in range(RUNS):
        async with fresh_store() as (store, dsn):
            peer = await asyncio.to_thread(written, dsn, len(PAYLOAD))
            runs.append(((await appended(store, 64)).rate, peer))
    ratio = median(ours / peer for ours, peer in runs)
    return [
        Row(
            name=name, value=round(median(ours for ours, _ in runs)), unit="/s",
            beside=f"message-db 1.3.1's write_message, best of 1 to 64 clients: {median(peer for _, peer in runs):,.0f}/s",
            ratio=ratio, goal=goal, holds=ratio >= 5,
        )
    ]  # fmt: skip


class Load:
    """The appends of some seconds.

    Attributes:
        taken: the seconds that each append took.
        rate: appends per second.
    """

    def __init__(self) -> None:
        self.taken: list[float] = []
        self.rate = 0.0


async def appended(store: EventStore, tables: int) -> Load:
    """Append from all tables for SECONDS.

    A table appends its next event as soon as its last one is durable.
    """
    load, start = Load(), perf_counter()
    await asyncio.gather(*(one_table(store, load, start + SECONDS) for _ in range(tables)))
    load.rate = len(load.taken) / (perf_counter() - start)
    return load


async def one_table(store: EventStore, load: Load, end: float) -> None:
    stream, version, before = uuid4(), 0, perf_counter()
    while before < end:
        await store.append(event(stream, version))
        version += 1
        after = perf_counter()
        load.taken.append(after - before)
        before = after


# --- on the disk ------------------------------------------------------------------------------------------------------
async def on_disk() -> list[Row]:
    """Return the bytes per event at the smallest table, and each title's largest."""
    small = await on_disk_of(NewTable("game-of-kingdoms", 2))
    small.goal, small.holds = "<= 490, with its story", small.value <= 490
    return [small, *[await on_disk_of(largest(ruleset)) for ruleset in titles()]]


async def on_disk_of(wanted: NewTable) -> Row:
    async with fresh_store() as (store, _):
        parts = await bytes_of_an_event(store, wanted)
    named = ", ".join(f"{part.removeprefix('es.')} {size:.0f}" for part, size in parts.items())
    name = f"eventstore: a live event on the disk, {wanted.ruleset}, {wanted.seats} seats"
    return Row(name=name, value=round(sum(parts.values())), unit="bytes", beside=named)


# --- shared parts -----------------------------------------------------------------------------------------------------
@asynccontextmanager
async def fresh_store() -> AsyncIterator[tuple[EventStore, str]]:
    """Open an event store on new servers, with fsync.

    Yields:
        The store, and the DSN of its database.
    """
    with tempfile.TemporaryDirectory(prefix="ludarium-bench-") as folder:
        Path(folder).chmod(0o711)
        async with embedded(Path(folder)) as servers:
            await migrate(servers.database_url)
            async with await EventStore.open(servers.database_url) as store:
                await store.name_types({99: "happened"})
                yield store, servers.database_url


def event(stream: UUID, version: int) -> Append:
    return Append(stream, version, [NewEvent(99, 1, datetime.now(UTC), PAYLOAD, bytes(32), bytes(32))], uuid4(), b"request")
