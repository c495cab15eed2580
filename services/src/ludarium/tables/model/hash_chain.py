"""Events of a table with their hashes, as they are stored and read.

A hash covers the stored bytes and what each audience may see of the event. So exports for spectators, for a seat and in
full verify against the same chain; see docs/eventstore.md.
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
"""An event as each audience may see it: spectators, then the seats in order."""


def microseconds(at: datetime) -> int:
    """Return the exact microseconds since 1970."""
    return (at - EPOCH) // MICROSECOND


def head_of(link: bytes) -> str:
    return link[:8].hex()


class StreamSecret(NamedTuple):
    """The secret that is stored with a stream's first event, 32 bytes for each part.

    The seeds are revealed when the stream is over. The key is never revealed: the seed of the salts is derived from it,
    and so are ids and secrets that must stay unknown. Records and streams older than keys have none.

    Attributes:
        seed: of the salts of the hash chain.
        deal: seed of the deal.
        key: the key.
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
        """The bytes from which ids and secrets of further streams are derived."""
        return self.key or self.seed

    def fits(self, commitments: tuple[bytes, bytes]) -> bool:
        """Return whether these seeds match the commitments, and derive from the key."""
        own = not self.key or self == new_secret(self.key, self.deal)
        return own and (commitment(self.seed), commitment(self.deal)) == commitments


def new_secret(key: bytes, deal: bytes) -> StreamSecret:
    return StreamSecret(hmac.digest(key, b"seed", "sha256"), deal, key)


def secret_of(data: bytes | None) -> StreamSecret:
    """Split stored bytes into their parts. Missing parts fit no commitment."""
    kept = data or b""
    return StreamSecret(kept[:SEED], kept[SEED : 2 * SEED], kept[2 * SEED :])


def commitment(seed: bytes) -> bytes:
    return blake2b(seed, digest_size=32).digest()


def seen_by_all(layout: Layout, seats: int, event: AnyEvent) -> Seen:
    """Return the event for each audience.

    Audiences that see the same share one object.
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
    """Encode the event for each audience, once for each distinct version."""
    once = {id(event): event for event in seen.values()}
    data = {key: encode(event) for key, event in once.items()}
    return {audience: data[id(event)] for audience, event in seen.items()}


def seen_bytes(layout: Layout, seats: int, event: AnyEvent) -> dict[int, bytes]:
    """Return the bytes that each audience's leaf covers."""
    return encoded(seen_by_all(layout, seats, event))


def leaves_of(seed: bytes, version: int, seen: Mapping[int, bytes]) -> list[bytes]:
    """Return a leaf for spectators and one for each seat, over what they may see."""
    return [chain.salted_leaf(seed, version, leaf_number(audience), data) for audience, data in seen.items()]


def leaf_number(audience: int) -> int:
    return chain.SPECTATORS if audience == SPECTATOR else chain.SEATS + audience


class Numbered(Protocol):
    """The fields that a link covers besides layout and data.

    Any form of an event has them.
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
    """Return the hash of an event from its stored bytes."""
    version = event.version
    stored = chain.salted_leaf(seed, version, chain.STORED, data)
    return chain.link(prev, version, event.type, event.schema, microseconds(event.at), layout, stored, root)


# --- events -----------------------------------------------------------------------------------------------------------
class Damaged(Exception):
    """An event does not fit its hash or cannot be read. `version`: which one."""

    def __init__(self, stream: UUID, version: int, what: str) -> None:
        super().__init__(f"table {stream}, version {version}: {what}")
        self.stream, self.version, self.what = stream, version, what


class NewerRelease(Exception):
    """The table was opened by a newer release."""


class NoTable(Exception):
    """The stream is not a table."""


class LogEntry(msgspec.Struct, frozen=True, gc=False):
    """An event in its place in the stream, stored and decoded.

    `secret`: only with the first event.
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
    """Create an event to append after the one with hash `prev`."""
    data, root = encode(event), chain.root(leaves_of(secret.seed, place.version, encoded(seen)))
    hash_ = link(secret.seed, prev, place, layout, data, root)
    beside = secret.data if isinstance(event, TableOpened) else None
    return LogEntry(place.version, place.at, event, hash_, place.type, place.schema, data, root, beside)


def undone_versions(title: AnyTitle, events: Iterable[LogEntry]) -> set[int]:
    """Return the versions of undone commands.

    It ends at the first event that only a newer release can apply.
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
    """Return whether the event was undone. Only commands are; preferences and seats are kept."""
    return entry.version in dead and is_command(entry.event) and entry.event.action.verb != PREFER
