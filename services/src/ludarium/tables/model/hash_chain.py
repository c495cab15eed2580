"""The leaves and the link of a table's event: over its stored bytes, and over what each audience may see of it.

So a spectator's, a seat's and the full export of one game verify against the same chain; see docs/eventstore.md.
"""
from __future__ import annotations

import hmac
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import NamedTuple, Protocol

import msgspec

from ludarium.tables.model.event_types import AnyEvent, UnreadEvent, encode
from ludarium_engine.kernel import SPECTATOR
from ludarium_engine.kernel.layout import Layout
from ludarium_eventstore import chain

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
SEED = 32
Seen = Mapping[int, AnyEvent | UnreadEvent]
"""An event by audience, as each may see it: spectators, then the seats in their order."""


def microseconds(at: datetime) -> int:
    """Since 1970, exactly."""
    return (at - EPOCH) // MICROSECOND


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
    return [chain.salted(seed, version, leaf_number(audience), data) for audience, data in seen.items()]


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
    stored = chain.salted(seed, version, chain.STORED, data)
    return chain.link(prev, version, event.type, event.schema, microseconds(event.at), layout, stored, root)
