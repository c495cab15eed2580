"""Events of a table as they are stored and read: each in its place, under its hash.

The hash is over the stored bytes, and over what each audience may see of the event. So a spectator's, a seat's and the full
export of one game verify against the same chain; see docs/eventstore.md.
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
"""An event by audience, as each may see it: spectators, then the seats in their order."""


def microseconds(at: datetime) -> int:
    """Since 1970, exactly."""
    return (at - EPOCH) // MICROSECOND


def head_of(link: bytes) -> str:
    return link[:8].hex()


class StreamSecret(NamedTuple):
    """What stands beside a stream's first event, 32 bytes each: the seed of its salts, that of its deal, and its key.

    The seeds are told when it is over. The key never is: the seed of the salts is made of it, and so is what nobody outside may
    derive for good. A record has none, nor has a stream that was opened before there were keys.
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
        """What ids of further streams are derived under, and their secrets of."""
        return self.key or self.seed

    def fits(self, commitments: tuple[bytes, bytes]) -> bool:
        """Whether these are the seeds that were committed to, and the key that they came from."""
        own = not self.key or self == new_secret(self.key, self.deal)
        return own and (commitment(self.seed), commitment(self.deal)) == commitments


def new_secret(key: bytes, deal: bytes) -> StreamSecret:
    return StreamSecret(hmac.digest(key, b"seed", "sha256"), deal, key)


def secret_of(data: bytes | None) -> StreamSecret:
    """What is not there, or too short, fits no commitment."""
    kept = data or b""
    return StreamSecret(kept[:SEED], kept[SEED : 2 * SEED], kept[2 * SEED :])


def commitment(seed: bytes) -> bytes:
    return blake2b(seed, digest_size=32).digest()


def seen_by_all(layout: Layout, seats: int, event: AnyEvent) -> Seen:
    """Audiences that see the same share it."""
    shared: list[AnyEvent] = []
    seen: dict[int, AnyEvent] = {}
    for audience in range(SPECTATOR, seats):
        shown = event.seen(layout, audience)
        seen[audience] = next((one for one in shared if one == shown), shown)
        if seen[audience] is shown:
            shared.append(shown)
    return seen


def encoded(seen: Seen) -> dict[int, bytes]:
    """By audience. Most are shown the very same event."""
    once = {id(event): event for event in seen.values()}
    data = {key: encode(event) for key, event in once.items()}
    return {audience: data[id(event)] for audience, event in seen.items()}


def seen_bytes(layout: Layout, seats: int, event: AnyEvent) -> dict[int, bytes]:
    """By audience, what its leaf is over."""
    return encoded(seen_by_all(layout, seats, event))


def leaves_of(seed: bytes, version: int, seen: Mapping[int, bytes]) -> list[bytes]:
    """One for spectators and one for each seat, over what they may see."""
    return [chain.salted_leaf(seed, version, leaf_number(audience), data) for audience, data in seen.items()]


def leaf_number(audience: int) -> int:
    return chain.SPECTATORS if audience == SPECTATOR else chain.SEATS + audience


class Numbered(Protocol):
    """What an event's link covers besides its layout and what it says: any form of an event has it."""

    @property
    def version(self) -> int: ...
    @property
    def type(self) -> int: ...
    @property
    def schema(self) -> int: ...
    @property
    def at(self) -> datetime: ...


class EventHeader(msgspec.Struct, frozen=True, gc=False):
    """Of an event that is about to be appended."""

    version: int
    type: int
    schema: int
    at: datetime


def link(seed: bytes, prev: bytes, event: Numbered, layout: bytes, data: bytes, root: bytes) -> bytes:
    """The hash of an event from the bytes that are stored of it."""
    version = event.version
    stored = chain.salted_leaf(seed, version, chain.STORED, data)
    return chain.link(prev, version, event.type, event.schema, microseconds(event.at), layout, stored, root)


# --- the events -------------------------------------------------------------------------------------------------------
class Damaged(Exception):
    """An event does not fit its hash or cannot be read; version says which."""

    def __init__(self, stream: UUID, version: int, what: str) -> None:
        super().__init__(f"table {stream}, version {version}: {what}")
        self.stream, self.version, self.what = stream, version, what


class NewerRelease(Exception):
    """The table was opened by a release that knows more than this one."""


class NoTable(Exception):
    """The stream is of another kind."""


class LogEntry(msgspec.Struct, frozen=True, gc=False):
    """An event in its place in the stream, as it is stored and as it is read. secret: beside the first event."""

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
    """Events from version `first` on. Raises Damaged for what is not where it belongs."""
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
    """An event that is about to be appended behind the one of hash `prev`."""
    data, root = encode(event), chain.root(leaves_of(secret.seed, place.version, encoded(seen)))
    hash_ = link(secret.seed, prev, place, layout, data, root)
    beside = secret.data if isinstance(event, TableOpened) else None
    return LogEntry(place.version, place.at, event, hash_, place.type, place.schema, data, root, beside)


def undone_versions(title: AnyTitle, events: Iterable[LogEntry]) -> set[int]:
    """The versions of commands that were undone, by events before the first one that only a newer release can take in."""
    dead: set[int] = set()
    for entry in events:
        event = entry.event
        if isinstance(event, Undone):
            dead.update(range(event.to + 1, entry.version))
        elif event.is_ahead(title):
            break
    return dead


def is_undone(entry: LogEntry, dead: set[int]) -> bool:
    """Preferences and seats outlive an undo; commands do not."""
    return entry.version in dead and is_command(entry.event) and entry.event.action.verb != PREFER
