"""The versions, verdicts and positions that appends return."""
from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import pytest
from msgspec.structs import replace

from ludarium_eventstore import AppendRefused, Conflict, Duplicate, EventStore, Keyed, Mismatch, Ok, audit
from ludarium_eventstore.chain import genesis
from tests.support.entropy import uuid4
from tests.support.streams import append, short
from tests.support.waiting import let_others_run


async def test_a_new_stream_begins_at_version_0_and_grows(store: EventStore) -> None:
    stream = uuid4()
    assert await store.head(stream) is None
    assert await store.append(append(stream, 0)) == Ok(0, 1)
    assert await store.append(append(stream, 1)) == Ok(1, 2)
    assert await store.head(stream) == 1


async def test_what_is_read_is_what_was_appended(store: EventStore) -> None:
    stream = uuid4()
    wanted = append(stream, 0, rows=3)
    await store.append(wanted)
    rows = await store.read(stream)
    assert [(r.version, r.position) for r in rows] == [(0, 1), (1, 2), (2, 3)]
    for row, new in zip(rows, wanted.events, strict=True):
        assert (row.stream, row.type, row.schema, row.at, row.data, row.hash) == (
            stream, new.type, new.schema, new.at, new.data, new.hash,
        )  # fmt: skip


async def test_reading_goes_on_behind_a_version_page_by_page(store: EventStore) -> None:
    stream = uuid4()
    await store.append(append(stream, 0, rows=2500))
    assert [r.version for r in await store.read(stream, after=2497)] == [2498, 2499]
    assert len(await store.read(stream)) == 2500
    assert [r.version for r in await store.read(stream, after=0, limit=2)] == [1, 2]


@pytest.mark.parametrize("expected", [0, 2, 7])
async def test_another_version_than_expected_is_a_conflict_that_tells_the_head(store: EventStore, expected: int) -> None:
    stream = uuid4()
    await store.append(append(stream, 0))
    assert await store.append(append(stream, expected)) == Conflict(0)
    assert await store.head(stream) == 0


async def test_keys_that_come_together_are_kept_with_their_rows_or_not_at_all(store: EventStore) -> None:
    stream, keys = uuid4(), [Keyed(uuid4(), b"a", 1), Keyed(uuid4(), b"b", 2)]
    first, more = append(stream, 0), append(stream, 1, rows=2)
    await store.append(first)
    await store.append(replace(more, prev=more.events[0].hash, together=keys))
    assert await store.commands(stream, [key.key for key in keys]) == {}
    verdicts = await asyncio.gather(
        store.append(append(uuid4(), 0, key=keys[0].key)), store.append(replace(more, prev=first.events[0].hash, together=keys))
    )
    assert [verdict.version for verdict in verdicts if isinstance(verdict, Ok)] == [0, 2]
    assert await store.commands(stream, [key.key for key in keys]) == {keys[0].key: (b"a", 1), keys[1].key: (b"b", 2)}
    assert await store.append(append(stream, 3, key=keys[1].key, request=b"b")) == Duplicate(2)
    with pytest.raises(ValueError, match="behind a row"):
        replace(more, together=keys)


async def test_another_row_than_the_head_is_a_conflict_where_the_version_fits(store: EventStore) -> None:
    stream, first, second = uuid4(), append(uuid4(), 0), append(uuid4(), 1, rows=2)
    first, second = replace(first, stream=stream, prev=genesis(stream)), replace(second, stream=stream)
    assert await store.append(first) == Ok(0, 1)
    assert await store.append(replace(second, prev=append(stream, 0).events[0].hash)) == Conflict(0)
    assert await store.append(replace(second, prev=first.events[0].hash)) == Ok(2, 3)
    assert await store.append(replace(append(stream, 3), prev=second.events[0].hash)) == Conflict(2)


async def test_a_stream_that_is_not_there_is_a_conflict_for_who_expects_it(store: EventStore) -> None:
    assert await store.append(append(uuid4(), 3)) == Conflict(-1)


async def test_two_who_create_a_stream_one_wins(store: EventStore) -> None:
    stream = uuid4()
    verdicts = await asyncio.gather(*(store.append(append(stream, 0)) for _ in range(8)))
    assert sum(isinstance(v, Ok) for v in verdicts) == 1
    assert verdicts.count(Conflict(0)) == 7


async def test_one_conflict_leaves_its_neighbours_alone(store: EventStore) -> None:
    taken, streams = uuid4(), [uuid4() for _ in range(5)]
    await store.append(append(taken, 0))
    verdicts = await asyncio.gather(*(store.append(append(s, 0)) for s in [*streams[:2], taken, *streams[2:]]))
    assert [type(v) for v in verdicts] == [Ok, Ok, Conflict, Ok, Ok, Ok]


def test_an_append_has_rows_and_a_key_its_request() -> None:
    whole = append(uuid4(), 0, key=uuid4())
    wrongs: list[dict[str, Any]] = [{"events": []}, {"request": None}, {"key": None}]
    for wrong in wrongs:
        with pytest.raises(ValueError, match=r"row|request"):
            replace(whole, **wrong)


async def test_several_rows_come_whole_or_not_at_all(store: EventStore) -> None:
    stream = uuid4()
    bad = append(stream, 0, rows=3)
    bad.events[1] = short(bad.events[1])
    with pytest.raises(AppendRefused):
        await store.append(bad)
    assert await store.head(stream) is None
    assert await store.append(append(stream, 0)) == Ok(0, 1)          # and the positions have no gap


async def test_a_key_is_told_its_first_answer_when_the_stream_has_moved_on(store: EventStore) -> None:
    stream, key = uuid4(), uuid4()
    assert await store.append(append(stream, 0, key=key)) == Ok(0, 1)
    for version in range(1, 20):
        await store.append(append(stream, version))
    assert await store.append(append(stream, 0, key=key)) == Duplicate(0)
    assert await store.append(append(stream, 20, key=key)) == Duplicate(0)
    assert await store.append(append(stream, 20, key=key, request=b"b")) == Mismatch()
    assert await store.command(stream, key) == (b"a", 0)
    assert await store.head(stream) == 19


async def test_a_key_is_known_to_the_next_process(store: EventStore, database_url: str) -> None:
    stream, key = uuid4(), uuid4()
    await store.append(append(stream, 0, key=key))
    async with await EventStore.open(database_url) as next_one:
        assert await next_one.append(append(stream, 0, key=key)) == Duplicate(0)
        assert await next_one.append(append(stream, 0, key=key, request=b"b")) == Mismatch()


async def test_keys_belong_to_their_stream(store: EventStore) -> None:
    key = uuid4()
    assert isinstance(await store.append(append(uuid4(), 0, key=key)), Ok)
    assert isinstance(await store.append(append(uuid4(), 0, key=key)), Ok)


async def test_one_key_sent_many_times_at_once_makes_one_event(store: EventStore, database_url: str) -> None:
    stream, key = uuid4(), uuid4()
    stores = [store, *[await EventStore.open(database_url) for _ in range(3)]]
    try:
        verdicts = await asyncio.gather(*(s.append(append(stream, 0, key=key)) for s in stores for _ in range(5)))
    finally:
        for other in stores[1:]:
            await other.close()
    assert sum(isinstance(v, Ok) for v in verdicts) == 1
    assert verdicts.count(Duplicate(0)) == 19
    assert await store.head(stream) == 0


async def test_racing_writers_leave_no_hole_and_no_double(store: EventStore, database_url: str) -> None:
    """Each stream has versions 0 to n, and positions run from 1 to m overall.

    A concurrent reader misses nothing.
    """
    streams = [uuid4() for _ in range(4)]
    stores = [store, *[await EventStore.open(database_url) for _ in range(3)]]
    done = asyncio.Event()
    reader = asyncio.create_task(tail(store, done))
    try:
        await asyncio.gather(*(write(s, stream, 25) for s in stores for stream in streams))
    finally:
        done.set()
        for other in stores[1:]:
            await other.close()
    assert await reader == 4 * 4 * 25
    assert await audit(store) == []
    for stream in streams:
        assert [r.version for r in await store.read(stream)] == list(range(100))


async def write(store: EventStore, stream: UUID, wanted: int) -> None:
    """Append this many events while others write to the same stream."""
    written = 0
    while written < wanted:
        head = await store.head(stream)
        verdict = await store.append(append(stream, 0 if head is None else head + 1))
        written += isinstance(verdict, Ok)


async def tail(store: EventStore, done: asyncio.Event) -> int:
    """Read new events and return the last position, or fail if an event was skipped."""
    position = 0
    while True:
        finished = done.is_set()
        for row in await store.since(position):
            assert row.position == position + 1
            position = row.position
        if finished and not await store.since(position):
            return position
        await let_others_run()
