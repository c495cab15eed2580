"""Data types of the store: events to append, verdicts, and stored events."""
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
        at: with a time zone, never earlier than the stream's last.
        root: root of its leaves but leaf 0, 32 bytes.
        hash: its link in the stream's chain, 32 bytes.
    """

    type: int
    schema: int
    at: datetime
    data: bytes
    root: bytes
    hash: bytes


class Keyed(NamedTuple):
    """One of several commands in an append.

    Attributes:
        key: its idempotency key.
        request: hash of its request.
        version: of its last event.
    """

    key: UUID
    request: bytes
    version: int


class Append(msgspec.Struct, frozen=True):
    """Events for one stream, all of them or none.

    Attributes:
        expected: the version that the first event gets, 0 for a new stream.
        key: the command's idempotency key in its stream, with the hash of its request. None if it may be repeated.
        request: the hash for `key`.
        prev: the hash of the row that the events follow, which has to be the stream's head. None: any row.
        secret: stored with a new stream.
        due: the stream's next deadline, NOTHING_DUE if it has none. None leaves it unchanged.
        together: keys of several commands in place of `key`; the caller has looked them up up to `prev`.
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
    """A checkpoint of the log.

    Its last position, the hash of the row there, and PostgreSQL's timeline. A promoted standby begins a new timeline.
    Events read after the mark on the old timeline may be lost.
    """

    position: int
    hash: bytes
    timeline: str


class Advance(NamedTuple):
    """How the log has grown.

    Attributes:
        heads: the last versions of the streams that have new events.
        whole: whether the log continues from the earlier mark.
    """

    mark: Mark
    heads: dict[UUID, int]
    whole: bool


class Standing(NamedTuple):
    """A row that was looked up.

    Attributes:
        hash: None if the log has no such row.
        last: the newest version of its stream, None if it has none.
    """

    stream: UUID
    version: int
    hash: bytes | None
    last: int | None


class Ok(msgspec.Struct, frozen=True, tag=True):
    """Appended and durable; version and position of the last event."""

    version: int
    position: int


class Duplicate(msgspec.Struct, frozen=True, tag=True):
    """The same command was appended before; version of its last event."""

    version: int


class Mismatch(msgspec.Struct, frozen=True, tag=True):
    """The key belongs to another request."""


class Conflict(msgspec.Struct, frozen=True, tag=True):
    """The stream has another version or another row at its end.

    `head`: its version, -1 if it is empty.
    """

    head: int


class Untimely(msgspec.Struct, frozen=True, tag=True):
    """An event's time is too far from PostgreSQL's clock.

    The writer's clock is wrong, or the append is late.
    """


Verdict = Ok | Duplicate | Mismatch | Conflict | Untimely


class StoredEvent(msgspec.Struct, frozen=True):
    """An event as it is stored. Only the first of a stream has its secret."""

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


class BrokenOrder(Exception):
    """Positions of the log are not consecutive, so another writer has changed it."""


class StoreUnavailable(Exception):
    """PostgreSQL cannot be reached or did not answer in time.

    The command can be sent again with its key.
    """


class AppendRefused(Exception):
    """PostgreSQL can never take this append. None of its events was appended."""

    def __init__(self, stream: UUID, version: int, why: str) -> None:
        super().__init__(f"stream {stream}, version {version}: {why}")
