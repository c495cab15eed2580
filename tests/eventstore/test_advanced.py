"""The progress of the log, and whether the log continues from an earlier point."""
from __future__ import annotations

import asyncpg

from ludarium_eventstore import EventStore, Standing
from tests.support.entropy import uuid4
from tests.support.lost_rows import lose
from tests.support.streams import append


async def test_a_log_goes_on_from_its_mark(store: EventStore) -> None:
    one, other = uuid4(), uuid4()
    empty = await store.advanced([one], None)
    await store.append(append(one, 0))
    begun = await store.advanced([one, other], empty.mark)
    assert begun.whole and begun.heads == {one: 0}
    await store.append(append(other, 0))
    assert await store.advanced([one], begun.mark) == ((await store.advanced([], None)).mark, {}, True)


async def test_it_does_not_where_the_row_of_the_mark_is_lost_or_another(store: EventStore, database_url: str) -> None:
    stream = uuid4()
    await store.append(append(stream, 0))
    await store.append(append(stream, 1))
    mark = (await store.advanced([], None)).mark
    await lose(database_url)
    assert not (await store.advanced([], mark)).whole
    await store.append(append(stream, 1))
    assert not (await store.advanced([], mark)).whole


async def test_rows_are_looked_up_by_stream_and_version(store: EventStore, database_url: str) -> None:
    one, other = uuid4(), uuid4()
    written = [append(one, 0), append(one, 1), append(other, 0)]
    for each in written:
        await store.append(each)
    await lose(database_url)
    found = await store.standing([(one, 0), (one, 2), (other, 0)])
    assert sorted(found) == sorted([
        Standing(one, 0, written[0].events[0].hash, 1), Standing(one, 2, None, 1), Standing(other, 0, None, None),
    ])  # fmt: skip


async def test_nor_on_another_timeline(store: EventStore) -> None:
    await store.append(append(uuid4(), 0))
    mark = (await store.advanced([], None)).mark
    assert (await store.advanced([], mark)).whole
    assert not (await store.advanced([], mark._replace(timeline="00000002"))).whole


async def test_anybody_may_ask_for_the_timeline(database_url: str) -> None:
    owner = await asyncpg.connect(database_url)
    try:
        for function in ("pg_is_in_recovery()", "pg_walfile_name(pg_lsn)", "pg_current_wal_insert_lsn()"):
            assert await owner.fetchval("select has_function_privilege('public', $1, 'execute')", function)
    finally:
        await owner.close()
