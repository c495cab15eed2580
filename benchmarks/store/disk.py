"""Measure the disk space of an event, by storing a played game many times."""
from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import groupby
from uuid import uuid4

from ludarium.tables.model.event_types import NAMES
from ludarium.tables.model.hash_chain import LogEntry
from ludarium.tables.schemas import NewTable
from ludarium_eventstore import Append, EventStore, NewEvent
from tests.support.pure_games import Game

GAMES = 60
MOVES = 500
PARTS = """
select oid::regclass::text as name, pg_relation_size(oid) + coalesce(pg_relation_size(reltoastrelid), 0) as bytes
from pg_class where relnamespace = 'es'::regnamespace and relkind in ('r', 'i')"""


async def bytes_of_an_event(store: EventStore, wanted: NewTable) -> dict[str, float]:
    """Return the bytes per event of each relation.

    The games are appended in whole, with their keys.
    """
    await store.name_types(NAMES)
    rows = Game("disk", wanted.ruleset, wanted.seats, wanted.options).start().play(MOVES).rows
    before = await sizes(store)
    await asyncio.gather(*(stored_again(store, rows) for _ in range(GAMES)))
    after = await sizes(store)
    grown = {part: (after[part] - before[part]) / (GAMES * len(rows)) for part in after}
    return {part: size for part, size in grown.items() if size}


async def stored_again(store: EventStore, rows: Sequence[LogEntry]) -> None:
    stream = uuid4()
    for _, made in groupby(rows, lambda row: row.at):
        first, *more = made
        events = [NewEvent(row.type, row.schema, datetime.now(UTC), row.data, row.root, row.hash) for row in (first, *more)]
        await store.append(Append(stream, first.version, events, uuid4(), first.hash[:8], secret=first.secret))


async def sizes(store: EventStore) -> dict[str, int]:
    return {row["name"]: row["bytes"] for row in await store.fetch(PARTS)}
