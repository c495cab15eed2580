"""An append as es.append takes it: bytes, a row each, as schema/functions/unpacked.sql describes it."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from struct import Struct

from ludarium_eventstore.model import NOTHING_DUE, Append, NewEvent

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
HEAD = Struct(">16s16siihhhHHIqq")
KEYED, FOLLOWS, SECRET, DUE, NEVER = 1, 2, 4, 8, 24
NO_KEY, NO_HASH = bytes(16), bytes(32)


def packed(appends: Iterable[Append]) -> list[bytes]:
    """Raises struct.error, TypeError or OverflowError of a row that no table could hold."""
    return [row for append in appends for row in rows(append)]


def rows(append: Append) -> Iterator[bytes]:
    first, *others = append.events
    stream, version = append.stream.bytes, append.expected
    yield opening(append, first, stream)
    for nth, event in enumerate(others, 1):
        head = HEAD.pack(
            stream, NO_KEY, version + nth, 0, event.type, event.schema, 0, 0, 0, len(event.data), microseconds(event.at), 0
        )
        yield b"".join((head, event.root, event.hash, NO_HASH, event.data))


def opening(append: Append, event: NewEvent, stream: bytes) -> bytes:
    """The first row, with what is said of the append."""
    request, secret, due, flags = append.request or b"", append.secret or b"", 0, 0
    if append.key is not None:
        flags |= KEYED
    if append.prev is not None:
        flags |= FOLLOWS
    if append.secret is not None:
        flags |= SECRET
    if append.due is not None:
        flags |= NEVER if append.due == NOTHING_DUE else DUE
        due = microseconds(append.due)
    key = append.key.bytes if append.key else NO_KEY
    head = HEAD.pack(
        stream, key, append.expected, len(append.events), event.type, event.schema, flags, len(request),
        len(secret), len(event.data), microseconds(event.at), due,
    )  # fmt: skip
    return b"".join((head, event.root, event.hash, append.prev or NO_HASH, request, secret, event.data))


def microseconds(at: datetime) -> int:
    return (at - EPOCH) // MICROSECOND
