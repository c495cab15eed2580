"""Send events to other processes that have the table in memory.

These processes can then apply the events without reading the log.
"""
from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import msgspec

from ludarium.tables.model.event_types import decode, is_command
from ludarium.tables.model.hash_chain import LogEntry
from ludarium_engine.kernel.decoding import msgpack_decoder


class ReplicatedEvent(NamedTuple):
    """A LogEntry without its decoded event, which the receiver decodes itself."""

    version: int
    at: datetime
    hash: bytes
    type: int
    schema: int
    data: bytes
    root: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode = msgpack_decoder(ReplicatedEvent)


def packed(entry: LogEntry) -> bytes:
    return _encode(ReplicatedEvent(entry.version, entry.at, entry.hash, entry.type, entry.schema, entry.data, entry.root))


def unpacked(data: bytes) -> ReplicatedEvent | None:
    """Decode an event. Returns None if another release has encoded it differently."""
    try:
        return _decode(data)
    except msgspec.MsgspecError:
        return None


def command_entry(event: ReplicatedEvent) -> LogEntry | None:
    """Return the log entry if the event is a command, None otherwise.

    Other events may name documents, which are only in the database.
    """
    acted = decode(event.type, event.schema, event.data)
    if not is_command(acted):
        return None
    return LogEntry(event.version, event.at, acted, event.hash, event.type, event.schema, event.data, event.root)
