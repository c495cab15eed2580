"""An event on its way from the process that has appended it to those that have its table in memory as well.

They would read it from the log with the next command; so they need not.
"""
from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

import msgspec

from ludarium.tables.model.event_types import decode, is_command
from ludarium.tables.model.hash_chain import LogEntry
from ludarium_engine.kernel.decoding import msgpack_decoder


class ReplicatedEvent(NamedTuple):
    """An Entry without what can be made of the rest."""

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
    """None for what is no event of ours, as of another release."""
    try:
        return _decode(data)
    except msgspec.MsgspecError:
        return None


def command_entry(event: ReplicatedEvent) -> LogEntry | None:
    """None for what is no command: other events may name documents, which are in the database alone."""
    acted = decode(event.type, event.schema, event.data)
    if not is_command(acted):
        return None
    return LogEntry(event.version, event.at, acted, event.hash, event.type, event.schema, event.data, event.root)
