"""Events for tests, and a chain that fits them."""
from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from uuid import UUID, uuid4

from msgspec.structs import replace

from eventstore import Append, NewEvent

START = datetime(2026, 1, 1, tzinfo=UTC)


def event(nth: int, data: bytes = b"") -> NewEvent:
    """Every one has a hash of its own, as links of a chain have."""
    payload = data or f"event {nth}".encode()
    link = blake2b(payload + uuid4().bytes, digest_size=32).digest()
    return NewEvent(1, 1, START + timedelta(seconds=nth), payload, bytes(32), link)


def append(stream: UUID, expected: int, *, rows: int = 1, key: UUID | None = None, request: bytes = b"a") -> Append:
    events = [event(expected + i) for i in range(rows)]
    return Append(stream, expected, events, key, request if key else None)


def short(row: NewEvent) -> NewEvent:
    """A row that the table refuses."""
    return replace(row, hash=b"short")
