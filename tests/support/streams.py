"""Events for tests, with a hash chain that fits them."""
from __future__ import annotations

from datetime import UTC, datetime
from hashlib import blake2b
from uuid import UUID

from msgspec.structs import replace

from ludarium_eventstore import Append, EventStore, NewEvent
from ludarium_eventstore.reconnect import Connection
from tests.support.entropy import uuid4


def event(nth: int, data: bytes = b"") -> NewEvent:
    """Return an event with a unique hash, like a link of a chain."""
    payload = data or f"event {nth}".encode()
    link = blake2b(payload + uuid4().bytes, digest_size=32).digest()
    return NewEvent(1, 1, datetime.now(UTC), payload, bytes(32), link)


def append(stream: UUID, expected: int, *, rows: int = 1, key: UUID | None = None, request: bytes = b"a") -> Append:
    events = [event(expected + i) for i in range(rows)]
    return Append(stream, expected, events, key, request if key else None)


def short(row: NewEvent) -> NewEvent:
    """Return a copy of an event with a hash too short for the database to accept."""
    return replace(row, hash=b"short")


async def planted(store: EventStore, old: Append) -> None:
    """Insert events of any time into the log, since es.append only takes current ones.

    Like es.append, this waits for running appends, whose position would otherwise be taken.
    """
    async with store.pool.acquire() as connection, connection.transaction():
        await connection.execute("select pg_advisory_xact_lock(7239012045551)")
        await put_rows(connection, old)
        if old.secret is not None:
            await connection.execute(
                "insert into es.secrets values (es.partition_of($1), $1, $2)", old.stream, old.secret
            )
        if old.key is not None:
            last = old.expected + len(old.events) - 1
            await connection.execute(
                "insert into es.commands values (es.partition_of($1), $1, $2, $3, $4)", old.stream, old.key, old.request, last
            )


async def put_rows(connection: Connection, old: Append) -> None:
    await connection.execute(
        "insert into es.events (position, partition, stream_id, version, type, schema, at, data, root, hash)"
        " select (select coalesce(max(position), 0) from es.events) + ord, es.partition_of($1), $1, $2 + ord - 1, type, schema,"
        " at, data, root, hash from unnest($3::int2[], $4::int2[], $5::timestamptz[], $6::bytea[], $7::bytea[], $8::bytea[])"
        " with ordinality as r(type, schema, at, data, root, hash, ord)",
        old.stream, old.expected,
        *map(list, zip(*((e.type, e.schema, e.at, e.data, e.root, e.hash) for e in old.events), strict=True)),
    )  # fmt: skip
