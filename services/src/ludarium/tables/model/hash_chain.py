"""The hash chain over a table's events.

An event's hash covers its stored bytes and its redacted form for each audience. Exports for spectators, exports for a
seat and full exports can therefore be verified with the same hashes; see docs/eventstore.md.
"""
from __future__ import annotations

import hmac
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import NamedTuple, Protocol
from uuid import UUID

import msgspec

from ludarium.tables.model.event_types import AnyEvent, UnreadEvent, decode, encode, is_command
from ludarium.tables.model.events import AnyTitle, TableOpened, Undone
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.kernel.contract import PREFER
from ludarium_engine.kernel.layout import Layout
from ludarium_eventstore import StoredEvent, chain

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
SEED = 32
Seen = Mapping[int, AnyEvent | UnreadEvent]
"""An event's redacted form by audience, for spectators and then for the seats in order."""


def microseconds(at: datetime) -> int:
    """Return a time as exact microseconds since 1970."""
    return (at - EPOCH) // MICROSECOND


def head_of(link: bytes) -> str:
    return link[:8].hex()


class StreamSecret(NamedTuple):
    """The secret that is stored with a stream's first event.

    The two seeds are revealed when the stream is over. The key is never revealed, since ids and secrets that must remain
    unknown are derived from it. Records have no key, nor do streams that are older than keys.

    Attributes:
        seed: 32 bytes from which the salts of the hash chain follow; derived from the key.
        deal: 32 bytes from which the deal and all further chance follow.
        key: 32 bytes, or none.
    """

    seed: bytes
    deal: bytes
    key: bytes = b""

    @property
    def data(self) -> bytes:
        return self.seed + self.deal + self.key

    @property
    def seeds(self) -> tuple[bytes, bytes]:
        return self.seed, self.deal

    @property
    def root(self) -> bytes:
        """Bytes from which the ids and secrets of further streams are derived."""
        return self.key or self.seed

    def fits(self, commitments: tuple[bytes, bytes]) -> bool:
        """Return whether the seeds match the commitments and follow from the key.

        Args:
            commitments: the hashes of `seed` and `deal`.
        """
        own = not self.key or self == new_secret(self.key, self.deal)
        return own and (commitment(self.seed), commitment(self.deal)) == commitments


def new_secret(key: bytes, deal: bytes) -> StreamSecret:
    return StreamSecret(hmac.digest(key, b"seed", "sha256"), deal, key)


def secret_of(data: bytes | None) -> StreamSecret:
    """Split a stored secret into its parts.

    Missing parts become empty bytes, which match no commitment.
    """
    kept = data or b""
    return StreamSecret(kept[:SEED], kept[SEED : 2 * SEED], kept[2 * SEED :])


def commitment(seed: bytes) -> bytes:
    return blake2b(seed, digest_size=32).digest()


def seen_by_all(layout: Layout, seats: int, event: AnyEvent) -> Seen:
    """Return the event's redacted form by audience.

    Audiences with equal forms share one object.
    """
    shared: list[AnyEvent] = []
    seen: dict[int, AnyEvent] = {}
    for audience in range(SPECTATOR, seats):
        shown = event.seen(layout, audience)
        seen[audience] = next((one for one in shared if one == shown), shown)
        if seen[audience] is shown:
            shared.append(shown)
    return seen


def encoded(seen: Seen) -> dict[int, bytes]:
    """Encode the event's redacted forms by audience, each distinct form once."""
    once = {id(event): event for event in seen.values()}
    data = {key: encode(event) for key, event in once.items()}
    return {audience: data[id(event)] for audience, event in seen.items()}


def seen_bytes(layout: Layout, seats: int, event: AnyEvent) -> dict[int, bytes]:
    """Return the bytes that are hashed into each audience's leaf, by audience."""
    return encoded(seen_by_all(layout, seats, event))


def leaves_of(seed: bytes, version: int, seen: Mapping[int, bytes]) -> list[bytes]:
    """Return the leaves of spectators and of each seat, over what each may see."""
    return [chain.salted_leaf(seed, version, leaf_number(audience), data) for audience, data in seen.items()]


def leaf_number(audience: int) -> int:
    return chain.SPECTATORS if audience == SPECTATOR else chain.SEATS + audience


class Numbered(Protocol):
    """The fields of an event that its hash covers in addition to layout and data.

    Stored events, log entries and event headers all have these fields.
    """

    @property
    def version(self) -> int: ...
    @property
    def type(self) -> int: ...
    @property
    def schema(self) -> int: ...
    @property
    def at(self) -> datetime: ...


class EventHeader(msgspec.Struct, frozen=True, gc=False):
    """The header of an event that is about to be appended."""

    version: int
    type: int
    schema: int
    at: datetime


def link(seed: bytes, prev: bytes, event: Numbered, layout: bytes, data: bytes, root: bytes) -> bytes:
    """Return the hash of an event.

    Args:
        seed: the seed of the stream's salts.
        prev: the hash of the event before this one.
        event: the event's header.
        layout: the hash of the layout in force.
        data: the event's stored bytes.
        root: the root over the leaves of all audiences.
    """
    version = event.version
    stored = chain.salted_leaf(seed, version, chain.STORED, data)
    return chain.link(prev, version, event.type, event.schema, microseconds(event.at), layout, stored, root)


# --- events -----------------------------------------------------------------------------------------------------------
class Damaged(Exception):
    """An event does not fit its hash or cannot be read.

    Attributes:
        version: the event's number in the stream.
    """

    def __init__(self, stream: UUID, version: int, what: str) -> None:
        super().__init__(f"table {stream}, version {version}: {what}")
        self.stream, self.version, self.what = stream, version, what


class NewerRelease(Exception):
    """The table was opened by a newer release."""


class NoTable(Exception):
    """The stream is not a table."""


class LogEntry(msgspec.Struct, frozen=True, gc=False):
    """An event with its place in the stream, both as stored and decoded.

    Attributes:
        secret: the stream's secret, for the first event; None for all others.
    """

    version: int
    at: datetime
    event: AnyEvent | UnreadEvent
    hash: bytes
    type: int
    schema: int
    data: bytes
    root: bytes
    secret: bytes | None = None


def decoded_entries(stored: Iterable[StoredEvent], first: int = 0) -> list[LogEntry]:
    """Decode events from version `first` on.

    Raises:
        Damaged: if versions are not consecutive.
    """
    read = []
    for nth, event in enumerate(stored, first):
        if event.version != nth:
            raise Damaged(event.stream, nth, f"version {event.version} stands in its place")
        read.append(entry_of(event))
    return read


def entry_of(event: StoredEvent) -> LogEntry:
    row = decode(event.type, event.schema, event.data)
    return LogEntry(event.version, event.at, row, event.hash, event.type, event.schema, event.data, event.root, event.secret)


def new_entry(secret: StreamSecret, prev: bytes, place: EventHeader, layout: bytes, event: AnyEvent, seen: Seen) -> LogEntry:
    """Create the log entry of an event that follows the one with hash `prev`."""
    data, root = encode(event), chain.root(leaves_of(secret.seed, place.version, encoded(seen)))
    hash_ = link(secret.seed, prev, place, layout, data, root)
    beside = secret.data if isinstance(event, TableOpened) else None
    return LogEntry(place.version, place.at, event, hash_, place.type, place.schema, data, root, beside)


def undone_versions(title: AnyTitle, events: Iterable[LogEntry]) -> set[int]:
    """Return the versions of all events that undos reach back over.

    Events from the first one that only a newer release can apply are not considered.
    """
    dead: set[int] = set()
    for entry in events:
        event = entry.event
        if isinstance(event, Undone):
            dead.update(range(event.to + 1, entry.version))
        elif event.is_ahead(title):
            break
    return dead


def is_undone(entry: LogEntry, dead: set[int]) -> bool:
    """Return whether the event was undone.

    Only commands are undone; changes of preferences and of seats remain in force.

    Args:
        dead: the versions from `undone_versions`.
    """
    return entry.version in dead and is_command(entry.event) and entry.event.action.verb != PREFER
