"""Every change of a stored row is found and named: by `verify`, and by a cold fold of the whole log."""
from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg

from eventstore import EventStore, StoredEvent, audit
from services import ids
from services.records.verify import verify_stream
from services.tables.chain import EPOCH, microseconds
from services.tables.history import Damaged, entries, folded
from services.tables.tables import Tables
from tests.tables.games import play, started

CHANGES = 50


class Change(NamedTuple):
    stream: UUID
    version: int
    column: str


def flipped(value: bytes, byte: int, luck: Random) -> bytes:
    at = byte % len(value)
    return value[:at] + bytes([value[at] ^ luck.randrange(1, 256)]) + value[at + 1 :]


def number(size: int) -> Callable[[int, int, Random], int]:
    """One byte of a number, as it is stored."""

    def change(value: int, byte: int, luck: Random) -> int:
        return int.from_bytes(flipped(value.to_bytes(size, "big", signed=True), byte, luck), "big", signed=True)

    return change


def moment(value: Any, byte: int, luck: Random) -> Any:
    return EPOCH + timedelta(microseconds=number(8)(microseconds(value), byte, luck))


def stream(value: UUID, byte: int, luck: Random) -> UUID:
    return UUID(bytes=flipped(value.bytes, byte, luck))


COLUMNS: dict[str, Callable[[Any, int, Random], Any]] = {
    "stream_id": stream,
    "partition": number(2),
    "version": number(4),
    "type": number(2),
    "schema": number(2),
    "at": moment,
    "data": flipped,
    "root": flipped,
    "hash": flipped,
}


async def test_fifty_random_single_byte_changes(store: EventStore, tables: Tables, database_url: str) -> None:
    seed = secrets.randbits(32)
    print(f"seed {seed}")
    luck = Random(seed)
    played = [await started(tables, seats, version="ruthless") for seats in (2, 3, 4)]
    for table in played:
        await play(tables, table, luck, most=60)
    assert await faults(store) == [] and await cold_folds(store) == []
    owner = await asyncpg.connect(database_url)
    try:
        some = [*COLUMNS, *luck.choices([*COLUMNS], k=CHANGES - len(COLUMNS))]
        found = [await one_change(owner, store, luck, column) for column in some]
    finally:
        await owner.close()
    assert len(found) == CHANGES


async def one_change(owner: Any, store: EventStore, luck: Random, column: str) -> Change:
    """Changes one byte somewhere, sees it named twice, and puts it back; what the database itself refuses is drawn again."""
    rows = await store.since(0)
    while True:
        row = luck.choice(rows)
        old = value_of(row, column)
        try:
            new = COLUMNS[column](old, luck.randrange(1 << 16), luck)
            await owner.execute(f"update es.events set {column} = $1 where position = $2", new, row.position)
        except (asyncpg.IntegrityConstraintViolationError, asyncpg.DataError, OverflowError):
            continue
        change = Change(row.stream, row.version, column)
        assert row.version in {version for _, version in await faults(store)}, change
        assert row.version in {version for _, version in await cold_folds(store)}, change
        await owner.execute(f"update es.events set {column} = $1 where position = $2", old, row.position)
        assert await faults(store) == []
        return change


def value_of(row: StoredEvent, column: str) -> Any:
    match column:
        case "stream_id":
            return row.stream
        case "partition":
            return ids.partition_of(row.stream)
        case _:
            return getattr(row, column)


async def faults(store: EventStore) -> list[tuple[UUID, int]]:
    """What `ludarium verify --all` finds: (stream, version)."""
    found = [(fault.stream, fault.version) for fault in await audit(store)]
    for each in await streams(store):
        stored = await store.read(each)
        finding = verify_stream(each, stored).finding if stored else None
        found += [(each, finding.seq)] if finding else []
    return [(each, version) for each, version in found if each is not None and version is not None]


async def cold_folds(store: EventStore) -> list[tuple[UUID, int]]:
    """Each stream folded from nothing but its rows, and each key looked up."""
    found = []
    for each in await streams(store):
        stored = await store.read(each)             # none where all its rows stand under another's partition
        try:
            if stored:
                folded(each, entries(stored))
        except Damaged as damage:
            found.append((damage.stream, damage.version))
    return found + [(f.stream, f.version) for f in await audit(store) if f.stream and f.version is not None]


async def streams(store: EventStore) -> list[UUID]:
    return [row["stream_id"] for row in await store.fetch("select distinct stream_id from es.events")]
