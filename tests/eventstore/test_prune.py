"""Old idempotency keys are deleted in batches.

The service has no right to delete them directly.
"""
from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import asyncpg
import pytest
from msgspec.structs import replace

from ludarium_eventstore import Append, Duplicate, EventStore, audit
from tests.support.entropy import uuid4
from tests.support.streams import event, planted

WEEK = timedelta(days=7)


async def command(store: EventStore, stream: UUID, version: int, age: timedelta) -> UUID:
    """Append an event of the given age, and return the idempotency key."""
    key = uuid4()
    row = replace(event(version), at=datetime.now(UTC) - age)
    await planted(store, Append(stream, version, [row], key, b"request"))
    return key


async def test_keys_older_than_a_week_go_and_younger_ones_stay(store: EventStore) -> None:
    streams = [uuid4() for _ in range(3)]
    old = [await command(store, stream, version, timedelta(days=8)) for version in range(4) for stream in streams]
    young = [await command(store, stream, 4, timedelta(days=6)) for stream in streams]
    assert [await store.prune_commands(WEEK, 5) for _ in range(4)] == [5, 5, 2, 0]
    assert [await store.command(streams[nth % 3], key) for nth, key in enumerate(old)] == [None] * 12
    for stream, key in zip(streams, young, strict=True):
        again = Append(stream, 4, [event(4)], key, b"request")
        assert await store.append(again) == Duplicate(4)
    assert await audit(store) == []


async def test_what_comes_later_is_pruned_later_and_nothing_twice(store: EventStore, database_url: str) -> None:
    stream = uuid4()
    await command(store, stream, 0, timedelta(days=8))
    assert [await store.prune_commands(WEEK, 100) for _ in range(2)] == [1, 0]
    key = await command(store, stream, 1, timedelta(days=8))
    assert [await store.prune_commands(WEEK, 100) for _ in range(2)] == [1, 0]
    assert await store.command(stream, key) is None


async def test_one_process_at_a_time(store: EventStore, database_url: str) -> None:
    await command(store, uuid4(), 0, timedelta(days=8))
    other = await asyncpg.connect(database_url)
    async with other.transaction():
        await other.execute("select pg_advisory_xact_lock(7239012045552)")
        assert await store.prune_commands(WEEK, 100) == 0
    await other.close()
    assert await store.prune_commands(WEEK, 100) == 1


async def test_the_service_cannot_have_fresh_keys_forgotten_nor_delete_any(store: EventStore) -> None:
    key, stream = uuid4(), uuid4()
    await store.append(Append(stream, 0, [event(0)], key, b"request"))
    with pytest.raises(asyncpg.DataError, match="kept for a day"):
        await store.prune_commands(timedelta(hours=23), 100)
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await store.fetch("delete from es.commands")
    assert await store.command(stream, key) is not None
