"""What an event costs on the disk: rows of a played game, stored over and over."""
from __future__ import annotations

import asyncio
from random import Random
from uuid import UUID, uuid4

from eventstore import Append, EventStore, NewEvent, StoredEvent
from services.tables.rows import NAMES
from services.tables.tables import Tables
from tests.tables.games import Silent, play, started

GAMES = 60
PARTS = """
select name, pg_relation_size(name::regclass) as bytes from unnest(array[
  'es.events', 'es.events_pkey', 'es.events_position_key', 'es.commands', 'es.commands_pkey']) as name"""


async def bytes_of_an_event(store: EventStore) -> dict[str, float]:
    """By part: relations as they grew by appending whole games of Kingdoms, each command with its key."""
    await store.name_types(NAMES)
    rows = await a_game(store)
    before = await sizes(store)
    await asyncio.gather(*(stored_again(store, rows) for _ in range(GAMES)))
    after = await sizes(store)
    return {part: (after[part] - before[part]) / (GAMES * len(rows)) for part in after}


async def a_game(store: EventStore) -> list[StoredEvent]:
    tables = Tables(store, Silent())
    table = await started(tables)
    await play(tables, table, Random(1))
    return await store.read(table)


async def stored_again(store: EventStore, rows: list[StoredEvent]) -> UUID:
    stream = uuid4()
    for row in rows:
        event = NewEvent(row.type, row.schema, row.at, row.data, row.root, row.hash)
        await store.append(Append(stream, row.version, [event], uuid4(), row.hash))
    return stream


async def sizes(store: EventStore) -> dict[str, int]:
    return {row["name"]: row["bytes"] for row in await store.fetch(PARTS)}
