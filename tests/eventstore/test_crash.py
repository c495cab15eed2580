"""Crashes, cut connections and held locks lose no acknowledged append."""
from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from uuid import UUID

import asyncpg
import pytest

from ludarium.embedded import Services, embedded
from ludarium_eventstore import Conflict, Duplicate, EventStore, Ok, audit, migrate
from ludarium_eventstore.appender import APPEND, encode_appends
from ludarium_eventstore.reconnect import SETTINGS
from tests.support.entropy import uuid4
from tests.support.store_proxy import proxy
from tests.support.streams import append
from tests.support.waiting import eventually, in_time


@pytest.fixture
async def durable() -> AsyncIterator[Services]:
    """Yield servers with fsync for this test alone."""
    with tempfile.TemporaryDirectory(prefix="ludarium-crash-") as home:
        Path(home).chmod(0o711)
        async with embedded(Path(home)) as services:
            yield services


async def test_kill_9_of_postgresql_under_load_loses_nothing_that_was_acknowledged(durable: Services) -> None:
    await migrate(durable.database_url)
    async with await EventStore.open(durable.database_url) as store:
        await store.name_types({1: "happened"})
        stop = asyncio.Event()
        writers = [asyncio.create_task(write(store, uuid4(), stop)) for _ in range(16)]
        for kills in (1, 2, 3):
            await more_is_written(store)
            os.kill(durable.supervisors["postgres"].pid, signal.SIGKILL)
            await restarted(durable, kills)
        stop.set()
        written = await asyncio.gather(*writers)
        assert await audit(store) == []
        for stream, acknowledged in written:
            rows = {row.version: row.hash for row in await store.read(stream)}
            assert acknowledged and acknowledged.items() == rows.items()


async def restarted(services: Services, times: int) -> None:
    """Wait until PostgreSQL has been restarted this many times."""
    await eventually(lambda: services.supervisors["postgres"].restarts >= times)


async def rows_of(store: EventStore) -> int:
    return int((await store.fetch("select count(*) as rows from es.events"))[0]["rows"])


async def more_is_written(store: EventStore) -> None:
    """Wait until each writer has appended about ten more events."""
    before = await rows_of(store)

    async def has_grown() -> bool:
        return await rows_of(store) > before + 160

    await eventually(has_grown)


async def write(store: EventStore, stream: UUID, stop: asyncio.Event) -> tuple[UUID, dict[int, bytes]]:
    """Append events until `stop` is set.

    Half of the appends have an idempotency key.

    Returns:
        The stream, and the acknowledged hashes by version.
    """
    acknowledged: dict[int, bytes] = {}
    version = 0
    while not stop.is_set():
        wanted = append(stream, version, key=uuid4() if version % 2 else None)
        assert isinstance(await store.append(wanted), Ok)
        acknowledged[version] = wanted.events[0].hash
        version += 1
    return stream, acknowledged


@pytest.mark.parametrize("key", [None, UUID(int=7)])
async def test_an_append_whose_answer_was_cut_off_is_told_ok_by_the_log(
    store: EventStore, database_url: str, tmp_path: Path, key: UUID | None
) -> None:
    """The connection breaks between commit and response, but the log has the events."""
    stream = uuid4()
    async with proxy(tmp_path, database_url) as line, await EventStore.open(line.dsn) as cut:
        assert await cut.append(append(uuid4(), 0)) == Ok(0, 1)           # so that the statement is prepared
        line.lose_next_answer = True
        assert await cut.append(append(stream, 0, key=key)) == Ok(0, 2)
        assert line.lost == 1
    assert await store.append(append(stream, 0, key=key)) == (Duplicate(0) if key else Conflict(0))
    assert len(await store.read(stream)) == 1


async def test_a_batch_whose_answer_was_cut_off_is_told_row_by_row(
    store: EventStore, database_url: str, tmp_path: Path
) -> None:
    taken, streams = uuid4(), [uuid4() for _ in range(5)]
    await store.append(append(taken, 0))
    async with proxy(tmp_path, database_url) as line, await EventStore.open(line.dsn) as cut:
        await cut.append(append(uuid4(), 0))
        line.lose_next_answer = True
        verdicts = await asyncio.gather(*(cut.append(append(s, 0)) for s in [*streams, taken]))
        assert line.lost == 1
    assert [type(v) for v in verdicts] == [Ok] * 5 + [Conflict]
    assert await audit(store) == []


async def test_a_holder_of_the_lock_that_is_stuck_does_not_stop_appends_for_ever(
    store: EventStore, database_url: str
) -> None:
    stuck = await asyncpg.connect(database_url, server_settings={**SETTINGS, "idle_in_transaction_session_timeout": "1s"})
    await stuck.execute("begin")
    await stuck.execute("select pg_advisory_xact_lock(7239012045551)")
    assert await in_time(store.append(append(uuid4(), 0))) == Ok(0, 1)
    stuck.terminate()


async def test_an_open_transaction_elsewhere_hides_nothing_from_readers(store: EventStore, database_url: str) -> None:
    idle = await asyncpg.connect(database_url)
    await idle.execute("begin")
    await idle.execute("insert into es.documents values ($1, $2)", bytes(32), b"")
    await store.append(append(uuid4(), 0))
    assert [row.position for row in await store.since(0)] == [1]
    await idle.close()


async def test_an_append_that_was_rolled_back_leaves_no_hole(store: EventStore, database_url: str) -> None:
    other = await asyncpg.connect(database_url)
    transaction = other.transaction()
    await transaction.start()
    await other.fetch(APPEND, encode_appends([append(uuid4(), 0)]))
    await transaction.rollback()
    await other.close()
    assert await store.append(append(uuid4(), 0)) == Ok(0, 1)
