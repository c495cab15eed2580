"""The audit finds faults that no correct writer leaves, without needing a key."""
from __future__ import annotations

import asyncio
from uuid import UUID

import asyncpg
import pytest

from ludarium_eventstore import BrokenOrder, EventStore, audit
from ludarium_eventstore.reconnect import SETTINGS
from tests.support.entropy import uuid4
from tests.support.streams import append
from tests.support.waiting import eventually

STREAM, OTHER = UUID(int=1), UUID(int=2)


@pytest.fixture
async def filled(store: EventStore) -> EventStore:
    for version in range(4):
        await store.append(append(STREAM, version, key=uuid4()))
        await store.append(append(OTHER, version, key=uuid4()))
    assert await audit(store) == []
    return store


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("delete from es.events where position = 4", "a position is missing before this row"),
        ("update es.events set version = 9 where stream_id = $1 and version = 3", "a version is missing before this row"),
        ("update es.events set version = 9 where stream_id = $1 and version = 3", "a command made this row"),
        ("update es.events set stream_id = gen_random_uuid() where stream_id = $1 and version = 3", "a version is missing"),
        ("update es.events set stream_id = gen_random_uuid() where stream_id = $1 and version = 3", "a command made this"),
        ("update es.events set type = 77 where stream_id = $1 and version = 3", "its type is unknown"),
        ("update es.events set position = 100 - position where stream_id = $1", "its version is out of commit order"),
    ],
)
async def test_rows_that_were_moved(filled: EventStore, database_url: str, statement: str, what: str) -> None:
    owner = await asyncpg.connect(database_url)
    await owner.execute(statement, *([STREAM] if "$1" in statement else []))
    await owner.close()
    assert [fault for fault in await audit(filled) if fault.what.startswith(what)]


async def test_a_reader_in_commit_order_does_not_pass_over_a_gap(filled: EventStore, database_url: str) -> None:
    owner = await asyncpg.connect(database_url)
    await owner.execute("delete from es.events where position = 4")
    await owner.close()
    assert [row.position for row in await filled.since(0, limit=3)] == [1, 2, 3]
    for position in (0, 3):
        with pytest.raises(BrokenOrder, match=f"between positions {position} and 8"):
            await filled.since(position)
    assert [row.position for row in await filled.since(4)] == [5, 6, 7, 8]


async def test_a_long_log_is_looked_over_to_its_end(
    filled: EventStore, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The audit takes longer than the service's statement timeout."""
    monkeypatch.setitem(SETTINGS, "statement_timeout", "500ms")
    owner, watcher = await asyncpg.connect(database_url), await asyncpg.connect(database_url)
    async with await EventStore.open(database_url) as store:
        async with owner.transaction():
            await owner.execute("lock table es.events in access exclusive mode")
            looking = asyncio.create_task(audit(store))
            await eventually(lambda: watcher.fetchval(
                "select bool_or(clock_timestamp() - query_start > interval '1 second') from pg_stat_activity"
                " where datname = current_database() and wait_event_type = 'Lock'"
            ))
            assert not looking.done()
        assert await looking == []
    await owner.close()
    await watcher.close()
