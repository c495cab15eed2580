"""A due time is never too late, and only an up-to-date process can postpone it."""
from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from uuid import UUID

import pytest
from msgspec.structs import replace

from ludarium.platform.schema_check import migrated
from ludarium_eventstore import NOTHING_DUE, EventStore, Ok
from tests.support.entropy import uuid4
from tests.support.simulated import at, set_clock
from tests.support.streams import append, event

NOW = at(0)
FOREVER = datetime.max                          # infinity in asyncpg


@pytest.fixture
async def store(database_url: str) -> AsyncIterator[EventStore]:
    await migrated(database_url)
    await set_clock(database_url, None, 0)
    async with await EventStore.open(database_url) as store:
        await store.name_types({1: "happened"})
        yield store


async def say(store: EventStore, stream: UUID, version: int, due: datetime | None) -> datetime:
    """Append an event with a due time, and return the stored due time."""
    row = replace(append(stream, version), events=[replace(event(version), at=NOW)], due=due)
    assert isinstance(await store.append(row), Ok)
    found: datetime = (await store.fetch("select at from es.due where stream_id = $1", stream))[0]["at"]
    return found


def after(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


async def test_only_what_comes_earlier_is_written(store: EventStore) -> None:
    stream = uuid4()
    told = [after(90), None, after(95), after(70), after(75), NOTHING_DUE, after(99)]
    known = [await say(store, stream, version, due) for version, due in enumerate(told)]
    assert known == [after(90), after(90), after(90), after(70), after(70), FOREVER, after(99)]


async def test_what_is_overdue_is_written_anew(store: EventStore, database_url: str) -> None:
    stream = uuid4()
    await say(store, stream, 0, after(5))
    await set_clock(database_url, None, 10)
    assert await say(store, stream, 1, after(40)) == after(40)


async def test_what_is_due_within_a_minute_is_written_anew(store: EventStore) -> None:
    stream = uuid4()
    assert [await say(store, stream, n, after(due)) for n, due in enumerate((60, 61, 62))] == [after(60), after(61), after(61)]


async def test_nobody_puts_off_what_a_row_behind_their_back_may_have_brought(store: EventStore, database_url: str) -> None:
    stream = uuid4()
    await say(store, stream, 0, after(5))
    await say(store, stream, 1, None)
    await set_clock(database_url, None, 6)
    (due,), _ = await store.claim_due(10, timedelta(seconds=0.5))
    assert due.at == after(5)
    for seen, known in ((0, after(5)), (1, after(30))):
        await store.reschedule(due, after(30), seen)
        assert (await store.fetch("select at from es.due"))[0]["at"] == known
    await store.reschedule(due, after(3600), 1)
    assert (await store.fetch("select at from es.due"))[0]["at"] == after(30)


async def test_who_claims_is_told_when_the_next_falls_due(store: EventStore, database_url: str) -> None:
    streams = [uuid4() for _ in range(4)]
    for stream, due in zip(streams, (after(9), after(5), after(60), NOTHING_DUE), strict=True):
        await say(store, stream, 0, due)
    assert await store.claim_due(10, timedelta(seconds=0.5)) == ([], after(5))
    await set_clock(database_url, None, 10)
    dues, coming = await store.claim_due(10, timedelta(seconds=0.5))
    assert [due.stream for due in dues] == [streams[1], streams[0]]
    assert coming == after(60)
    assert await store.claim_due(10, timedelta(seconds=0.5)) == ([], after(60))
