"""Export of a tournament's stream as JSON, enough to recompute everything."""
from __future__ import annotations

from typing import Any
from uuid import UUID

import msgspec

from ludarium.platform import ids
from ludarium.tables.model.event_types import UnreadEvent
from ludarium.tables.model.hash_chain import EPOCH, MICROSECOND, head_of, microseconds
from ludarium.tables.model.timing import timestamp
from ludarium.tournaments.event_types import TOURNAMENT_NAMES, decode
from ludarium.tournaments.hash_chain import root_of
from ludarium_engine.kernel.decoding import json_decoder
from ludarium_eventstore import StoredEvent


class StreamRow(msgspec.Struct, frozen=True):
    """An event of a tournament.

    `ludarium tournament verify` checks `schema`, `data` (in hexadecimal) and `hash`. `row` has the same data in
    readable form.
    """

    seq: int
    at: str
    at_us: int
    type: str
    number: int
    schema: int
    data: str
    hash: str
    row: dict[str, Any]


class StreamBody(msgspec.Struct, frozen=True):
    """All events of a tournament."""

    tournament: str
    rows: list[StreamRow]


def export_stream(stream: UUID, stored: list[StoredEvent]) -> StreamBody:
    return StreamBody(ids.encode(stream), [row_body(event) for event in stored])


class PushedRow(msgspec.Struct, frozen=True):
    """An event of a tournament as its followers get it, in the form of table events."""

    type: str
    seq: int
    head: str
    data: dict[str, Any]


def pushed_event(event: StoredEvent) -> PushedRow:
    body = row_body(event)
    return PushedRow(body.type, body.seq, head_of(event.hash), {"at": body.at, **body.row})


def row_body(event: StoredEvent) -> StreamRow:
    row = decode(event.type, event.schema, event.data)
    told = {} if isinstance(row, UnreadEvent) else {name: as_json(getattr(row, name)) for name in row.__struct_fields__}
    return StreamRow(
        event.version, timestamp(event.at), microseconds(event.at), TOURNAMENT_NAMES.get(event.type, "unknown"), event.type,
        event.schema, event.data.hex(), event.hash.hex(), told,
    )  # fmt: skip


def as_json(value: Any) -> Any:
    """Convert a value to JSON, with bytes in hexadecimal."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list):
        return [as_json(each) for each in value]
    return msgspec.to_builtins(value)


_body = json_decoder(StreamBody)


def import_stream(data: bytes) -> tuple[UUID, list[StoredEvent]]:
    """Parse the output of `export_stream`. Raises ValueError for invalid data."""
    body = _body(data)
    stream = ids.decode(body.tournament)
    return stream, [stored_event(stream, row) for row in body.rows]


def stored_event(stream: UUID, row: StreamRow) -> StoredEvent:
    data = bytes.fromhex(row.data)
    return StoredEvent(
        position=0, stream=stream, version=row.seq, type=row.number, schema=row.schema, at=EPOCH + row.at_us * MICROSECOND,
        data=data, root=root_of(row.seq, data), hash=bytes.fromhex(row.hash), secret=None,
    )  # fmt: skip
