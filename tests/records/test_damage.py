"""Every change of stored data is found by `verify` and by folding the log again.

This includes data outside the rows of events.
"""
from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import asyncpg

from ludarium.ops.log_verification import document_and_type_faults, missing_documents
from ludarium.platform import ids
from ludarium.records.verify import verify_stream
from ludarium.tables.model.folding import fold
from ludarium.tables.model.hash_chain import EPOCH, Damaged, NoTable, decoded_entries, microseconds
from ludarium.tables.service import Tables
from ludarium_eventstore import EventStore, StoredEvent, audit
from tests.support.entropy import ENTROPY
from tests.support.table_games import play, started

CHANGES, BESIDE = 50, 10


class Change(NamedTuple):
    stream: UUID
    version: int
    column: str


def flipped(value: bytes, byte: int, luck: Random) -> bytes:
    at = byte % len(value)
    return value[:at] + bytes([value[at] ^ luck.randrange(1, 256)]) + value[at + 1 :]


def number(size: int) -> Callable[[int, int, Random], int]:
    """Return a function that changes one byte of a stored number."""

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
    seed = ENTROPY.random("seed").getrandbits(32)
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
    """Change a byte, check that two ways find the change, and restore the byte.

    A change that the database refuses is replaced by another one.
    """
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
    """Return the findings of `ludarium verify --all` as (stream, version)."""
    found = [(fault.stream, fault.version) for fault in await audit(store)]
    for each in await streams(store):
        stored = await store.read(each)
        finding = verify_stream(each, stored).finding if stored else None
        found += [(each, finding.seq)] if finding else []
    return [(each, version) for each, version in found if each is not None and version is not None]


async def cold_folds(store: EventStore) -> list[tuple[UUID, int]]:
    """Fold each stream from its rows alone, and look up each key.

    Returns:
        The faults found, as (stream, version).
    """
    found = []
    for each in await streams(store):
        stored = await store.read(each)             # empty if all rows are in another partition
        try:
            if stored:
                fold(each, decoded_entries(stored))
        except Damaged as damage:
            found.append((damage.stream, damage.version))
        except NoTable:                             # by its type, the first row belongs to another kind of stream
            found.append((each, 0))
    return found + [(f.stream, f.version) for f in await audit(store) if f.stream and f.version is not None]


async def streams(store: EventStore) -> list[UUID]:
    return [row["stream_id"] for row in await store.fetch("select distinct stream_id from es.events")]


# --- data outside the event rows --------------------------------------------------------------------------------------
async def test_random_changes_of_secrets_and_documents(store: EventStore, tables: Tables, database_url: str) -> None:
    seed = ENTROPY.random("seed").getrandbits(32)
    print(f"seed {seed}")
    luck = Random(seed)
    for seats in (2, 3):
        await play(tables, await started(tables, seats, version="ruthless"), luck, most=10)
    owner = await asyncpg.connect(database_url)
    try:
        for _ in range(BESIDE):
            await a_secret(owner, store, luck)
            await a_document(owner, store, luck)
            await a_documents_name(owner, store, luck)
    finally:
        await owner.close()


async def a_secret(owner: Any, store: EventStore, luck: Random) -> None:
    """Change a secret of a table.

    The table's first event is reported, because it commits to the seeds.
    """
    table, data = luck.choice([(row["stream_id"], row["data"]) for row in await store.fetch("table es.secrets")])
    put = "update es.secrets set data = $2 where stream_id = $1"
    await owner.execute(put, table, flipped(data, luck.randrange(1 << 16), luck))
    assert await faults(store) == await cold_folds(store) == [(table, 0)]
    await owner.execute(put, table, data)
    assert await faults(store) == []


async def a_document(owner: Any, store: EventStore, luck: Random) -> None:
    """Change a document.

    It is reported by its hash, once for each row that refers to it.
    """
    hash_, data = luck.choice([document async for document in store.documents()])
    put = "update es.documents set data = $2 where hash = $1"
    await owner.execute(put, hash_, flipped(data, luck.randrange(1 << 16), luck))
    faults = await document_and_type_faults(store)
    assert [fault.what for fault in faults] == [f"the document {hash_.hex()} is not what its hash says"]
    await owner.execute(put, hash_, data)
    assert await document_and_type_faults(store) == []


async def a_documents_name(owner: Any, store: EventStore, luck: Random) -> None:
    hash_ = luck.choice([hash_ async for hash_, _ in store.documents()])
    other, put = flipped(hash_, luck.randrange(1 << 16), luck), "update es.documents set hash = $2 where hash = $1"
    await owner.execute(put, hash_, other)
    faults = await document_and_type_faults(store)
    assert [fault.what for fault in faults] == [f"the document {other.hex()} is not what its hash says"]
    missed = [fault for table in await streams(store) async for fault in missing_documents(store, await store.read(table))]
    assert missed and all(fault.version is not None and hash_.hex() in fault.what for fault in missed)
    await owner.execute(put, other, hash_)
