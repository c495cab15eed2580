"""Read archived streams, whose rows are in files outside the database.

A file, called a bundle, begins with a line that names the format. Deflated msgpack follows, with the stream, its secret and
its rows. The log contains the hash of each bundle (es.archived), which is checked before the bundle is used.
"""
from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from itertools import pairwise
from typing import Any, NamedTuple, Protocol
from uuid import UUID

import msgspec

from ludarium_eventstore.model import StoredEvent, StoreUnavailable

FORMAT = b"ludarium-bundle/1\n"
MAX_BUNDLE_BYTES = 256 * 1024 * 1024
"""The maximum size of an inflated bundle in bytes. A game has at most 20,000 rows."""
CACHED_BUNDLES = 256
"""The number of bundles that a process caches in memory."""
EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
ARCHIVED_COLUMNS = "stream_id as stream, version, head, first, last, bundle"
PAGE_SIZE = 100
Fetch = Callable[..., Awaitable[Sequence[Any]]]
SELECT_ARCHIVED = f"select {ARCHIVED_COLUMNS} from es.archived"


class Archived(NamedTuple):
    """The log's entry for an archived stream.

    Attributes:
        version: version of the stream's last row.
        head: hash of the last row.
        first: log position of the first row.
        last: log position of the last row.
        bundle: hash of the bundle.
    """

    stream: UUID
    version: int
    head: bytes
    first: int
    last: int
    bundle: bytes


class BrokenBundle(Exception):
    """A bundle is missing, or differs from the bundle that was written."""

    def __init__(self, stream: UUID, what: str) -> None:
        super().__init__(f"stream {stream}: {what}")
        self.stream, self.what = stream, what


class Bundles(Protocol):
    """A storage that returns bundles by stream."""

    async def get(self, stream: UUID) -> bytes | None:
        """Return the bundle of a stream, or None if there is none.

        Raises:
            StoreUnavailable: the storage cannot be reached.
        """


class NoBundles:
    """An empty storage, for processes without a configured archive."""

    async def get(self, stream: UUID) -> bytes | None:
        raise StoreUnavailable(f"stream {stream} is archived: LUDARIUM_ARCHIVE must name the folder or bucket of the bundles")


class BundledRow(msgspec.Struct, array_like=True, frozen=True):
    position: int
    type: int
    schema: int
    at: int
    data: bytes
    root: bytes
    hash: bytes


class Bundle(msgspec.Struct, array_like=True, frozen=True):
    stream: bytes
    secret: bytes | None
    rows: list[BundledRow]


class Archive:
    """A reader of bundles, which caches those used most recently."""

    def __init__(self, bundles: Bundles) -> None:
        self._bundles = bundles
        self._cache: OrderedDict[bytes, list[StoredEvent]] = OrderedDict()

    async def rows(self, place: Archived) -> list[StoredEvent]:
        """Return all rows of an archived stream.

        Raises:
            BrokenBundle: its bundle is missing or damaged.
            StoreUnavailable: the storage cannot be reached.
        """
        found = self._cache.get(place.bundle)
        if found is None:
            found = unpack_bundle(place, await self._bundles.get(place.stream))
        self._cache[place.bundle] = found
        self._cache.move_to_end(place.bundle)
        while len(self._cache) > CACHED_BUNDLES:
            self._cache.popitem(last=False)
        return found

    async def rows_of(self, connection: Any, streams: Collection[UUID]) -> list[StoredEvent]:
        """Return the rows of those streams that are archived, in order within each stream.

        Raises:
            BrokenBundle, StoreUnavailable
        """
        archived_streams = await connection.fetch(
            f"{SELECT_ARCHIVED} where (partition, stream_id) in (select es.partition_of(s), s from unnest($1::uuid[]) s)",
            [*streams],
        )
        return await self._all(archived_streams)

    async def between(self, connection: Any, start: int, last: int) -> list[StoredEvent]:
        """Return the archived rows from after position `start` up to `last`.

        Raises:
            BrokenBundle, StoreUnavailable
        """
        archived_streams = await connection.fetch(
            f"{SELECT_ARCHIVED} where int8range(first, last, '[]') && int8range($1, $2, '(]')", start, last
        )
        return [row for row in await self._all(archived_streams) if start < row.position <= last]

    async def _all(self, archived_streams: Iterable[Sequence[Any]]) -> list[StoredEvent]:
        return [row for place in archived_streams for row in await self.rows(Archived(*place))]


async def archived_streams(fetch: Fetch, after: int = 0) -> AsyncIterator[tuple[int, Archived]]:
    """Yield streams archived after number `after`, in order and with their numbers."""
    statement = f"select {ARCHIVED_COLUMNS}, nth from es.archived where nth > $1 order by nth limit {PAGE_SIZE}"
    while rows := await fetch(statement, after):
        for row in rows:
            yield row["nth"], Archived(*row[:-1])
        after = rows[-1]["nth"]


def hash_of(bundle: bytes) -> bytes:
    return blake2b(bundle, digest_size=32).digest()


def pack_bundle(rows: Sequence[StoredEvent]) -> bytes:
    """Encode all rows of a stream as a bundle."""
    bundled = [
        BundledRow(row.position, row.type, row.schema, (row.at - EPOCH) // MICROSECOND, row.data, row.root, row.hash)
        for row in rows
    ]
    return FORMAT + zlib.compress(msgspec.msgpack.encode(Bundle(rows[0].stream.bytes, rows[0].secret, bundled)), 9)


def archived_stream_of(rows: Sequence[StoredEvent], bundle: bytes) -> Archived:
    last = rows[-1]
    return Archived(last.stream, last.version, last.hash, rows[0].position, last.position, hash_of(bundle))


def unpack_bundle(place: Archived, data: bytes | None) -> list[StoredEvent]:
    """Decode a bundle and compare it with the log's entry.

    Raises:
        BrokenBundle: the bundle is missing, or does not match the entry.
    """
    if data is None:
        raise BrokenBundle(place.stream, "its bundle is not in the archive: put it back from the backup")
    if hash_of(data) != place.bundle:
        raise BrokenBundle(place.stream, "its bundle was changed since it was written: put it back from the backup")
    rows = events_of_bundle(decode_bundle(place.stream, data))
    if what := bundle_fault(place, rows):
        raise BrokenBundle(place.stream, what)
    return rows


_decode = msgspec.msgpack.Decoder(Bundle).decode  # noqa: TID251  made once, when the module is imported


def decode_bundle(stream: UUID, data: bytes) -> Bundle:
    if not data.startswith(FORMAT):
        raise BrokenBundle(stream, f"its bundle is of another format than {FORMAT.decode().strip()}: a newer release reads it")
    inflating = zlib.decompressobj()
    try:
        plain = inflating.decompress(data[len(FORMAT) :], MAX_BUNDLE_BYTES)
        if not inflating.eof:
            raise BrokenBundle(stream, "its bundle is cut off, or larger than any game")
        return _decode(plain)
    except (zlib.error, msgspec.MsgspecError) as error:
        raise BrokenBundle(stream, f"its bundle cannot be read: {error}") from error


def events_of_bundle(bundle: Bundle) -> list[StoredEvent]:
    stream = UUID(bytes=bundle.stream)
    return [
        StoredEvent(row.position, stream, version, row.type, row.schema, EPOCH + row.at * MICROSECOND, row.data, row.root,
                    row.hash, None if version else bundle.secret)
        for version, row in enumerate(bundle.rows)
    ]  # fmt: skip


def bundle_fault(place: Archived, rows: Sequence[StoredEvent]) -> str | None:
    """Return how the rows differ from the log's entry, None if they match."""
    if not rows or rows[0].stream != place.stream:
        return "its bundle is of another stream"
    if place != archived_stream_of(rows, b"")._replace(bundle=place.bundle):
        return "its bundle has other rows than the log says"
    if any(row.position >= later.position for row, later in pairwise(rows)):
        return "its bundle has rows out of commit order"
    return None
