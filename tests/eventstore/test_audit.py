"""What no correct writer leaves behind is found without any key."""
from __future__ import annotations

from uuid import UUID, uuid4

import asyncpg
import pytest

from eventstore import EventStore, audit
from tests.eventstore.streams import append

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
