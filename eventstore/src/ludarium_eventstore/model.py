"""Define the data types of the store, such as events, appends and their results.

A verdict is the result of an append: Ok, Duplicate, Mismatch, Conflict or Untimely.
"""
from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID

import msgspec

NOTHING_DUE = datetime.max.replace(tzinfo=UTC)
"""asyncpg's representation of PostgreSQL's infinity."""


class NewEvent(msgspec.Struct, frozen=True):
    """An event to append.

    Attributes:
        at: the time with a time zone, never earlier than that of the stream's last event.
        root: Merkle root of the event's leaves except leaf 0, 32 bytes.
        hash: the event's link in the stream's hash chain, 32 bytes.
    """

    type: int
    schema: int
    at: datetime
    data: bytes
    root: bytes
    hash: bytes


class Keyed(NamedTuple):
    """One of several commands whose events are appended together.

    Attributes:
        key: the command's idempotency key.
        request: hash of the command's request.
        version: version of the command's last event.
    """

    key: UUID
    request: bytes
    version: int


class Append(msgspec.Struct, frozen=True):
    """Events to append to one stream, all of them or none.

    Attributes:
        expected: the version that the first event gets, 0 for a new stream.
        key: the command's idempotency key in its stream; None for a command that may be repeated.
        request: hash of the command's request, stored with `key`.
        prev: hash of the row that the events must follow as the stream's last row; None for any row.
        secret: the secret to store with a new stream.
        due: the stream's next deadline, NOTHING_DUE if it has none. None leaves it unchanged.
        together: keys of several commands in place of `key`; the caller has looked them up to `prev`.
    """

    stream: UUID
    expected: int
    events: list[NewEvent]
    key: UUID | None = None
    request: bytes | None = None
    prev: bytes | None = None
    secret: bytes | None = None
    due: datetime | None = None
    together: Sequence[Keyed] = ()

    def __post_init__(self) -> None:
        if not self.events:
            raise ValueError("an append has at least one row")
        if (self.key is None) != (self.request is None):
            raise ValueError("a key and the hash of its request come together")
        if self.together and (self.key is not None or self.prev is None):
            raise ValueError("keys of several commands come alone, behind a row that is known")


class Mark(NamedTuple):
    """A checkpoint of the log: its last position and hash, and PostgreSQL's timeline.

    A promoted standby starts a new timeline. Events that were read from the old timeline after the checkpoint may then be
    lost.
    """

    position: int
    hash: bytes
    timeline: str


class Advance(NamedTuple):
    """New events of the log since a checkpoint.

    Attributes:
        heads: the last version of each stream with new events.
        whole: whether the log still contains the row at the checkpoint.
    """

    mark: Mark
    heads: dict[UUID, int]
    whole: bool


class Standing(NamedTuple):
    """The result of looking up a row.

    Attributes:
        hash: the row's hash, None if the log has no such row.
        last: the newest version of the stream, None if it is empty.
    """

    stream: UUID
    version: int
    hash: bytes | None
    last: int | None


class Ok(msgspec.Struct, frozen=True, tag=True):
    """The events were appended and are durable.

    `version` and `position` are those of the last event.
    """

    version: int
    position: int


class Duplicate(msgspec.Struct, frozen=True, tag=True):
    """The same command was appended before; `version` is that of its last event."""

    version: int


class Mismatch(msgspec.Struct, frozen=True, tag=True):
    """The key was already used with another request."""


class Conflict(msgspec.Struct, frozen=True, tag=True):
    """The stream has another version or another last row than expected.

    `head` is the stream's current version, -1 if it is empty.
    """

    head: int


class Untimely(msgspec.Struct, frozen=True, tag=True):
    """The time of an event is too far from PostgreSQL's clock.

    The writer's clock is wrong, or the append is late.
    """


Verdict = Ok | Duplicate | Mismatch | Conflict | Untimely


class StoredEvent(msgspec.Struct, frozen=True):
    """An event as stored. Only the first event of a stream has the stream's secret."""

    position: int
    stream: UUID
    version: int
    type: int
    schema: int
    at: datetime
    data: bytes
    root: bytes
    hash: bytes
    secret: bytes | None


class StreamKey(NamedTuple):
    """A stream's position in the order of partition and id."""

    partition: int
    stream: UUID


class Due(NamedTuple):
    """A deadline of a stream."""

    stream: UUID
    at: datetime


class Claimed(NamedTuple):
    """Streams whose deadline has passed, and the time of the next known deadline."""

    dues: list[Due]
    next: datetime | None


class BrokenOrder(Exception):
    """The positions of the log have gaps, so another writer has changed the log."""


class StoreUnavailable(Exception):
    """PostgreSQL cannot be reached, or did not respond in time.

    The command can be sent again with the same key.
    """


class AppendRefused(Exception):
    """PostgreSQL can never accept this append. None of its events was appended."""

    def __init__(self, stream: UUID, version: int, why: str) -> None:
        super().__init__(f"stream {stream}, version {version}: {why}")
