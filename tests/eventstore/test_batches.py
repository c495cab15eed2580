"""Group commit, the order in batches, and events that the database refuses."""
from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from uuid import UUID

import asyncpg
import pytest
from msgspec.structs import replace

from ludarium_eventstore import Append, AppendRefused, EventStore, Ok, StoreUnavailable, audit
from tests.support.entropy import uuid4
from tests.support.streams import append, event, short
from tests.support.waiting import eventually, in_time, let_others_run

LOCK = "select pg_advisory_xact_lock(7239012045551)"
WAITING = "select count(*) from pg_locks where locktype = 'advisory' and not granted"


@asynccontextmanager
async def held_up(store: EventStore, dsn: str) -> AsyncIterator[None]:
    """Block one append, so that the next ones wait together."""
    holder = await asyncpg.connect(dsn)
    try:
        async with holder.transaction():
            await holder.execute(LOCK)
            first = asyncio.create_task(store.append(append(uuid4(), 0)))
            await eventually(lambda: holder.fetchval(WAITING))
            yield
        await first
    finally:
        await holder.close()


async def gathered(store: EventStore, dsn: str, appends: list[Append]) -> list[object]:
    """Make appends that wait together, and return their results."""
    async with held_up(store, dsn):
        calls = [asyncio.create_task(store.append(one)) for one in appends]
        await let_others_run()
    return await asyncio.gather(*calls, return_exceptions=True)


async def batches(store: EventStore) -> list[list[UUID]]:
    """Return the streams of each appending transaction, in commit order."""
    rows = await store.fetch("select xmin::text as by, stream_id from es.events order by position")
    found: dict[str, list[UUID]] = {}
    for row in rows:
        found.setdefault(row["by"], []).append(row["stream_id"])
    return [*found.values()]


async def test_a_batch_has_at_most_512_appends_and_one_of_a_stream(store: EventStore, database_url: str) -> None:
    streams = [uuid4() for _ in range(700)]
    verdicts = await gathered(store, database_url, [append(s, version) for version in (0, 1) for s in streams])
    assert {type(v) for v in verdicts} == {Ok}
    made = await batches(store)
    assert [len(batch) for batch in made] == [1, 512, 512, 376]
    assert all(max(Counter(batch).values()) == 1 for batch in made)
    for stream in streams[:20]:
        assert [row.version for row in await store.read(stream)] == [0, 1]


async def test_a_busy_table_delays_nobody_but_itself(
    store: EventStore, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludarium_eventstore.appender.MAX_BATCH", 4)
    busy, others = uuid4(), [uuid4() for _ in range(6)]
    await gathered(store, database_url, [append(busy, v) for v in range(20)] + [append(o, 0) for o in others])
    order = [stream for batch in await batches(store) for stream in batch]
    assert order[1:9] == [busy, *others[:3], *others[3:], busy]
    assert order[9:] == [busy] * 18


async def test_no_more_may_wait_than_memory_is_meant_for(
    store: EventStore, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludarium_eventstore.appender.MAX_WAITING", 3)
    verdicts = await gathered(store, database_url, [append(uuid4(), 0) for _ in range(5)])
    assert [type(v) for v in verdicts] == [Ok] * 3 + [StoreUnavailable] * 2
    assert isinstance(await store.append(append(uuid4(), 0)), Ok)


async def test_one_stream_cannot_take_up_all_the_room(
    store: EventStore, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludarium_eventstore.appender.MAX_OF_STREAM", 3)
    stream = uuid4()
    verdicts = await gathered(store, database_url, [*(append(stream, v) for v in range(4)), append(uuid4(), 0)])
    assert [type(v) for v in verdicts] == [Ok] * 3 + [StoreUnavailable, Ok]


async def test_a_row_that_the_database_refuses_is_found_by_halves(store: EventStore, database_url: str) -> None:
    """Few transactions are needed to append the other events, and no gap is left."""
    appends = [append(uuid4(), 0) for _ in range(256)]
    appends[77].events[0] = short(appends[77].events[0])
    results = await gathered(store, database_url, appends)
    assert [n for n, result in enumerate(results) if isinstance(result, AppendRefused)] == [77]
    assert sum(isinstance(result, Ok) for result in results) == 255
    assert len(await batches(store)) == 1 + 8
    assert store.appender.refused == 1
    assert await audit(store) == []


async def test_several_bad_appends_in_a_batch_are_each_found(store: EventStore, database_url: str) -> None:
    appends = [append(uuid4(), 0, rows=2) for _ in range(40)]
    for bad in (0, 1, 20, 39):
        appends[bad].events[1] = short(appends[bad].events[1])
    results = await gathered(store, database_url, appends)
    assert [n for n, result in enumerate(results) if isinstance(result, AppendRefused)] == [0, 1, 20, 39]
    assert len(await store.since(0)) == 1 + 36 * 2
    assert store.appender.refused == 4


@pytest.mark.parametrize("change", [{"type": 1 << 20}, {"schema": -(1 << 20)}, {"at": "now"}])
async def test_a_row_that_does_not_even_get_to_the_database_is_no_outage(
    store: EventStore, database_url: str, change: dict[str, int | datetime]
) -> None:
    """The database driver refuses the event, so no append waits for the server."""
    bad = append(uuid4(), 0)
    bad.events[0] = replace(bad.events[0], **change)
    results = await in_time(gathered(store, database_url, [append(uuid4(), 0), bad, append(uuid4(), 0)]))
    assert [type(result) for result in results] == [Ok, AppendRefused, Ok]


async def test_what_is_told_of_a_bad_row_does_not_show_it(store: EventStore, caplog: pytest.LogCaptureFixture) -> None:
    secret = event(0, b"the seed of a table")
    for bad in (short(secret), replace(secret, type=1 << 20)):
        stream = str(uuid4())
        with caplog.at_level(logging.DEBUG), pytest.raises(AppendRefused) as caught:
            await store.append(Append(UUID(stream), 0, [bad]))
        assert stream in str(caught.value) and caught.value.__cause__ is None
        assert any(stream in message and "version 0" in message for message in caplog.messages)
        told = caplog.text + str(caught.value)
        assert "the seed" not in told and secret.data.hex() not in told and str(1 << 20) not in told


async def test_who_gives_up_before_the_append_was_sent_appends_nothing(store: EventStore, database_url: str) -> None:
    async with held_up(store, database_url):
        calls = [asyncio.create_task(store.append(append(uuid4(), 0))) for _ in range(3)]
        await let_others_run()
        calls[1].cancel()
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(result) for result in results] == [Ok, asyncio.CancelledError, Ok]
    assert len(await store.since(0)) == 1 + 2


async def test_who_gives_up_afterwards_does_not_upset_the_others(store: EventStore, database_url: str) -> None:
    """An append that was already sent is still made."""
    holder = await asyncpg.connect(database_url)
    async with holder.transaction():
        await holder.execute(LOCK)
        calls = [asyncio.create_task(store.append(append(uuid4(), 0))) for _ in range(3)]
        await eventually(lambda: holder.fetchval(WAITING))
        calls[1].cancel()
    await holder.close()
    results = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(result) for result in results] == [Ok, asyncio.CancelledError, Ok]
    assert len(await store.since(0)) == 3
