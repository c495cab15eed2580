"""What goes into the store, what it says of it, and what comes out."""
from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID

import msgspec

NOTHING_DUE = datetime.max.replace(tzinfo=UTC)
"""PostgreSQL's infinity, as its driver writes it."""


class NewEvent(msgspec.Struct, frozen=True):
    """A row to be appended. at: aware, never earlier than the stream's last; hash: the link of its chain, root: that of the
    leaves beside its own, 32 bytes each."""

    type: int
    schema: int
    at: datetime
    data: bytes
    root: bytes
    hash: bytes


class Keyed(NamedTuple):
    """A command whose rows come with those of others: its key, the hash of its request, the version of its last row."""

    key: UUID
    request: bytes
    version: int


class Append(msgspec.Struct, frozen=True):
    """Rows for one stream, all of them or none. expected: the version that the first of them gets, 0 for a new stream.

    prev: the hash of the row that they follow, which has to be the stream's head; None: whichever row it is.
    key: the command's idempotency key in its stream, with the hash of its request; None: may be repeated at will.
    secret: what is kept beside a new stream. due: when the stream has to be looked at again, NOTHING_DUE if that is not
    foreseen; None: as it was before.
    together: keys that come with the rows in place of `key`; whoever appends has looked them up behind `prev`.
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
    """How far the log had come: its last position, the hash of the row there, and PostgreSQL's timeline.

    A promoted standby begins a new timeline: what was read before it, but behind the mark, may be lost as well.
    """

    position: int
    hash: bytes
    timeline: str


class Advance(NamedTuple):
    """heads: the last versions of the streams that have moved. whole: whether the log goes on from the earlier mark."""

    mark: Mark
    heads: dict[UUID, int]
    whole: bool


class Standing(NamedTuple):
    """A row that was looked up.

    hash: None if the log has no such row. last: the newest version of its stream, None if it has none.
    """

    stream: UUID
    version: int
    hash: bytes | None
    last: int | None


class Ok(msgspec.Struct, frozen=True, tag=True):
    """Appended and durable; version and position of the last row."""

    version: int
    position: int


class Duplicate(msgspec.Struct, frozen=True, tag=True):
    """The same command was appended before; version of its last row."""

    version: int


class Mismatch(msgspec.Struct, frozen=True, tag=True):
    """The key belongs to another request."""


class Conflict(msgspec.Struct, frozen=True, tag=True):
    """The stream stands at another version, or at another row: its head, -1 if it is empty."""

    head: int


class Untimely(msgspec.Struct, frozen=True, tag=True):
    """A row is further from PostgreSQL's clock than a row may be: its writer's is off, or it has come too late."""


Verdict = Ok | Duplicate | Mismatch | Conflict | Untimely


class StoredEvent(msgspec.Struct, frozen=True):
    """A row as it stands in the log; the stream's secret comes with its first row."""

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
    """Positions of the log that do not follow one another: somebody else than es.append has had a hand in it."""


class StoreUnavailable(Exception):
    """PostgreSQL cannot be reached, or did not answer in time. The command may be sent again with its key."""


class AppendRefused(Exception):
    """PostgreSQL does not take this append, whoever sends it and with whatever beside it; none of its rows was appended."""

    def __init__(self, stream: UUID, version: int, why: str) -> None:
        super().__init__(f"stream {stream}, version {version}: {why}")
